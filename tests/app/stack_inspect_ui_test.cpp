// The inspector of stacks: a number of a norm, the stream as the sum of its writes, where a number goes, what
// a row looks at, and what must hold.
#include <cmath>
#include <numeric>

#include "app/inspector/inspector_numbers.h"
#include "core/document/stack_edit.h"
#include "tests/app/stack_inspect_lab.h"

using namespace attn;
using namespace attn::tests;
using inspector::digits_for;
using inspector::write;

namespace {

// Layer 1 of the encoder reads a row of it through a norm: token 4, feature 12, as in the drawing.
constexpr Cell kStackDrawn{0, 4, 12};

std::string stack_five(double value) {
  return write(value, digits_for({value}, 5));
}
std::string stack_four(double value) {
  return write(value, digits_for({value}, 4));
}

struct StackRowByHand {
  double mean = 0, variance = 0, squares = 0;
};
StackRowByHand stack_row_by_hand(StackInspectorLab& lab, StageIndex stage, std::size_t row) {
  StackRowByHand by_hand;
  const std::size_t d = lab.numbers(stage).columns();
  for (std::size_t j = 0; j < d; ++j) by_hand.mean += lab.number(stage, {0, row, j});
  by_hand.mean /= static_cast<double>(d);
  for (std::size_t j = 0; j < d; ++j) {
    const double x = lab.number(stage, {0, row, j});
    by_hand.variance += (x - by_hand.mean) * (x - by_hand.mean) / static_cast<double>(d);
    by_hand.squares += x * x / static_cast<double>(d);
  }
  return by_hand;
}

const BoxStages& stack_drawn_box(StackInspectorLab& lab) {
  return *lab.block(false, 1).find(StackBox::attention);
}

}  // namespace

TEST_CASE("a number of LayerNorm is opened with its row, mean, variance, gain and bias") {
  StackInspectorLab lab;
  const BoxStages& box = stack_drawn_box(lab);
  lab.pin(*box.normed, kStackDrawn);
  CHECK(lab.find_text("LayerNorm[4, 12]"));
  CHECK(lab.find_text("encoder, layer 1 · token “a”, feature 12"));
  const StackRowByHand row = stack_row_by_hand(lab, box.before, 4);
  const double x = lab.number(box.before, kStackDrawn),
               normed = (x - row.mean) / std::sqrt(row.variance + 1e-5);
  const StackBlock& block = lab.document().transformer.encoder.blocks[1];
  const double gain = static_cast<double>(block.norms[0].gain[{0, 0, 12}]),
               bias = static_cast<double>(block.norms[0].bias[{0, 0, 12}]);
  CHECK(lab.find_text("μ over 32 features"));
  CHECK(lab.find_text("σ², ε = 1e−5"));
  for (const double value : {x, row.mean, row.variance, normed, normed * gain + bias}) {
    CAPTURE(value);
    CHECK(lab.find_text(stack_five(value)));
  }
  // Float has 24 bits; a row of 32 numbers of at most 8 loses five of them.
  CHECK(std::abs(normed * gain + bias - lab.number(*box.normed, kStackDrawn)) < 0x1p-18);
  lab.press_item("stack number/x, the stream");
  CHECK(lab.is_pinned(box.before, kStackDrawn));
  CHECK(lab.shows("It is a sum: "));
}

TEST_CASE("a bar of the row opens its feature and Enter the next") {
  StackInspectorLab lab;
  const StageIndex norm = *stack_drawn_box(lab).normed;
  lab.pin(norm, kStackDrawn);
  const auto bars = lab.item("stack number/row of the norm");
  REQUIRE(bars);
  const float inset = 4, step = (bars->width() - 2 * inset) / 32;
  lab.click({bars->min.x + inset + 20.5f * step, centre(*bars).y});
  lab.frames(2);
  CHECK(lab.is_pinned(norm, {0, 4, 20}));
}

TEST_CASE("a number of RMSNorm has no mean") {
  Document document = dates_document();
  set_norm_kind(document, NormKind::rms);
  StackInspectorLab lab(document);
  const BoxStages& box = stack_drawn_box(lab);
  lab.pin(*box.normed, kStackDrawn);
  CHECK_FALSE(lab.shows("μ over"));
  CHECK(lab.find_text("mean x², ε = 1e−5"));
  CHECK(lab.find_text(stack_five(stack_row_by_hand(lab, box.before, 4).squares)));
  CHECK(lab.shows("mean square before gain"));
}

TEST_CASE("what a norm reads is the sum of all writes since the embedding") {
  StackInspectorLab lab;
  const BoxStages& box = stack_drawn_box(lab);
  lab.pin(*box.normed, kStackDrawn);
  CHECK(lab.shows("x is a sum: "));
  const SideStages& side = *lab.places().encoder;
  const BlockStages& first = side.blocks.front();
  const std::vector<StageIndex> writes{*side.embedded, *side.position, *first.boxes[0].added,
                                       *first.boxes[1].added};
  double sum = 0;
  for (const StageIndex stage : writes) {
    sum += lab.number(stage, kStackDrawn);
    CHECK(lab.find_text(stack_four(lab.number(stage, kStackDrawn))));
  }
  CHECK(lab.find_text("= x"));
  CHECK(lab.find_text(stack_four(sum)));
  // Three sums of numbers below 4 in float.
  CHECK(std::abs(sum - lab.number(box.before, kStackDrawn)) < 3 * 0x1p-22);
  lab.press_item("stack number/write layer 0 feed-forward");
  CHECK(lab.is_pinned(*first.boxes[1].added, kStackDrawn));
}

TEST_CASE("behind a norm the sum begins anew") {
  Document document = dates_document();
  set_norm_at(document, NormAt::after);
  StackInspectorLab lab(document);
  const BoxStages& box = *lab.block(false, 1).find(StackBox::feed_forward);
  lab.pin(*box.normed, kStackDrawn);
  CHECK(lab.shows("x is a sum: "));
  CHECK_FALSE(lab.item("stack number/write embed"));
  CHECK(lab.find_text(stack_four(lab.number(*box.added, kStackDrawn))));
  CHECK(lab.find_text(stack_four(lab.number(box.before, kStackDrawn))));
}

TEST_CASE("what a number adds most to is the largest product with the head's weights") {
  StackInspectorLab lab;
  lab.view().layer.head = 3;
  const BoxStages& box = stack_drawn_box(lab);
  lab.pin(*box.normed, kStackDrawn);
  const LayerSpec& layer = lab.document().transformer.encoder.blocks[1].attention;
  for (const Tensor* weights : {&layer.w_q, &layer.w_k, &layer.w_v}) {
    std::size_t most = 0;
    const auto adds = [&](std::size_t j) {
      return lab.number(*box.normed, kStackDrawn) * static_cast<double>((*weights)[{0, 12, 24 + j}]);
    };
    for (std::size_t j = 1; j < 8; ++j)
      if (std::abs(adds(j)) > std::abs(adds(most))) most = j;
    CHECK(lab.shows("head 3: most into column " + std::to_string(most)));
    CHECK(lab.find_text(write(adds(most), {3, false})));
  }
}

TEST_CASE("the keys of a row stand by their weights") {
  StackInspectorLab lab;
  lab.at().layer = 1, lab.at().row = 4, lab.view().layer.head = 3;
  lab.frames(3);
  CHECK(lab.find_text("Row 4 “a”, head 3, attends to"));
  const StageIndex weights = stack_drawn_box(lab).layer->weights;
  std::vector<std::size_t> keys(11);
  std::iota(keys.begin(), keys.end(), 0);
  std::ranges::sort(keys, std::ranges::greater(), [&](std::size_t key) {
    return lab.number(weights, {3, 4, key});
  });
  float above = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto found = lab.item("stack/key" + std::to_string(keys[i]));
    REQUIRE(found);
    CHECK(found->min.y > above);
    above = found->min.y;
    CHECK(lab.find_text(write(lab.number(weights, {3, 4, keys[i]}), {4, false})));
  }
  CHECK_FALSE(lab.item("stack/key" + std::to_string(keys[4])));
  lab.press_item("stack/key" + std::to_string(keys[0]));
  CHECK(lab.is_pinned(weights, {3, 4, keys[0]}));
}

TEST_CASE("of nothing pinned the inspector says what is shown") {
  StackInspectorLab lab;
  CHECK(lab.shows("An encoder of 4 layers over 11 tokens"));
  CHECK(lab.find_text("Encoder, layer 0"));
  lab.press_item("open number/open a number");
  CHECK(lab.view().pinned);
}

TEST_CASE("without norms a number of the stream is opened as its sum") {
  Document document = dates_document();
  set_norm_at(document, NormAt::none);
  StackInspectorLab lab(document);
  const BoxStages& box = *lab.block(true, 0).find(StackBox::feed_forward);
  lab.pin(box.stream, kStackDrawn);
  CHECK(lab.shows("It is a sum: stream[4, 12]"));
  CHECK(lab.item("stack number/write layer 0 cross-attention"));
  CHECK(lab.find_text("= stream"));
}

TEST_CASE("what must hold of the model of dates holds, and it writes the date") {
  StackInspectorLab lab;
  for (const char* name :
       {"mean of a row before gain", "sum of the writes − stream", "row sums of all 16 maps",
        "cached − recomputed", "sinks over half of a map", "written"}) {
    INFO(name);
    CHECK(lab.find_text(name));
  }
  CHECK(lab.find_text("1987-03-12 ✓"));
  CHECK_FALSE(lab.shows("✗"));
}

TEST_CASE("what must hold of a stack holds wherever norms stand and of whatever kind") {
  for (const NormAt at : {NormAt::before, NormAt::after, NormAt::none})
    for (const NormKind kind : {NormKind::layer, NormKind::rms})
      for (const bool residual : {true, false}) {
        Document document = dates_document();
        set_norm_kind(document, kind);
        set_norm_at(document, at);
        set_stack_seed(document, 3);
        document.transformer.residual = residual;
        CAPTURE(static_cast<int>(at));
        CAPTURE(static_cast<int>(kind));
        CAPTURE(residual);
        StackInspectorLab lab(document);
        CHECK(lab.shows(kind == NormKind::layer ? "mean of a row before gain" : "mean square before gain"));
        CHECK(lab.find_text("sum of the writes − stream"));
        CHECK_FALSE(lab.shows("✗"));
      }
}

TEST_CASE("a map that sinks is told with its layer, head and key") {
  Document document = dates_document();
  StackSpec& stack = document.transformer;
  // Queries and keys of one feature that is the same in every row: all weight is equal; a causal mask leaves
  // the first key all of the first row's, half of the second's, and so on: (1 + 1/2 + 1/3) ÷ 3 of three
  // tokens.
  stack.sides = StackSides::encoder;
  set_input_text(document, false, "123");
  LayerSpec& layer = document.transformer.encoder.blocks[2].attention;
  for (Tensor* weights : {&layer.w_q, &layer.w_k})
    *weights = Tensor(weights->shape(), std::vector<float>(weights->shape().size(), 0.0f));
  set_causal(layer, CausalAlign::lower_right);
  StackInspectorLab lab(document);
  const StageIndex weights = lab.block(false, 2).find(StackBox::attention)->layer->weights;
  const auto line = lab.find_text("sinks over half of a map");
  REQUIRE(line);
  std::size_t expected = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const Tensor& map = lab.numbers(lab.block(false, i).find(StackBox::attention)->layer->weights);
    for (std::size_t head = 0; head < 4; ++head)
      for (std::size_t key = 0; key < 3; ++key) {
        double mean = 0;
        for (std::size_t row = 0; row < 3; ++row) mean += static_cast<double>(map[{head, row, key}]) / 3;
        expected += mean > 0.5 ? 1 : 0;
      }
  }
  CHECK(lab.number(weights, {0, 2, 0}) == doctest::Approx(1.0 / 3));
  CHECK(expected >= 4);
  CHECK(lab.text_in({{line->min.x, line->min.y}, {1600, line->max.y}}).ends_with(std::to_string(expected)));
}

// A number typed over a stack's norm or stream: what is said of the numbers beside it, and what still holds.
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "core/document/stack_edit.h"
#include "core/graph/rounding.h"
#include "tests/app/stack_inspect_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr Cell kTypedOver{0, 1, 0}, kBesideTyped{0, 1, 2};

Document typed_over_stack(const std::string& stage, NormAt at = NormAt::before) {
  Document document = dates_document();
  if (at != NormAt::before) set_norm_at(document, at);
  document.overrides.push_back({std::string(kStackPlan.name), stage, {kTypedOver, 0.5f}});
  return document;
}

std::string of_typed(double value, int digits) {
  return inspector::write(value, inspector::digits_for({value}, digits));
}

}  // namespace

TEST_CASE("beside a number typed over a norm another is opened with the row that the norm read") {
  StackInspectorLab lab(typed_over_stack("encoder.0.norm1"));
  const BoxStages& box = lab.block(false, 0).boxes.front();
  REQUIRE(lab.number(*box.normed, kTypedOver) == 0.5);
  lab.pin(*box.normed, kBesideTyped);
  double mean = 0, variance = 0;
  const double d = static_cast<double>(lab.numbers(box.before).columns());
  for (std::size_t j = 0; j < lab.numbers(box.before).columns(); ++j)
    mean += lab.number(box.before, {0, 1, j}) / d;
  for (std::size_t j = 0; j < lab.numbers(box.before).columns(); ++j)
    variance += std::pow(lab.number(box.before, {0, 1, j}) - mean, 2) / d;
  const NormWeights& norm = lab.document().transformer.encoder.blocks[0].norms[0];
  const double x = lab.number(box.before, kBesideTyped), normed = (x - mean) / std::sqrt(variance + 1e-5),
               result = normed * static_cast<double>(norm.gain[{0, 0, 2}]) +
                        static_cast<double>(norm.bias[{0, 0, 2}]);
  // Float has 24 bits; a row of 32 numbers of at most 8 loses five of them.
  REQUIRE(std::abs(result - lab.number(*box.normed, kBesideTyped)) < 0x1p-18);
  for (const double value : {x, mean, variance, normed, result}) {
    CAPTURE(value);
    CHECK(lab.find_text(of_typed(value, 5)));
  }
  CHECK(lab.shows("· gain "));
  CHECK(lab.item("stack number/write position"));
  CHECK(lab.find_text(of_typed(lab.number(*lab.places().encoder->position, kBesideTyped), 4)));
  lab.press_item("stack number/x, the stream");
  CHECK(lab.is_pinned(box.before, kBesideTyped));
}

TEST_CASE("what must hold of norms and sums holds beside numbers typed over them") {
  for (const NormAt at : {NormAt::before, NormAt::after})
    for (const char* stage : {"encoder.0.norm1", "encoder.0.stream", "encoder.3.stream", "encoder.output"}) {
      if (at == NormAt::after && std::string(stage) == "encoder.0.norm1") continue;  // there is none
      CAPTURE(std::string(stage));
      CAPTURE(static_cast<int>(at));
      StackInspectorLab lab(typed_over_stack(stage, at));
      REQUIRE(lab.number(*lab.results()->graph.find(stage), kTypedOver) == 0.5);
      CHECK(lab.find_text("mean of a row before gain"));
      CHECK(lab.find_text("sum of the writes − stream"));
      CHECK_FALSE(lab.shows(" ✗"));  // alone it takes a typed number back
    }
}

TEST_CASE("beside a number typed over the stream another is the sum of its writes") {
  for (const NormAt at : {NormAt::before, NormAt::after}) {
    StackInspectorLab lab(typed_over_stack("encoder.0.stream", at));
    const BoxStages& box = lab.block(false, 0).boxes.back();
    REQUIRE(lab.number(box.stream, kTypedOver) == 0.5);
    lab.pin(box.stream, kBesideTyped);
    CHECK(lab.shows(at == NormAt::before ? "It is a sum: stream[1, 2]" : "x is a sum: "));
    CHECK(lab.item("stack number/write layer 0 feed-forward"));
    CHECK(lab.find_text(of_typed(lab.number(*box.added, kBesideTyped), 4)));
    if (at == NormAt::before) continue;
    // The sum that the norm read is of the stream too.
    const Graph& graph = lab.results()->graph;
    lab.pin(graph.stages[computing(graph, box.stream)].inputs.front(), kBesideTyped);
    CHECK(lab.shows("It is a sum: "));
  }
}

TEST_CASE("beside a number typed over what goes in another is embedding and position") {
  StackInspectorLab lab(typed_over_stack("encoder.input"));
  lab.pin(lab.places().encoder->input, kBesideTyped);
  CHECK(lab.item("stack number/write embed"));
  CHECK(lab.item("stack number/write position"));
}

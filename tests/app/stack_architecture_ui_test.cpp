// The diagram of the stack as a person uses it: boxes lit, switched off and opened, layers chosen, the wiring
// that it follows.
#include "app/workspaces/stack/view.h"
#include "core/document/stack_plan.h"
#include "core/reference/backend.h"
#include "tests/app/workspace_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

class DiagramLab : public WorkspaceLab {
 public:
  explicit DiagramLab(const char* example = "dates", ImVec2 size = {1600, 1000}, float scale = 1)
      : WorkspaceLab(
            kStackPlan.name,
            {.document = read_document(example), .settings = Settings{}, .size = size, .scale = scale}) {}
  StackView& own() { return view().of<StackView>(); }
  const StackStages& places() { return *results()->places.as<StackStages>(); }
  bool has_box(const std::string& box) { return item("diagram/" + box + "/" + box).has_value(); }
  void click_box(const std::string& box) {
    click_item("diagram/" + box + "/" + box);
    settle();
    frames(2);
  }
};

}  // namespace

TEST_CASE("a click lights a box of the diagram, and the rows follow") {
  DiagramLab lab;
  lab.click_box("decoder cross");
  CHECK(lab.own().box == StackBox::cross);
  CHECK(lab.own().rows == StackRows::cross);
  lab.click_box("encoder feed-forward");
  CHECK(lab.own().box == StackBox::feed_forward);
  CHECK(lab.own().rows == StackRows::encoder);
  // 32·64 + 64 + 64·32 + 32 numbers; 2 · 11 · 2 · 32·64 operations of its two products.
  CHECK(shows_count(lab, "4192"));
  CHECK(shows_count(lab, "90112"));
}

TEST_CASE("the number in a box is the mean share of the stream that it adds") {
  DiagramLab lab;
  const BoxStages& box = *lab.places().encoder->blocks[2].find(StackBox::attention);
  const Tensor added = lab.results()->outputs[*box.added].whole(),
               before = lab.results()->outputs[box.before].whole();
  double mean = 0;
  for (std::size_t i = 0; i < added.rows(); ++i) {
    double a = 0, b = 0;
    for (std::size_t j = 0; j < added.columns(); ++j) {
      a += std::pow(static_cast<double>(added[{0, i, j}]), 2);
      b += std::pow(static_cast<double>(before[{0, i, j}]), 2);
    }
    mean += std::sqrt(a / b) / static_cast<double>(added.rows());
  }
  lab.click_item("layer 2");
  lab.frames(2);
  CHECK(lab.own().layer == 2);
  char text[16];
  std::snprintf(text, sizeof text, "%.2f of stream", mean);
  CHECK(lab.shows(text));
}

TEST_CASE("a box is switched off and on by its menu, one undo step each") {
  DiagramLab lab;
  const Document before = lab.document();
  const Tensor stream = lab.results()->outputs[lab.places().encoder->blocks[0].stream].whole();
  const auto box = lab.item("diagram/encoder attention/encoder attention");
  REQUIRE(box);
  lab.click(centre(*box), 1);
  lab.frames(2);
  lab.click_item("switch off");
  lab.settle();
  lab.frames(2);
  CHECK(lab.document().transformer.encoder.blocks[0].is_off(StackBox::attention));
  CHECK(lab.shows("off"));
  CHECK_FALSE(lab.results()->outputs[lab.places().encoder->blocks[0].stream].whole() == stream);
  CHECK(lab.steps() == 1);
  lab.undo();
  CHECK(lab.document() == before);
}

TEST_CASE("an attention is copied to Compare with the numbers that it reads, one undo step") {
  DiagramLab lab;
  const Document before = lab.document();
  const BoxStages box = *lab.places().decoder->blocks[0].find(StackBox::cross);
  const auto place = lab.item("diagram/decoder cross/decoder cross");
  REQUIRE(place);
  lab.click(centre(*place), 1);
  lab.frames(2);
  lab.click_item("copy to Compare");
  lab.settle();
  lab.frames(2);
  REQUIRE(lab.document().has(kLayerB));
  const LayerSpec& copied = lab.document().layer(kLayerB);
  CHECK(copied.x == lab.results()->outputs[*box.normed].whole());
  CHECK(copied.memory == lab.results()->outputs[lab.places().encoder->output].whole());
  // What it computes alone is what it computes in the stack.
  const Tensor output = lab.results()->outputs[box.layer->output].whole();
  const Graph graph = build_graph(copied);
  const Tensor64 alone = evaluate_in_double(graph)[graph.find("output").value()];
  for (std::size_t i = 0; i < output.values().size(); ++i)
    CHECK(static_cast<double>(output.values()[i]) ==
          doctest::Approx(alone.values()[i]).epsilon(1e-5).scale(1));
  CHECK(lab.steps() == 1);
  lab.undo();
  CHECK(lab.document() == before);
}

TEST_CASE("the diagram follows the wiring") {
  DiagramLab lab("the-cat-sat-on-mat-causal");
  CHECK(lab.shows("5 tokens, d 4"));
  CHECK(lab.has_box("encoder attention"));
  CHECK_FALSE(lab.has_box("decoder attention"));
  lab.click_item("stack.sides both");
  lab.settle();
  lab.frames(2);
  CHECK(lab.has_box("decoder cross"));
  CHECK(lab.shows("memory: K, V of"));
  lab.click_item("stack.feed off");
  lab.settle();
  lab.frames(2);
  CHECK_FALSE(lab.has_box("encoder feed-forward"));
  lab.click_item("norm_kind rms");
  lab.settle();
  lab.frames(2);
  CHECK(lab.shows("RMSNorm"));
  lab.click_item("norm_at none");
  lab.settle();
  lab.frames(2);
  CHECK_FALSE(lab.places().encoder->blocks[0].boxes[0].normed);
}

TEST_CASE("a double click opens the box") {
  DiagramLab lab;
  const auto box = lab.item("diagram/encoder attention/encoder attention");
  REQUIRE(box);
  lab.double_click(centre(*box));
  lab.settle();
  lab.frames(2);
  CHECK(lab.own().opened);
}

TEST_CASE("boxes hold their words at every size") {
  for (const auto& [size, scale] :
       {std::pair<ImVec2, float>{{1600, 1000}, 1}, {{1024, 640}, 1}, {{3200, 2000}, 2}}) {
    DiagramLab lab("dates", size, scale);
    CAPTURE(size.x);
    const Layout layout = check_words_fit(lab, size, scale);
    CHECK(layout.canvas.width() > 0);
  }
}

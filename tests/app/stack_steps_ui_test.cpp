// The stage bar of the workspace of stacks and what is looked at: each follows the other, and the number that
// is open goes along. What the example of dates opens at.
#include <algorithm>

#include "core/io/session.h"
#include "tests/app/stack_inspect_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

struct SteppedLab : StackInspectorLab {
  using StackInspectorLab::StackInspectorLab;
  std::vector<std::string> titles() {
    std::vector<std::string> all;
    for (const StepChip& chip : app().steps()) all.push_back(chip.title);
    return all;
  }
  std::string shown() {
    for (const StepChip& chip : app().steps())
      if (chip.shown) return chip.title;
    return {};
  }
  std::string step() {
    for (const StepChip& chip : app().steps())
      if (chip.id == view().canvas().step) return chip.title;
    return {};
  }
  void press_step(const std::string& title) {
    for (const StepChip& chip : app().steps())
      if (chip.title == title) return press_item("step " + chip.id);
    FAIL("no step " << title);
  }
};

using Titles = std::vector<std::string>;

}  // namespace

TEST_CASE("the stage bar has the layers of the shown side, the memory between the sides") {
  SteppedLab lab;
  CHECK(lab.titles() ==
        Titles{"embed", "layer 0", "layer 1", "layer 2", "layer 3", "memory", "decode", "softmax"});
  lab.at().rows = StackRows::cross;
  lab.frames(2);
  CHECK(lab.titles() ==
        Titles{"embed", "memory", "decode", "layer 0", "layer 1", "layer 2", "layer 3", "softmax"});
  SteppedLab alone(read_document("the-cat-sat-on-mat-causal"));
  CHECK(alone.titles() == Titles{"embed", "layer 0", "layer 1", "layer 2", "layer 3"});
}

TEST_CASE("a layer's chip moves to it: the rows, the square of the diagram, the open number") {
  SteppedLab lab;
  lab.at().layer = 1;
  lab.pin(*lab.block(false, 1).find(StackBox::attention)->normed, {0, 4, 12});
  CHECK(lab.shown() == "layer 1");
  lab.press_step("layer 2");
  CHECK(lab.at().layer == 2);
  CHECK(lab.is_pinned(*lab.block(false, 2).find(StackBox::attention)->normed, {0, 4, 12}));
  CHECK(lab.shows("encoder, layer 2 · token “a”, feature 12"));
  // What the box of that layer adds stands below the diagram.
  CHECK(lab.find_text("layer"));
  lab.press_step("layer 2");  // again: no step is chosen, the layer stays
  CHECK_FALSE(lab.view().canvas().step);
  CHECK(lab.at().layer == 2);
  CHECK(lab.shown() == "layer 2");
}

TEST_CASE("a step that is no layer leaves the layer; its words are said") {
  SteppedLab lab;
  lab.at().layer = 1;
  lab.frames(2);
  lab.press_step("memory");
  CHECK(lab.step() == "memory");
  CHECK(lab.at().layer == 1);
  CHECK(lab.find_text("The memory"));
}

TEST_CASE("while a step is chosen it follows the layer, the side and the box that are looked at") {
  SteppedLab lab;
  lab.press_step("embed");
  lab.press_key(GLFW_KEY_DOWN);
  CHECK(lab.step() == "layer 1");
  lab.press_item("layer 3");  // the square
  CHECK(lab.step() == "layer 3");
  lab.press_step("softmax");
  lab.press_item("diagram/decoder cross/decoder cross");
  lab.frames(2);
  CHECK(lab.at().layer == 3);
  CHECK(lab.step() == "layer 3");
  const std::vector<StepChip> steps = lab.app().steps();
  const auto now = std::ranges::find(steps, *lab.view().canvas().step, &StepChip::id);
  REQUIRE(now != steps.end());
  CHECK(std::ranges::count(now->stages, lab.block(true, 3).stream) == 1);
}

TEST_CASE("a box of no layer goes to its step") {
  SteppedLab lab;
  for (const auto& [box, step] : {std::pair{"encoder input", "embed"},
                                  {"encoder final norm", "memory"},
                                  {"decoder position", "decode"},
                                  {"decoder answer", "softmax"}}) {
    CAPTURE(box);
    lab.press_item(std::string("diagram/") + box);
    CHECK(lab.step() == step);
  }
}

TEST_CASE("another layer's map keeps its own number; arrows carry a weight to the same place") {
  SteppedLab lab;
  const StageIndex weights = lab.block(false, 1).find(StackBox::attention)->layer->weights;
  lab.at().layer = 1;
  lab.pin(weights, {3, 4, 10});
  lab.press_key(GLFW_KEY_UP);
  CHECK(lab.is_pinned(lab.block(false, 0).find(StackBox::attention)->layer->weights, {3, 4, 10}));
  lab.at().rows = StackRows::decoder;  // of the other side nothing is the same
  lab.frames(3);
  CHECK(lab.is_pinned(lab.block(false, 0).find(StackBox::attention)->layer->weights, {3, 4, 10}));
}

TEST_CASE("the example of dates opens at a number, decoding") {
  FileNotes notes;
  Document document = read_document("dates", {}, &notes);
  SteppedLab lab(document);
  lab.app().look_again(notes.look);
  lab.settle();
  lab.frames(3);
  CHECK(lab.view().workspace->name == kStackPlan.name);
  CHECK(lab.shown() == "layer 1");
  CHECK(lab.view().layer.head == 3);
  CHECK(lab.at().row == 4);
  CHECK(lab.find_text("LayerNorm[4, 31]"));
  CHECK(lab.shows("encoder, layer 1 · token “a”, feature 31"));
  CHECK(lab.shows("step 7 of 10"));
  CHECK(lab.document() == document);
}

TEST_CASE("a row of weights is opened in the workspace of the softmax, one step of undo") {
  SteppedLab lab;
  const Document before = lab.document();
  const LayerStages& layer = *lab.block(true, 2).find(StackBox::cross)->layer;
  lab.pin(layer.weights, {1, 6, 3});
  const Tensor scores = lab.numbers(layer.weighed), weights = lab.numbers(layer.weights);
  lab.press_item("open/row in Softmax");
  CHECK(lab.view().workspace->name == "softmax");
  const SoftmaxSpec& row = lab.document().softmax;
  CHECK(row.source == RowSource::own);
  REQUIRE(row.scores.columns() == 11);
  for (std::size_t key = 0; key < 11; ++key) CHECK(row.scores[{0, 0, key}] == scores[{1, 6, key}]);
  CHECK(row.keys == Labels{"1", "2", "·", "m", "a", "r", "·", "1", "9", "8", "7"});
  CHECK(lab.steps() == 1);
  lab.undo();
  CHECK(lab.document() == before);
  lab.app().show(WorkspaceLab::workspace(kStackPlan.name));
  lab.settle();
  lab.pin(*lab.block(false, 1).find(StackBox::attention)->normed, {0, 4, 12});
  CHECK_FALSE(lab.item("open/row in Softmax"));  // a norm has no row of scores
}

// A box of the stack opened as the Pipeline shows a layer: its real inputs and weights, edited, and left
// again.
#include "app/workspaces/stack/view.h"
#include "core/document/stack_plan.h"
#include "tests/app/workspace_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

class OpenedLab : public WorkspaceLab {
 public:
  OpenedLab()
      : WorkspaceLab(kStackPlan.name, {.document = read_document(kStartExample), .settings = Settings{}}) {
    own().layer = 1;
    frames(2);
  }
  StackView& own() { return view().of<StackView>(); }
  const BoxStages& box(StackBox which) {
    return *results()->places.as<StackStages>()->encoder->blocks[1].find(which);
  }
  std::string id(StageIndex stage) { return results()->graph.stages[stage].id; }
  bool has_matrix(StageIndex stage) { return item(id(stage) + "/cells").has_value(); }
};

}  // namespace

TEST_CASE("Enter opens the lit box with what it reads in front, Esc comes back to the same box") {
  OpenedLab lab;
  lab.key(GLFW_KEY_ENTER);
  lab.settle();
  lab.frames(2);
  REQUIRE(lab.own().opened);
  const BoxStages& box = lab.box(StackBox::attention);
  for (const StageIndex stage :
       {box.before, *box.normed, box.layer->q, box.layer->weights, box.layer->output, box.stream})
    CHECK(lab.has_matrix(stage));
  lab.key(GLFW_KEY_ESCAPE);
  lab.frames(2);
  CHECK_FALSE(lab.own().opened);
  CHECK(lab.own().layer == 1);
  CHECK(lab.own().box == StackBox::attention);
}

TEST_CASE("what is edited in an opened box is the stack's, and later layers follow") {
  OpenedLab lab;
  lab.view().layer.show_parameters = true;
  lab.key(GLFW_KEY_ENTER);
  lab.settle();
  lab.frames(2);
  const Document opened = lab.document();
  const Tensor before = lab.results()->outputs[lab.box(StackBox::feed_forward).stream].whole();
  const Address address = address_of(false, 1, StackBox::attention);
  const std::string w_q = text_of(address).prefix.data() + std::string("w_q");
  const auto cells = lab.item(w_q + "/cells");
  REQUIRE(cells);
  lab.click({cells->min.x + 5, cells->min.y + 5});
  lab.enter("2.5");
  CHECK(lab.document().layer(address).w_q[{0, 0, 0}] == 2.5f);
  CHECK_FALSE(lab.results()->outputs[lab.box(StackBox::feed_forward).stream].whole() == before);
  lab.undo();
  CHECK(lab.document() == opened);
  CHECK(lab.own().opened);
}

TEST_CASE("a feed-forward box opens with its inner numbers") {
  OpenedLab lab;
  lab.own().box = StackBox::feed_forward;
  lab.frames(2);
  lab.run("stack.open");
  CHECK(lab.has_matrix(lab.box(StackBox::feed_forward).stream));
  CHECK(lab.shows("activated"));
  lab.click_item("stack.close");
  lab.frames(2);
  CHECK_FALSE(lab.own().opened);
}

TEST_CASE("an opened attention has the sections of a layer, and its mask's rules fit the stack's tokens") {
  OpenedLab lab;
  lab.key(GLFW_KEY_ENTER);
  lab.settle();
  lab.frames(2);
  for (const char* title : {"Mask", "Mistakes", "Precision"}) {
    CAPTURE(title);
    CHECK(lab.find_text(title));
  }
  const Document opened = lab.document();
  lab.click_item("section Mask");
  lab.frames(2);
  lab.click_item("padding");
  lab.settle();
  lab.frames(2);
  const Address address = address_of(false, 1, StackBox::attention);
  const auto* padding = find_rule<PaddingRule>(lab.document().layer(address));
  REQUIRE(padding);
  CHECK(padding->lengths == std::vector<std::size_t>{4});  // of five tokens
  const Tensor weights = lab.results()->outputs[lab.box(StackBox::attention).layer->weights].whole();
  for (std::size_t row = 0; row < 5; ++row) CHECK(weights[{0, row, 4}] == 0);
  lab.undo();
  CHECK(lab.document() == opened);
}

TEST_CASE("the mask of an opened attention is painted over its own rows and keys") {
  OpenedLab lab;
  lab.key(GLFW_KEY_ENTER);
  lab.settle();
  lab.frames(2);
  lab.view().layer.painting = LayerView::all_heads;
  lab.frames(2);
  const StageIndex weights = lab.box(StackBox::attention).layer->weights;
  const auto cells = lab.item(lab.id(weights) + "/cells");
  REQUIRE(cells);
  lab.click({cells->min.x + 5, cells->min.y + 5});
  lab.settle();
  lab.frames(2);
  const LayerSpec& layer = lab.document().layer(address_of(false, 1, StackBox::attention));
  REQUIRE_FALSE(layer.mask.empty());
  CHECK(layer.mask[{0, 0, 0}] == 1);
  CHECK(lab.document().layer().mask.empty());  // A keeps its own
  CHECK(lab.results()->outputs[weights].whole()[{0, 0, 0}] == 0);
}

TEST_CASE("a box that is shown of a stack that is not the document's own is edited by a click") {
  OpenedLab lab;
  lab.key(GLFW_KEY_ENTER);
  lab.settle();
  lab.frames(2);
  lab.undo();
  CHECK(lab.document().transformer.empty());
  CHECK(lab.own().opened);
  CHECK_FALSE(lab.find_text("Mask"));
  lab.click_item("stack.own");
  lab.settle();
  lab.frames(2);
  CHECK(lab.document().transformer.encoder.blocks.size() == 4);
  CHECK(lab.find_text("Mask"));
  CHECK(lab.steps() == 1);
}

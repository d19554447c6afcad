// Where a road leads: its mask into the Pipeline, the layer to Cost, mask and weights to other programs.
#include "core/document/layer_plan.h"
#include "tests/app/efficient_roads_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("a road's mask goes into the Pipeline as one step") {
  RoadsLab lab;
  const Document before = lab.document();
  lab.at().road = Road::bigbird;
  lab.frames(2);
  lab.click_item("open/mask in Pipeline");
  lab.settle();
  lab.frames(2);
  CHECK(lab.view().workspace == &RoadsLab::workspace(kLayerPlan.name));
  const auto& masks = lab.document().layer().masks;
  REQUIRE(masks.size() == 4);  // window and random, global tokens, causal
  CHECK(std::get<WindowRule>(masks[0].rule).width == 8);
  CHECK(masks[1].join == Join::all);
  CHECK(lab.view().pinned);
  CHECK(lab.steps() == 1);
  lab.undo();
  CHECK(lab.document() == before);
}

TEST_CASE("a mask that no list says is painted") {
  Document document = roads_document(16);
  document.layer().masks.push_back({.rule = WindowRule{12}});
  document.efficient.window = 2;
  RoadsLab lab(document);
  lab.at().road = Road::longformer;
  lab.run("efficient.mask_in_pipeline");
  const LayerSpec& layer = lab.document().layer();
  CHECK(layer.masks == document.layer().masks);
  REQUIRE(layer.mask.shape() == Shape{1, 16, 16});
  CHECK(layer.mask[{0, 9, 9}] == 0);
  CHECK(layer.mask[{0, 9, 3}] == 1);
  CHECK(layer.mask[{0, 9, 0}] == 0);  // a global token
}

TEST_CASE("Cost opens with the same layer and roads") {
  RoadsLab lab;
  lab.click_item("open/Cost");
  lab.settle();
  lab.frames(2);
  CHECK(lab.view().workspace->title == "Cost");
  const auto& cost = lab.document().cost;
  CHECK(cost.n == 64);
  CHECK(cost.d == 16);
  CHECK(cost.heads == 1);
  CHECK(cost.causal);
  CHECK(cost.window == 8);
  CHECK(cost.mechanisms.size() == 5);
  CHECK(lab.steps() == 1);
}

TEST_CASE("a road's mask and weights go to other programs") {
  RoadsLab lab(roads_document(8));
  lab.at().road = Road::window;
  lab.frames(2);
  lab.click_item("copy road/PyTorch");
  CHECK(lab.clipboard.find("torch.tensor([[True, False") != std::string::npos);
  lab.click_item("copy road/NumPy");
  CHECK(lab.clipboard.find("np.array([[0, 1") != std::string::npos);
  lab.at().road = Road::elu;
  lab.frames(2);
  CHECK_FALSE(lab.item("open/mask in Pipeline"));
  lab.click_item("copy road/NumPy");
  CHECK(lab.clipboard.find("np.array([[1, 0") != std::string::npos);
}

// The workspace of heads as a person uses it: maps, links, order, heads switched off, keys and values shared.
#include <set>

#include "core/document/layer_plan.h"
#include "core/heads/groups.h"
#include "core/heads/rules.h"
#include "tests/app/heads_lab.h"
#include "tests/app/odd_documents.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("a click on a map shows its head large here and in the Pipeline") {
  HeadsLab lab;
  lab.click_item("maps/head 6");
  lab.frames(2);
  CHECK(lab.head() == 6);
  CHECK(lab.shows("head 6"));
  CHECK(lab.shows("induction 0.99"));
  lab.app().show(HeadsLab::workspace(kLayerPlan.name));
  lab.settle();
  CHECK(lab.head() == 6);
}

TEST_CASE("every map has the name that was planted") {
  HeadsLab lab;
  for (const char* name : {"previous token", "first token", "itself", "broad", "nearby", "induction"}) {
    INFO(name);
    CHECK(lab.shows(name));
  }
  CHECK(lab.shows("no rule fits"));
}

TEST_CASE("each of 64 maps has a name whole or in a word") {
  HeadsLab lab(projected(12, 64, 64), {1600, 1000});
  std::set<std::string> names;
  for (const HeadRule& rule : kHeadRules) names.insert({std::string(rule.title), std::string(rule.word)});
  names.insert({"no rule fits", "none"});
  for (std::size_t head = 0; head < 64; ++head) {
    const Rect map = lab.map(head);
    const std::string text = lab.text_in({map.min, {map.max.x + 7, map.max.y + 7}});
    INFO(text);
    const std::string index = std::to_string(head) + " ";
    CHECK(text.starts_with(index));
    CHECK(names.count(text.substr(std::min(index.size(), text.size()))) == 1);
  }
}

TEST_CASE("what is pinned in the Pipeline is the row of the large map") {
  HeadsLab lab;
  const std::string weights = lab.results()->graph.stages[lab.places().weights].id;
  lab.view().pinned = Spot{weights, {0, 8, 2}};
  lab.frames(3);
  CHECK(lab.shows("“cat” attends to"));
  lab.view().pinned.reset();
  lab.frames(2);
  CHECK(lab.shows("“cat” attends to"));
}

TEST_CASE("a head that is switched off by its key is off in the maps and adds nothing") {
  HeadsLab lab;
  const Document before = lab.document();
  const double part = static_cast<double>(lab.numbers(lab.places().parts)[{2, 4, 0}]);
  lab.press_key(GLFW_KEY_3);
  CHECK(lab.document().layer().muted_heads == std::vector<std::size_t>{2});
  CHECK(lab.shows("off"));
  CHECK(static_cast<double>(lab.numbers(lab.places().parts)[{2, 4, 0}]) == part);
  lab.undo();
  CHECK(lab.document() == before);
}

TEST_CASE("ordered by entropy the sharpest map comes first") {
  HeadsLab lab;
  CHECK(lab.order(8) == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7});
  lab.press_key(GLFW_KEY_E);
  const Tensor entropy = lab.numbers(lab.places().entropy);
  std::vector<double> sums;
  for (const std::size_t r : lab.order(8)) {
    sums.push_back(0);
    for (std::size_t i = 0; i < entropy.rows(); ++i) sums.back() += static_cast<double>(entropy[{r, i, 0}]);
  }
  CHECK(std::ranges::is_sorted(sums));
  lab.press_key(GLFW_KEY_E);
  CHECK(lab.document().heads.order == HeadOrder::index);
}

TEST_CASE("neighbouring maps are alike in the order of likeness") {
  HeadsLab lab;
  lab.click_item("order alike");
  lab.settle();
  lab.frames(2);
  const Tensor likeness = lab.numbers(lab.places().likeness);
  const std::vector<std::size_t> order = lab.order(8);
  for (std::size_t i = 1; i + 1 < order.size(); ++i)
    for (std::size_t later = i + 1; later < order.size(); ++later)
      CHECK(likeness[{0, order[i - 1], order[i]}] >= likeness[{0, order[i - 1], order[later]}]);
}

TEST_CASE("mean maximum and spread are one map and the difference one of each head") {
  HeadsLab lab;
  for (const char* word : {"mean", "maximum", "spread"}) {
    lab.click_item(std::string("map ") + word);
    lab.settle();
    lab.frames(2);
    INFO(word);
    CHECK(lab.numbers(*lab.places().map).stack() == 1);
    CHECK_FALSE(lab.item("maps/head 0"));
  }
  lab.view().layer.head = 5;
  lab.click_item("map difference");
  lab.settle();
  lab.frames(2);
  CHECK(lab.document().heads.against == 5);
  CHECK(lab.numbers(*lab.places().map).stack() == 8);
  CHECK(lab.item("maps/head 0"));
}

TEST_CASE("a bar shows its head large") {
  HeadsLab lab;
  lab.click_item("entropy/head 4");
  CHECK(lab.head() == 4);
  lab.click_item("without/head 7");
  CHECK(lab.head() == 7);
  lab.press_key(GLFW_KEY_N);
  CHECK(lab.head() == 0);
}

TEST_CASE("shared keys are looked at first and then taken as one step") {
  HeadsLab lab;
  lab.click_item("groupings/2");
  lab.settle();
  lab.frames(2);
  CHECK(lab.document().heads.kv_heads == 2);
  CHECK(lab.document().layer().kv_heads == 8);
  const Document looked = lab.document();
  lab.click_item("use groups");
  lab.settle();
  lab.frames(2);
  CHECK(lab.document().layer() == grouped(looked.layer(), 2));
  CHECK(lab.document().heads.kv_heads == 0);
  lab.undo();
  CHECK(lab.document() == looked);
}

TEST_CASE("the marker of the shared keys is dragged from full to multi-query") {
  HeadsLab lab;
  const Rect box = lab.plot("grouped");
  const ImVec2 full = lab.words("grouped", "8 full"), one = lab.words("grouped", "1 multi-query");
  const float y = (box.min.y + box.max.y) / 2;
  lab.drag({full.x, y}, {one.x, y});
  lab.settle();
  CHECK(lab.document().heads.kv_heads == 1);
}

TEST_CASE("a weight that is typed over in the large map is typed over in the Pipeline") {
  HeadsLab lab;
  lab.view().layer.head = 3;
  lab.frames(2);
  const std::string weights = lab.results()->graph.stages[lab.places().weights].id;
  const auto cells = lab.item(weights + "/cells");
  REQUIRE(cells);
  const ImVec2 first{cells->min.x + cells->width() / 24, cells->min.y + cells->height() / 24};
  lab.click(first);
  lab.enter("0.5");
  REQUIRE(lab.document().overrides.size() == 1);
  CHECK(lab.document().overrides[0].workspace == kLayerPlan.name);
  CHECK(lab.numbers(lab.places().weights)[{3, 0, 0}] == 0.5f);
  CHECK(lab.shows("Your numbers"));
  lab.click(first);
  lab.press_key(GLFW_KEY_BACKSPACE);
  CHECK(lab.document().overrides.empty());
}

TEST_CASE("a layer of one head and one of many are shown") {
  HeadsLab one(read_document("the-cat-sat-on-mat"));
  CHECK(one.item("maps/head 0"));
  Document many = read_document("eight-heads");
  LayerSpec& layer = many.layer();
  layer.heads = layer.kv_heads = 48;
  HeadsLab lab(std::move(many));
  CHECK(lab.item("maps/head 47"));
}

TEST_CASE("projections in the Pipeline have a band over the columns of the head that is shown large") {
  HeadsLab lab;
  lab.click_item("maps/head 3");
  lab.app().show(HeadsLab::workspace(kLayerPlan.name));
  lab.view().layer.show_parameters = true;
  lab.settle();
  lab.frames(2);
  CHECK(lab.shows("30×96 · head 3"));
  CHECK_FALSE(lab.shows("96×30 · head 3"));  // W_O has rows of the heads
}

// What the inspector teaches about the layer: order, content, a row as a dictionary, and dropout.
#include <doctest/doctest.h>

#include "app/inspector/checks_panel.h"
#include "app/inspector/inspector_model.h"
#include "app/program/input.h"
#include "core/checks/checks.h"
#include "core/pipeline/probes.h"
#include "tests/app/controls_lab.h"
#include "tests/app/grid_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// All words of the inspector, in one line.
std::string words(Headless& lab) {
  return lab.text_in({{1200, 0}, {1600, 2400}});
}

bool says(Headless& lab, const std::string& part) {
  return words(lab).find(part) != std::string::npos;
}

GridLab tall(const Document& document) {
  return GridLab(document, {1600, 2400});
}

void pin_settled(Headless& lab, const Spot& spot) {
  lab.view().pinned = spot;
  lab.settle();
  lab.frames(2);
}

}  // namespace

TEST_CASE("outputs move with tokens that are dragged until an encoding tells their order") {
  GridLab lab = tall(read_document("the-cat-sat-on-mat"));
  choose(lab, "position", "none");
  CHECK(says(lab, "With tokens reordered, outputs moved along, largest difference"));
  const Tensor before = lab.results()->output("output");
  lab.drag(centre(*lab.item("x/0/row")), centre(*lab.item("x/2/row")));
  lab.settle();
  CHECK(lab.layer().tokens == Labels{"cat", "sat", "the", "on", "mat"});
  CHECK(lab.results()->output("output")[{0, 2, 1}] == doctest::Approx(before[{0, 0, 1}]));
  CHECK(says(lab, "With tokens reordered, outputs moved along"));
  choose(lab, "position", "sinusoidal");
  CHECK(says(lab, "outputs changed"));
  CHECK(says(lab, "the position encoding tells order"));
  lab.click_item("causal");
  lab.settle();
  CHECK(says(lab, "the position encoding and the causal mask tell order"));
}

TEST_CASE("of outputs that are NaN no order is told and a NaN in one order alone is a fault") {
  Document document = read_document("the-cat-sat-on-mat");
  document.layer().position = NoPosition();
  document.layer().x = with_value(document.layer().x, {0, 2, 1}, std::numeric_limits<float>::quiet_NaN());
  GridLab lab = tall(document);
  lab.settle();
  lab.frames(2);
  CHECK(says(lab, "With tokens reordered: no answer, because some numbers are NaN or ∞"));
  CHECK_FALSE(says(lab, "outputs moved along"));
  CHECK(says(lab, "With the same content at every token"));
  // The first query sees its own key alone, until the key that is NaN comes before it.
  document = read_document("three-tokens");
  set_causal(document.layer(), CausalAlign::lower_right);
  document.layer().k = with_value(document.layer().k, {0, 1, 1}, std::numeric_limits<float>::quiet_NaN());
  GridLab causal = tall(document);
  causal.settle();
  causal.frames(2);
  CHECK(says(causal, "With tokens reordered, a NaN or ∞ appears in only one of the two"));
}

TEST_CASE("the number that another order changes most is one click away") {
  Document document = read_document("the-cat-sat-on-mat-causal");
  GridLab lab = tall(document);
  const auto rest = lab.app().engine_state().deferred;
  REQUIRE(rest);
  const LargestDifference found = order_difference(*lab.results(), rest->outputs.at(kOtherOrder));
  lab.click_item("show the output");
  CHECK(lab.view().pinned == Spot{"output", found.at});
}

TEST_CASE("a layer too large to be computed again says so and up to which size it is") {
  Document document = read_document("the-cat-sat-on-mat");
  set_token_count(document, 80);
  GridLab lab = tall(document);
  CHECK(says(lab, "Not compared: the layer has more than 4\u2009096 weights"));
}

TEST_CASE("order and content stand before what is copied") {
  GridLab lab = tall(read_document("the-cat-sat-on-mat-causal"));
  pin_settled(lab, {"weights", {0, 3, 0}});
  const std::string all = words(lab);
  REQUIRE(all.find("Copy as") != std::string::npos);
  CHECK(all.find("Checks") < all.find("Dictionary"));
  CHECK(all.find("Order and content") < all.find("Copy as"));
}

TEST_CASE("weights that look at places only are told from those of content") {
  GridLab lab = tall(read_document("location"));
  CHECK(says(lab, "These weights look at places only"));
  CHECK(says(lab, "the position encoding tells order"));
  lab.app().change(read_document("the-cat-sat-on-mat"));
  lab.settle();
  lab.frames(2);
  CHECK(says(lab, "These weights look at content"));
  lab.click_item("show the weight");
  REQUIRE(lab.view().pinned);
  CHECK(lab.view().pinned->stage == "weights");
}

TEST_CASE("a row is a dictionary of key and value cards") {
  GridLab lab = tall(read_document("the-cat-sat-on-mat"));
  pin_settled(lab, {"weights", {0, 3, 0}});
  CHECK(says(lab, "Dictionary · “on” asks"));
  CHECK(says(lab, "each key contributes in proportion to its match"));
  lab.click_item("dictionary/weight2");
  CHECK(lab.view().pinned == Spot{"weights", {0, 3, 2}});
  lab.click_item("dictionary/match4");
  CHECK(lab.view().pinned->stage == lab.results()->graph.stages[*lab.results()->graph.find("scaled")].id);
}

TEST_CASE("a query and its scores and weights and output open the same dictionary") {
  GridLab lab = tall(read_document("the-cat-sat-on-mat-causal"));
  for (const char* stage : {"q", "scores", "scaled", "masked", "weights", "output"}) {
    CAPTURE(stage);
    pin_settled(lab, {stage, {0, 3, 0}});
    CHECK(says(lab, "Dictionary · “on” asks"));
  }
  pin_settled(lab, {"k", {0, 3, 0}});
  CHECK_FALSE(says(lab, "Dictionary"));
}

TEST_CASE("the row of a query and its arcs are of the weights behind the decay") {
  Document document = read_document("the-cat-sat-on-mat");
  set_local(document, Local::predictive);
  GridLab lab = tall(document);
  const Results& results = *lab.results();
  const auto row_of = [&](const char* stage) {
    return results.graph.stages[inspector::attention_of(results, {stage, {0, 3, 0}}, 0)->weights].id;
  };
  CHECK(row_of("x") == "local_weights");
  CHECK(row_of("output") == "local_weights");
  CHECK(row_of("weights") == "weights");
  pin_settled(lab, {"q", {0, 3, 0}});
  lab.click_item("bar3,2");
  CHECK(lab.view().pinned == Spot{"local_weights", {0, 3, 2}});
  const Rect arcs = *lab.item("arcs");
  lab.view().pinned.reset();
  for (float y = arcs.min.y; y < arcs.max.y && !lab.view().hovered; y += 2)
    lab.move({(arcs.min.x + arcs.max.x) / 2, y});
  REQUIRE(lab.view().hovered);
  CHECK(lab.view().hovered->stage == "local_weights");
}

TEST_CASE("the row sum of a local row is shown with what its own weights promise") {
  Document document = read_document("the-cat-sat-on-mat");
  set_local(document, Local::predictive);
  document.layer().dropout = 0.5;
  Headless lab({.document = document});
  const auto line_of = [&](const char* stage) {
    const StageIndex index = *lab.results()->graph.find(stage);
    return inspector::check_lines(lab.app().engine_state(), {index, 0, 3}).front();
  };
  const double sum = row_sum(*lab.results(), *lab.results()->graph.find("local_weights"), 0, 3);
  REQUIRE(sum < 0.95);
  for (const char* stage : {"local_weights", "dropped"}) {
    CHECK(line_of(stage).value.starts_with(std::to_string(sum).substr(0, 5)));
    CHECK(line_of(stage).explanation.find("at most 1") != std::string::npos);
  }
  CHECK(line_of("weights").explanation.find("must sum to 1 within") != std::string::npos);
}

TEST_CASE("the temperature of a dictionary dragged to 0 makes it a hard lookup in one step") {
  GridLab lab = tall(read_document("the-cat-sat-on-mat"));
  pin_settled(lab, {"weights", {0, 3, 0}});
  const Tensor weights = lab.results()->output("weights"), v = lab.results()->output("v");
  std::size_t best = 0;
  for (std::size_t key = 1; key < 5; ++key)
    if (weights[{0, 3, key}] > weights[{0, 3, best}]) best = key;
  const auto track = lab.item("##dictionary temperature");
  REQUIRE(track);
  lab.drag({track->min.x + track->width() / 8, centre(*track).y}, {track->min.x - 20, centre(*track).y});
  lab.settle();
  CHECK(lab.layer().temperature == 0);
  CHECK(lab.steps() == 1);
  CHECK(says(lab, "hard lookup: “" + lab.layer().tokens[best] + "” has all"));
  for (std::size_t column = 0; column < v.columns(); ++column)
    CHECK(lab.results()->output("head_output")[{0, 3, column}] == v[{0, best, column}]);
}

TEST_CASE("keys that tie share a hard lookup") {
  Document document = read_document("three-tokens");
  document.layer().temperature = 0;
  GridLab lab = tall(document);
  pin_settled(lab, {"weights", {0, 1, 0}});
  CHECK(says(lab, "hard lookup: 2 keys match equally and share"));
}

TEST_CASE("of many keys the strongest have cards") {
  Document document = read_document("the-cat-sat-on-mat");
  set_token_count(document, 20);
  GridLab lab = tall(document);
  pin_settled(lab, {"weights", {0, 3, 0}});
  CHECK(says(lab, "14 more, together"));
}

TEST_CASE("a weight that dropout kept says why it is above 1") {
  Document document = read_document("the-cat-sat-on-mat");
  document.layer().temperature = 0.05;
  document.layer().dropout = 0.5;
  GridLab lab = tall(document);
  Tensor dropped = lab.results()->output("dropped"), weights = lab.results()->output("weights");
  Spot at{"dropped", {}};
  for (std::size_t row = 0; row < 5; ++row)
    for (std::size_t key = 0; key < 5; ++key)
      if (dropped[{0, row, key}] > 1.5f) at.cell = {0, row, key};
  REQUIRE(dropped[at.cell] > 1.5f);
  pin_settled(lab, at);
  CHECK(says(lab, "Why are weights above 1?"));
  CHECK(says(lab, "divided by 1 − 0.5 = 0.5"));
  CHECK(says(lab, "At inference dropout is off"));
  CHECK(says(lab, "row sum after dropout"));
  lab.click_item("another seed");
  lab.settle();
  CHECK(lab.layer().dropout_seed == document.layer().dropout_seed + 1);
  CHECK_FALSE(lab.results()->output("dropped") == dropped);
}

TEST_CASE("a layer with dropout has no broken row sum") {
  Document document = read_document("the-cat-sat-on-mat");
  document.layer().dropout = 0.5;
  Headless lab({.document = document});
  REQUIRE(lab.app().engine_state().checks);
  for (const SoftmaxChecks& softmax : lab.app().engine_state().checks->softmaxes)
    CHECK(softmax.row_sums.holds());
  CHECK(lab.shows("row sum after dropout"));
}

TEST_CASE("no section speaks of dropout where there is none") {
  GridLab lab = tall(read_document("the-cat-sat-on-mat"));
  pin_settled(lab, {"weights", {0, 3, 0}});
  CHECK_FALSE(says(lab, "Why are weights above 1?"));
  CHECK_FALSE(says(lab, "row sum after dropout"));
}

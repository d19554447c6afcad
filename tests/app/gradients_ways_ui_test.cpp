// Where gradients lead: to those that they are a term of, to the number they are of, to other workspaces.
#include <map>

#include "app/inspector/inspector_model.h"
#include "core/softmax/graph.h"
#include "tests/app/gradients_inspect_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("a gradient goes to those that it is a term of, with what it adds to each number") {
  GradientInspectorLab lab;
  const LayerStages layer = lab.places().layer;
  const double ds = lab.at(lab.d_scores(), {0, 3, 2});
  const auto legs = inspector::where_it_goes(*lab.results(), {lab.id(lab.d_scores()), {0, 3, 2}});
  REQUIRE(legs.size() == 2);
  CHECK(legs[0].title == "dQ[3, 0…3]");
  CHECK(legs[0].what == "+ dS ÷ √4 · K[2]");
  CHECK(legs[1].title == "dK[2, 0…3]");
  CHECK(legs[1].what == "+ dS ÷ √4 · Q[3]");
  REQUIRE(legs[0].adds.size() == 4);
  for (std::size_t c = 0; c < 4; ++c) {
    CHECK(legs[0].adds[c] == doctest::Approx(ds / 2 * lab.at(layer.k, {0, 2, c})));
    CHECK(legs[1].adds[c] == doctest::Approx(ds / 2 * lab.at(layer.q, {0, 3, c})));
  }
  lab.pin(lab.d_scores(), {0, 3, 2});
  CHECK(lab.shows("dQ[3, 0…3]"));
  lab.press_item("step1");
  CHECK(lab.is_pinned(lab.gradient(layer.k), {0, 2, 0}));
}

TEST_CASE("the row is opened in the workspace of the softmax; what is pinned there is the number itself") {
  GradientInspectorLab lab;
  const std::string weighed = lab.id(lab.places().layer.weighed);
  lab.pin(lab.d_scores(), {0, 3, 2});
  lab.press_item("open/row in Softmax");
  CHECK(lab.view().workspace->name == kSoftmaxPlan.name);
  CHECK(lab.document().softmax.source == RowSource::layer);
  CHECK(lab.document().softmax.query == 3);
  CHECK(lab.view().pinned == Spot{weighed, {0, 3, 2}});
}

TEST_CASE("a pinned gradient is its own number in other workspaces") {
  GradientInspectorLab lab;
  const StageIndex q = lab.places().layer.q;
  const std::string id = lab.id(q);
  lab.pin(lab.gradient(q), {0, 1, 2});
  lab.app().show(WorkspaceLab::workspace(kLayerPlan.name));
  lab.settle();
  CHECK(lab.view().pinned == Spot{id, {0, 1, 2}});
}

TEST_CASE("a number of the layer says which gradient it has") {
  GradientInspectorLab lab;
  const StageIndex weighed = lab.places().layer.weighed;
  lab.pin(weighed, {0, 3, 2});
  CHECK(lab.shows("Its gradient"));
  for (const auto& leg : inspector::where_it_goes(*lab.results(), *lab.view().pinned))
    CHECK(leg.title.find("dV") == std::string::npos);
  lab.press_item("its gradient");
  CHECK(lab.is_pinned(lab.d_scores(), {0, 3, 2}));
  lab.pin(lab.gradient(lab.places().tokens.front()), {0, 2, 3});
  CHECK(lab.shows("this number + 0.1: loss moves"));
  CHECK_FALSE(lab.shows("Its gradient"));
}

// The contributions of all numbers of a gradient to another add up to that other.
TEST_CASE("what the numbers of dS add to dQ and dK comes to dQ and dK") {
  for (const char* name : {"the-cat-sat-on-mat-causal", "the-cat-sat-on-mat-two-heads", "cross-attention"}) {
    CAPTURE(name);
    const Results results = evaluated(read_document(name), kGradientsPlan);
    const GradientsPlaces& places = *results.places.as<GradientsPlaces>();
    const StageIndex d_scores = *places.gradients.find(places.layer.weighed);
    const Tensor& numbers = results.outputs[d_scores].whole();
    std::map<StageIndex, std::map<Cell, double>> sums;
    for (std::size_t i = 0; i < numbers.values().size(); ++i)
      for (const inspector::PathStep& leg : inspector::where_it_goes(
               results, {results.graph.stages[d_scores].id, cell_at(numbers.shape(), i)}))
        for (std::size_t c = 0; c < leg.adds.size(); ++c) {
          Cell cell = leg.figure.spot->cell;
          cell.column += c;
          sums[*results.graph.find(leg.figure.spot->stage)][cell] += leg.adds[c];
        }
    REQUIRE(sums.size() == 2);
    for (const auto& [stage, cells] : sums)
      for (const auto& [cell, sum] : cells)
        CHECK(sum == doctest::Approx(static_cast<double>(results.outputs[stage][cell])).epsilon(1e-4));
  }
}

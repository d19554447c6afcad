// The graph of the workspace of the softmax: its row, the layer's row, other numbers, temperatures and
// products.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/checks/checks.h"
#include "core/document/edit.h"
#include "core/document/layer_plan.h"
#include "core/evaluate/evaluator.h"
#include "core/evaluate/results.h"
#include "core/graph/softmax_stages.h"
#include "core/reference/backend.h"
#include "core/softmax/book.h"
#include "core/softmax/graph.h"
#include "core/system/error.h"
#include "tests/contains.h"
#include "tests/core/edit_documents.h"
#include "tests/core/softmax_computed.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::string refusal_of(const Document& document) {
  try {
    build_softmax(document);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("the rows of the book become what is right and not what is printed") {
  // exp(z) / Σ exp(z) to four digits, in the order of the book's rows.
  const std::vector<std::vector<double>> right{
      {.2741, .2741, .4519}, {.3837, .3837, .2327}, {.5065, .1863, .3072}, {.7175, .1311, .0795, .0719}};
  REQUIRE(book_rows().size() == right.size());
  for (std::size_t row = 0; row < right.size(); ++row) {
    const BookRow& book = book_rows()[row];
    Document document;
    take_book_row(document.softmax, book);
    document.softmax.pairs = 16;
    const Computed c(document);
    const auto weights = c.at(c.places.softmax.weights);
    INFO(book.title);
    REQUIRE(weights.size() == right[row].size());
    bool as_printed = true;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      CHECK(std::abs(static_cast<double>(weights[j]) - right[row][j]) <= 5e-5);
      as_printed = as_printed && std::abs(static_cast<double>(weights[j]) - book.printed[j]) <= 5e-3;
    }
    CHECK(!as_printed);
  }
}

TEST_CASE("the row of the layer has the weights of the Pipeline") {
  Document document = projected_document();
  document.softmax.pairs = 16;
  document.softmax.query = 1;
  const Computed c(document);
  const Graph pipeline = build_layer(document).graph;
  const auto reference = make_reference_backend();
  std::vector<Tensor> outputs(pipeline.stages.size());
  run_stages(*reference, pipeline, {.done = [&](StageIndex i, const Tensor& t) { outputs[i] = t; }});
  const Tensor& weights = outputs[*pipeline.find(Role::weights)];
  const auto row = c.at(c.places.softmax.weights);
  REQUIRE(row.size() == weights.columns());
  for (std::size_t j = 0; j < row.size(); ++j) CHECK(row[j] == weights[{0, 1, j}]);
}

TEST_CASE("a row past the last query or head is the last") {
  Document document = projected_document();
  document.softmax.pairs = 16;
  document.softmax.query = 1000, document.softmax.head = 1000;
  const Computed far(document);
  const Shape scores = far.graph.stages[far.graph.stages[far.places.scores].inputs[0]].shape;
  document.softmax.query = scores.rows - 1, document.softmax.head = scores.stack - 1;
  const Computed last(document);
  CHECK(far.at(far.places.scores) == last.at(last.places.scores));
}

TEST_CASE("a number typed into a row of the layer is an override of the Pipeline") {
  Document document = projected_document();
  document.softmax.pairs = 16;
  document.softmax.query = 1;
  set_score(document, 0, 3.5f);
  REQUIRE(document.overrides.size() == 1);
  CHECK(document.overrides[0].workspace == kLayerPlan.name);
  CHECK(document.overrides[0].value.cell == Cell{0, 1, 0});
  const Computed c(document);
  CHECK(c.at(c.places.scores)[0] == 3.5f);
}

TEST_CASE("a key of a row of the layer is hidden by an override that can be taken back") {
  Document document = projected_document();
  document.softmax.pairs = 16;
  const Document before = document;
  mask_key(document, 1, true);
  const Computed c(document);
  CHECK(c.at(c.places.softmax.weights)[1] == 0);
  mask_key(document, 1, false);
  CHECK(document == before);
}

TEST_CASE("a score of the layer's row that is shown is typed without a graph of the layer") {
  Document document = projected_document();
  const LayerRow row = layer_row(document);
  Document slow = document;
  set_score(slow, 1, 2), mask_key(slow, 0, true);
  document.layer().w_q = {};  // so that there is no graph
  CHECK_THROWS_AS(set_score(document, 1, 2), Error);
  set_score(document, 1, 2, row), mask_key(document, 0, true, row);
  CHECK(document.overrides == slow.overrides);
  CHECK(document.overrides.size() == 2);
  mask_key(document, 0, false, row);
  CHECK(document.overrides.size() == 1);
  CHECK_THROWS_AS(set_score(document, row.count, 2, row), Error);
}

TEST_CASE("the stages of the row are those of the softmax in its order") {
  const Computed c(of_row({2.5f, 0.8f, 0.3f}));
  CHECK(c.graph.steps.size() == 7);
  const auto found = softmax_at(c.graph, c.places.softmax.weights);
  REQUIRE(found);
  CHECK(found->input == c.places.tempered);
  const auto shifted = c.at(*c.places.softmax.shifted), shares = c.at(*c.places.softmax.shares);
  CHECK(shifted[1] == 0.8f - 2.5f);
  CHECK(shares[0] == 1);
  CHECK(c.graph.find(Role::weights) == c.places.softmax.weights);
}

TEST_CASE("at temperature 0 the weights are hard and ties are shared") {
  Document document = of_row({1, 3, 3});
  document.softmax.temperature = 0;
  const Computed c(document);
  CHECK(c.at(c.places.softmax.weights) == std::vector<float>{0, 0.5f, 0.5f});
}

TEST_CASE("a masked key is no fault of any stage and a NaN of float16 is one") {
  const auto faults = [](const Document& document) {
    const auto reference = make_reference_backend();
    Budget budget;
    return check(Evaluator(*reference, budget).evaluate(document, build_softmax(document))).faults;
  };
  Document own = of_row({2, 1, -1});
  mask_key(own, 0, true);
  CHECK(faults(own).empty());
  own.softmax.temperature = 0.5, own.softmax.format = NumberFormat::float16;
  CHECK(faults(own).empty());
  Document layer = projected_document();
  layer.softmax.pairs = 16;
  mask_key(layer, 0, true);
  CHECK(faults(layer).empty());
  own.softmax.subtract_maximum = false;
  set_score(own, 1, 40);
  CHECK(!faults(own).empty());
}

TEST_CASE("the curve at temperature 1 is the row and the ends are hard and near uniform") {
  Document document = of_row({2.5f, 0.8f, 0.3f, 0.2f, -1.1f});
  mask_key(document, 3, true);
  const Computed c(document);
  CHECK(curve_temperature(0) == doctest::Approx(0.05));
  CHECK(curve_temperature(kTemperatures - 1) == doctest::Approx(20));
  const std::size_t middle = (kTemperatures - 1) / 2;
  CHECK(curve_temperature(middle) == doctest::Approx(1));
  const Tensor &curves = c.outputs[c.places.curves.weights], &entropy = c.outputs[c.places.curves.entropy];
  const auto row = c.at(c.places.softmax.weights);
  for (std::size_t j = 0; j < row.size(); ++j) CHECK(curves[{0, middle, j}] == doctest::Approx(row[j]));
  CHECK(curves[{0, 0, 0}] == 1);
  CHECK(curves[{0, kTemperatures - 1, 3}] == 0);
  CHECK(curves[{0, kTemperatures - 1, 4}] == doctest::Approx(0.25).epsilon(0.2));
  CHECK(entropy[{0, middle, 0}] == doctest::Approx(c.at(c.places.entropy)[0]));
  CHECK(entropy[{0, kTemperatures - 1, 0}] < std::log(4.0));
  for (std::size_t i = 1; i < kTemperatures; ++i)
    CHECK(entropy[{0, i, 0}] >= entropy[{0, i - 1, 0}] * (1 - 1e-6f));
}

TEST_CASE("float16 without subtracting the maximum divides infinity by infinity") {
  Document document = of_row({12, 3, 0});
  document.softmax.format = NumberFormat::float16;
  document.softmax.subtract_maximum = false;
  const Computed c(document);
  CHECK(c.at(c.places.format.shares)[0] == INFINITY);
  CHECK(c.at(c.places.format.sum)[0] == INFINITY);
  const auto weights = c.at(c.places.format.weights);
  CHECK(std::isnan(weights[0]));
  CHECK(weights[1] == 0);
  document.softmax.subtract_maximum = true;
  const Computed again(document);
  const auto right = again.at(again.places.format.weights);
  CHECK(right[0] == doctest::Approx(1 / (1 + std::exp(-9.0) + std::exp(-12.0))).epsilon(1e-3));
}

TEST_CASE("float16 without subtracting the maximum divides 0 by 0 where all scores are far below 0") {
  Document document = of_row({-30, -31});
  document.softmax.format = NumberFormat::float16;
  const Computed right(document);
  CHECK(right.at(right.places.format.weights)[0] == doctest::Approx(1 / (1 + std::exp(-1.0))).epsilon(1e-3));
  document.softmax.subtract_maximum = false;
  const Computed c(document);
  CHECK(c.at(c.places.format.sum)[0] == 0);
  CHECK(std::isnan(c.at(c.places.format.weights)[0]));
}

TEST_CASE("a row of float32 without its maximum overflows from 88.73 on") {
  Document document = of_row({88.75f, 3});
  document.softmax.subtract_maximum = false;
  CHECK(std::isnan(Computed(document)
                       .outputs[places_in<SoftmaxPlaces>(build_softmax(document)).format.weights]
                       .values()[0]));
  set_score(document, 0, 88.7f);
  CHECK(Computed(document)
            .outputs[places_in<SoftmaxPlaces>(build_softmax(document)).format.weights]
            .values()[0] == 1);
}

TEST_CASE("each weighting that is chosen has a part of its own") {
  Document document = of_row({2, 1, -1});
  document.softmax.weightings = {Weighting::softmax, Weighting::relu, Weighting::sparsemax};
  const Computed c(document);
  REQUIRE(c.places.others.size() == 2);
  CHECK(c.graph.stages[c.places.others[0].weights].id == "relu.weights");
  CHECK(c.at(c.places.others[0].weights)[0] == doctest::Approx(2.0 / 3));
  CHECK(c.at(c.places.others[1].weights) == std::vector<float>{1, 0, 0});
}

TEST_CASE("what makes no row is said with what to do") {
  Document document;
  document.softmax.source = RowSource::own;
  CHECK(contains(refusal_of(document), "has no keys: add one"));
  document.softmax.scores = Tensor({1, 2, 1}, {1, 2});
  CHECK(contains(refusal_of(document), "about one row"));
  document.softmax.scores = Tensor({1, 1, 2}, {1, 2});
  document.softmax.masked = {2};
  CHECK(contains(refusal_of(document), "key 2 is masked"));
  CHECK(given_softmax(document).stages.size() == 1);
  document = Document();
  CHECK(!refusal_of(document).empty());  // a layer without anything
  document = of_row({1});
  document.softmax.width = 1025;
  CHECK(contains(refusal_of(document), "softmax.width is 1025"));
}

TEST_CASE("what is typed over a stage of the row goes into what is behind it") {
  Document document = of_row({1, 2, 3});
  set_number(document, kSoftmaxPlan, "row.exp", {0, 0, 0}, 4);
  const Computed c(document);
  const auto shares = c.at(*c.places.softmax.shares);
  CHECK(shares[0] == 4);
  CHECK(c.at(*c.places.softmax.sum)[0] == doctest::Approx(4 + shares[1] + shares[2]));
}

TEST_CASE("weights promise what their rule makes of a row and rounded ones promise nothing") {
  Document document = of_row({1, -2, 0.5f});
  document.softmax.weightings = {Weighting::softmax_1, Weighting::sparsemax, Weighting::sigmoid,
                                 Weighting::relu, Weighting::hard};
  document.softmax.format = NumberFormat::bfloat16;
  const Computed c(document);
  const auto promised = [&](StageIndex weights) { return c.graph.stages[weights].row_total; };
  CHECK(promised(c.places.softmax.weights) == RowTotal::one);
  CHECK(promised(c.places.curves.weights) == RowTotal::one);
  CHECK(promised(c.places.format.weights) == RowTotal::any);
  CHECK(promised(c.places.others[0].weights) == RowTotal::below_one);
  CHECK(promised(c.places.others[1].weights) == RowTotal::one);
  CHECK(promised(c.places.others[2].weights) == RowTotal::any);
  CHECK(promised(c.places.others[3].weights) == RowTotal::any);
  CHECK(promised(c.places.others[4].weights) == RowTotal::one);
}

TEST_CASE("a row of the layer is shown under the weighting of the layer") {
  for (std::size_t kind = 0; kind < kLayerWeightings; ++kind) {
    Document document = projected_document();
    document.layer().weighting = static_cast<Weighting>(kind);
    document.softmax.pairs = 16, document.softmax.query = 1;
    document.softmax.weightings = {Weighting::softmax};
    const Computed c(document);
    const StageIndex weights = kind == 0 ? c.places.softmax.weights : c.places.others.at(0).weights;
    const Tensor expected = evaluated(document).output("weights");
    INFO(kWeightings[kind].word);
    for (std::size_t j = 0; j < expected.columns(); ++j)
      CHECK(c.outputs[weights][{0, 0, j}] == expected[{0, 1, j}]);
  }
  Document hard = projected_document();
  hard.layer().temperature = 0;
  hard.softmax.pairs = 16;
  CHECK(Computed(hard).places.others.at(0).weighting == Weighting::hard);
}

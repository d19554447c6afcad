// A layer by linear attention against weights written out pair by pair, over random layers; its shapes; what
// it leaves empty; and what it cannot compute, which it names.
#include "core/attention/layer_linear.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/document/layer_plan.h"
#include "core/gradient/gradients.h"
#include "core/system/error.h"
#include "tests/core/checked.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

const LinearRequest kRequests[]{{}, {.kind = FeatureKind::relu}, {FeatureKind::random, 6, 3}};

struct LinearLayer {
  Graph graph;
  LayerStages places;
  std::vector<Tensor64> outputs;

  LinearLayer(const LayerSpec& layer, const LinearRequest& request) {
    places = append_linear_layer(graph, layer, request);
    outputs = evaluate_in_double(graph);
  }
  const Tensor64& operator[](const char* id) const { return outputs[graph.find(id).value()]; }
};

double product_of_rows(const Tensor64& a, Cell row, const Tensor64& b, Cell other) {
  double sum = 0;
  for (std::size_t r = 0; r < a.columns(); ++r)
    sum += a[{row.head, row.row, r}] * b[{other.head, other.row, r}];
  return sum;
}

// Of a query, from the products of its features with those of the keys that the layer's mask leaves.
std::vector<double> by_pairs(const LayerSpec& layer, const LinearLayer& made, Cell query) {
  const Tensor64 &phi_q = made["phi_q"], &phi_k = made["phi_k"];
  const Tensor64& v = made.outputs[made.places.v];
  const std::size_t n = phi_q.rows(), m = phi_k.rows();
  const std::size_t keys = query.head / (phi_q.stack() / phi_k.stack());
  const MaskPlace place{n, m, query.row, 0, first_place(layer.masks, n, m)};
  const std::vector<char> masked = MaskRow(layer.masks, place).masked();
  std::vector<double> output(v.columns());
  double all = 0;
  bool none = true;
  for (std::size_t j = 0; j < m; ++j) {
    if (masked[j]) continue;
    none = false;
    const double weight = product_of_rows(phi_q, query, phi_k, {keys, j, 0});
    all += weight;
    for (std::size_t c = 0; c < output.size(); ++c) output[c] += weight * v[{keys, j, c}];
  }
  for (double& number : output) number = none ? 0 : all == 0 ? NAN : number / all;
  return output;
}

void check_by_pairs(const LayerSpec& layer, const LinearRequest& request) {
  const LinearLayer made(layer, request);
  const Tensor64& output = made["head_output"];
  for (Cell query; query.head < output.stack(); ++query.head)
    for (query.row = 0; query.row < output.rows(); ++query.row) {
      const std::vector<double> expected = by_pairs(layer, made, query);
      for (std::size_t c = 0; c < expected.size(); ++c) {
        const double a = output[{query.head, query.row, c}], b = expected[c];
        CHECK(((std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-9 * (1 + std::abs(b))));
      }
    }
}

std::string refused_linear(LayerSpec layer) {
  const std::string why = linear_obstacle(layer);
  Graph graph;
  CHECK_THROWS_WITH_AS(append_linear_layer(graph, layer),
                       ("linear attention cannot compute this layer: " + why).c_str(), Error);
  return why;
}

TEST_CASE("a layer by linear attention mixes values by products of features") {
  Random random(seed(321));
  std::size_t compared = 0;
  for (int i = 0; i < 900; ++i) {
    LayerSpec layer = random_layer(random);
    layer.mask = {}, layer.bias = {}, layer.weighting = Weighting::softmax, layer.soft_cap = 0;
    layer.empty_row = EmptyRow::zeros, layer.fill = Fill::negative_infinity, layer.dropout = 0;
    layer.temperature = layer.temperature == 0 ? 0.5 : layer.temperature;
    layer.scale.number = std::abs(layer.scale.number);
    if (coin(random)) random_mistakes(random, layer);
    layer.dropout_mask = {}, layer.softmax_over = SoftmaxOver::keys;
    if (!linear_obstacle(layer).empty()) continue;
    CAPTURE(i);
    check_by_pairs(layer, kRequests[i % 3]);
    ++compared;
  }
  CHECK(compared >= 60);
}

TEST_CASE("many random features come near the layer's own outputs") {
  LayerSpec layer;
  layer.direct = true;
  layer.q = drawn({2, 5, 4}, 1), layer.k = drawn({1, 5, 4}, 2), layer.v = drawn({1, 5, 3}, 3);
  layer.temperature = 2;
  set_causal(layer, CausalAlign::lower_right);
  const Graph full = build_graph(layer);
  const Tensor64 exact = evaluate_in_double(full)[full.find("head_output").value()];
  const LinearLayer linear(layer, {FeatureKind::random, 20000, 5});
  for (std::size_t i = 0; i < exact.values().size(); ++i)
    CHECK(std::abs(linear["head_output"].values()[i] - exact.values()[i]) < 0.1);
}

TEST_CASE("the stages of linear attention have the shapes of features and of a state for each key head") {
  LayerSpec layer;
  layer.direct = true;
  layer.q = drawn({4, 3, 5}, 1), layer.k = drawn({2, 6, 5}, 2), layer.v = drawn({2, 6, 7}, 3);
  for (const LinearRequest& request : kRequests) {
    const LinearLayer made(layer, request);
    const std::size_t r = request.kind == FeatureKind::random ? 6 : 5;
    CHECK(made["phi_q"].shape() == Shape{4, 3, r});
    CHECK(made["phi_k"].shape() == Shape{2, 6, r});
    CHECK(made["state"].shape() == Shape{2, r, 7});
    CHECK(made["state_sum"].shape() == Shape{2, r, 1});
    CHECK(made["head_output"].shape() == Shape{4, 3, 7});
    CHECK(made["output"].shape() == Shape{1, 3, 28});
    CHECK(made.graph.find("features").has_value() == (request.kind == FeatureKind::random));
    for (const char* none : {"scores", "scaled", "weights", "mask"}) CHECK_FALSE(made.graph.find(none));
    CHECK_FALSE(made.graph.stages[*made.graph.find("linear")].traced);
  }
}

TEST_CASE("the state is that of the keys that the last query sees") {
  LayerSpec layer;
  layer.direct = true;
  layer.q = drawn({1, 3, 2}, 1), layer.k = drawn({1, 5, 2}, 2), layer.v = drawn({1, 5, 2}, 3);
  const auto sum_of = [&](std::size_t keys) {
    const LinearLayer made(layer, {});
    for (std::size_t r = 0; r < 2; ++r) {
      double sum = 0;
      for (std::size_t j = 0; j < keys; ++j) sum += made["phi_k"][{0, j, r}];
      CHECK(made["state_sum"][{0, r, 0}] == doctest::Approx(sum));
    }
  };
  sum_of(5);
  set_causal(layer, CausalAlign::top_left);
  sum_of(3);
  set_causal(layer, CausalAlign::lower_right);
  sum_of(5);
  set_padding(layer, {4});
  sum_of(4);
}

// Σ output², with what flows back from it.
Graph with_way_back(const LayerSpec& layer, const LinearRequest& request) {
  Graph graph;
  const LayerStages places = append_linear_layer(graph, layer, request);
  append_gradients(graph, graph.add({.id = "loss",
                                     .title = "L",
                                     .formula = "Σ output²",
                                     .operation = SumProduct{SumProduct::all},
                                     .inputs = {places.output, places.output}}));
  return graph;
}

TEST_CASE("the temperature of random features is differentiated through the root that scales them") {
  LayerSpec layer;
  layer.direct = true;
  layer.q = drawn({2, 3, 4}, 1), layer.k = drawn({1, 4, 4}, 2), layer.v = drawn({1, 4, 2}, 3);
  layer.temperature = 1.5, layer.scale = {ScaleMode::number, 0.75};
  const LinearRequest request{FeatureKind::random, 5, 2};
  const auto number = [&](const LayerSpec& of, const char* id) {
    const Graph graph = with_way_back(of, request);
    return evaluate_in_double(graph)[graph.find(id).value()].values()[0];
  };
  constexpr double kStep = 1e-5;
  const auto difference = [&](auto member_of) {
    LayerSpec more = layer, less = layer;
    member_of(more) += kStep, member_of(less) -= kStep;
    return (number(more, "loss") - number(less, "loss")) / (2 * kStep);
  };
  CHECK(number(layer, "d_temperature") ==
        doctest::Approx(difference([](LayerSpec& l) -> double& { return l.temperature; })).epsilon(1e-6));
  CHECK(number(layer, "d_scale") ==
        doctest::Approx(difference([](LayerSpec& l) -> double& { return l.scale.number; })).epsilon(1e-6));
}

TEST_CASE("a query whose features meet nothing leaves a gap, which no check calls a fault") {
  Document document;
  LayerSpec& layer = document.layer();
  layer.direct = true;
  layer.q = Tensor({1, 2, 2}, {-1, -2, 1, 1}), layer.k = Tensor({1, 2, 2}, {1, 1, 1, 0});
  layer.v = Tensor({1, 2, 1}, {3, 5});
  Budget budget;
  const auto backend = make_reference_backend();
  const Results results = Evaluator(*backend, budget)
                              .evaluate(document, build_linear_layer(document, {.kind = FeatureKind::relu}));
  const Tensor& output = results.outputs[*results.graph.find("output")].whole();
  CHECK(std::isnan(output.values()[0]));
  CHECK(output.values()[1] == doctest::Approx((2 * 3 + 1 * 5) / 3.0));
  CHECK(check(results).faults.empty());
}

TEST_CASE("what linear attention cannot compute is refused by name") {
  LayerSpec plain;
  plain.direct = true;
  plain.q = drawn({2, 3, 4}, 1), plain.k = plain.q, plain.v = plain.q;
  CHECK(linear_obstacle(plain).empty());
  const auto why = [&](auto change) {
    LayerSpec layer = plain;
    change(layer);
    return refused_linear(layer);
  };
  const auto why_masked = [&](std::vector<MaskTerm> masks) {
    return why([&](LayerSpec& l) { l.masks = masks; });
  };
  const std::string takes = "; it takes causal masks and padding of one length, joined by OR";
  CHECK(why_masked({{WindowRule{1}}}) == "mask window does not leave the first keys" + takes);
  CHECK(why_masked({{StridedRule{2}}}) == "mask strided does not leave the first keys" + takes);
  CHECK(why_masked({{RandomRule{1, 2}}}) == "mask random does not leave the first keys" + takes);
  CHECK(why_masked({{BlocksRule{{1}}}}) == "mask blocks does not leave the first keys" + takes);
  CHECK(why_masked({{CausalRule{}, true}}) == "mask causal is negated" + takes);
  CHECK(why_masked({{PaddingRule{{1, 2, 3}}}}) == "mask padding has a length for each query" + takes);
  CHECK(why_masked({{CausalRule{}}, {PaddingRule{{2}}, false, Join::all}}) ==
        "masks are joined by AND" + takes);
  CHECK(why([](LayerSpec& l) {
          l.mask = Tensor({1, 3, 3}, std::vector<float>(9, 0));
        }) == "a painted mask hides single keys");
  CHECK(why([](LayerSpec& l) { l.bias = drawn({1, 3, 3}, 4); }) == "a given bias is added to each score");
  CHECK(why([](LayerSpec& l) { l.soft_cap = 5; }) == "a soft cap bends each score");
  CHECK(why([](LayerSpec& l) { l.scoring = Scoring::gaussian; }) ==
        "score gaussian is not a product of queries and keys");
  CHECK(why([](LayerSpec& l) { l.weighting = Weighting::softmax_1; }) ==
        "weighting softmax-1 is not the softmax that features stand for");
  CHECK(why([](LayerSpec& l) { l.temperature = 0; }) ==
        "weighting hard is not the softmax that features stand for");
  CHECK(why([](LayerSpec& l) { l.dropout = 0.5; }) == "dropout is drawn for each weight");
  CHECK(why([](LayerSpec& l) { l.precision = NumberFormat::float16; }) ==
        "precision float16 rounds every stage");
  CHECK(why([](LayerSpec& l) { l.softmax_over = SoftmaxOver::queries; }) == "the softmax is over queries");
  CHECK(why([](LayerSpec& l) { l.softmax_over = SoftmaxOver::heads; }) == "the softmax is over heads");
  CHECK(why([](LayerSpec& l) { l.position = Alibi{}; }) == "ALiBi adds to each score");
  CHECK(why([](LayerSpec& l) { l.position = T5Bias{}; }) == "T5 positions add to each score");
  CHECK(why([](LayerSpec& l) { l.position = Relative{}; }) ==
        "relative positions need the weights by offset");
  CHECK(why([](LayerSpec& l) { l.local = Local::monotonic; }) ==
        "local attention needs the centre of each query first");
  const std::vector<MaskTerm> causal{{CausalRule{}}};
  CHECK(why([&](LayerSpec& l) { l.masks = causal, l.mask_at = MaskAt::after; }) ==
        "the mask comes after the softmax");
  CHECK(why([&](LayerSpec& l) { l.masks = causal, l.fill = Fill::minus_1e9; }) ==
        "masked scores are filled with a number");
  CHECK(why([&](LayerSpec& l) { l.masks = {{PaddingRule{{0}}}}, l.empty_row = EmptyRow::uniform; }) ==
        "rows without a key are to become something else than 0");
}

TEST_CASE(
    "random features need a scale that has a root, and numbers typed over what is not made are refused") {
  Document document;
  document.layer().direct = true;
  document.layer().q = document.layer().k = document.layer().v = drawn({1, 2, 2}, 1);
  document.layer().scale = {ScaleMode::number, -1};
  CHECK_THROWS_WITH_AS(
      build_linear_layer(document, {FeatureKind::random, 3, 0}),
      "random features are of queries and keys multiplied by √scale, and the scale -1 has no root", Error);
  CHECK(build_linear_layer(document, {}).graph.find("phi_q").has_value());
  document.overrides.push_back({"pipeline", "scores", {{0, 0, 0}, 1}});
  CHECK_THROWS_WITH_AS(
      build_linear_layer(document, {}),
      "linear attention cannot compute this layer: numbers are typed over scores, which it does "
      "not make",
      Error);
}

}  // namespace

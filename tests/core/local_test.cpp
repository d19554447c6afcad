// Local attention of whole layers: against its definition over random sizes, along with other masks, in the
// checks, and its parameters made, resized and refused.
#include <doctest/doctest.h>

#include <cmath>

#include "core/attention/scoring_parameters.h"
#include "core/checks/dictionary.h"
#include "core/heads/graph.h"
#include "core/io/layer_npz.h"
#include "tests/core/checked.h"
#include "tests/core/direct_layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Values = std::vector<double>;

Tensor64 numbers_of(const Graph& graph, const std::vector<Tensor64>& outputs, const char* id) {
  return outputs[graph.find(id).value()];
}

// p of a query, by the definition (equation 9).
double centre_of(const LayerSpec& l, std::size_t head, std::size_t query) {
  if (l.local == Local::monotonic) return static_cast<double>(query);
  double sum = 0;
  for (std::size_t a = 0; a < l.local_v.columns(); ++a) {
    double hidden = 0;
    for (std::size_t t = 0; t < l.q.columns(); ++t)
      hidden += static_cast<double>(l.local_w[{0, a, t}]) * static_cast<double>(l.q[{head, query, t}]);
    sum += static_cast<double>(l.local_v[{0, 0, a}]) * std::tanh(hidden);
  }
  return static_cast<double>(l.k.rows()) / (1 + std::exp(-sum));
}

// The softmax over the keys within reach, times what is left so far from the centre.
Values defined_row(const LayerSpec& l, const Tensor64& scaled, std::size_t head, std::size_t query) {
  const double centre = centre_of(l, head, query), reach = static_cast<double>(l.local_reach);
  Values weights(l.k.rows());
  double sum = 0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (std::abs(static_cast<double>(j) - centre) > reach) continue;
    weights[j] = std::exp(scaled[{head, query, j}]);
    sum += weights[j];
  }
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const double apart = static_cast<double>(j) - centre, sd = reach / 2;
    if (sum > 0) weights[j] /= sum;
    if (l.local == Local::predictive) weights[j] *= std::exp(-apart * apart / (2 * sd * sd));
  }
  return weights;
}

LayerSpec with_local(LayerSpec layer, Local local, std::size_t reach) {
  layer.local = local, layer.local_reach = reach;
  make_score_parameters(layer);
  return layer;
}

LayerSpec direct(std::size_t n, std::size_t m, std::uint32_t seed) {
  return direct_layer({2, n, 3}, {1, m, 3}, {1, m, 2}, seed);
}

const SoftmaxChecks& checks_of(const Checks& checks, const Results& results, const char* stage) {
  for (const SoftmaxChecks& of : checks.softmaxes)
    if (results.graph.stages[of.weights].id == stage) return of;
  FAIL("no checks of " << stage);
  return checks.softmaxes[0];
}

}  // namespace

TEST_CASE("local weights and what they collect are the definition over random sizes and shared heads") {
  Random random(51);
  for (int i = 0; i < 120; ++i) {
    const Local local = i % 2 == 0 ? Local::monotonic : Local::predictive;
    const LayerSpec layer = with_local(random_direct(random), local, pick(random, 1, 4));
    const Graph graph = build_graph(layer);
    const std::vector<Tensor64> outputs = evaluate_in_double(graph);
    const Tensor64 scaled = numbers_of(graph, outputs, "scaled");
    const Tensor64 weights =
        numbers_of(graph, outputs, local == Local::predictive ? "local_weights" : "weights");
    const Tensor64 collected = numbers_of(graph, outputs, "head_output");
    const std::size_t group = layer.q.stack() / layer.v.stack();
    for (std::size_t h = 0; h < weights.stack(); ++h)
      for (std::size_t r = 0; r < weights.rows(); ++r) {
        const Values row = defined_row(layer, scaled, h, r);
        for (std::size_t j = 0; j < row.size(); ++j) REQUIRE(std::abs(weights[{h, r, j}] - row[j]) < 1e-12);
        for (std::size_t c = 0; c < layer.v.columns(); ++c) {
          double sum = 0;
          for (std::size_t j = 0; j < row.size(); ++j)
            sum += row[j] * static_cast<double>(layer.v[{h / group, j, c}]);
          REQUIRE(std::abs(collected[{h, r, c}] - sum) < 1e-12);
        }
      }
  }
}

TEST_CASE("keys beyond the reach stay hidden with every other mask and no global token frees them") {
  for (const Local local : {Local::monotonic, Local::predictive}) {
    LayerSpec layer = with_local(direct(6, 6, 3), local, 1);
    const Tensor alone = evaluate(layer).output("local_mask");
    layer.masks = {{.rule = CausalRule{}}, {.rule = GlobalRule{{0}}}};
    layer.mask = bits(*std::make_unique<Random>(4), {2, 6, 6});
    const Results results = evaluate(layer);
    const Tensor rules = results.output("mask"), all = results.output("local_mask");
    REQUIRE(all.shape() == Shape{2, 6, 6});
    for (std::size_t i = 0; i < all.values().size(); ++i) {
      const Cell cell = cell_at(all.shape(), i);
      const bool far = alone[{shared_matrix(cell.head, alone.stack(), 2), cell.row, cell.column}] != 0;
      CHECK((all[cell] != 0) == (far || rules[cell] != 0));
      if (all[cell] != 0) CHECK(results.output("masked")[cell] == -kFloatInfinity);
    }
  }
}

TEST_CASE("every weighting and fill and dropout reads what local attention leaves") {
  for (std::size_t weighting = 0; weighting < kLayerWeightings; ++weighting) {
    LayerSpec layer = with_local(direct(5, 7, 5), Local::predictive, 2);
    layer.weighting = static_cast<Weighting>(weighting);
    layer.dropout = 0.5, layer.dropout_seed = 3;
    const Results results = evaluate(layer);
    const Tensor mask = results.output("local_mask"), before = results.output("weights");
    const Tensor near = results.output("local_weights"), kept = results.output("dropped");
    for (std::size_t i = 0; i < near.values().size(); ++i) {
      if (mask.values()[i] != 0) CHECK(near.values()[i] == 0);
      CHECK(near.values()[i] <= before.values()[i]);
      CHECK((kept.values()[i] == 0 || std::abs(kept.values()[i] - 2 * near.values()[i]) < 1e-6f));
    }
    layer.fill = Fill::minus_1e9;
    CHECK(evaluate(layer).output("masked").values()[0] >= -1e9f);
  }
}

TEST_CASE(
    "the weights of a layer are those behind the decay and what chance drops of them mixes the values") {
  LayerSpec layer = with_local(direct(5, 7, 5), Local::predictive, 2);
  const auto id = [](const Graph& graph, std::optional<StageIndex> stage) {
    return graph.stages[stage.value()].id;
  };
  for (const double dropout : {0.0, 0.5}) {
    layer.dropout = dropout;
    Graph graph = build_graph(layer);
    CHECK(id(graph, graph.find(Role::weights)) == "local_weights");
    CHECK(id(graph, graph.weights_of(0)) == "local_weights");
    CHECK(id(graph, mixing_weights(graph, 0)) == (dropout == 0 ? "local_weights" : "dropped"));
    CHECK(id(graph, places_in<HeadsPlaces>(build_heads({.layers = {layer}})).weights) == "local_weights");
    layer.precision = NumberFormat::float16;
    graph = build_graph(layer);
    CHECK(id(graph, graph.find(Role::weights)) == "local_weights");
    layer.precision = NumberFormat::float32;
    append_layer(graph, layer, {.prefix = "b."});
    CHECK(id(graph, graph.find(Role::weights)) == "local_weights");
    CHECK(id(graph, graph.find(Role::weights, 1)) == "b.local_weights");
  }
}

TEST_CASE("the dictionary of a query adds up what is left of the weights so far from the centre") {
  const Results results = evaluate(with_local(direct(4, 9, 9), Local::predictive, 2));
  const Tensor near = results.output("local_weights"), v = results.output("v");
  const auto found = dictionary_of(results, *results.graph.find("weights"), 1, 2, 9).value();
  for (const DictionaryCard& card : found.cards)
    CHECK(card.weight == static_cast<double>(near[{1, 2, card.key}]));
  CHECK(found.result[0] == doctest::Approx(results.output("head_output")[{1, 2, 0}]));
}

TEST_CASE("the checks expect of local weights what they promise and follow its mask") {
  const LayerSpec layer = with_local(direct(6, 4, 6), Local::predictive, 2);
  const Results results = evaluate(layer);
  const Checks checks = check(results);
  const SoftmaxChecks& near = checks_of(checks, results, "local_weights");
  CHECK(near.row_sums.promised == RowTotal::below_one);
  CHECK(near.row_sums.holds());
  CHECK(near.row_sums.most < 1);
  CHECK(near.masked_weight.holds());
  CHECK(checks_of(checks, results, "weights").row_sums.promised == RowTotal::one);
  CHECK(checks.faults.empty());
  CHECK(checks.masks.empty());
  const Results typed_over = evaluate(layer, {typed("local_weights", {0, 0, 0}, 5)});
  CHECK_FALSE(checks_of(check(typed_over), typed_over, "local_weights").row_sums.holds());
  LayerSpec any = layer;
  any.weighting = Weighting::relu;
  const Results sums = evaluate(any);
  CHECK(checks_of(check(sums), sums, "local_weights").row_sums.promised == RowTotal::any);
}

TEST_CASE("a monotonic query beyond all keys has none left and its row is what the layer says of such rows") {
  LayerSpec layer = with_local(direct(6, 3, 7), Local::monotonic, 1);
  const Results results = evaluate(layer);
  const Checks checks = check(results);
  CHECK(only(checks).row_sums.rows_without_key == 4);  // queries 4 and 5 of two heads
  CHECK(only(checks).row_sums.holds());
  CHECK(row_entropy(results, weights_of(results), 0, 5).nats == 0);
  CHECK(keys_left(results, weights_of(results), 0, 3) == 1);
  layer.empty_row = EmptyRow::uniform;
  CHECK(evaluate(layer).output("weights")[{0, 4, 1}] == doctest::Approx(1.0 / 3));
}

TEST_CASE("a mask that the rules made is not taken for a painted one next to local attention") {
  LayerSpec layer = with_local(direct(6, 6, 8), Local::monotonic, 2);
  layer.masks = {{.rule = CausalRule{}}};
  CHECK(check(evaluate(layer)).masks.empty());
}

TEST_CASE("a centre typed over moves the keys that its query sees and no other") {
  Document document{{with_local(direct(4, 9, 9), Local::predictive, 1)}};
  set_number(document, "centre", {0, 1, 0}, 7);
  const Results results = evaluated(document);
  const Tensor mask = results.output("local_mask"), near = results.output("local_weights");
  for (std::size_t j = 0; j < 9; ++j) CHECK((mask[{0, 1, j}] == 0) == (j >= 6 && j <= 8));
  CHECK(near[{0, 1, 7}] == results.output("weights")[{0, 1, 7}]);
  const Results before = evaluate(document.layer());
  CHECK(before.output("local_weights")[{0, 2, 3}] == near[{0, 2, 3}]);
}

TEST_CASE("each step of a predicted centre can be opened and says where its number comes from") {
  const Results results = evaluate(with_local(direct(3, 5, 10), Local::predictive, 2));
  for (const char* id : {"local_hidden", "local_tanh", "local_sum", "centre"}) {
    const StageIndex stage = results.graph.find(id).value();
    INFO(id);
    CHECK(results.graph.stages[stage].drawn == Drawn::inside);
    CHECK(explain(results, stage, {1, 2, 0}).result ==
          doctest::Approx(results.outputs[stage][{1, 2, 0}]).epsilon(1e-6));
  }
  const Stage& centre = results.graph.stages[*results.graph.find("centre")];
  CHECK(centre.role == Role::statistic);
  CHECK(centre.shape == Shape{2, 3, 1});
  CHECK(explain(results, *results.graph.find("centre"), {0, 0, 0}).rule ==
        "5 keys · σ, σ(x) = 1 ÷ (1 + exp(−x))");
}

TEST_CASE("parameters of predicted centres that are missing are the ones that the choice makes") {
  Document document{{direct(3, 4, 11)}};
  LayerSpec missing = document.layer();
  missing.local = Local::predictive;
  set_local(document, Local::predictive);
  CHECK(document.layer().local_w.shape() == Shape{1, 3, 3});
  CHECK(document.layer().local_v.shape() == Shape{1, 1, 3});
  CHECK(evaluate(missing).output("centre") == evaluate(document.layer()).output("centre"));
  set_number(document, "local_w", {0, 1, 2}, 3);
  CHECK(document.layer().local_w[{0, 1, 2}] == 3);
  set_local(document, Local::none);
  set_local(document, Local::predictive);
  CHECK(document.layer().local_w[{0, 1, 2}] == 3);
}

TEST_CASE("parameters of predicted centres follow the width of queries and their own") {
  Document document{{direct(3, 4, 12)}};
  set_local(document, Local::predictive);
  const Tensor before = document.layer().local_w;
  set_width_of_keys(document, 5);
  CHECK(document.layer().local_w.shape() == Shape{1, 3, 5});
  CHECK(document.layer().local_w[{0, 2, 1}] == before[{0, 2, 1}]);
  set_local_width(document, 6);
  CHECK(document.layer().local_w.shape() == Shape{1, 6, 5});
  CHECK(document.layer().local_v.columns() == 6);
  CHECK(contains(message_of([&] { set_local_width(document, 0); }), "from 1 to"));
  set_local(document, Local::monotonic);
  CHECK(contains(message_of([&] { set_local_width(document, 3); }), "choose local predictive"));
}

TEST_CASE("a parameter of predicted centres that does not fit is named with the shape that does") {
  LayerSpec layer = with_local(direct(3, 4, 13), Local::predictive, 2);
  layer.local_w = counting({1, 3, 2});
  CHECK(contains(message_of([&] { build_graph(layer); }), "local_w is 3×2"));
  CHECK(contains(message_of([&] { build_graph(layer); }), "queries 3 wide need it 3×3"));
  layer = direct(3, 4, 13);
  layer.local_reach = 0;
  CHECK(contains(message_of([&] { build_graph(layer); }), "D of local attention must be from 1"));
}

TEST_CASE("parameters of predicted centres come from the arrays of a file") {
  const auto array = [](std::vector<std::size_t> shape, std::vector<float> values) {
    return Array{std::move(shape), std::move(values)};
  };
  const LayerSpec layer = layer_from_arrays({{"q", array({1, 2}, {1, 2})},
                                             {"k", array({2, 2}, {1, 2, 3, 4})},
                                             {"v", array({2, 1}, {1, 2})},
                                             {"local_w", array({1, 2}, {3, 4})},
                                             {"local_v", array({1}, {5})}});
  CHECK(layer.local_w == Tensor({1, 1, 2}, {3, 4}));
  CHECK(layer.local_v == Tensor({1, 1, 1}, {5}));
}

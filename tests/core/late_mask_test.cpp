// A mask after the softmax, and a softmax over queries: by hand, and against their definitions over random
// layers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/checks/checks_sums.h"
#include "core/softmax/row.h"
#include "tests/core/checked.h"
#include "tests/core/direct_layers.h"
#include "tests/places.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Row = std::vector<double>;

constexpr double kHidden = -std::numeric_limits<double>::infinity();

// Scores [ln 2, 0; 0, 0], values 1 and 10.
LayerSpec two_tokens() {
  LayerSpec layer;
  layer.direct = true;
  layer.q = Tensor({1, 2, 1}, {std::log(2.0f), 0});
  layer.k = Tensor({1, 2, 1}, {1, 0});
  layer.v = Tensor({1, 2, 1}, {1, 10});
  layer.scale.mode = ScaleMode::none;
  return layer;
}

void check_numbers(const LayerSpec& layer, const char* id, const Row& wanted) {
  const Tensor64 found = stage_of(layer, id);
  REQUIRE(found.values().size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    CHECK(found.values()[i] == doctest::Approx(wanted[i]).epsilon(1e-6));
}

// What is over the threshold adds up to 1: found by halving.
Row sparse(const Row& z) {
  double low = *std::ranges::max_element(z) - 1, high = low + 1;
  const auto over = [&](double t) {
    double sum = 0;
    for (const double x : z) sum += std::max(0.0, x - t);
    return sum;
  };
  for (int i = 0; i < 200; ++i) (over((low + high) / 2) > 1 ? low : high) = (low + high) / 2;
  Row weights;
  for (const double x : z) weights.push_back(std::max(0.0, x - low));
  return weights;
}

// The weights of scores that share 1, or make each their own; −∞ gets none. Rows without a key are zeros.
Row weights_of(Weighting weighting, const Row& z) {
  const double most = *std::ranges::max_element(z);
  const auto left = static_cast<double>(std::ranges::count_if(z, [](double x) { return x != kHidden; }));
  Row weights(z.size());
  if (left == 0) return weights;
  if (weighting == Weighting::sparsemax) return sparse(z);
  double sum = weighting == Weighting::softmax_1 ? std::exp(-most) : 0;
  for (const double x : z) sum += weighting == Weighting::hard ? (x == most ? 1 : 0) : std::exp(x - most);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double share = weighting == Weighting::hard ? (z[i] == most ? 1 : 0) : std::exp(z[i] - most);
    weights[i] = weighting == Weighting::sigmoid ? 1 / (1 + std::exp(std::log(left) - z[i]))
                 : weighting == Weighting::relu  ? std::max(0.0, z[i]) / left
                                                 : share / sum;
  }
  return weights;
}

// Of each head's scores along the queries or along the keys, or of each pair's along the heads.
void check_defined(const LayerSpec& layer) {
  const Graph graph = build_graph(layer);
  const std::vector<Tensor64> outputs = evaluate_in_double(graph);
  const auto numbers = [&](const char* id) {
    const auto stage = graph.find(id);
    return stage ? &outputs[*stage] : nullptr;
  };
  const Tensor64* local = numbers("local_mask");
  const Tensor64* mask = local ? local : numbers("mask");
  const Tensor64* biased = numbers("biased");
  const Tensor64* capped = numbers("capped");
  const Tensor64& scores = biased ? *biased : capped ? *capped : *numbers("scaled");
  const Tensor64& found = outputs[*graph.find(Role::weights)];
  const bool late = layer.mask_at == MaskAt::after;
  // A line of weights that add up: its cells, and how many lines there are.
  const std::size_t heads = scores.stack(), n = scores.rows(), m = scores.columns();
  const bool by_key = is_over_queries(layer), by_pair = is_over_heads(layer);
  const std::size_t lines = by_pair ? n * m : heads * (by_key ? m : n);
  const auto cell = [&](std::size_t line, std::size_t other) {
    if (by_pair) return Cell{other, line / m, line % m};
    return by_key ? Cell{line / m, other, line % m} : Cell{line / n, line % n, other};
  };
  const auto hidden = [&](std::size_t h, std::size_t i, std::size_t j) {
    return mask && (*mask)[{shared_matrix(h, mask->stack(), scores.stack()), i, j}] != 0;
  };
  for (std::size_t line = 0; line < lines; ++line) {
    Row z;
    for (std::size_t other = 0; other < (by_pair ? heads : by_key ? n : m); ++other) {
      const Cell at = cell(line, other);
      z.push_back(!late && hidden(at.head, at.row, at.column) ? kHidden : scores[at]);
    }
    const Row weights = weights_of(weighting_of(layer), z);
    for (std::size_t other = 0; other < weights.size(); ++other) {
      const Cell at = cell(line, other);
      const double wanted = late && hidden(at.head, at.row, at.column) ? 0 : weights[other];
      REQUIRE(std::abs(found[at] - wanted) < 1e-9);
    }
  }
}

}  // namespace

TEST_CASE("a mask after the softmax leaves rows that no longer add up to 1") {
  LayerSpec layer = two_tokens();
  layer.masks = {{CausalRule{}}}, layer.mask_at = MaskAt::after;
  check_numbers(layer, "weights", {2 / 3., 1 / 3., 1 / 2., 1 / 2.});
  check_numbers(layer, "masked_weights", {2 / 3., 0, 1 / 2., 1 / 2.});
  check_numbers(layer, "head_output", {2 / 3., 5.5});
  const Results results = evaluate(layer);
  CHECK_FALSE(results.graph.find("masked"));
  const Checks all = check(results);
  const SoftmaxChecks& checks = *all.of(*results.graph.find(Role::weights));
  CHECK_FALSE(checks.row_sums.holds());
  CHECK(checks.row_sums.sum == doctest::Approx(2 / 3.));
  CHECK(checks.row_sums.where == Cell{0, 0, 0});
  CHECK(checks.masked_weight.holds());
}

TEST_CASE("a softmax over queries shares out what each key gives") {
  LayerSpec layer = two_tokens();
  layer.softmax_over = SoftmaxOver::queries;
  check_numbers(layer, "scores_by_key", {std::log(2.), 0, 0, 0});
  check_numbers(layer, "row_sum", {1.5, 2});
  check_numbers(layer, "weights_by_key", {2 / 3., 1 / 3., 1 / 2., 1 / 2.});
  check_numbers(layer, "weights", {2 / 3., 1 / 2., 1 / 3., 1 / 2.});
  check_numbers(layer, "head_output", {2 / 3. + 5, 1 / 3. + 5});
  const Results results = evaluate(layer);
  const Checks checks = check(results);
  CHECK_FALSE(only(checks).row_sums.holds());
  CHECK(only(checks).row_sums.sum == doctest::Approx(7 / 6.));
  layer.masks = {{CausalRule{}}};
  check_numbers(layer, "weights", {2 / 3., 0, 1 / 3., 1});
  CHECK(check(evaluate(layer)).faults.empty());
  layer.mask_at = MaskAt::after;
  check_numbers(layer, "masked_weights", {2 / 3., 0, 1 / 3., 1 / 2.});
}

TEST_CASE("one key ahead moves the diagonal and no query's place") {
  LayerSpec layer = direct_layer({1, 3, 4}, {1, 3, 4}, 5);
  layer.position = Rotary{}, layer.masks = {{CausalRule{}}};
  const Tensor64 turned = stage_of(layer, "q_rotated");
  layer.masks = {{CausalRule{.ahead = 1}}};
  check_numbers(layer, "mask", {0, 0, 1, 0, 0, 0, 0, 0, 0});
  CHECK(stage_of(layer, "q_rotated") == turned);
  CHECK(first_place({{CausalRule{.ahead = 1}}}, 3, 5) == 2);
}

TEST_CASE("late masks and weights over queries or heads are their definitions over random layers") {
  Random random(seed(81));
  int late = 0, over = 0, pairs = 0;
  for (int i = 0; i < 400; ++i) {
    LayerSpec layer = random_scored_layer(random);
    layer.fill = Fill::negative_infinity, layer.empty_row = EmptyRow::zeros;
    layer.local_reach = pick(random, 1, 4);
    if (layer.local == Local::predictive) layer.local = Local::monotonic;  // its weights fall off behind
    layer.mask_at = coin(random) ? MaskAt::after : MaskAt::before;
    layer.softmax_over = static_cast<SoftmaxOver>(pick(random, 0, 2));
    CAPTURE(i);
    check_defined(layer);
    late += build_graph(layer).find("masked_weights").has_value();
    over += is_over_queries(layer), pairs += is_over_heads(layer);
  }
  CHECK(late > 100);
  CHECK(over > 50);
  CHECK(pairs > 50);
}

TEST_CASE("chance, distance and muted heads come behind a late mask") {
  LayerSpec layer = direct_layer({2, 4, 3}, {2, 4, 3}, 7);
  layer.masks = {{CausalRule{}}}, layer.mask_at = MaskAt::after;
  layer.softmax_over = SoftmaxOver::queries, layer.muted_heads = {1};
  layer.dropout = 0.5, layer.dropout_seed = 3, layer.local = Local::predictive;
  make_score_parameters(layer);
  const Graph graph = build_graph(layer);
  const std::vector<Tensor64> outputs = evaluate_in_double(graph);
  const auto numbers = [&](const char* id) { return outputs[graph.find(id).value()]; };
  const Tensor64 masked = numbers("masked_weights"), mask = numbers("local_mask");
  const Tensor64 near = numbers("local_weights"), dropped = numbers("dropped");
  CHECK(graph.stages[*graph.find(Role::weights)].id == "local_weights");
  for (std::size_t i = 0; i < masked.values().size(); ++i) {
    if (mask.values()[i] != 0) CHECK(masked.values()[i] == 0);
    CHECK(near.values()[i] <= masked.values()[i]);
    CHECK((dropped.values()[i] == 0 || dropped.values()[i] == doctest::Approx(2 * near.values()[i])));
  }
  const Tensor64 output = numbers("output");
  for (std::size_t i = 0; i < 4; ++i) CHECK(output[{0, i, 4}] == 0);
}

TEST_CASE("in a format rows that add up hold, and those that a mistake breaks do not") {
  for (const NumberFormat format : {NumberFormat::float16, NumberFormat::bfloat16}) {
    LayerSpec layer = direct_layer({1, 3, 2}, {1, 3, 2}, 9);
    layer.precision = format, layer.softmax_over = SoftmaxOver::queries;
    CHECK_FALSE(only(check(evaluate(layer))).row_sums.holds());
    // All weights are a third as the format has it: rows add up as near to 1 as that comes.
    layer.q = Tensor({1, 3, 2}, std::vector<float>(6));
    const Results equal = evaluate(layer);
    const float third = equal.output("weights")[{}];
    CHECK(third != 1.0f / 3);
    CHECK(third == doctest::Approx(1 / 3.).epsilon(0.01));
    CHECK(rounding_of_sums(equal.graph, *equal.graph.find(Role::weights)) > 0);
    CHECK(check(equal).of(*equal.graph.find(Role::weights))->row_sums.largest_deviation == 0);
  }
}

TEST_CASE("the workspace of the softmax takes a key's row of a softmax over queries") {
  Document document;
  document.layer() = two_tokens();
  document.layer().tokens = {"a", "b"};
  document.layer().softmax_over = SoftmaxOver::queries;
  document.softmax.source = RowSource::layer;
  document.softmax.query = 0;
  CHECK(layer_row(document).stage == "scores_by_key");
  document.layer().softmax_over = SoftmaxOver::keys;
  CHECK(layer_row(document).stage == "scaled");
}

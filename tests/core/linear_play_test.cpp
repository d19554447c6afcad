// Linear attention as a recurrent network: numbers by hand, and recurrence, prefix sums and implied weights
// against sums over pairs in plain loops.
#include "core/efficient/linear_play.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/operations/feature_directions.h"
#include "core/operations/position.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

using PlayedRows = std::vector<std::vector<double>>;

LinearPlayer played(LinearTask task) {
  LinearPlayer player(std::move(task));
  while (!player.step()) {
  }
  return player;
}

Tensor one_column(std::vector<float> numbers) {
  const std::size_t rows = numbers.size();
  return {{1, rows, 1}, std::move(numbers)};
}

PlayedRows played_rows(const Tensor& tensor, std::size_t matrix) {
  PlayedRows rows(tensor.rows());
  for (std::size_t i = 0; i < tensor.rows(); ++i)
    for (std::size_t c = 0; c < tensor.columns(); ++c)
      rows[i].push_back(static_cast<double>(tensor[{matrix, i, c}]));
  return rows;
}

std::vector<double> features_by_loops(const LinearTask& task, std::vector<double> x) {
  if (task.kind != FeatureKind::random) {
    for (double& each : x)
      each = task.kind == FeatureKind::relu ? std::max(0.0, each) : each > 0 ? each + 1 : std::exp(each);
    return x;
  }
  const Tensor w = random_directions(x.size(), task.directions, task.seed);
  double square = 0;
  for (double& each : x) each *= std::sqrt(task.scale), square += each * each;
  std::vector<double> features;
  for (std::size_t r = 0; r < task.directions; ++r) {
    double product = 0;
    for (std::size_t i = 0; i < x.size(); ++i) product += x[i] * static_cast<double>(w[{0, i, r}]);
    features.push_back(std::exp(product - square / 2) / std::sqrt(static_cast<double>(task.directions)));
  }
  return features;
}

double product_of(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Weights, by pairs: of linear attention, and exact.
struct ByPairs {
  PlayedRows linear, exact;
};
ByPairs by_pairs(const LinearTask& task) {
  const std::size_t shared = task.head / (task.q.stack() / task.k.stack());
  const PlayedRows q = played_rows(task.q, task.head), k = played_rows(task.k, shared);
  ByPairs pairs{PlayedRows(q.size(), std::vector<double>(k.size())),
                PlayedRows(q.size(), std::vector<double>(k.size()))};
  for (std::size_t i = 0; i < q.size(); ++i) {
    double sum = 0, exact_sum = 0;
    for (std::size_t j = 0; j < task.seen[i]; ++j) {
      sum += pairs.linear[i][j] = product_of(features_by_loops(task, q[i]), features_by_loops(task, k[j]));
      exact_sum += pairs.exact[i][j] = std::exp(task.scale * product_of(q[i], k[j]));
    }
    for (std::size_t j = 0; j < task.seen[i]; ++j) pairs.linear[i][j] /= sum, pairs.exact[i][j] /= exact_sum;
  }
  return pairs;
}

// A mean of values by weights that are 0 or more and come from sums of n·r products is off by at most
// 2·(n + r + 2)·u of the largest value; exponents of up to 16 in their turn by 16·(d + 3)·u. Twice that for
// two that are held against each other, u = ε/2.
double accepted_of_pairs(const LinearTask& task) {
  double most = 0;
  for (const float value : task.v.values()) most = std::max(most, static_cast<double>(std::abs(value)));
  const auto terms =
      static_cast<double>(2 * (task.keys() + task.features() + 2) + 16 * (task.q.columns() + 3));
  return terms * std::numeric_limits<double>::epsilon() * std::max(1.0, most);
}

void check_against_pairs(const LinearTask& task) {
  const LinearPlayer player = played(task);
  const ByPairs pairs = by_pairs(task);
  const PlayedRows v = played_rows(task.v, task.head / (task.q.stack() / task.v.stack()));
  const std::vector<double> implied = implied_weights(task, *player.features());
  const LinearReadings& read = player.readings();
  const double least = accepted_of_pairs(task);
  for (std::size_t i = 0; i < task.queries(); ++i) {
    double worst = 0;
    for (std::size_t c = 0; c < task.columns(); ++c) {
      double linear = 0, exact = 0;
      for (std::size_t j = 0; j < task.keys(); ++j)
        linear += pairs.linear[i][j] * v[j][c], exact += pairs.exact[i][j] * v[j][c];
      CHECK(std::abs(read.outputs[i * task.columns() + c] - linear) <= least);
      CHECK(std::abs(read.exact[i * task.columns() + c] - exact) <= least);
      worst = std::max(worst, std::abs(linear - exact));
    }
    CHECK(std::abs(read.errors[i] - worst) <= 2 * least);
    for (std::size_t j = 0; j < task.keys(); ++j)
      CHECK(std::abs(implied[i * task.keys() + j] - pairs.linear[i][j]) <= least);
  }
  REQUIRE(player.check());
  CHECK(player.check()->distance <= player.check()->accepted);
  CHECK(player.check()->accepted <= least);
}

}  // namespace

TEST_CASE("two tokens by hand: what each adds to S and z, and what is read") {
  const LinearTask task{.q = one_column({1, 1}),
                        .k = one_column({1, 2}),
                        .v = one_column({3, 5}),
                        .kind = FeatureKind::relu,
                        .seen = {1, 2}};
  const LinearPlayer player = played(task);
  const auto state = [&](std::size_t keys) { return state_after(task, *player.features(), keys); };
  CHECK(state(0).s == std::vector<double>{0});
  CHECK(state(1).s == std::vector<double>{3});
  CHECK(state(1).z == std::vector<double>{1});
  CHECK(state(2).s == std::vector<double>{13});
  CHECK(state(2).z == std::vector<double>{3});
  CHECK(player.readings().outputs == std::vector<double>{3, 13.0 / 3});
  CHECK(player.readings().divisors == std::vector<double>{1, 3});
  CHECK(implied_weights(task, *player.features()) == std::vector<double>{1, 0, 1.0 / 3, 2.0 / 3});
  // Exactly: 3·e ÷ (e + e²) + 5·e² ÷ (e + e²).
  CHECK(player.readings().exact[1] ==
        doctest::Approx((3 + 5 * std::exp(1)) / (1 + std::exp(1))).epsilon(1e-15));
}

TEST_CASE("elu + 1 is 1 at 0, x + 1 above and exp(x) below") {
  const LinearTask task{.q = one_column({0, 1}),
                        .k = one_column({-std::numeric_limits<float>::infinity(), -80000}),
                        .v = one_column({1, 1}),
                        .seen = {2, 2}};
  const LinearFeatures features = features_of(task);
  CHECK(features.queries == std::vector<double>{1, 2});
  CHECK(features.keys == std::vector<double>{0, 0});
}

TEST_CASE(
    "recurrence, prefix sums and implied weights are sums over pairs, whatever the features and rules") {
  Random random(seed(411));
  const auto up_to = [&](std::size_t most) { return pick(random, 1, most); };
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const std::size_t m = up_to(17), n = i % 3 == 0 ? up_to(m) : m, d = up_to(5), c = up_to(6), kv = up_to(2);
    LinearTask task{.q = normal(random, {2 * kv, n, d}),
                    .k = normal(random, {kv, m, d}),
                    .v = normal(random, {kv, m, c}),
                    .head = up_to(2 * kv) - 1,
                    .kind = i % 2 == 0 ? FeatureKind::elu_plus_one : FeatureKind::random,
                    .directions = i % 2 == 0 ? 0 : up_to(40),
                    .seed = random(),
                    .scale = 1 / std::sqrt(static_cast<double>(d)),
                    .seen = {}};
    std::vector<MaskTerm> rules;
    if (i % 4 != 0) rules.push_back({CausalRule{}});
    if (i % 5 == 0) rules.push_back({PaddingRule{{up_to(m)}}});
    const auto seen = first_keys(rules, n, m);
    REQUIRE(seen);
    task.seen = *seen;
    check_against_pairs(task);
  }
}

TEST_CASE("the first keys that rules leave, and none where they leave others") {
  using Seen = std::optional<std::vector<std::size_t>>;
  CHECK(first_keys({}, 2, 3) == Seen({3, 3}));
  CHECK(first_keys({{CausalRule{}}}, 3, 3) == Seen({1, 2, 3}));
  CHECK(first_keys({{CausalRule{}}}, 2, 4) == Seen({3, 4}));
  CHECK(first_keys({{CausalRule{CausalAlign::top_left}}}, 2, 4) == Seen({1, 2}));
  CHECK(first_keys({{CausalRule{CausalAlign::top_left, 1, 1}}}, 2, 4) == Seen({3, 4}));
  CHECK(first_keys({{CausalRule{}}}, 4, 2) == Seen({0, 0, 1, 2}));
  CHECK(first_keys({{CausalRule{}}, {PaddingRule{{2}}}}, 3, 3) == Seen({1, 2, 2}));
  CHECK(first_keys({{PaddingRule{{0, 3}}}}, 2, 3) == Seen({0, 3}));
  CHECK_FALSE(first_keys({{WindowRule{1}}}, 4, 4));
  CHECK_FALSE(first_keys({{CausalRule{}, true}}, 3, 3));
}

TEST_CASE("a query whose features find nothing has no output, one without keys the output 0") {
  const LinearTask task{.q = one_column({-1, 2, 2, 2}),
                        .k = one_column({-1, -3, 4}),
                        .v = one_column({1, 2, 3}),
                        .kind = FeatureKind::relu,
                        .seen = {3, 0, 2, 3}};
  const LinearPlayer player = played(task);
  const LinearReadings& read = player.readings();
  CHECK(std::isnan(read.outputs[0]));
  CHECK(std::isnan(read.errors[0]));
  CHECK(read.outputs[1] == 0);
  CHECK(read.errors[1] == 0);
  CHECK(std::isnan(read.outputs[2]));
  CHECK(read.outputs[3] == 3);
  CHECK(read.divisors == std::vector<double>{0, 0, 0, 8});
  CHECK(std::isnan(implied_weights(task, *player.features())[0]));
  REQUIRE(player.check());
  CHECK(player.check()->distance == 0);
}

TEST_CASE("NaN behind the last key that is seen reaches no query") {
  LinearTask task{.q = one_column({1, 1, 1}),
                  .k = one_column({1, 2, NAN}),
                  .v = one_column({3, 5, NAN}),
                  .seen = {1, 2, 2}};
  const LinearPlayer player = played(task);
  for (const double output : player.readings().outputs) CHECK(std::isfinite(output));
  CHECK(task.last() == 2);
  CHECK(player.check()->distance <= player.check()->accepted);
  task.seen = {1, 2, 3};
  const LinearPlayer all = played(task);
  CHECK(std::isfinite(all.readings().outputs[1]));
  CHECK(std::isnan(all.readings().outputs[2]));
  CHECK(std::isnan(all.readings().errors[2]));
}

TEST_CASE("random directions are the numbers of a learned table, and another seed draws others") {
  const Tensor directions = random_directions(3, 4, 7);
  const LearnedTable table{.length = 3, .columns = 4, .seed = 7, .rows = 3};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      CHECK(static_cast<double>(directions[{0, i, j}]) == learned_value(table, {0, i, j}));
  CHECK_FALSE(directions == random_directions(3, 4, 8));
}

// f = exp(w·(x + y) − (‖x‖² + ‖y‖²)/2) has the mean exp(x·y) and the variance exp(2x·y)·(exp(‖x + y‖²) − 1):
// the mean of N is within six standard deviations of it but for once in 5·10⁸.
TEST_CASE("products of random features are, on average, the exponentials of scores") {
  const LinearTask task{.q = Tensor({1, 1, 2}, {0.5f, -0.25f}),
                        .k = Tensor({1, 1, 2}, {0.75f, 0.5f}),
                        .v = Tensor({1, 1, 1}, {1}),
                        .kind = FeatureKind::random,
                        .directions = 256,
                        .scale = 0.5,
                        .seen = {1}};
  constexpr std::size_t kSeeds = 200;
  double sum = 0;
  for (std::size_t each = 0; each < kSeeds; ++each) {
    LinearTask of = task;
    of.seed = each;
    const LinearFeatures features = features_of(of);
    for (std::size_t r = 0; r < of.directions; ++r) sum += features.query(0)[r] * features.key(0)[r];
  }
  const double product = 0.5 * (0.5 * 0.75 - 0.25 * 0.5), expected = std::exp(product);
  const double squares = 0.5 * (1.25 * 1.25 + 0.25 * 0.25);  // of x + y
  const double deviation = expected * std::sqrt((std::exp(squares) - 1) / (kSeeds * 256.0));
  CHECK(std::abs(sum / kSeeds - expected) <= 6 * deviation);
}

TEST_CASE("it is found in pieces, and states that are kept are those from the beginning") {
  Random random(seed(412));
  LinearTask task{.q = normal(random, {1, 64, 32}),
                  .k = normal(random, {1, 64, 32}),
                  .v = normal(random, {1, 64, 32}),
                  .kind = FeatureKind::random,
                  .directions = 1024,
                  .scale = 0.1,
                  .seen = std::vector<std::size_t>(64, 64)};
  LinearPlayer player(task);
  std::size_t pieces = 1;
  while (!player.step()) {
    ++pieces;
    if (player.check()) CHECK(player.are_read());
    if (player.are_read()) CHECK(player.features());
  }
  CHECK(pieces > 33);
  const LinearReadings& read = player.readings();
  CHECK(read.kept.size() == 64 / kKeptStates + 1);
  for (const std::size_t keys : {0, 1, 63, 64}) {
    const RecurrentState anew = state_after(task, *player.features(), keys),
                         from = state_after(task, *player.features(), keys, read.kept);
    CHECK(anew.s == from.s);
    CHECK(anew.z == from.z);
  }
  CHECK(player.check()->distance <= player.check()->accepted);
}

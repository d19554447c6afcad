// What roads are counted to take, against the workspace of costs and loops that count; how many layers join
// all pairs, against walks; and masks joined with a layer's.
#include <algorithm>
#include <numeric>

#include "core/cost/count.h"
#include "core/efficient/road_counts.h"
#include "tests/core/counted.h"
#include "tests/core/roads_lab.h"
#include "tests/random_rules.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Between Q, K, V and the heads' outputs, as that workspace counts them.
Count cost_operations(const CostSpec& spec) {
  return operations(count_layer(spec), CostPart::mixing);
}

// Without queries, keys, values and outputs.
Count cost_held(const CostSpec& spec) {
  Count sum = 0;
  for (const CostTerm& term : count_layer(spec).held.terms)
    if (term.what.starts_with("scores") || term.what.starts_with("maxima") || term.what.starts_with("state"))
      sum += term.value();
  return sum;
}

// Random features of the rows of a matrix, and linear attention by them, each number counting.
std::uint64_t counted_random(std::size_t n, std::size_t d, std::size_t count) {
  using Matrix = std::vector<std::vector<Counted>>;
  const Tally before = tally;
  const auto features = [&](const Matrix& rows, const Matrix& directions) {
    Matrix phi;
    for (std::vector<Counted> row : rows) {
      Counted square = 0;
      for (Counted& x : row) x *= 0.7;
      for (const Counted x : row) square += x * x;
      std::vector<Counted>& made = phi.emplace_back();
      for (const std::vector<Counted>& w : directions) {
        Counted product = 0;
        for (std::size_t c = 0; c < d; ++c) product += row[c] * w[c];
        made.push_back(exp(product - square) / 8);
      }
    }
    return phi;
  };
  const Matrix rows(n, std::vector<Counted>(d, 0.5)), w(count, std::vector<Counted>(d, 0.1));
  const Matrix q = features(rows, w), k = features(rows, w);
  Matrix state(count, std::vector<Counted>(d));
  std::vector<Counted> z(count);
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t r = 0; r < count; ++r) {
      z[r] += k[t][r];
      for (std::size_t c = 0; c < d; ++c) state[r][c] += k[t][r] * rows[t][c];
    }
  for (std::size_t t = 0; t < n; ++t) {
    Counted below = 0;
    for (std::size_t r = 0; r < count; ++r) below += q[t][r] * z[r];
    for (std::size_t c = 0; c < d; ++c) {
      Counted above = 0;
      for (std::size_t r = 0; r < count; ++r) above += q[t][r] * state[r][c];
      above = above / below;
    }
  }
  return (tally - before).total();
}

// The most layers that any wanted pair takes, each token's walks by breadth; none where one never arrives.
std::optional<std::size_t> walked(const PairSet& kept, const PairSet& wanted) {
  std::size_t most = 1;
  for (std::size_t i = 0; i < kept.queries; ++i) {
    std::vector<std::size_t> layers(kept.keys, kept.keys + 1);
    std::vector<std::size_t> now{i};
    layers[i] = 0;
    while (!now.empty()) {
      std::vector<std::size_t> next;
      for (const std::size_t from : now)
        for (std::size_t j = 0; j < kept.keys; ++j)
          if (kept.at(from, j) && layers[j] > layers[from] + 1) {
            layers[j] = layers[from] + 1;
            next.push_back(j);
          }
      now = std::move(next);
    }
    for (std::size_t j = 0; j < kept.keys; ++j)
      if (wanted.at(i, j)) {
        if (layers[j] > kept.keys) return std::nullopt;
        most = std::max(most, layers[j]);
      }
  }
  return most;
}

}  // namespace

TEST_CASE("roads that the workspace of costs has are counted as there") {
  for (const bool causal : {true, false}) {
    Document document = causal_document(48, 12, 3);
    if (!causal) document.layer().masks.clear();
    const RoadsOfLayer roads(document);
    const RoadShape shape{.n = 48, .m = 48, .heads = 3, .kv_heads = 3, .d_k = 4, .d_v = 4, .features = 64};
    const auto check = [&](Road road, Mechanism mechanism) {
      const CostSpec spec{
          .n = 48, .d = 12, .heads = 3, .kv_heads = 3, .mechanism = mechanism, .causal = causal};
      const RoadCounts counts = count_road(road, shape, roads.of(road).pairs);
      CAPTURE(word_of(mechanism));
      CHECK(digits(counts.operations.value()) == digits(cost_operations(spec)));
      CHECK(digits(counts.held.value()) == digits(cost_held(spec)));
    };
    check(Road::full, {MechanismKind::full});
    check(Road::window, {MechanismKind::window, 8});
    check(Road::strided, {MechanismKind::strided, 8});
    check(Road::elu, {MechanismKind::linear});
  }
}

TEST_CASE("random features are counted as loops do") {
  const RoadShape shape{.n = 5, .m = 5, .d_k = 3, .d_v = 3, .features = 4};
  CHECK(digits(count_road(Road::random, shape, 0).operations.value()) ==
        std::to_string(counted_random(5, 3, 4)));
  CHECK(digits(count_road(Road::random, shape, 0).held.value()) == std::to_string(4 * 4 * (3 + 1)));
}

TEST_CASE("the table's numbers of 64 causal tokens 16 wide") {
  const RoadsOfLayer roads(causal_document());
  const RoadShape shape{.n = 64,
                        .m = 64,
                        .d_k = 16,
                        .d_v = 16,
                        .features = 64,
                        .tile_rows = 8,
                        .tile_columns = 8,
                        .tile_pairs = 36 * 64,
                        .rescaled = 36 * 8};
  const auto count = [&](Road road) { return count_road(road, shape, roads.of(road).pairs); };
  CHECK(digits(count(Road::full).operations.value()) == std::to_string(64 * 64 * (4 * 16 + 6)));
  CHECK(digits(count(Road::full).held.value()) == "16384");
  // 36 of 64 tiles; of each of their rows m − m′, e^, times l, and times o.
  CHECK(digits(count(Road::flash).operations.value()) ==
        std::to_string(36 * 64 * (4 * 16 + 6) + 36 * 8 * (16 + 3)));
  CHECK(digits(count(Road::flash).held.value()) == std::to_string(4 * (8 * 8 + 8 * 2 + 8 * 16)));
  CHECK(roads.of(Road::window).pairs == 9 * 64 - 36);
  CHECK(digits(count(Road::window).held.value()) == "2160");
  CHECK(roads.of(Road::longformer).pairs == 641);
  CHECK(digits(count(Road::elu).held.value()) == std::to_string(4 * 16 * 17));
  CHECK(roads.of(Road::window).reach == 8);
  CHECK(roads.of(Road::strided).reach == 2);
  CHECK(roads.of(Road::longformer).reach == 4);
}

TEST_CASE("reach is the longest of the shortest walks") {
  std::mt19937 random(seed(34));
  std::size_t never = 0;
  for (int i = 0; i < 300; ++i) {
    const Dice dice{random};
    const std::size_t n = dice.pick(1, 70);
    PairSet kept(n, n), wanted(n, n);
    const bool whole = dice.coin();
    for (std::size_t p = 0; p < n * n; ++p) {
      const bool near = p / n >= p % n && p / n - p % n <= 1;
      kept.has[p] = (near && (whole || dice.pick(0, 9) > 0)) || dice.pick(0, 60) == 0;
      wanted.has[p] = kept.has[p] || p / n >= p % n;
    }
    const auto expected = walked(kept, wanted);
    never += !expected;
    CHECK(reach_of(kept, wanted, true) == expected);
  }
  CHECK(never > 10);
  CHECK(never < 290);
}

TEST_CASE("keys of another sequence are joined at once or never") {
  PairSet kept(2, 3, true), wanted(2, 3, true);
  CHECK(reach_of(kept, wanted, false) == 1);
  kept.at(1, 2) = 0;
  CHECK_FALSE(reach_of(kept, wanted, false));
}

TEST_CASE("a road's rules joined with a layer's mask what either masks") {
  std::mt19937 random(seed(34));
  std::size_t joined_ones = 0;
  for (int i = 0; i < 400; ++i) {
    const Dice dice{random};
    const std::size_t n = dice.pick(1, 12);
    std::vector<MaskTerm> layer;
    for (std::size_t t = dice.pick(0, 3); t > 0; --t) layer.push_back(random_term(random, n, n));
    EfficientSpec spec;
    spec.window = dice.pick(0, 3), spec.random_keys = dice.pick(0, 3), spec.global_tokens = {0, 5};
    const Road road = efficient_field::road.words[dice.pick(2, 5)].choice;
    const std::vector<MaskTerm> rules = rules_of(road, spec, n);
    const auto joined = joined_rules(layer, rules);
    if (!joined) continue;
    ++joined_ones;
    for (std::size_t q = 0; q < n; ++q) {
      const MaskPlace place{.queries = n, .keys = n, .query = q};
      const auto all = MaskRow(*joined, place).masked(), a = MaskRow(layer, place).masked(),
                 b = MaskRow(rules, place).masked();
      for (std::size_t j = 0; j < n; ++j) CHECK((all[j] != 0) == (a[j] || b[j]));
    }
  }
  CHECK(joined_ones > 100);
}

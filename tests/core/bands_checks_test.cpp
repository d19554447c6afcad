// Checks of large layers: what is found band by band is what is found of the whole.
#include <doctest/doctest.h>

#include "core/checks/checks_bands.h"
#include "core/checks/comparison.h"
#include "core/text/special.h"
#include "tests/core/bands_lab.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Null where the layer is not large.
std::shared_ptr<const Results> large_of(Machine& machine, const LayerSpec& layer) {
  const Results results = machine.run(layer);
  if (!results.bands) return nullptr;
  return std::make_shared<const Results>(to_the_end(results, *machine.backend));
}

Checks all_checks(const std::shared_ptr<const Results>& large, Backend& backend) {
  BandChecks checks(large);
  while (!checks.done()) checks.step(backend);
  return checks.seen();
}

// Nearly; NaN and infinities as they are.
bool alike(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-5 * std::abs(b) + 1e-9;
}

void check_like(const SoftmaxChecks& a, const SoftmaxChecks& b) {
  CHECK(alike(a.row_sums.largest_deviation, b.row_sums.largest_deviation));
  CHECK(a.row_sums.rows_without_key == b.row_sums.rows_without_key);
  CHECK(a.row_sums.least == doctest::Approx(b.row_sums.least));
  CHECK(alike(a.masked_weight.total, b.masked_weight.total));
  CHECK(a.masked_weight.cells == b.masked_weight.cells);
  CHECK(alike(static_cast<double>(a.masked_weight.weight), static_cast<double>(b.masked_weight.weight)));
  CHECK(a.saturation.rows == b.saturation.rows);
  CHECK(a.saturation.largest_weight == doctest::Approx(b.saturation.largest_weight));
  CHECK(a.saturation.collapsed == b.saturation.collapsed);
  REQUIRE(a.heads.size() == b.heads.size());
  for (std::size_t head = 0; head < a.heads.size(); ++head) {
    CHECK(a.heads[head].nats == doctest::Approx(b.heads[head].nats));
    CHECK(a.heads[head].maximum == doctest::Approx(b.heads[head].maximum));
  }
  REQUIRE(a.sinks.size() == b.sinks.size());
  for (std::size_t i = 0; i < a.sinks.size(); ++i) {
    CHECK(a.sinks[i].key == b.sinks[i].key);
    CHECK(a.sinks[i].where == b.sinks[i].where);
  }
}

}  // namespace

TEST_CASE("the checks of a large layer find band by band what those of the whole find") {
  Random random(seed(52));
  std::size_t by_bands = 0, faults = 0;
  for (int document = 0; document < 40 || by_bands <= 15; ++document) {
    REQUIRE(document < 400);
    LayerSpec layer = random_scored_layer(random);
    if (document % 4 == 0 && !layer.x.values().empty()) {
      std::vector<float> x(layer.x.values().begin(), layer.x.values().end());
      x[x.size() / 2] = document % 8 == 0 ? std::numeric_limits<float>::quiet_NaN() : 3e38f;
      layer.x = Tensor(layer.x.shape(), x);
    }
    const float off = document % 3 == 0 ? 1e-3f : 0;
    Machine large(200, {off}), all(std::size_t{1} << 30, {off});
    const auto seen = large_of(large, layer);
    if (!seen) continue;
    ++by_bands;
    const Checks a = all_checks(seen, *large.backend), b = check(all.run(layer));
    CHECK(a.rows_seen == a.rows);
    REQUIRE(a.softmaxes.size() == b.softmaxes.size());
    for (std::size_t i = 0; i < a.softmaxes.size(); ++i) check_like(a.softmaxes[i], b.softmaxes[i]);
    REQUIRE(a.faults.size() == b.faults.size());
    for (std::size_t i = 0; i < a.faults.size(); ++i, ++faults) {
      CHECK(a.faults[i].stage == b.faults[i].stage);
      CHECK(a.faults[i].nan == b.faults[i].nan);
      CHECK(a.faults[i].infinite == b.faults[i].infinite);
    }
  }
  CHECK(by_bands > 15);
  CHECK(faults > 3);
}

TEST_CASE("a key that a causal rule lets ahead is found in whatever band it is") {
  LayerSpec layer = layer_of(100);
  layer.masks = {{CausalRule{.ahead = 1}}};
  std::vector<float> painted(100 * 100);
  for (std::size_t row = 0; row < 20; ++row) painted[row * 100 + row + 1] = 1;
  layer.mask = Tensor({1, 100, 100}, std::move(painted));
  Machine large(20'000), all(std::size_t{1} << 30);
  const auto seen = large_of(large, layer);
  REQUIRE(seen);
  for (const Checks& checks : {all_checks(seen, *large.backend), check(all.run(layer))}) {
    const auto ahead = checks.softmaxes.front().ahead;
    REQUIRE(ahead);
    CHECK(ahead->keys == 1);
    CHECK(ahead->first == Cell{0, 20, 21});
  }
  layer.masks = {{CausalRule{}}};
  CHECK_FALSE(check(all.run(layer)).softmaxes.front().ahead);
}

TEST_CASE("the strongest links of weights that are not kept are those of all") {
  for (const std::size_t tokens : {std::size_t{40}, std::size_t{100}}) {
    Machine large(kLittle), all(std::size_t{1} << 30);
    const auto seen = large_of(large, layer_of(tokens));
    REQUIRE(seen);
    const std::vector<Strongest> found = all_checks(seen, *large.backend).softmaxes.front().strongest;
    const Results whole = all.run(layer_of(tokens));
    const std::vector<Strongest> expected = strongest_of(whole.output("weights"));
    CHECK(check(whole).softmaxes.front().strongest.empty());
    REQUIRE(found.size() == expected.size());
    const Tensor& weights = whole.output("weights");
    for (std::size_t head = 0; head < found.size(); ++head) {
      CHECK(found[head].of == expected[head].of);
      REQUIRE(found[head].links.size() == kMostLinks);
      REQUIRE(expected[head].links.size() == kMostLinks);
      for (std::size_t i = 0; i < kMostLinks; ++i) {
        const auto [row, column, value] = found[head].links[i];
        CHECK(same(value, expected[head].links[i].value));
        CHECK(same(value, weights[{head, row, column}]));
      }
    }
  }
}

TEST_CASE("checks that have seen a part of the rows say how many") {
  Machine machine(400'000);
  const auto large = large_of(machine, layer_of(200));
  REQUIRE(large);
  BandChecks checks(large);
  checks.step(*machine.backend);
  CHECK(checks.seen().rows_seen == checks.progress() * 200);
  CHECK(checks.seen().rows == 200);
  CHECK(checks.seen().rows_seen < 200);
  const std::vector<Strongest> strongest = checks.seen().softmaxes.front().strongest;
  REQUIRE(strongest.size() == 2);
  for (const Strongest& of_head : strongest)
    for (const Strongest::Link& link : of_head.links) CHECK(link.row < checks.seen().rows_seen);
}

TEST_CASE("rows of a large layer are compared with the reference") {
  for (const float off : {0.0f, 1e-3f}) {
    Machine machine(20'000, {off});
    const auto large = large_of(machine, layer_of(100));
    REQUIRE(large);
    const auto comparison = compare_rows_with_reference(*machine.backend, *large);
    REQUIRE(comparison);
    CHECK(comparison->reason == "");
    CHECK(comparison->rows_compared == 16);
    CHECK(comparison->rows == 100);
    CHECK(comparison->accepted() == (off == 0));
    if (off == 0) continue;
    const StageIndex weights = large->graph.find("weights").value();
    CHECK(comparison->stages[weights] == doctest::Approx(off).epsilon(0.01));
  }
}

TEST_CASE("outputs that flash attention got wrong are found by the rows that are compared") {
  for (const float off : {0.0f, 1e-2f}) {
    Machine machine(400'000, {off, FlashAttention::kName});
    const auto large = large_of(machine, layer_of(200));
    REQUIRE(large);
    REQUIRE(large->bands->fused);
    const auto compared = compare_rows_with_reference(*machine.backend, *large);
    REQUIRE(compared);
    CHECK(compared->accepted() == (off == 0));
  }
}

TEST_CASE("a row that is looked at before the first band comes has bounds to be drawn by") {
  Machine machine(400'000);
  const Results large = machine.run(layer_of(200));
  REQUIRE(large.bands);
  const std::vector<LookedAt> looked{{{0, 1}, rows_of(*machine.backend, large, {0, 1})}};
  const Results near = with_rows(large, looked);
  for (StageIndex i = 0; i < near.graph.stages.size(); ++i)
    if (near.bands->has(i)) {
      CHECK(near.outputs[i].holds({0, 0, 0}));
      CHECK(near.summaries[i].matrices.size() == near.outputs[i].stack());
    }
}

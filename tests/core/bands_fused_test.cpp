// Large layers whose weights and outputs flash attention makes by rows.
#include <doctest/doctest.h>

#include <bit>
#include <limits>

#include "core/checks/changes.h"
#include "core/evaluate/texels.h"
#include "tests/core/bands_lab.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("bands that are fused make what flash attention makes of the whole layer") {
  Random random(seed(52));
  std::size_t fused = 0, stages = 0;
  for (int number = 0; number < 40 || fused <= 15; ++number) {
    REQUIRE(number < 400);
    Document document{{random_layer(random)}};
    document.layer().fill = Fill::negative_infinity, document.layer().dropout = 0;
    Machine large(200), all(std::size_t{1} << 30);
    const Results some = large.run(document.layer());
    if (!some.bands || !some.bands->fused) continue;
    ++fused;
    stages += check_fused(to_the_end(some, *large.backend), all);
  }
  CHECK(fused > 15);
  CHECK(stages >= 3 * fused);  // weights, head_output and concat, and output where there is one
}

TEST_CASE("what a mask hides is hidden in the picture of weights whether their bands are fused or not") {
  Machine machine(kLittle);
  const Results large = machine.run(layer_of(150));
  REQUIRE(large.bands);
  REQUIRE(large.bands->fused);
  const auto bits = [&](const Results& start) {
    const Results end = to_the_end(start, *machine.backend);
    return end.summaries[end.graph.find("weights").value()].pools->levels.front().bits;
  };
  const auto fused = bits(large), expected = bits(by_stages(large));
  REQUIRE(fused.size() == expected.size());
  CHECK(std::ranges::count(expected, kMaskedTexel) > 40);
  for (std::size_t i = 0; i < fused.size(); ++i)
    CHECK(
        (fused[i] == expected[i] || same(std::bit_cast<float>(fused[i]), std::bit_cast<float>(expected[i]))));
}

TEST_CASE("fused bands have more rows, and what is kept of them is there in part") {
  Machine machine(kLittle);
  const Results large = machine.run(layer_of(150));
  REQUIRE(large.bands);
  REQUIRE(large.bands->fused);
  BandRun bands(std::make_shared<const Results>(large), BandPart::first);
  bands.step(*machine.backend);
  CHECK(bands.progress() == doctest::Approx(64.0 / 150));
  const Results seen = bands.seen();
  CHECK(seen.result("output").holds({0, 63, 5}));
  CHECK_FALSE(seen.result("output").holds({0, 64, 0}));
  CHECK(seen.result("weights").kept() == Kept::not_kept);
  const std::vector<LookedAt> looked{{{140, 1}, rows_of(*machine.backend, large, {140, 1})},
                                     {{0, 1}, rows_of(*machine.backend, large, {0, 1})}};
  const Results near = with_rows(seen, looked);
  for (const std::size_t row : {0u, 63u, 140u}) CHECK(near.result("output").holds({0, row, 5}));
  CHECK_FALSE(near.result("output").holds({0, 64, 0}));
  const Results again = with_rows(large, looked);
  for (const std::size_t row : {0u, 140u}) CHECK(again.result("output").holds({0, row, 5}));
  BandRun rest(std::make_shared<const Results>(large), BandPart::rest);
  rest.step(*machine.backend);
  CHECK(rest.progress() == doctest::Approx(16.0 / 150));
}

TEST_CASE(
    "a layer that flash attention does not compute, or with typed numbers, has bands of its stages alone") {
  Machine machine(kLittle);
  LayerSpec layer = layer_of(50);
  layer.weighting = Weighting::sigmoid;
  const Results other = machine.run(layer);
  REQUIRE(other.bands);
  CHECK_FALSE(other.bands->fused);
  Document typed{{layer_of(50)}};
  typed.overrides.push_back({"pipeline", "weights", {{0, 1, 0}, 0.5f}});
  const Results results = machine.evaluator.evaluate(typed, build_layer(typed, kLayerA));
  REQUIRE(results.bands);
  CHECK_FALSE(results.bands->fused);
}

TEST_CASE("on the reference, which adds up number by number, bands are of the stages alone") {
  const auto reference = make_reference_backend();
  Budget budget(std::size_t{1} << 30, kLittle);
  const Document document{{layer_of(150)}};
  const Results large = Evaluator(*reference, budget).evaluate(document, build_layer(document, kLayerA));
  REQUIRE(large.bands);
  CHECK_FALSE(large.bands->fused);
}

TEST_CASE("bands that would take more than 256 MiB at once are not fused") {
  constexpr std::size_t kHeads = 2, kKeys = 40'000, kMost = std::size_t{256} << 20;
  const Document document{{layer_of(kKeys)}};
  const Built built = build_layer(document, kLayerA);
  const auto bytes_of = [&](std::size_t blocks) -> std::optional<std::uint64_t> {
    const std::size_t most_kept = blocks * kCoarseBlock * kHeads * kKeys * sizeof(float) * 64;
    const auto bands = bands_of(built.graph, std::vector<bool>(built.graph.stages.size(), true), most_kept);
    REQUIRE(bands);
    REQUIRE(bands->rows == blocks * kCoarseBlock);
    const auto both = with_fused(*bands, built.graph, *built.fused(document));
    return both ? std::optional(fused_bytes(*both)) : std::nullopt;
  };
  // They grow with the rows of a band: the most that fit, and one block of rows more.
  const auto of_one = bytes_of(1);
  REQUIRE(of_one);
  const std::size_t most = kMost / *of_one;
  CHECK(bytes_of(most) == most * *of_one);
  CHECK_FALSE(bytes_of(most + 1));
}

TEST_CASE("a run of bands that nothing is made of is over before it begins") {
  Machine machine(kLittle);
  Results large = machine.run(layer_of(50));
  REQUIRE(large.bands);
  Bands bands = *large.bands;
  bands.first.assign(bands.first.size(), true);
  large.bands = std::make_shared<const Bands>(std::move(bands));
  const auto results = std::make_shared<const Results>(large);
  CHECK_FALSE(BandRun(results, BandPart::first).done());
  CHECK(BandRun(results, BandPart::rest).done());
}

TEST_CASE("numbers that are not finite, or may not stay so, are made by the stages, as in a small layer") {
  for (const float odd :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e20f}) {
    CAPTURE(odd);
    LayerSpec layer = layer_of(150);
    std::vector<float> x(layer.x.values().begin(), layer.x.values().end());
    x[6 * 100] = odd;
    layer.x = Tensor(layer.x.shape(), std::move(x));
    Machine machine(kLittle), all(std::size_t{1} << 30);
    const Results large = machine.run(layer), whole = all.run(layer);
    REQUIRE(large.bands);
    const Results seen = to_the_end(large, *machine.backend);
    CHECK(std::ranges::equal(seen.output("output").values(), whole.output("output").values(), same));
  }
}

TEST_CASE("nothing has changed where one result was fused and the other was made by stages") {
  Machine machine(kLittle);
  const Results large = machine.run(layer_of(150));
  const Results fused = to_the_end(large, *machine.backend),
                plain = to_the_end(by_stages(large), *machine.backend);
  CHECK(fused.output("output") != plain.output("output"));
  CHECK(changes(fused, plain).count == 0);
  CHECK(changes(plain, fused).count == 0);
  LayerSpec other = layer_of(150);
  other.x = drawn(other.x.shape(), 9);
  CHECK(changes(plain, to_the_end(machine.run(other), *machine.backend)).count > 0);
}

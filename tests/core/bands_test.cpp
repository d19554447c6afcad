// Large layers, made by bands of rows: in small, the same numbers as if all were kept.
#include <doctest/doctest.h>

#include "core/engine/engine.h"
#include "core/evaluate/weigh.h"
#include "tests/core/bands_lab.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

// What is kept is that of the whole, and what is not has its bounds.
void check_like(const Results& seen, const Results& whole) {
  for (StageIndex i = 0; i < whole.graph.stages.size(); ++i) {
    INFO(whole.graph.stages[i].id);
    check_summary(seen.summaries[i], whole.summaries[i]);
    if (seen.bands->passing[i]) {
      CHECK(seen.outputs[i].kept() == Kept::not_kept);
      CHECK(seen.outputs[i].shape() == whole.outputs[i].shape());
      continue;
    }
    const auto numbers = seen.outputs[i].whole().values(), expected = whole.outputs[i].whole().values();
    CHECK(std::ranges::equal(numbers, expected, same));
  }
}

}  // namespace

TEST_CASE("bands of rows make what the whole layer makes") {
  Random random(seed(51));
  std::size_t by_bands = 0;
  for (int document = 0; document < 40 || by_bands <= 15; ++document) {
    REQUIRE(document < 400);
    const LayerSpec layer = random_scored_layer(random);
    Machine large(200), all(std::size_t{1} << 30);
    const Results some = large.run(layer), whole = all.run(layer);
    if (!some.bands) continue;
    ++by_bands;
    CHECK(whole.bands == nullptr);
    check_like(to_the_end(by_stages(some), *large.backend), whole);
  }
  CHECK(by_bands > 15);
}

TEST_CASE("on the way through the rows what is kept is there in part") {
  Machine machine(kLittle);
  const Results large = by_stages(machine.run(layer_of(50)));
  CHECK(large.bands->rows == 16);
  BandRun bands(std::make_shared<const Results>(large), BandPart::first);
  bands.step(*machine.backend);
  CHECK(bands.progress() == doctest::Approx(16.0 / 50));
  const Results seen = bands.seen();
  CHECK(seen.result("output").kept() == Kept::in_part);
  CHECK(seen.result("output").holds({0, 15, 5}));
  CHECK_FALSE(seen.result("output").holds({0, 16, 0}));
  CHECK_THROWS_AS(seen.output("output"), std::logic_error);
}

TEST_CASE("rows that are looked at have their numbers and their arithmetic") {
  Machine machine(kLittle), all(std::size_t{1} << 30);
  const LayerSpec layer = layer_of(50);
  const Results large = to_the_end(machine.run(layer), *machine.backend), whole = all.run(layer);
  const StageIndex weights = large.graph.find("weights").value(),
                   output = large.graph.find("head_output").value();
  CHECK_FALSE(can_explain(large, output, {1, 33, 2}));
  CHECK_THROWS_AS(explain(large, output, {1, 33, 2}), std::logic_error);
  const std::vector<LookedAt> looked{{{33, 1}, rows_of(*machine.backend, large, {33, 1})},
                                     {{7, 1}, rows_of(*machine.backend, large, {7, 1})}};
  const Results near = with_rows(large, looked);
  CHECK(near.outputs[weights].kept() == Kept::in_part);
  for (const std::size_t row : {std::size_t{7}, std::size_t{33}})
    for (StageIndex i = 0; i < whole.graph.stages.size(); ++i) {
      const Stage& stage = whole.graph.stages[i];
      if (!large.bands->has(i)) continue;
      const Cell cell{stage.shape.stack - 1, row, stage.shape.columns / 2};
      INFO(stage.id);
      REQUIRE(is_known(near, i, cell));
      CHECK(same(near.outputs[i][cell], whole.outputs[i][cell]));
      const Explanation a = explain(near, i, cell), b = explain(whole, i, cell);
      CHECK(a.rule == b.rule);
      CHECK(same(static_cast<float>(a.result), static_cast<float>(b.result)));
      CHECK(a.terms.size() == b.terms.size());
    }
  CHECK_FALSE(is_known(near, weights, {0, 8, 0}));
}

TEST_CASE("a picture of rows that are not kept is that of the whole in coarse blocks") {
  const Shape shape{2, 50, 70};
  const Tensor whole = drawn(shape, 3);
  const auto backend = make_reference_backend();
  BandSummary bands(shape);
  for (const RowRange& rows : {RowRange{16, 32}, RowRange{48, 2}, RowRange{0, 16}}) {
    const std::vector<Tensor> band{take_rows(whole, rows)};
    bands.add(rows.first, backend->run(BlockSummary{}, band));
  }
  const Summary seen = bands.seen(50), expected = summarize(whole);
  CHECK(seen.all.least == expected.all.least);
  CHECK(seen.matrices[1].most == expected.matrices[1].most);
  const auto pools = seen.pools;
  for (std::size_t head = 0; head < 2; ++head) {
    const Texels texels = make_texels(shape, head, 70, 50, *pools);
    REQUIRE(texels.width == 5);
    REQUIRE(texels.height == 4);
    for (std::size_t y = 0; y < 4; ++y)
      for (std::size_t x = 0; x < 5; ++x) {
        float most = 0;
        for (std::size_t i = 16 * y; i < std::min<std::size_t>(50, 16 * y + 16); ++i)
          for (std::size_t j = 16 * x; j < std::min<std::size_t>(70, 16 * x + 16); ++j)
            if (std::abs(whole[{head, i, j}]) > std::abs(most)) most = whole[{head, i, j}];
        CHECK(std::bit_cast<float>(texels.bits[y * 5 + x]) == most);
      }
  }
}

TEST_CASE("rows that have not come yet show the picture of before, and say so") {
  Machine machine(kLittle);
  const Results before = to_the_end(machine.run(layer_of(50)), *machine.backend);
  LayerSpec edited = layer_of(50);
  edited.x = drawn({1, 50, 6}, 9);
  Results results = by_stages(machine.run(edited));
  show_before(results, before);
  const StageIndex weights = results.graph.find("weights").value();
  CHECK(results.summaries[weights].of_before == 0);
  BandRun bands(std::make_shared<const Results>(results), BandPart::first);
  bands.step(*machine.backend);
  const Results part = bands.seen();
  CHECK(part.summaries[weights].of_before == 16);
  const Results now = to_the_end(results, *machine.backend);
  CHECK(now.summaries[weights].of_before > 50);
  const auto bits = [&](const Results& of) { return of.summaries[weights].pools->levels.front().bits; };
  const auto old = bits(before), mixed = bits(part), all = bits(now);
  for (std::size_t head = 0; head < 2; ++head)
    for (std::size_t row = 0; row < 4; ++row)
      for (std::size_t column = 0; column < 4; ++column) {
        const std::size_t i = (head * 4 + row) * 4 + column;
        CHECK(mixed[i] == (row == 0 ? all : old)[i]);
      }
  CHECK(old != all);
}

TEST_CASE("what bands make weighs a band") {
  const Graph graph = build_graph(layer_of(60));
  const std::vector<bool> needed = needed_stages(graph, {});
  const Machine machine(kLittle);
  const auto bands = bands_of(graph, needed, kLittle);
  REQUIRE(bands);
  const Load all = weigh(graph, needed, Retention::all, *machine.backend, machine.budget);
  const Load some = weigh(graph, needed, Retention::all, *machine.backend, machine.budget, bands.get());
  CHECK(some.results < all.results / 2);
}

TEST_CASE("the engine shows a large layer as its rows come, and rows that are looked at") {
  Budget budget(std::size_t{1} << 30, kLittle);
  Engine engine([](std::vector<std::string>&) { return make_reference_backend(); }, budget);
  const Document document{{layer_of(50)}};
  engine.post({.document = document, .plan = &kLayerPlan});
  engine.wait_idle();
  EngineState state = engine.state();
  Machine all(std::size_t{1} << 30);
  const Results whole = all.run(document.layer());
  REQUIRE(state.results);
  check_like(*state.results, whole);
  REQUIRE(state.checks);
  CHECK(state.checks->rows_seen == 50);
  REQUIRE(state.comparison);
  CHECK(state.comparison->is_reference);
  engine.look({20, 3});
  engine.wait_idle();
  state = engine.state();
  for (const std::size_t row : {std::size_t{3}, std::size_t{20}})
    CHECK(same(state.results->result("weights")[{1, row, 2}], whole.output("weights")[{1, row, 2}]));
  engine.look({3});
  engine.wait_idle();
  CHECK_FALSE(engine.state().results->result("weights").holds({1, 20, 2}));
}

TEST_CASE("memory that ends among the bands, or in a row that is looked at, is told and ends nothing else") {
  class NoRoomForExponentials : public Backend {
   public:
    std::string name() const override { return "full"; }
    Tensor run(const Operation& operation, Inputs inputs, Numbers) override {
      if (std::holds_alternative<Exponential>(operation)) throw std::bad_alloc();
      return reference_->run(operation, inputs);
    }

   private:
    std::unique_ptr<Backend> reference_ = make_reference_backend();
  };
  Budget budget(std::size_t{1} << 30, kLittle);
  Engine engine([](std::vector<std::string>&) { return std::make_unique<NoRoomForExponentials>(); }, budget);
  engine.post({.document = {{layer_of(50)}}, .plan = &kLayerPlan});
  engine.wait_idle();
  CHECK(engine.state().fault == Fault::memory);
  CHECK(engine.state().results->result("k").here());
  engine.look({3});
  engine.wait_idle();
  CHECK(engine.state().error.find("use fewer tokens") != std::string::npos);
  CHECK(engine.state().results->result("k").here());
}

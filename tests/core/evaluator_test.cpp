// Reuse: an edit recomputes what it reaches, undo recomputes nothing, the budget holds.
#include "core/evaluate/evaluator.h"

#include <doctest/doctest.h>
#include <algorithm>

#include <set>

#include "core/positions/graph.h"
#include "core/reference/backend.h"
#include "tests/layers.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

LayerSpec layer_of(std::size_t n, std::size_t d) {
  Random random(21);
  LayerSpec layer;
  layer.x = normal(random, {1, n, d});
  layer.w_q = normal(random, {1, d, d});
  layer.w_k = normal(random, {1, d, d});
  layer.w_v = normal(random, {1, d, d});
  layer.w_o = normal(random, {1, d, d});
  set_causal(layer, CausalAlign::lower_right);
  return layer;
}

struct Machine {
  Budget budget;
  std::unique_ptr<Backend> backend = make_reference_backend();
  Evaluator evaluator{*backend, budget};
  explicit Machine(std::size_t limit = std::size_t{512} << 20) : budget(limit) {}
  Results run(const LayerSpec& layer, std::vector<std::string> wanted = {}) {
    return evaluator.evaluate({{layer}}, build_graph(layer), wanted);
  }
};

}  // namespace

TEST_CASE("a first evaluation runs every operation once and a second none") {
  Machine machine;
  const LayerSpec layer = layer_of(5, 4);
  // q k v scores scaled mask masked row_max exp row_sum weights head_output concat output
  CHECK(machine.run(layer).recomputed == 14);
  CHECK(machine.run(layer).recomputed == 0);
}

TEST_CASE("a graph built anew with the same numbers computes nothing and another base what it reaches") {
  Machine machine;
  Document document;
  REQUIRE(std::holds_alternative<Sinusoidal>(document.positions.encodings.at(0)));
  const auto run = [&] {
    return machine.evaluator.evaluate(document, kPositionsPlan.build(document, kLayerA));
  };
  CHECK(run().recomputed > 100);
  CHECK(run().recomputed == 0);
  std::get<Sinusoidal>(document.positions.encodings[0]).base = 5000;
  const Results changed = run();
  std::set<StageIndex> reached;  // the map and what is made of it, and each layer with this encoding
  for (StageIndex i = 0; i < changed.graph.stages.size(); ++i) {
    const Stage& stage = changed.graph.stages[i];
    const auto* encoding = std::get_if<SinusoidalEncoding>(&stage.operation);
    const bool after =
        std::ranges::any_of(stage.inputs, [&](StageIndex input) { return reached.contains(input); });
    if (after || (encoding && encoding->base == 5000)) reached.insert(i);
  }
  CHECK(changed.recomputed > 0);
  CHECK(changed.recomputed <= reached.size());
}

TEST_CASE("an edit recomputes only what it reaches") {
  Machine machine;
  LayerSpec layer = layer_of(5, 4);
  machine.run(layer);
  layer.w_v = with_value(layer.w_v, {0, 1, 2}, 7);
  CHECK(machine.run(layer).recomputed == 4);  // v head_output concat output
  layer.w_o = with_value(layer.w_o, {0, 0, 0}, 7);
  CHECK(machine.run(layer).recomputed == 1);
  layer.muted_heads = {0};
  CHECK(machine.run(layer).recomputed == 2);  // concat output
  set_causal(layer, {});
  CHECK(machine.run(layer).recomputed == 7);  // from row_max on, without the mask
}

TEST_CASE("going back to an earlier document recomputes nothing") {
  Machine machine;
  const LayerSpec first = layer_of(5, 4);
  const Results before = machine.run(first);
  LayerSpec layer = first;
  for (int edit = 0; edit < 20; ++edit) {
    layer.x = with_value(layer.x, {0, 2, 1}, static_cast<float>(edit));
    CHECK(machine.run(layer).recomputed == 13);  // all but the mask
  }
  const Results back = machine.run(first);
  CHECK(back.recomputed == 0);
  for (StageIndex i = 0; i < back.outputs.size(); ++i) CHECK(back.outputs[i].id() == before.outputs[i].id());
}

TEST_CASE("of the values that a parameter was dragged through the last hundred are remembered") {
  Machine machine;
  LayerSpec layer = layer_of(5, 4);
  const auto recomputed = [&](int value) {
    layer.temperature = 1 + 0.01 * value;
    return machine.run(layer).recomputed;
  };
  for (int value = 0; value < 300; ++value) CHECK(recomputed(value) > 0);
  for (int value = 200; value < 300; ++value) CHECK(recomputed(value) == 0);
  CHECK(recomputed(0) > 0);  // or to find a result would take longer with every frame
  CHECK(recomputed(0) == 0);
}

TEST_CASE("only the stages that are wanted and what they need are evaluated") {
  Machine machine;
  const Results r = machine.run(layer_of(5, 4), {"scores"});
  CHECK(r.recomputed == 3);  // q k scores
  CHECK(r.result("scores").here());
  CHECK(r.result("weights").kept() == Kept::not_kept);
  CHECK(r.result("v").kept() == Kept::not_kept);
}

TEST_CASE("an output without a projection is found and not computed again") {
  Machine machine;
  LayerSpec layer = layer_of(5, 4);
  layer.w_o = {};
  const Results r = machine.run(layer);
  CHECK(r.output("output").id() == r.output("concat").id());
  CHECK(r.recomputed == 13);
}

TEST_CASE("the budget drops the least recently used and never what the results hold") {
  constexpr std::size_t kLimit = 300 * 1000;
  Machine machine(kLimit);
  LayerSpec layer = layer_of(64, 16);
  std::vector<LayerSpec> edits;
  for (int edit = 0; edit < 12; ++edit) {
    layer.x = with_value(layer.x, {0, 0, 0}, static_cast<float>(edit));
    edits.push_back(layer);
    const Results r = machine.run(layer);
    std::set<TensorId> held;
    std::size_t held_bytes = 0;
    for (const StageResult& t : r.outputs)
      if (t.here() && held.insert(t.id()).second) held_bytes += t.bytes();
    CHECK(machine.budget.total() <= std::max(kLimit, held_bytes));
  }
  CHECK(machine.run(edits.back()).recomputed == 0);
  CHECK(machine.run(edits[edits.size() - 2]).recomputed == 0);
  CHECK(machine.run(edits.front()).recomputed > 0);
}

TEST_CASE("results larger than the whole budget are still given") {
  Machine machine(16);
  const Results r = machine.run(layer_of(8, 4));
  CHECK(r.output("output").rows() == 8);
  CHECK(machine.run(layer_of(8, 4)).output("output") == r.output("output"));
}

TEST_CASE("results that exceed the budget alone leave the device its share of buffers") {
  // A device with sixteen buffers of a kilobyte, each as old as its number.
  struct Device : Backend {
    explicit Device(Budget& b) : budget(b) { account(); }
    std::string name() const override { return "device"; }
    Tensor run(const Operation& operation, Inputs inputs, Numbers) override {
      return reference->run(operation, inputs);
    }
    std::size_t held_bytes() const override { return buffers * 1024; }
    std::optional<std::uint64_t> oldest_use() const override {
      return buffers > 0 ? std::optional<std::uint64_t>(0) : std::nullopt;
    }
    void release_oldest() override { --buffers, account(); }
    void account() { budget.set(Budget::device, held_bytes()); }
    Budget& budget;
    std::size_t buffers = 16;
    std::unique_ptr<Backend> reference = make_reference_backend();
  };
  Budget budget(16 * 1024);
  Device device(budget);
  Evaluator evaluator(device, budget);
  evaluator.evaluate({{layer_of(64, 16)}}, build_graph(layer_of(64, 16)));
  CHECK(budget.held(Budget::memo) > budget.limit());
  CHECK(device.buffers == 4);  // a quarter of the limit
}

// What a graph is said to take, and what it takes when it is computed.
#include "core/evaluate/weigh.h"

#include <doctest/doctest.h>

#include "core/document/layer_plan.h"
#include "core/engine/engine.h"
#include "core/evaluate/evaluator.h"
#include "core/evaluate/run.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/core/counting_backend.h"
#include "tests/core/edit_documents.h"
#include "tests/graphs.h"
#include "tests/limited_memory.h"
#include "tests/sanitized.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

LayerSpec layer_of(std::size_t tokens) {
  Random random(61);
  LayerSpec layer;
  layer.x = normal(random, {1, tokens, 16});
  layer.w_q = layer.w_k = layer.w_v = layer.w_o = normal(random, {1, 16, 16});
  layer.heads = layer.kv_heads = 4;
  set_causal(layer, CausalAlign::lower_right);
  return layer;
}

// One row of many tokens: shapes that no machine has the memory for.
Document huge(std::size_t tokens) {
  Document document;
  document.layer().direct = true;
  document.layer().q = document.layer().k = document.layer().v =
      Tensor({1, tokens, 1}, std::vector<float>(tokens, 1.0f));
  return document;
}

// A device whose copies lie in the same memory.
class Copying : public Counting {
 public:
  bool copies_here() const override { return true; }
};

FreeMemory only(std::uint64_t bytes) {
  return {.bytes = bytes, .where = "in this test"};
}

// The tokens that would fit, as a refusal says.
std::size_t fitting(const std::string& message) {
  CAPTURE(message);
  const std::size_t end = message.find(" tokens would fit");
  REQUIRE(end != std::string::npos);
  return std::stoul(message.substr(message.rfind(' ', end - 1)));
}

}  // namespace

TEST_CASE("a run that keeps nothing weighs what lies in memory at its fullest moment") {
  for (const Plan* plan : {&kLayerPlan, &kSideBySide, &kOneAfterOther}) {
    CAPTURE(plan->name);
    const Graph graph = plan->build({.layers = {layer_of(40)}}, kLayerA).graph;
    Counting backend;
    run_stages(backend, graph, {});
    const Load load = weigh(graph, {}, Retention::until_read, backend, Budget());
    CHECK(load.results == backend.most);
    CHECK(load.copies == 0);
    CHECK(load.file == 0);
  }
}

TEST_CASE("results that are kept weigh what they hold with the copies that pictures are made from") {
  constexpr std::size_t kTokens = 370;  // large enough for pools
  const Document document{.layers = {layer_of(kTokens)}};
  const Results results = evaluated(document);
  std::uint64_t held = 0;
  for (StageIndex i = 0; i < results.outputs.size(); ++i) {
    if (results.graph.stages[i].given()) continue;
    held += results.outputs[i].whole().bytes();
    if (results.summaries[i].pools) held += results.summaries[i].pools->bytes();
  }
  const auto backend = make_reference_backend();
  const Load load = weigh(results.graph, {}, Retention::all, *backend, Budget());
  CHECK(load.results >= held);
  CHECK(load.results < held + held / 50);
  CHECK(load.working > 2 * kTokens * kTokens * sizeof(float));  // one head's scores in double
  CHECK(load.working < kTokens * kTokens * 4 * sizeof(double));
}

TEST_CASE("copies on a device in the same memory are weighed up to its share of the budget") {
  const Graph graph = build_graph(layer_of(100));
  const Copying device;
  const Load all = weigh(graph, {}, Retention::all, device, Budget());
  CHECK(all.copies > all.results * 9 / 10);
  const Load few = weigh(graph, {}, Retention::all, device, Budget(1000));
  CHECK(few.copies < all.copies / 2);
  CHECK(few.copies > 2 * 4 * 100 * 100 * sizeof(float));  // input and result of one stage
}

TEST_CASE("what is remembered is not weighed again") {
  const Graph graph = build_graph(layer_of(100));
  const auto backend = make_reference_backend();
  std::vector<bool> computed(graph.stages.size(), false);
  computed[*graph.find("output")] = true;
  const Load load = weigh(graph, computed, Retention::all, *backend, Budget());
  CHECK(load.results < 2 * 100 * 16 * sizeof(float));
}

TEST_CASE("what does not fit is refused with numbers and the tokens that would fit do fit") {
  const auto backend = make_reference_backend();
  const Budget budget;
  const auto load_of = [&](const Graph& g) { return weigh(g, {}, Retention::all, *backend, budget); };
  for (const Plan* plan : {&kLayerPlan, &kSideBySide}) {
    const Graph graph = plan->build({.layers = {layer_of(2000)}}, kLayerA).graph;
    const FreeMemory free = only(300 * kMiB);
    const std::string message = message_of([&] { check_fits(load_of(graph), free, graph, load_of); });
    CAPTURE(message);
    CHECK(message.find("not enough memory") == 0);
    CHECK(message.find("300 MiB are free in this test") != std::string::npos);
    const std::size_t tokens = fitting(message);
    CHECK(tokens > 100);
    CHECK(fits(load_of(plan->build({.layers = {layer_of(tokens)}}, kLayerA).graph), free));
    CHECK_FALSE(fits(load_of(plan->build({.layers = {layer_of(tokens * 11 / 10)}}, kLayerA).graph), free));
  }
  const Graph small = build_graph(layer_of(20));
  CHECK_NOTHROW(check_fits(load_of(small), only(0), small, load_of));  // nobody asks about little
}

TEST_CASE("flash attention that would write too many weights is refused and the tokens that would fit do") {
  const auto backend = make_reference_backend();
  Budget budget;
  const auto graph_of = [](std::size_t tokens) {
    return build_flash_layer({.layers = {layer_of(tokens)}}, {.weights = true}).graph;
  };
  const auto load_of = [&](const Graph& g) { return weigh(g, {}, Retention::until_read, *backend, budget); };
  const Graph graph = graph_of(2000);
  const FreeMemory free = only(150 * kMiB);
  const std::size_t tokens = fitting(message_of([&] { check_fits(load_of(graph), free, graph, load_of); }));
  CHECK(tokens > 100);
  CHECK(fits(load_of(graph_of(tokens)), free));
  CHECK_FALSE(fits(load_of(graph_of(tokens * 11 / 10)), free));
  // As the window has it, in terabytes.
  Evaluator evaluator(*backend, budget);
  const Document document = huge(2'000'000);
  const std::string message =
      message_of([&] { evaluator.evaluate(document, build_flash_layer(document, {.weights = true}).graph); });
  CHECK(message.find("TiB of results") != std::string::npos);
  CHECK(fitting(message) > 1000);
}

TEST_CASE("a result of more numbers than can be counted is refused") {
  constexpr std::size_t kMany = std::size_t{1} << 32;  // squared it is 0 in 64 bits
  Graph graph;
  const Stage stage{.id = "positions",
                    .title = {},
                    .formula = {},
                    .operation = SinusoidalEncoding{.rows = kMany, .columns = kMany}};
  CHECK(message_of([&] { graph.add(stage); }).find("positions: a result of ") == 0);
}

TEST_CASE("rules that would take minutes are refused with the number that would not") {
  const auto shape_of = [](std::size_t rules, std::size_t n) {
    return result_shape(Mask{n, n, std::vector<MaskTerm>(rules, {RandomRule{1, 2}})}, {});
  };
  CHECK_THROWS_WITH_AS(
      shape_of(4096, 1500),
      "4096 rules over 1500 queries and 1500 keys take too long: use at most 954 rules, or fewer tokens",
      Error);
  CHECK_NOTHROW(shape_of(954, 1500));
  CHECK_NOTHROW(shape_of(16, 60'000));  // a matter of memory
  CHECK_THROWS_AS(shape_of(17, 60'000), Error);
}

TEST_CASE("where not even one token fits no number is named") {
  const auto backend = make_reference_backend();
  const Graph graph = build_graph(layer_of(2000));
  const auto heavy = [](const Graph&) { return Load{.results = 4000 * kMiB}; };
  const std::string message = message_of([&] { check_fits(heavy(graph), only(300 * kMiB), graph, heavy); });
  CHECK(message.find("3.9 GiB of results") != std::string::npos);
  CHECK(message.find("would fit") == std::string::npos);
}

TEST_CASE("a document too large for the memory leaves the last results and says what would fit") {
  Budget budget;
  Engine engine([](std::vector<std::string>&) { return make_reference_backend(); }, budget);
  engine.post({huge(4), &kLayerPlan});
  engine.wait_idle();
  const auto before = engine.state().results;
  REQUIRE(before);
  engine.post({huge(1'000'000), &kLayerPlan});  // 30 GB for the pictures of one stage
  engine.wait_idle();
  const EngineState state = engine.state();
  CHECK(state.results == before);
  CHECK(state.fault == Fault::memory);
  CHECK(state.error.find("GiB of results") != std::string::npos);
  CHECK(state.error.find(" tokens would fit") != std::string::npos);
  engine.post({huge(5), &kLayerPlan});
  engine.wait_idle();
  CHECK(engine.state().error.empty());
  CHECK(engine.state().results->document == huge(5));
}

TEST_CASE("what is remembered of other documents makes room for one that would not fit along with it") {
  if (kSanitized) return;  // no limit is left over the address space that it takes
  const auto backend = make_reference_backend();
  Budget budget;
  Evaluator evaluator(*backend, budget);
  Document document = huge(5000);  // 95 MiB for a stage of scores: memory that goes back to the system
  evaluator.evaluate(document, kLayerPlan.build(document, kLayerA));
  const std::uint64_t remembered = budget.held(Budget::memo);
  REQUIRE(remembered / 2 > 192 * kMiB);
  document.layer().q = document.layer().k = document.layer().v =
      Tensor({1, 5000, 1}, std::vector<float>(5000, 2.0f));
  const Graph graph = kLayerPlan.build(document, kLayerA).graph;
  const std::uint64_t needed = weigh(graph, {}, Retention::all, *backend, budget).total();
  // As much as it takes and the program with it (each thread of which may reserve 64 MiB of addresses for a
  // heap of its own), less half of what is remembered.
  const LimitedMemory limited(needed + 192 * kMiB - remembered / 2);
  const std::string message = message_of([&] { evaluator.evaluate(document, graph); });
  CHECK(message.find("memory") == std::string::npos);
}

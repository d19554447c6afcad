// Graphs made of several layers: each has the numbers that it has alone, and checks, explanations and runs
// know every one of them.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "core/checks/checks.h"
#include "core/evaluate/run.h"
#include "core/operations/explain.h"
#include "core/system/error.h"
#include "tests/graphs.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Two heads, four tokens, width 6 in and out: it can stand behind itself.
Document two_heads() {
  Random random(21);
  Document document;
  LayerSpec& layer = document.layer();
  layer.x = normal(random, {1, 4, 6});
  layer.w_q = normal(random, {1, 6, 4}), layer.w_k = normal(random, {1, 6, 4});
  layer.w_v = normal(random, {1, 6, 4}), layer.w_o = normal(random, {1, 4, 6});
  layer.heads = layer.kv_heads = 2;
  layer.tokens = {"a", "b", "c", "d"};
  return document;
}

Tensor output(const Results& results, const std::string& id) {
  return results.output(id);
}

bool explained(const Results& results, StageIndex stage, Cell cell) {
  const Explanation e = explain(results, stage, cell);
  const double shown = results.outputs[stage][cell];
  return std::abs(e.result - shown) <= 6e-8 * std::abs(shown) + 1e-12 ||
         (std::isinf(shown) && e.result == shown);
}

void check_every_explanation(const Results& results) {
  for (StageIndex stage = 0; stage < results.graph.stages.size(); ++stage) {
    const Shape s = results.graph.stages[stage].shape;
    INFO(results.graph.stages[stage].id);
    for (std::size_t head = 0; head < s.stack; ++head)
      for (std::size_t row = 0; row < s.rows; ++row)
        for (std::size_t column = 0; column < s.columns; ++column)
          CHECK(explained(results, stage, {head, row, column}));
  }
}

}  // namespace

TEST_CASE("layers side by side have the numbers that each has alone") {
  const Document document = two_heads();
  Document causal = document;
  set_causal(causal.layer(), CausalAlign::lower_right);
  const Results both = evaluated(document, kSideBySide);
  const Results a = evaluated(document), b = evaluated(causal);
  for (const char* id : {"q", "scores", "weights", "output"}) {
    CHECK(output(both, "a." + std::string(id)) == output(a, id));
    CHECK(output(both, "b." + std::string(id)) == output(b, id));
  }
  CHECK(both.graph.find("b.mask"));
  CHECK_FALSE(both.graph.find("a.mask"));
}

TEST_CASE("a layer behind another reads its output") {
  const Document document = two_heads();
  Document second = document;
  second.layer().x = evaluated(document).output("output");
  const Results both = evaluated(document, kOneAfterOther);
  CHECK(output(both, "b.output") == evaluated(second).output("output"));
  CHECK_FALSE(both.graph.find("b.x"));
}

TEST_CASE("a role is found in the part that is asked for, and its weights are the stage's own") {
  const Results both = evaluated(two_heads(), kSideBySide);
  const Graph& graph = both.graph;
  REQUIRE(graph.parts.size() == 2);
  CHECK(graph.stages[graph.find(Role::weights, 1).value()].id == "b.weights");
  CHECK(graph.stages[graph.weights_of(graph.find("b.k").value()).value()].id == "b.weights");
  CHECK(graph.stages[graph.weights_of(graph.find("a.k").value()).value()].id == "a.weights");
}

TEST_CASE("every softmax is checked, and a broken one alone is told") {
  Document document = two_heads();
  for (const Plan* plan : {&kSideBySide, &kOneAfterOther}) {
    document.overrides = {{std::string(plan->name), "b.weights", {{1, 2, 0}, 3.0f}}};
    const Results results = evaluated(document, *plan);
    const Checks checks = check(results);
    REQUIRE(checks.softmaxes.size() == 2);
    CHECK(checks.softmaxes[0].row_sums.holds());
    CHECK_FALSE(checks.softmaxes[1].row_sums.holds());
    CHECK(results.graph.stages[checks.softmaxes[1].weights].id == "b.weights");
    CHECK(checks.softmaxes[1].row_sums.where == Cell{1, 2, 0});
  }
}

TEST_CASE("a mask hides keys of its own softmax alone") {
  const Results both = evaluated(two_heads(), kSideBySide);
  const StageIndex a = both.graph.find("a.weights").value(), b = both.graph.find("b.weights").value();
  CHECK(keys_left(both, a, 0, 0) == 4);
  CHECK(keys_left(both, b, 0, 0) == 1);
  CHECK(is_masked(both, b, {0, 0, 1}));
  CHECK_FALSE(is_masked(both, a, {0, 0, 1}));
}

TEST_CASE("every number of both layers is explained") {
  check_every_explanation(evaluated(two_heads(), kSideBySide));
  check_every_explanation(evaluated(two_heads(), kOneAfterOther));
}

TEST_CASE("a run without memo gives the same numbers in the same order") {
  const Results results = evaluated(two_heads(), kOneAfterOther);
  const auto backend = make_reference_backend();
  StageIndex next = 0;
  run_stages(*backend, results.graph, {.done = [&](StageIndex stage, const Tensor& tensor) {
    CHECK(stage == next++);
    CHECK(tensor == results.outputs[stage].whole());
  }});
  CHECK(next == results.graph.stages.size());
}

TEST_CASE("a layer that cannot stand where it is put says why") {
  Graph graph;
  const Document document = two_heads();
  const LayerStages first = append_layer(graph, document.layer(), {.prefix = "a."});
  const auto refusal = [&](LayerSpec layer, StageIndex input) -> std::string {
    Graph copy = graph;
    try {
      append_layer(copy, layer, {.prefix = "b.", .input = input});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refusal(document.layer(), first.output).empty());
  CHECK(refusal(document.layer(), first.head_output).find("q") !=
        std::string::npos);  // 2×4×2: no matrix of width 6
  LayerSpec fewer = document.layer();
  fewer.tokens = {"a", "b", "c"};
  CHECK(refusal(fewer, first.output).find("3 token labels for 4 token rows") != std::string::npos);
  LayerSpec direct;
  direct.direct = true;
  direct.q = direct.k = direct.v = Tensor({1, 1, 1}, {1});
  CHECK(refusal(direct, first.output).find("use projections") != std::string::npos);
}

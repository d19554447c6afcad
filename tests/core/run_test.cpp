// Running a graph without memo: what is let go and when, what stays on the device, and that it can be given
// up.
#include "core/evaluate/run.h"

#include <doctest/doctest.h>
#include <algorithm>

#include <set>

#include "tests/core/counting_backend.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Many heads, so that all but a few stages are as large as the weights.
Graph wide_graph() {
  Random random(51);
  LayerSpec layer;
  layer.x = normal(random, {1, 40, 16});
  layer.w_q = layer.w_k = layer.w_v = normal(random, {1, 16, 16});
  layer.heads = layer.kv_heads = 8;
  set_causal(layer, CausalAlign::lower_right);
  return build_graph(layer);
}

}  // namespace

TEST_CASE("results are let go as soon as nothing reads them any more") {
  Counting backend;
  const Graph graph = wide_graph();
  std::size_t told = 0;
  REQUIRE(run_stages(backend, graph, {.done = [&](StageIndex, const Tensor&) { ++told; }}));
  CHECK(told == graph.stages.size());
  CHECK(backend.held.empty());
  CHECK(backend.most < backend.all / 2);
}

TEST_CASE("results that nobody reads back stay on the device and are timed to their end") {
  Counting backend;
  const Graph graph = wide_graph();
  const StageIndex last = graph.stages.size() - 1;
  std::vector<StageIndex> told;
  const auto seconds = run_stages(backend, graph,
                                  {.reads = [&](StageIndex i) { return i == last; },
                                   .done =
                                       [&](StageIndex i, const Tensor&) {
                                         if (!graph.stages[i].given()) told.push_back(i);
                                       }});
  REQUIRE(seconds);
  CHECK(told == std::vector<StageIndex>{last});
  CHECK(backend.kept_there > 10);
  CHECK(backend.finished == backend.kept_there);
  for (StageIndex i = 0; i < graph.stages.size(); ++i) CHECK(((*seconds)[i] == 0) == graph.stages[i].given());
}

TEST_CASE("only the stages that are needed run, and giving up ends the run") {
  Counting backend;
  const Graph graph = wide_graph();
  std::vector<bool> needed(graph.stages.size(), false);
  const StageIndex scores = graph.find("scores").value();
  for (const char* id : {"x", "w_q", "w_k", "q", "k", "scores"}) needed[graph.find(id).value()] = true;
  std::set<StageIndex> told;
  REQUIRE(run_stages(backend, graph,
                     {.needed = needed, .done = [&](StageIndex i, const Tensor&) { told.insert(i); }}));
  CHECK(told.size() == 6);
  CHECK(*told.rbegin() == scores);
  int asked = 0;
  CHECK_FALSE(run_stages(backend, graph, {.give_up = [&] { return ++asked > 3; }}));
  CHECK(asked == 4);
}

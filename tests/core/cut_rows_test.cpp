// Some rows of a graph: the numbers that the whole graph has there, and no more than they need.
#include <doctest/doctest.h>

#include "core/attention/layer.h"
#include "core/graph/cut_rows.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

LayerSpec layer_of(std::size_t tokens, std::size_t heads) {
  LayerSpec layer;
  layer.x = drawn({1, tokens, 6}, 1);
  for (Tensor* w : {&layer.w_q, &layer.w_k, &layer.w_v}) *w = drawn({1, 6, 6}, 2);
  layer.heads = layer.kv_heads = heads;
  return layer;
}

// Every stage of the graph against the same stage of the one that is cut; how many were made by rows.
std::size_t check_rows(const Graph& graph, const RowRange& rows) {
  const Graph part = cut_rows(graph, rows);
  const std::vector<Tensor64> whole = evaluate_in_double(graph), cut = evaluate_in_double(part);
  std::size_t by_rows = 0;
  for (StageIndex i = 0; i < graph.stages.size(); ++i) {
    const Stage& stage = graph.stages[i];
    const auto found = part.find(stage.id);
    REQUIRE(found);
    const bool queries = has_query_rows(stage);
    by_rows += queries;
    const RowRange own = queries ? rows : RowRange{0, stage.shape.rows};
    const Shape shape{stage.shape.stack, own.count, stage.shape.columns};
    INFO(stage.id);
    REQUIRE(cut[*found].shape() == shape);
    for (std::size_t e = 0; e < shape.size(); ++e) {
      const Cell there = cell_at(shape, e), cell{there.head, own.first + there.row, there.column};
      const double a = whole[i][cell], b = cut[*found][there];
      // Products are summed in another order where there are other rows.
      CHECK((a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-12 * (1 + std::abs(a))));
    }
    CHECK(part.stages[*found].traced == stage.traced);
    if (queries) CHECK(part.stages[*found].rows.labels->size() == rows.count);
  }
  return by_rows;
}

}  // namespace

TEST_CASE("rows of random layers are those of the whole layer, but for rounding") {
  Random random(seed(41));
  for (int document = 0; document < 60; ++document) {
    const Graph graph = build_graph(document % 2 == 0 ? random_layer(random) : random_scored_layer(random));
    const std::size_t most = query_rows(graph), first = pick(random, 0, most - 1);
    CHECK(check_rows(graph, {first, pick(random, 1, most - first)}) > 5);
  }
}

TEST_CASE("rows of a softmax over queries are taken out of the whole") {
  LayerSpec layer = layer_of(7, 3);
  layer.softmax_over = SoftmaxOver::queries;
  const Graph graph = build_graph(layer);
  check_rows(graph, {2, 3});
  CHECK(cut_rows(graph, {2, 3}).find("weights_all"));
}

TEST_CASE("one row of a large layer needs no matrix of queries and keys") {
  const std::size_t n = 20'000;
  LayerSpec layer = layer_of(n, 1);
  layer.masks = {{CausalRule{}}, {WindowRule{3}}};
  layer.dropout = 0.5;
  for (const Stage& stage : cut_rows(build_graph(layer), {n - 1, 1}).stages)
    CHECK(stage.shape.size() < 100 * n);
}

TEST_CASE("rows keep their tokens' names or numbers") {
  LayerSpec layer = layer_of(5, 1);
  CHECK(*cut_rows(build_graph(layer), {2, 2}).stages.back().rows.labels == Labels{"2", "3"});
  layer.tokens = {"a", "b", "c", "d", "e"};
  const Graph part = cut_rows(build_graph(layer), {2, 2});
  CHECK(*part.stages[part.find("scores").value()].rows.labels == Labels{"c", "d"});
}

TEST_CASE("rows that are not there are refused") {
  const Graph graph = build_graph(layer_of(5, 1));
  for (const RowRange& rows : {RowRange{0, 0}, RowRange{5, 1}, RowRange{3, 3}, RowRange{1, SIZE_MAX}})
    CHECK_THROWS_AS(cut_rows(graph, rows), Error);
}

// Sums of products, as the workspace of costs writes them.
#include "core/efficient/road_counts.h"

#include <algorithm>

#include "core/efficient/road_rules.h"

namespace attn {
namespace {

using RoadFactors = std::vector<CostFactor>;

struct RoadCounter {
  RoadShape shape;
  RoadCounts counts = {};
  CostFactor n{"n", shape.n}, m{shape.m == shape.n ? "n" : "m", shape.m}, h{"h", shape.heads},
      h_kv{shape.kv_heads == shape.heads ? "h" : "h_kv", shape.kv_heads}, d_k{"d_k", shape.d_k},
      d_v{shape.d_v == shape.d_k ? "d_k" : "d_v", shape.d_v}, two{"2", 2}, three{"3", 3}, five{"5", 5};

  void operations(std::string_view what, RoadFactors factors) {
    counts.operations.terms.push_back({what, std::move(factors)});
  }
  void holds(std::string_view what, RoadFactors factors) {
    factors.push_back({"4", sizeof(float)});
    counts.held.terms.push_back({what, std::move(factors)});
  }

  void softmax(Road road, std::size_t kept) {
    const RoadFactors pairs = is_sparse(road)       ? RoadFactors{{"pairs", kept}}
                              : road == Road::flash ? RoadFactors{{"pairs of tiles", shape.tile_pairs}}
                                                    : RoadFactors{n, m};
    const auto each = [&](RoadFactors before, const RoadFactors& after) {
      before.insert(before.end(), pairs.begin(), pairs.end());
      before.insert(before.end(), after.begin(), after.end());
      return before;
    };
    operations("Q·Kᵀ", each({two}, {d_k, h}));
    operations("times the scale", each({}, {h}));
    operations("maximum, −, exp, sum, ÷", each({five}, {h}));
    operations("weights·V", each({two}, {d_v, h}));
    if (road == Road::flash) {
      operations("factor, on l and o", {{"rows of tiles", shape.rescaled}, {"(d_v+3)", shape.d_v + 3}, h});
      holds_tile();
    } else {
      holds("scores, then weights", each({}, {h}));
    }
  }

  void holds_tile() {
    const CostFactor rows{"B_r", std::min(shape.tile_rows, shape.n)};
    holds("scores of a tile", {rows, {"B_c", std::min(shape.tile_columns, shape.m)}});
    holds("m and l of its rows", {two, rows});
    holds("o of its rows", {rows, d_v});
  }

  void linear(Road road) {
    const bool random = road == Road::random;
    const CostFactor r = random ? CostFactor{"r", shape.features} : d_k;
    if (random) {
      random_features("Q", {n, h}, r);
      random_features("K", {m, h_kv}, r);
    } else {
      operations("φ(Q)", {n, h, d_k});
      operations("φ(K)", {m, h_kv, d_k});
    }
    operations("φ(K)ᵀV", {two, m, r, d_v, h_kv});
    operations("φ(Q)(φ(K)ᵀV)", {two, n, r, d_v, h});
    operations("Σφ(K)", {m, h_kv, r});
    operations("φ(Q)Σφ(K)", {two, n, r, h});
    operations("÷", {n, h, d_v});
    const std::string_view columns = d_v.symbol == "d_k" ? "(d_k+1)" : "(d_v+1)";
    holds("state and its sum", {h_kv, r, {columns, shape.d_v + 1}});
  }

  // √scale·x, its products with the directions, ‖x‖²÷2, and of each feature −, exp, ÷√r.
  void random_features(std::string_view what, const RoadFactors& rows, const CostFactor& r) {
    const auto of_rows = [&](RoadFactors before, const RoadFactors& after) {
      before.insert(before.end(), rows.begin(), rows.end());
      before.insert(before.end(), after.begin(), after.end());
      return before;
    };
    operations(what == "Q" ? "√scale·Q" : "√scale·K", of_rows({}, {d_k}));
    operations(what == "Q" ? "w·q" : "w·k", of_rows({two}, {d_k, r}));
    operations("½ of squares", of_rows({two}, {d_k}));
    operations("−, exp, ÷ √r", of_rows({three}, {r}));
  }
};

}  // namespace

RoadCounts count_road(Road road, const RoadShape& shape, std::size_t pairs) {
  RoadCounter counter{.shape = shape};
  if (is_linear(road))
    counter.linear(road);
  else
    counter.softmax(road, pairs);
  return std::move(counter.counts);
}

}  // namespace attn

// What flows back through the ways in which queries and keys make scores besides products.
#pragma once

#include "core/operations/traits.h"

namespace attn {

// Which of the factors of a score it flows to. What keys share with several heads of queries is summed over
// these, in their order.
enum class ScoreSide { queries, keys, vector };

// Through a Tanh: inputs its result Y and G, of one shape: g·(1 − (y ÷ cap)²).
struct TanhGradient {
  static constexpr const char* kName = "tanh_gradient";
  double cap = 1;
  bool operator==(const TanhGradient&) const = default;
};

// Columns put at `first` of a matrix of `width` columns, zeros elsewhere: through a TakeColumns.
struct PutColumns {
  static constexpr const char* kName = "put_columns";
  std::size_t first = 0, width = 0;
  bool operator==(const PutColumns&) const = default;
};

// Through a SquaredDistance. Inputs Q: h×n×d, K: g×m×d, G: h×n×m. Queries: Σ_j 2·g_ij·(q_i − k_j), h×n×d;
// keys: Σ_i 2·g_ij·(k_j − q_i), g×m×d. A pair whose g is 0 adds 0.
struct DistanceGradient {
  static constexpr const char* kName = "distance_gradient";
  ScoreSide of = ScoreSide::queries;
  bool operator==(const DistanceGradient&) const = default;
};

// Through a PairSum. Input G: h×(n·m)×a, m = `keys`. Queries: Σ_j g, h×n×a; keys: Σ_i g, (h/summed)×m×a.
struct PairSumGradient {
  static constexpr const char* kName = "pair_sum_gradient";
  ScoreSide of = ScoreSide::queries;
  std::size_t keys = 0, summed = 1;
  bool operator==(const PairSumGradient&) const = default;
};

// Through a PairProduct. Queries (its pairs): inputs G: h×n×m and v: 1×1×a: g_ij·v, h×(n·m)×a. Vector: inputs
// G and X: h×(n·m)×a: Σ over all pairs of g·x, 1×1×a. A pair whose g is 0 adds 0.
struct PairProductGradient {
  static constexpr const char* kName = "pair_product_gradient";
  ScoreSide of = ScoreSide::queries;
  bool operator==(const PairProductGradient&) const = default;
};

// Through an AdditiveScore. Inputs Q: h×n×a, K: g×m×a, v: 1×1×a, G: h×n×m; t = tanh(q_i + k_j). Queries:
// Σ_j g·v·(1 − t²), h×n×a; keys: the same over i, g×m×a; vector: Σ over all pairs of g·t, 1×1×a. A pair whose
// g is 0 adds 0.
struct AdditiveGradient {
  static constexpr const char* kName = "additive_gradient";
  ScoreSide of = ScoreSide::queries;
  bool operator==(const AdditiveGradient&) const = default;
};

}  // namespace attn

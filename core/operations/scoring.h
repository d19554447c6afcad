// What scores are made of besides matrix products: distances, sums of every query with every key, and the
// tanh, which caps scores as well.
#pragma once

#include "core/operations/traits.h"

namespace attn {

// Y = c·tanh(X ÷ c), any shape: at most c in size, and about X where |X| is far below c. With c = 1 the tanh
// itself. c is finite and above 0. Soft cap: Gemma Team 2024, section 2.
struct Tanh {
  static constexpr const char* kName = "tanh";
  double cap = 1;
  bool operator==(const Tanh&) const = default;
};

// Inputs Q: h×n×d and K: g×m×d, as in a matrix product: Y[i,j] = Σ_k (q_ik − k_jk)², h×n×m.
struct SquaredDistance {
  static constexpr const char* kName = "squared_distance";
  bool operator==(const SquaredDistance&) const = default;
};

// Y = columns [first, first + count) of X.
struct TakeColumns {
  static constexpr const char* kName = "take_columns";
  std::size_t first = 0, count = 0;
  bool operator==(const TakeColumns&) const = default;
};

// Inputs Q: h×n×a and K: g×m×a: a row for each pair of a query and a key, query after query:
// Y[i·m + j] = q_i + k_j, h×(n·m)×a.
struct PairSum {
  static constexpr const char* kName = "pair_sum";
  bool operator==(const PairSum&) const = default;
};

// Inputs X: h×(n·m)×a, a row for each pair, and v: 1×1×a: Y[i,j] = X[i·m + j]·v, h×n×m with m = `keys`.
struct PairProduct {
  static constexpr const char* kName = "pair_product";
  std::size_t keys = 0;
  bool operator==(const PairProduct&) const = default;
};

// PairSum, Tanh and PairProduct at once, without their h·n·m·a numbers between. Inputs Q: h×n×a, K: g×m×a,
// v: 1×1×a: Y[i,j] = Σ_k v_k·tanh(q_ik + k_jk), h×n×m (Bahdanau et al. 2015, section A.1.2).
struct AdditiveScore {
  static constexpr const char* kName = "additive_score";
  bool operator==(const AdditiveScore&) const = default;
};

// The arithmetic of one number, shared by the reference and the explanations.
double tanh_value(const Tanh& op, double x);

}  // namespace attn

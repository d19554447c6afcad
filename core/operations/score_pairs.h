// The pairs of a query and a key that a number on the way back is made of, and the slopes of tanh, in double;
// shared by the reference and the explanations.
#pragma once

#include <cmath>

#include "core/operations/scoring_gradient.h"

namespace attn {

// A number of a query's row and one of a key's.
struct ScorePair {
  Cell query, key;
  Cell score() const { return {query.head, query.row, key.row}; }
  // Among the rows of h×(n·m)×a.
  Cell row(std::size_t keys) const { return {query.head, query.row * keys + key.row, query.column}; }
};

// The pairs that a row of queries, or of keys, is in: with each key, or with each query of the `group` heads
// that share the keys.
struct ScorePairs {
  ScoreSide of = ScoreSide::queries;
  std::size_t queries = 0, keys = 0, group = 1;

  std::size_t count() const { return of == ScoreSide::queries ? keys : group * queries; }
  // The `i`th of them; `own`: a number of the row.
  ScorePair at(Cell own, std::size_t i) const {
    if (of == ScoreSide::queries) return {own, {own.head / group, i, own.column}};
    return {{own.head * group + i / queries, i % queries, own.column}, own};
  }
};

inline ScorePairs score_pairs(ScoreSide of, const Shape& q, const Shape& k) {
  return {.of = of, .queries = q.rows, .keys = k.rows, .group = q.stack / k.stack};
}
// Of sums of pairs, h×(n·m)×a.
inline ScorePairs score_pairs(const PairSumGradient& op, const Shape& pairs) {
  return {
      .of = op.of, .queries = op.keys == 0 ? 0 : pairs.rows / op.keys, .keys = op.keys, .group = op.summed};
}

// 1 − (y ÷ cap)², of y = cap·tanh(x ÷ cap).
inline double slope_of_result(const TanhGradient& op, double y) {
  const double share = y / op.cap;
  return 1 - share * share;
}

// 1 − tanh(x)², which keeps its digits where the tanh is near 1.
inline double tanh_slope(double x) {
  const double falls = std::exp(-2 * std::abs(x));
  return 4 * falls / ((1 + falls) * (1 + falls));
}

}  // namespace attn

// The arithmetic of what flows back to the centres of local attention, in double, shared by the reference and
// the explanations.
#pragma once

#include "core/operations/local.h"

namespace attn {

// y·(1 − y ÷ m): how m·σ rises where it is y.
inline double centre_slope(const CentreGradient& op, double y) {
  const auto m = static_cast<double>(op.keys);
  return y * ((m - y) / m);
}

// How a weight y rises with the centre, taken times the square of half the reach.
inline double decay_slope(double y, double centre, std::size_t key) {
  return y * (static_cast<double>(key) - centre);
}
// 1 ÷ that square.
inline double decay_scale(const DecayGradient& op) {
  const auto reach = static_cast<double>(op.reach);
  return 4 / (reach * reach);
}

}  // namespace attn

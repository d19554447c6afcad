// Weights are not an explanation: other weights of a row that give the same output (mechanics section 17).
// In double, from the numbers as they were computed.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"

namespace attn {

// Of a row of a head: its weights, the values that they mix, and the keys that it sees, ascending.
struct MixedRow {
  std::vector<float> weights = {};     // of every key
  std::vector<std::size_t> seen = {};  // those that are not masked; the others stay 0
  std::size_t width = 0;               // d_v
  std::vector<float> values = {};      // a row of so many for every key
  bool operator==(const MixedRow&) const = default;
};

// A point of the plane through two directions; of one direction `up` is 0.
struct PlanePoint {
  double across = 0, up = 0;
  bool operator==(const PlanePoint&) const = default;
};

// All b = a + N·c ≥ 0, N the null space of [Vᵀ; 1ᵀ] over the keys that are seen: they give the same output
// and have the same sum. Where more than two directions are free, those in the plane through two of them:
// that of the key which can move the farthest, and the one at right angles to it that then can.
struct OtherWeights {
  std::size_t rank = 0, free = 0;                      // of [V 1]; keys seen − rank
  std::array<std::vector<double>, 2> directions = {};  // by key, of length 1, at right angles
  // Of the polygon of all b in that plane, counterclockwise; two ends where one direction is free; none where
  // there is no way to go: these weights are the only ones.
  std::vector<PlanePoint> corners = {};
  PlanePoint farthest = {};  // the corner whose ½Σ|a − b| is the largest
  std::string refused = {};  // why nothing can be said: a number that is none, a weight below 0
  bool only_ones() const { return corners.empty(); }
  std::size_t bytes() const;
};
OtherWeights other_weights(const MixedRow& row);

// b, by key; none below 0.
std::vector<double> weights_at(const MixedRow& row, const OtherWeights& others, PlanePoint at);
// Of weights that are somewhere in the plane: where.
PlanePoint point_of(const MixedRow& row, const OtherWeights& others, std::span<const double> weights);
// The point of the polygon that is the nearest.
PlanePoint nearest_other(const OtherWeights& others, PlanePoint to);

// ½Σ|a − b|: the weight that moved from keys to others.
double weight_moved(const MixedRow& row, std::span<const double> others);
// The largest |Σ (b − a)·V| of any feature.
double output_moved(const MixedRow& row, std::span<const double> others);
// How far it moves at most for rounding alone, wherever in the polygon the others are.
double output_rounding(const MixedRow& row);

}  // namespace attn

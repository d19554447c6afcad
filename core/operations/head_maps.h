// What is said of the weights of several heads at once: how much of them lies in a pattern, what all heads
// have in common, how far one is from another, how alike two are, and how long a head's part of the output
// is.
#pragma once

#include <span>

#include "core/operations/traits.h"

namespace attn {

// Inputs W (h×n×m) and patterns P (p×n×m): Y[r, i, p] = Σ_j W[r, i, j]·P[p, i, j], h×n×p. Of patterns of
// zeros and ones: the weight of a row that lies in each.
struct PatternShare {
  static constexpr const char* kName = "pattern_share";
  bool operator==(const PatternShare&) const = default;
};

// One number of all heads at a place: h×n×m to 1×n×m. `spread` is their standard deviation, √(Σ (x − mean)² ÷
// h).
struct AcrossHeads {
  enum Figure { mean, maximum, spread };
  static constexpr const char* kName = "across_heads";
  Figure figure = mean;
  bool operator==(const AcrossHeads&) const = default;
};

// Y[r] = X[r] − X[head], h×n×m.
struct HeadDifference {
  static constexpr const char* kName = "head_difference";
  std::size_t head = 0;
  bool operator==(const HeadDifference&) const = default;
};

// Each head's matrix as one long vector, each two of them compared: h×n×m to 1×h×h.
// cosine: Σ ab ÷ (√Σ a²·√Σ b²), 0 where one is all zeros. overlap: Σ min(a, b) ÷ Σ max(a, b) (Ruzicka 1958),
// 1 of equal ones, 0 where no key gets weight from both.
struct HeadLikeness {
  enum Measure { cosine, overlap };
  static constexpr const char* kName = "head_likeness";
  Measure measure = cosine;
  bool operator==(const HeadLikeness&) const = default;
};

// Inputs X (h×n×c) and W (1×(h·c)×d): how long the row X[r, i]·W[r·c … (r+1)·c) is, h×n×1. Of the heads'
// outputs and W_O: the output's change when the head is switched off, for the output is the sum of these rows
// over the heads.
struct PartLength {
  static constexpr const char* kName = "part_length";
  bool operator==(const PartLength&) const = default;
};

// The arithmetic in double, shared by the reference and the explanations. `place`: the heads' numbers there.
double across_value(AcrossHeads::Figure figure, std::span<const double> place);
template <class T>
double likeness_value(HeadLikeness::Measure measure, std::span<const T> a, std::span<const T> b);
// Column `column` of the row that a head's row becomes.
template <class T>
double part_value(const BasicTensor<T>& x, const BasicTensor<T>& w, Cell row, std::size_t column) {
  double sum = 0;
  for (std::size_t k = 0; k < x.columns(); ++k)
    sum += static_cast<double>(x[{row.head, row.row, k}]) *
           static_cast<double>(w[{0, row.head * x.columns() + k, column}]);
  return sum;
}

}  // namespace attn

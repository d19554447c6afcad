// One query and all points in double: κ, the shares, their sums; what the arithmetic of an estimate is read
// from.
#pragma once

#include "core/kernels/part.h"

namespace attn {

struct QueryRow {
  double query = 0, width = 0;          // σ at the query, without the points' own factors
  std::vector<double> kernels, shares;  // of each point in order of x: κ; its weight, NaN: none is in reach
  // κ is divided by the largest of the row: as it is, every one would be too small for a number.
  bool relative = false;
  double sum = 0;                         // Σ κ
  std::vector<double> weighted, average;  // of each value: Σ κ·y, and its quotient by the sum
  std::size_t reached = 0;                // points whose κ is not 0
};
// Throws nothing; of no points it is empty.
QueryRow query_row(const KernelsSpec& spec, const KernelPoints& points, const KernelCurve& curve,
                   double query);

// κ(u) of u from −reach to reach, for drawing: so many of them.
std::vector<float> kernel_heights(Kernel kernel, double reach, std::size_t count);

}  // namespace attn

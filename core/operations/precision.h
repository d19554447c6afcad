// Numbers as fewer bits hold them: rounding, and sums whose every addition is rounded.
#pragma once

#include "core/operations/traits.h"

namespace attn {

// IEEE 754 binary32 and binary16, and the upper half of binary32.
enum class NumberFormat { float32, float16, bfloat16 };

// In which order the numbers of a row are added.
enum class SumOrder {
  in_order,  // ((x0 + x1) + x2) + …
  pairs,     // neighbours, then neighbouring sums, and so on; one that is left over goes up as it is
};

// Y = X rounded to the format: to nearest, ties to even, beyond its range to ∞. Any shape.
struct Round {
  static constexpr const char* kName = "round";
  NumberFormat format = NumberFormat::float32;
  bool operator==(const Round&) const = default;
};

// Y[i] = Σ_j X[i,j], each addition rounded to the format; h×n×m to h×n×1. X holds numbers of the format.
struct FormatSum {
  static constexpr const char* kName = "format_sum";
  NumberFormat format = NumberFormat::float32;
  SumOrder order = SumOrder::in_order;
  bool operator==(const FormatSum&) const = default;
};

const char* name(NumberFormat format);  // "float16"
// The number of the format that is nearest.
double rounded(NumberFormat format, double x);
double format_sum(const FormatSum& op, std::span<const double> row);
// Its largest finite number.
double largest_of(NumberFormat format);

}  // namespace attn

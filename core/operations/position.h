// Position encodings that are added to the input.
#pragma once

#include "core/explain.h"

namespace attn {

// PE[p,2i] = sin(p·ω_i), PE[p,2i+1] = cos(p·ω_i), ω_i = base^(−2i/d) (Vaswani et al. 2017, section 3.5).
// No inputs; result 1×rows×columns.
struct SinusoidalEncoding {
  static constexpr const char* kName = "sinusoidal_encoding";
  std::size_t rows = 0, columns = 0;
  double base = 10000;
  bool operator==(const SinusoidalEncoding&) const = default;

  double frequency(std::size_t column) const;  // ω_i of this column, radians a position
};

Shape result_shape(const SinusoidalEncoding& op, Shapes inputs);  // throws Error unless 0 < base < ∞, d even
Explanation explain(const SinusoidalEncoding& op, Inputs inputs, Cell cell);
Region reach(const SinusoidalEncoding& op, Shapes inputs, std::size_t input, Cell cell);

// The arithmetic of one number, in double.
double sinusoidal_value(const SinusoidalEncoding& op, std::size_t row, std::size_t column);

}  // namespace attn

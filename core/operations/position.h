// Position encodings that are added to the input, and tables of learned numbers.
#pragma once

#include <cstdint>

#include "core/operations/traits.h"

namespace attn {

// PE[p,2i] = sin(p·ω_i), PE[p,2i+1] = cos(p·ω_i), ω_i = base^(−2i/d) (Vaswani et al. 2017, section 3.5). With
// d odd the last column is a sine without its cosine. No inputs; result 1×rows×columns.
struct SinusoidalEncoding {
  static constexpr const char* kName = "sinusoidal_encoding";
  std::size_t rows = 0, columns = 0;
  double base = 10000;
  std::size_t first = 0;  // the position of row 0
  bool operator==(const SinusoidalEncoding&) const = default;

  double frequency(std::size_t column) const;  // ω_i of this column, radians a position
};

// Rows first … first + rows of a table stack×length×columns of numbers that training would have found: N(0,
// sd²) by a seed (core/tensor/random.h), number (s·length + row)·columns + column. No inputs; result
// stack×rows×columns.
struct LearnedTable {
  static constexpr const char* kName = "learned_table";
  std::size_t stack = 1, length = 0, columns = 0;
  std::uint64_t seed = 0;
  double sd = 1;
  std::size_t first = 0, rows = 0;
  bool operator==(const LearnedTable&) const = default;
};

// The arithmetic of one number, in double. `frequency` is that of the column.
double sinusoidal_value(const SinusoidalEncoding& op, double frequency, std::size_t row, std::size_t column);
double learned_value(const LearnedTable& op, Cell cell);

}  // namespace attn

// Numbers to compute with, of every kind that has broken a kernel somewhere. The same on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "core/opencl/cases/cases.h"

namespace attn::opencl {

inline constexpr double kUnit = 0x1p-24;  // a rounding of a float, relative

enum class Kind {
  ordinary,    // uniform in [−10, 10]
  cancelling,  // pairs x, −x·(1 + tiny), so that sums cancel to their last digits
  large,       // up to 1e30 in magnitude, of all sizes
  subnormal,   // below 2^−126, with ordinary ones between
  special,     // ordinary, with rows holding ∞, −∞, NaN and −0
  masked,      // ordinary, with −∞ in most places and rows of nothing else
};

const char* name(Kind kind);

// The kinds that a scope asks for: all of them in a comparison, two in a self-test.
std::vector<Kind> kinds(Scope scope, const Shape& shape);

Tensor numbers(Shape shape, Kind kind, std::uint64_t seed);

// Zeros and ones, about a third of them ones; its first row is all ones when `full_row`.
Tensor zeros_and_ones(Shape shape, std::uint64_t seed, bool full_row);

// |x|, number by number.
Tensor absolute(const Tensor& x);

// Every third number a 0: beside NaN and infinities too.
Tensor with_zeros(const Tensor& x);

// Weights of rows that add up to 1, one of them as large as all others together.
Tensor weights_of(Shape shape, std::uint64_t seed);
// Values of a large mean, or rows that are each other's opposite.
Tensor values_of(Shape shape, bool opposite, std::uint64_t seed);

}  // namespace attn::opencl

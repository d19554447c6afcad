// Singular values of a matrix, in double.
#pragma once

#include <vector>

#include "core/tensor/tensor.h"

namespace attn {

// Of the first matrix of a stack, descending; as many as the shorter of its sides.
std::vector<double> singular_values(const Tensor64& matrix);

// Σ_{i>1} σ² ÷ Σ σ² of it, to eight digits at least; NaN of zeros.
double squares_beyond_first(const Tensor& matrix);
double squares_beyond_first(const Tensor64& matrix);

}  // namespace attn

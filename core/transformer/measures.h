// What is said of a stack's layers: how much of a stream rank 1 misses, how alike its tokens are, where a
// head's weights sink. In double, from numbers that were computed (mechanics section 17).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/tensor/tensor.h"

namespace attn {

double length_of(std::span<const float> row);

// √(Σ_{i>1} σ² ÷ Σ σ²) of a matrix 1×n×d: how much of it the best matrix of rank 1 misses; none of one row,
// or of zeros.
std::optional<double> rank_residual(const Tensor& stream);
std::optional<double> rank_residual(const Tensor64& stream);

// The mean cosine between two different rows; none of one row, or where a number is not finite. A row of
// zeros has the cosine 0 to all.
std::optional<double> alike(const Tensor& stream);

// The mean length of a row.
double mean_norm(const Tensor& stream);

// ‖added‖ ÷ ‖before‖, mean over rows; a row of zeros is left out. None: all are. NaN where a number before is
// not finite.
std::optional<double> share_added(const Tensor& added, const Tensor& before);

// Of a head's weights, n×m: the column with the largest mean, and that mean, NaN where a weight is. Above ½
// it is called a sink.
struct HeadSink {
  std::size_t column = 0;
  double share = 0;
};
inline constexpr double kSinkAbove = 0.5;
HeadSink sink_of(const Tensor& weights, std::size_t head);

}  // namespace attn

// Measures of streams and of weights over depth.
#include "core/transformer/measures.h"

#include <cmath>
#include <limits>

#include "core/reference/singular_values.h"

namespace attn {
namespace {

std::span<const float> row_of(const Tensor& tensor, std::size_t row) {
  return tensor.values().subspan(row * tensor.columns(), tensor.columns());
}

// The sum of the rows, each divided by its length.
std::vector<double> unit_sum(const Tensor& tensor) {
  std::vector<double> sum(tensor.columns());
  for (std::size_t i = 0; i < tensor.rows(); ++i) {
    const auto row = row_of(tensor, i);
    const double length = length_of(row);
    for (std::size_t j = 0; j < row.size() && length > 0; ++j) sum[j] += static_cast<double>(row[j]) / length;
  }
  return sum;
}

double squares(std::span<const double> values) {
  double sum = 0;
  for (const double x : values) sum += x * x;
  return sum;
}

template <class T>
std::optional<double> missed_by_rank_one(const BasicTensor<T>& stream) {
  if (stream.rows() < 2) return std::nullopt;
  const double beyond = squares_beyond_first(stream);
  return std::isnan(beyond) ? std::nullopt : std::optional(std::sqrt(beyond));
}

}  // namespace

double length_of(std::span<const float> row) {
  double sum = 0;
  for (const float x : row) sum += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(sum);
}

std::optional<double> rank_residual(const Tensor& stream) {
  return missed_by_rank_one(stream);
}

std::optional<double> rank_residual(const Tensor64& stream) {
  return missed_by_rank_one(stream);
}

// Σ over pairs of unit rows u·v = (‖Σ u‖² − Σ ‖u‖²) ÷ 2.
std::optional<double> alike(const Tensor& stream) {
  if (stream.rows() < 2) return std::nullopt;
  const std::vector<double> sum = unit_sum(stream);
  double units = 0;
  for (std::size_t i = 0; i < stream.rows(); ++i) {
    const double length = length_of(row_of(stream, i));
    if (!std::isfinite(length)) return std::nullopt;
    units += length > 0 ? 1 : 0;
  }
  const auto n = static_cast<double>(stream.rows());
  return (squares(sum) - units) / (n * (n - 1));
}

double mean_norm(const Tensor& stream) {
  double sum = 0;
  for (std::size_t i = 0; i < stream.rows(); ++i) sum += length_of(row_of(stream, i));
  return sum / static_cast<double>(stream.rows());
}

std::optional<double> share_added(const Tensor& added, const Tensor& before) {
  double sum = 0, rows = 0;
  for (std::size_t i = 0; i < before.rows(); ++i) {
    const double length = length_of(row_of(before, i));
    if (!std::isfinite(length)) return std::numeric_limits<double>::quiet_NaN();
    if (length > 0) sum += length_of(row_of(added, i)) / length, rows += 1;
  }
  return rows == 0 ? std::nullopt : std::optional(sum / rows);
}

HeadSink sink_of(const Tensor& weights, std::size_t head) {
  std::vector<double> sums(weights.columns());
  for (std::size_t i = 0; i < weights.rows(); ++i)
    for (std::size_t j = 0; j < sums.size(); ++j)
      sums[j] += static_cast<double>(row_of(weights, head * weights.rows() + i)[j]);
  HeadSink sink;
  for (std::size_t j = 0; j < sums.size(); ++j)
    if (const double share = sums[j] / static_cast<double>(weights.rows());
        j == 0 || share > sink.share || std::isnan(share))
      sink = {j, share};
  return sink;
}

}  // namespace attn

// Measures of streams and of weights over depth, in loops that compilers turn into vector instructions.
#include "core/transformer/measures.h"

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/reference/singular_values.h"

namespace attn {
namespace {

std::span<const float> row_of(const Tensor& tensor, std::size_t row) {
  return tensor.values().subspan(row * tensor.columns(), tensor.columns());
}

void add_row(std::vector<double>& sums, std::span<const float> row, double factor) {
  double* const sum = sums.data();
  const float* const numbers = row.data();
  for (std::size_t j = 0; j < row.size(); ++j) sum[j] += factor * static_cast<double>(numbers[j]);
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

// Sums side by side: one alone waits for each of its additions.
double length_of(std::span<const float> row) {
  constexpr std::size_t kSums = 8;
  std::array<double, kSums> sums{};
  const float* const numbers = row.data();
  const std::size_t whole = row.size() / kSums * kSums;
  for (std::size_t i = 0; i < whole; i += kSums)
    for (std::size_t j = 0; j < kSums; ++j) {
      const auto x = static_cast<double>(numbers[i + j]);
      sums[j] += x * x;
    }
  double rest = 0;
  for (const float x : row.subspan(whole)) rest += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(std::accumulate(sums.begin(), sums.end(), rest));
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
  std::vector<double> sum(stream.columns());
  double units = 0;
  for (std::size_t i = 0; i < stream.rows(); ++i) {
    const auto row = row_of(stream, i);
    const double length = length_of(row);
    if (!std::isfinite(length)) return std::nullopt;
    if (length > 0) add_row(sum, row, 1 / length), units += 1;
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
    add_row(sums, row_of(weights, head * weights.rows() + i), 1);
  HeadSink sink;
  for (std::size_t j = 0; j < sums.size(); ++j)
    if (const double share = sums[j] / static_cast<double>(weights.rows());
        j == 0 || share > sink.share || std::isnan(share))
      sink = {j, share};
  return sink;
}

}  // namespace attn

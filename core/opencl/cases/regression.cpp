// Regression over the points at once: few and many keys, one and several values, empty reaches.
#include <cmath>

#include "core/opencl/cases/family.h"
#include "core/opencl/cases/points.h"
#include "core/operations/regression_row.h"

namespace attn::opencl {
namespace {

Tensor values_for(const PointSet& set, std::size_t columns) {
  return numbers({1, set.keys.rows(), columns}, Kind::ordinary, 21);
}

// All in a comparison; else one of each way that a device computes them.
std::vector<Kernel> kernels_for(Scope scope) {
  if (scope == Scope::benchmark) return {Kernel::gaussian};
  if (scope != Scope::comparison) return {Kernel::gaussian, Kernel::dot, Kernel::epanechnikov};
  std::vector<Kernel> all;
  for (std::size_t kind = 0; kind < kKernels.size(); ++kind) all.push_back(static_cast<Kernel>(kind));
  return all;
}

std::string name_of(const PointSet& set, Kernel kernel, const Tensor& widths, std::size_t columns) {
  return set.name + " " + std::string(kernel_text(kernel).title) + " widths " + to_string(widths.shape()) +
         " values " + std::to_string(columns);
}

std::vector<Case> estimate_cases(Scope scope) {
  std::vector<Case> cases;
  for (const PointSet& set : point_sets(scope))
    for (const Kernel kernel : kernels_for(scope)) {
      std::size_t columns = scope == Scope::benchmark ? 1 : 3;  // several values with the first widths
      for (const Tensor& widths : widths_for(scope, set.queries.rows(), set.keys.rows())) {
        cases.push_back({name_of(set, kernel, widths, columns),
                         KernelEstimate{kernel},
                         {set.queries, set.keys, values_for(set, columns), widths}});
        columns = 1;
      }
    }
  return cases;
}

// Candidates: the widths of a set for its own keys, besides twice and three times as wide ones, and so on.
Tensor candidates(Scope scope, const Tensor& widths) {
  const std::size_t count = scope == Scope::long_grids ? 6001 : 3;
  std::vector<float> values;
  for (std::size_t i = 1; i <= count; ++i)
    for (const float width : widths.values()) values.push_back(static_cast<float>(i) * width);
  return {{count, widths.rows(), widths.columns()}, std::move(values)};
}

// It looks at every key from every other, and an interpreter takes a minute for a hundred. So many are two of
// the longest vectors and a key more; more of them step over no other edge.
constexpr std::size_t kMostWatched = 33;

std::vector<Case> leave_one_out_cases(Scope scope) {
  std::vector<Case> cases;
  for (const PointSet& set : point_sets(scope)) {
    if (scope == Scope::shapes && set.keys.rows() > kMostWatched) continue;
    for (const Kernel kernel : kernels_for(scope)) {
      std::size_t columns = scope == Scope::benchmark ? 1 : 2;
      for (const Tensor& widths : widths_for(scope, set.keys.rows(), set.keys.rows())) {
        cases.push_back({name_of(set, kernel, widths, columns),
                         LeaveOneOut{kernel},
                         {set.keys, values_for(set, columns), candidates(scope, widths)}});
        columns = 1;
      }
    }
  }
  return cases;
}

// Weights of every size down to nothing; a row of one key, a row of none.
std::vector<Case> local_linear_cases(Scope scope) {
  std::vector<Case> cases;
  for (const PointSet& set : point_sets(scope)) {
    const std::size_t n = set.queries.rows(), m = set.keys.rows();
    if (n * m > 10'000'000) continue;
    std::vector<float> weights;
    const Tensor from = numbers({1, n, m}, Kind::ordinary, 22);
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<float> row;
      float sum = 0;
      for (const float x : from.values().subspan(i * m, m)) {
        const float w = i % 4 == 1   ? (row.empty() ? 1.0f : 0.0f)
                        : i % 4 == 3 ? 0.0f
                        : x < -5     ? 0.0f
                                     : std::exp(x / 2);
        row.push_back(w), sum += w;
      }
      for (const float w : row) weights.push_back(w / sum);
    }
    cases.push_back(
        {set.name, LinearWeights{}, {Tensor({1, n, m}, std::move(weights)), set.queries, set.keys}});
  }
  return cases;
}

// How far the kernel of key j may be off: roundings of its factors, and of u, by which none changes faster
// than twice as much.
double kernel_error(const KernelRow<float>& row, Kernel kernel, std::size_t j,
                    std::optional<std::size_t> best, const Arithmetic& arithmetic) {
  if (kernel == Kernel::boxcar || kernel == Kernel::constant) return 0;
  if (!best) return 18 * kUnit * kernel_value(kernel, row.distance(j)) + 2 * kUnit;
  const double exponent = row.exponent(kernel, j, *best);
  // Exponents of one width are formed in float on every device, each factor rounded once or twice.
  const double in_float = 8 * kUnit * std::abs(exponent);
  return std::exp(exponent) * (6 * kUnit + in_float + exponent_error(row, kernel, j, *best, arithmetic)) +
         0x1p-126;
}

// Of Σ κ·v ÷ Σ κ: each kernel moves the estimate by its share of its value's distance from it; then the two
// sums, their roundings and the division (2.5 units).
double estimate_error(const KernelRow<float>& row, Kernel kernel, const Tensor& values, std::size_t column,
                      double estimate, const Arithmetic& arithmetic) {
  const std::vector<double> kernels = row.kernels(kernel);
  const auto best = is_exponential(kernel) ? row.largest(kernel) : std::nullopt;
  double sum = 0, size = 0, moved = 0;
  for (std::size_t j = 0; j < kernels.size(); ++j) {
    if (kernels[j] == 0) continue;
    const double v = values[{0, j, column}];
    sum += kernels[j], size += kernels[j] * std::abs(v);
    moved += kernel_error(row, kernel, j, best, arithmetic) * std::abs(v - estimate);
  }
  if (sum == 0) return 0;
  const auto count = static_cast<double>(kernels.size());
  return (moved + sum_error(count, size, arithmetic) +
          std::abs(estimate) * sum_error(count, sum, arithmetic)) /
             sum +
         4 * spacing(estimate, arithmetic);
}

double estimate_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const KernelRow<float> row{
      .keys = c.inputs[1], .widths = c.inputs[3], .query = c.inputs[0][{0, cell.row, 0}], .row = cell.row};
  return estimate_error(row, std::get<KernelEstimate>(c.operation).kernel, c.inputs[2], cell.column,
                        reference, arithmetic);
}

double leave_one_out_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const Kernel kernel = std::get<LeaveOneOut>(c.operation).kernel;
  const KernelRow<float> row{.keys = c.inputs[0],
                             .widths = c.inputs[2],
                             .query = c.inputs[0][{0, cell.row, 0}],
                             .row = cell.row,
                             .matrix = cell.head,
                             .skip = cell.row};
  const std::vector<double> kernels = row.kernels(kernel);
  double moved = 0;
  for (std::size_t column = 0; column < c.inputs[1].columns(); ++column) {
    const double estimate = estimate_of(kernels, c.inputs[1], column);
    const double off = c.inputs[1][{0, cell.row, column}] - estimate;
    const double error = estimate_error(row, kernel, c.inputs[1], column, estimate, arithmetic) +
                         spacing(estimate, arithmetic) + spacing(off, arithmetic);
    moved += 2 * std::abs(off) * error + error * error;
  }
  return moved + static_cast<double>(c.inputs[1].columns()) * spacing(reference, arithmetic);
}

// The mean and the spread are sums over the row; what they are off moves the tilt.
double local_linear_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const std::size_t m = c.inputs[0].columns();
  const auto weights = c.inputs[0].values().subspan(cell.row * m, m);
  const double query = c.inputs[1][{0, cell.row, 0}], key = c.inputs[2][{0, cell.column, 0}];
  const WeightedPlace place = place_of(weights, c.inputs[2].values());
  if (!(place.spread > 0)) return rounded_once(c, cell, reference, arithmetic);
  const double unit = arithmetic.double_sums ? 0x1p-52 : 0x1p-23, count = static_cast<double>(m) + 8;
  double apart = 0;
  for (std::size_t j = 0; j < m; ++j)
    apart += weights[j] * std::abs(static_cast<double>(c.inputs[2].values()[j]) - place.origin);
  const double mean = count * unit * apart;
  const double query_offset = std::abs(query - place.origin - place.mean),
               key_offset = std::abs(key - place.origin - place.mean);
  const double place_error =
      mean + 2 * unit * (std::abs(query) + std::abs(key) + std::abs(place.origin) + std::abs(place.mean));
  const double spread = count * unit + (2 * mean * std::sqrt(place.spread) + mean * mean) / place.spread;
  const double tilt =
      (place_error * (query_offset + key_offset) + query_offset * key_offset * spread) / place.spread;
  // k − origin is taken in float.
  const double rounded = (arithmetic.double_sums ? 0 : kUnit) * query_offset *
                         (std::abs(key) + std::abs(place.origin)) / place.spread;
  return 0.5 * spacing(reference, arithmetic) + weights[cell.column] * (tilt + rounded) +
         (arithmetic.double_sums ? 0 : 4 * kUnit * std::abs(reference));
}

}  // namespace

Declaration declared(Of<LinearWeights>) {
  return {LinearWeights::kName, local_linear_cases, local_linear_tolerance};
}
Declaration declared(Of<KernelEstimate>) {
  return {KernelEstimate::kName, estimate_cases, estimate_tolerance};
}
Declaration declared(Of<LeaveOneOut>) {
  return {LeaveOneOut::kName, leave_one_out_cases, leave_one_out_tolerance};
}

template Declaration declaration<LinearWeights>();
template Declaration declaration<KernelEstimate>();
template Declaration declaration<LeaveOneOut>();

}  // namespace attn::opencl

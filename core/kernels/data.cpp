// Points as they are drawn or given, queries, and the widths that are tried.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/kernels/fields.h"
#include "core/kernels/part.h"
#include "core/system/error.h"
#include "core/tensor/random.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr double kDrawnTo = 5;
// Of one seed: ε takes the numbers from 0 on, places and classes those from here and there on.
constexpr std::uint64_t kPlaces = std::uint64_t{1} << 40, kClasses = std::uint64_t{1} << 41;
constexpr std::size_t kCandidates = 40;

Tensor drawn_points(const KernelsSpec& spec) {
  const bool classes = spec.set == PointSet::classes;
  std::vector<float> values;
  for (std::size_t i = 0; i < spec.count; ++i) {
    const auto x = static_cast<float>(kDrawnTo * static_cast<double>(random_uniform(spec.seed, kPlaces + i)));
    const double around = true_value(spec.set, spec.noise, x);
    values.push_back(x);
    if (classes) {
      const bool second = static_cast<double>(random_uniform(spec.seed, kClasses + i)) < around;
      values.push_back(second ? 0.0f : 1.0f), values.push_back(second ? 1.0f : 0.0f);
    } else {
      values.push_back(
          static_cast<float>(around + spec.noise * static_cast<double>(random_normal(spec.seed, i))));
    }
  }
  return {{1, spec.count, classes ? std::size_t{3} : std::size_t{2}}, std::move(values)};
}

void check_finite(const Tensor& tensor, const char* what) {
  for (std::size_t i = 0; i < tensor.values().size(); ++i) {
    if (std::isfinite(tensor.values()[i])) continue;
    const Cell cell = cell_at(tensor.shape(), i);
    throw Error(std::string(what) + ": row " + std::to_string(cell.row) + ", column " +
                std::to_string(cell.column) +
                (std::isnan(tensor.values()[i]) ? " is not a number (NaN)" : " is infinite") +
                ": give a number or remove the row");
  }
}

// Farther apart, what lies between two of them is beyond float32 once it is squared.
void check_reach(const Tensor& points) {
  for (std::size_t row = 0; row < points.rows(); ++row)
    if (const float x = points[{0, row, 0}]; std::abs(x) > static_cast<float>(kernels_field::kFarthest))
      throw Error("points: row " + std::to_string(row) + ": x is " + shortest(x) +
                  ", but must be from -1e9 to 1e9: give x in a larger unit");
}

void check_shapes(const KernelsSpec& spec, const Tensor& points) {
  if (points.rows() == 0) throw Error("there are no points: add one");
  if (points.stack() != 1 || points.columns() < 2)
    throw Error("the points are " + to_string(points.shape()) + ", but each needs its x and a value");
  if (!spec.key_widths.empty() && spec.key_widths.shape() != Shape{1, points.rows(), 1})
    throw Error("the widths of points are " + to_string(spec.key_widths.shape()) + ", but there are " +
                std::to_string(points.rows()) + " points: give one width to each");
  for (std::size_t i = 0; i < spec.key_widths.rows(); ++i)
    if (!(spec.key_widths.values()[i] > 0))
      throw Error("the width of point " + std::to_string(i) + " must be over 0");
}

constexpr std::uint64_t kRowBits = 0xFFFFFFFF;

// Ordered as x is, and by row where x is the same: a number is sorted faster than a pair.
std::uint64_t place_in_order(float x, std::size_t row) {
  const auto bits = std::bit_cast<std::uint32_t>(x + 0.0f);  // −0 is 0
  const bool negative = bits >> 31 != 0;
  return std::uint64_t{bits ^ (negative ? 0xFFFFFFFF : 0x80000000)} << 32 | row;
}

// Of each key the distances to its nearest others, in order: the keys on both sides of it are merged.
void nearest_others(std::span<const float> keys, std::size_t i, std::span<float> distances) {
  const auto apart = [&](std::size_t j) {
    return std::abs(static_cast<float>(static_cast<double>(keys[i]) - static_cast<double>(keys[j])));
  };
  std::size_t below = i, above = i + 1;
  for (float& distance : distances) {
    const bool down = below > 0 && (above == keys.size() || apart(below - 1) <= apart(above));
    distance = down ? apart(--below) : apart(above++);
  }
}

}  // namespace

double true_value(PointSet set, double noise, double x) {
  switch (set) {
    case PointSet::sine:
      return 2 * std::sin(x) + x;
    case PointSet::power:
      return 2 * std::sin(x) + std::pow(x, 0.8);
    case PointSet::classes: {
      const double height = std::sin(1.5 * x);
      return noise == 0 ? (height > 0 ? 1.0 : 0.0) : 1 / (1 + std::exp(-4 * height / noise));
    }
    case PointSet::own:
      break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

PointSet truth_of(const KernelsSpec& spec) {
  return spec.set == PointSet::own ? spec.truth : spec.set;
}

Tensor points_of(const KernelsSpec& spec) {
  if (spec.set != PointSet::own) return drawn_points(spec);
  check_finite(spec.points, "points");
  return spec.points;
}

KernelPoints sorted_points(const KernelsSpec& spec) {
  const Tensor points = points_of(spec);
  check_shapes(spec, points);
  check_reach(points);
  check_finite(spec.key_widths, "widths of points");
  const std::size_t m = points.rows(), columns = points.columns() - 1;
  KernelPoints sorted;
  std::vector<std::uint64_t> places(m);
  const auto numbers = points.values();
  for (std::size_t row = 0; row < m; ++row) places[row] = place_in_order(numbers[row * (columns + 1)], row);
  std::ranges::sort(places);
  std::vector<float> keys, values, widths;
  keys.reserve(m), values.reserve(m * columns), sorted.order.reserve(m);
  for (const std::uint64_t place : places) {
    const std::size_t row = place & kRowBits;
    sorted.order.push_back(row);
    keys.push_back(numbers[row * (columns + 1)]);
    const auto own = numbers.subspan(row * (columns + 1) + 1, columns);
    values.insert(values.end(), own.begin(), own.end());
    if (!spec.key_widths.empty()) widths.push_back(spec.key_widths[{0, row, 0}]);
  }
  sorted.keys = Tensor({1, m, 1}, std::move(keys));
  sorted.values = Tensor({1, m, columns}, std::move(values));
  if (!widths.empty()) sorted.widths = Tensor({1, m, 1}, std::move(widths));
  return sorted;
}

Tensor queries_of(const KernelsSpec& spec) {
  std::vector<float> queries;
  const double steps = std::max<double>(1, static_cast<double>(spec.queries) - 1);
  for (std::size_t i = 0; i < spec.queries; ++i)
    queries.push_back(
        static_cast<float>(spec.first + (spec.last - spec.first) * static_cast<double>(i) / steps));
  return {{1, spec.queries, 1}, std::move(queries)};
}

std::vector<double> candidate_widths(const KernelPoints& points) {
  const auto keys = points.keys.values();
  const double range = static_cast<double>(keys.back()) - static_cast<double>(keys.front());
  const double most = range > 0 ? 2 * range : 1, least = most / 400;
  std::vector<double> widths;
  for (std::size_t i = 0; i < kCandidates; ++i)
    widths.push_back(least * std::pow(most / least, static_cast<double>(i) / (kCandidates - 1)));
  return widths;
}

std::vector<std::size_t> candidate_neighbours(const KernelPoints& points) {
  const std::size_t others = points.keys.rows() - 1;
  std::vector<std::size_t> counts;
  for (std::size_t i = 0; i < kCandidates; ++i) {  // one by one, then in equal ratios up to all
    const double share = std::pow(static_cast<double>(others), static_cast<double>(i) / (kCandidates - 1));
    const auto count = std::max<std::size_t>(i + 1 < kCandidates ? static_cast<std::size_t>(share) : others,
                                             counts.empty() ? 1 : counts.back() + 1);
    if (count <= others) counts.push_back(count);
  }
  return counts;
}

std::vector<double> candidate_numbers(const KernelPoints& points, WidthRule rule) {
  if (rule != WidthRule::neighbours) return candidate_widths(points);
  const std::vector<std::size_t> counts = candidate_neighbours(points);
  return {counts.begin(), counts.end()};
}

Tensor candidates_of(const KernelPoints& points, WidthRule rule) {
  const std::size_t m = points.keys.rows();
  std::vector<float> values;
  if (rule == WidthRule::neighbours) {
    const std::vector<std::size_t> counts = candidate_neighbours(points);
    values.resize(counts.size() * m);
    std::vector<float> distances(counts.empty() ? 0 : counts.back());
    for (std::size_t i = 0; i < m; ++i) {
      nearest_others(points.keys.values(), i, distances);
      for (std::size_t s = 0; s < counts.size(); ++s) values[s * m + i] = distances[counts[s] - 1];
    }
    return {{counts.size(), m, 1}, std::move(values)};
  }
  const std::vector<double> widths = candidate_widths(points);
  const std::size_t columns = points.widths.empty() ? 1 : m;
  for (const double width : widths)
    for (std::size_t j = 0; j < columns; ++j)
      values.push_back(static_cast<float>(
          width * (points.widths.empty() ? 1.0 : static_cast<double>(points.widths.values()[j]))));
  return {{widths.size(), 1, columns}, std::move(values)};
}

}  // namespace attn

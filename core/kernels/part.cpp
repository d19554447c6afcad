// Which estimates are made, and the edits of points and kernels.
#include "core/kernels/part.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>

#include "core/kernels/fields.h"
#include "core/system/error.h"

namespace attn {

bool KernelsSpec::operator==(const KernelsSpec& other) const {
  return equal_fields(*this, other);
}

std::vector<KernelCurve> curves_of(const KernelsSpec& spec) {
  std::vector<KernelCurve> curves;
  if (spec.kernels.empty() || spec.widths.empty()) return curves;
  if (spec.kernels.size() > 1)
    for (const Kernel kernel : spec.kernels) curves.push_back({kernel, spec.widths[0]});
  else
    for (const double width : spec.widths) curves.push_back({spec.kernels[0], width});
  return curves;
}

void own_points(KernelsSpec& spec) {
  if (spec.set == PointSet::own) return;
  spec.points = points_of(spec);
  spec.truth = spec.set;
  spec.set = PointSet::own;
}

void take_points(KernelsSpec& spec, Tensor points) {
  spec.set = spec.truth = PointSet::own;
  spec.points = std::move(points);
  spec.key_widths = {};
  spec.count = std::clamp<std::size_t>(spec.points.rows(), 1, kernels_field::kMostPoints);
  if (spec.points.rows() == 0) return;
  double low = static_cast<double>(spec.points.values()[0]), high = low;
  for (std::size_t row = 0; row < spec.points.rows(); ++row) {
    const auto x = static_cast<double>(spec.points[{0, row, 0}]);
    low = std::min(low, x), high = std::max(high, x);
  }
  spec.first = std::clamp(low, -kernels_field::kFarthest, kernels_field::kFarthest);
  spec.last = std::clamp(high, -kernels_field::kFarthest, kernels_field::kFarthest);
  // A width that says nothing about points so far apart gives way to one that does.
  const double range = high - low;
  if (range > 0 && !(spec.widths[0] > range / 400 && spec.widths[0] < 2 * range))
    spec.widths = {std::clamp(range / 10, kernels_field::kLeastWidth, kernels_field::kMostWidth)};
}

void add_point(KernelsSpec& spec, const std::vector<float>& row) {
  own_points(spec);
  const std::size_t columns = spec.points.empty() ? row.size() : spec.points.columns();
  assert(row.size() == columns);
  if (spec.points.rows() >= kernels_field::kMostPoints)
    throw Error("there are " + std::to_string(spec.points.rows()) +
                " points, and no more are kept: remove some first");
  std::vector<float> values(spec.points.values().begin(), spec.points.values().end());
  values.insert(values.end(), row.begin(), row.end());
  spec.points = Tensor({1, spec.points.rows() + 1, columns}, std::move(values));
  if (spec.key_widths.empty()) return;
  std::vector<float> widths(spec.key_widths.values().begin(), spec.key_widths.values().end());
  widths.push_back(1);
  spec.key_widths = Tensor({1, spec.points.rows(), 1}, std::move(widths));
}

namespace {

// Of one class: a 1 among zeros.
bool is_one_hot(std::span<const float> values) {
  const auto ones = std::ranges::count(values, 1.0f), zeros = std::ranges::count(values, 0.0f);
  return values.size() > 1 && ones == 1 && ones + zeros == std::ssize(values);
}

// Of two classes it is of the other one where it is not of this.
void set_value(std::span<float> values, std::size_t value, float y) {
  if (is_one_hot(values)) {
    const bool other = values.size() == 2 || values[value] == 0;
    if (y >= 0.5f) {
      std::ranges::fill(values, 0.0f);
      values[value] = 1;
    } else if (values[value] == 1 && other) {
      std::ranges::fill(values, 0.0f);
      values[value == 0 ? 1 : 0] = 1;
    }
    return;
  }
  values[value] = y;
}

}  // namespace

void add_point(KernelsSpec& spec, float x, float y, std::size_t value) {
  own_points(spec);
  const Tensor& points = spec.points;
  if (points.rows() == 0) {
    spec.points = {};
    return add_point(spec, {x, y});
  }
  std::size_t nearest = 0;
  const auto apart = [&](std::size_t row) { return std::abs(points[{0, row, 0}] - x); };
  for (std::size_t row = 1; row < points.rows(); ++row)
    if (apart(row) < apart(nearest)) nearest = row;
  const auto like = points.values().subspan(nearest * points.columns(), points.columns());
  std::vector<float> row(like.begin(), like.end());
  row[0] = x;
  set_value(std::span(row).subspan(1), std::min(value, points.columns() - 2), y);
  add_point(spec, row);
}

void move_point(KernelsSpec& spec, std::size_t row, float x, float y, std::size_t value) {
  own_points(spec);
  const std::size_t columns = spec.points.columns();
  std::vector<float> values(spec.points.values().begin(), spec.points.values().end());
  values[row * columns] = x;
  set_value(std::span(values).subspan(row * columns + 1, columns - 1), std::min(value, columns - 2), y);
  spec.points = Tensor(spec.points.shape(), std::move(values));
}

void set_key_width(KernelsSpec& spec, std::size_t row, float factor) {
  own_points(spec);
  std::vector<float> widths(spec.key_widths.values().begin(), spec.key_widths.values().end());
  widths.resize(spec.points.rows(), 1);
  widths[row] = factor;
  const std::size_t m = widths.size();
  const bool all_one = std::ranges::count(widths, 1.0f) == std::ssize(widths);
  spec.key_widths = all_one ? Tensor() : Tensor({1, m, 1}, std::move(widths));
}

void remove_point(KernelsSpec& spec, std::size_t row) {
  own_points(spec);
  const auto without = [row](const Tensor& tensor) {
    const std::size_t columns = tensor.columns();
    std::vector<float> values(tensor.values().begin(), tensor.values().end());
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(row * columns);
    values.erase(first, first + static_cast<std::ptrdiff_t>(columns));
    return Tensor({1, tensor.rows() - 1, columns}, std::move(values));
  };
  spec.points = spec.points.rows() == 1 ? Tensor() : without(spec.points);
  if (spec.points.empty())
    spec.key_widths = {};
  else if (row < spec.key_widths.rows())
    spec.key_widths = without(spec.key_widths);
}

void toggle_widths(KernelsSpec& spec, Kernel kernel) {
  const bool several = spec.widths.size() > 1;
  if (several) {
    spec.widths.resize(1);
  } else {
    spec.kernels = {kernel};
    spec.widths = {0.1, 0.2, 0.5, 1};
  }
}

void toggle_kernel(KernelsSpec& spec, Kernel kernel) {
  const auto found = std::ranges::find(spec.kernels, kernel);
  if (found == spec.kernels.end()) {
    if (spec.kernels.size() == kMostCurves) spec.kernels.pop_back();
    spec.kernels.push_back(kernel);
  } else if (spec.kernels.size() > 1) {
    spec.kernels.erase(found);
  }
}

}  // namespace attn

// Which estimates are made, and the edits of points and kernels.
#include "core/kernels/kernels.h"

#include <algorithm>
#include <cassert>

#include "core/error.h"
#include "core/kernels/kernels_fields.h"

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
  spec.set = PointSet::own;
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

void move_point(KernelsSpec& spec, std::size_t row, float x, float y) {
  own_points(spec);
  std::vector<float> values(spec.points.values().begin(), spec.points.values().end());
  values[row * spec.points.columns()] = x;
  values[row * spec.points.columns() + 1] = y;
  spec.points = Tensor(spec.points.shape(), std::move(values));
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
  spec.points = without(spec.points);
  if (row < spec.key_widths.rows()) spec.key_widths = without(spec.key_widths);
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

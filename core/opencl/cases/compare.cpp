// Cell by cell against the unrounded reference: finite numbers may differ by the operation's tolerance, NaN
// and infinities not at all.
#include "core/opencl/cases/compare.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/reference/backend.h"

namespace attn::opencl {
namespace {

std::string describe(Cell cell, float device, double reference, double tolerance) {
  std::ostringstream text;
  text.precision(9);
  text << "cell [" << cell.head << ", " << cell.row << ", " << cell.column << "] is " << device
       << ", the reference " << reference << " (tolerance " << tolerance << ")";
  return text.str();
}

Tensor64 reference_result(const Case& c) {
  std::vector<Tensor64> inputs;
  for (const Tensor& input : c.inputs) inputs.push_back(to_double(input));
  return run_in_double(c.operation, inputs);
}

}  // namespace

Deviation compare(const Declaration& declaration, const Case& c, const Tensor& device,
                  const Arithmetic& arithmetic) {
  Deviation result;
  const Tensor64 reference = reference_result(c);
  const Shape shape = reference.shape();
  if (device.shape() != shape)
    return {
        .largest_error = 0,
        .wrong = 1,
        .first_wrong = "the result is " + to_string(device.shape()) + ", the reference " + to_string(shape)};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t row = i / shape.columns;
    const Cell cell{row / shape.rows, row % shape.rows, i % shape.columns};
    const float a = device.values()[i];
    const double b = reference.values()[i];
    const float rounded = static_cast<float>(b);  // beyond the range of float: an infinity
    const bool finite = std::isfinite(a) && std::isfinite(rounded);
    const double tolerance = finite ? declaration.tolerance(c, cell, b, arithmetic) : 0;
    const double error = std::abs(static_cast<double>(a) - b);
    const bool same = finite ? error <= tolerance : (std::isnan(a) && std::isnan(b)) || a == rounded;
    if (finite) result.largest_error = std::max(result.largest_error, error / std::max(1.0, std::abs(b)));
    if (!same && result.wrong++ == 0) result.first_wrong = describe(cell, a, b, tolerance);
  }
  return result;
}

}  // namespace attn::opencl

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

std::vector<double> tolerances(const Declaration& declaration, const Case& c, Cell first,
                               std::span<const double> reference, const Arithmetic& arithmetic) {
  if (declaration.row_tolerances)
    return declaration.row_tolerances(c, first.head, first.row, reference, arithmetic);
  std::vector<double> row;
  for (Cell cell = first; cell.column < reference.size(); ++cell.column)
    row.push_back(std::isfinite(reference[cell.column])
                      ? declaration.tolerance(c, cell, reference[cell.column], arithmetic)
                      : 0);
  return row;
}

// From `first` on, a row's first cell.
void compare_row(const Declaration& declaration, const Case& c, Cell first, std::span<const float> device,
                 std::span<const double> reference, const Arithmetic& arithmetic, Deviation& result) {
  const std::vector<double> row = tolerances(declaration, c, first, reference, arithmetic);
  for (std::size_t column = 0; column < device.size(); ++column) {
    const float a = device[column];
    const double b = reference[column];
    const float rounded = static_cast<float>(b);  // beyond the range of float: an infinity
    const bool finite = std::isfinite(a) && std::isfinite(rounded);
    const double tolerance = finite ? row[column] : 0, error = std::abs(static_cast<double>(a) - b);
    const bool same = finite ? error <= tolerance : (std::isnan(a) && std::isnan(b)) || a == rounded;
    if (finite) result.largest_error = std::max(result.largest_error, error / std::max(1.0, std::abs(b)));
    if (!same && result.wrong++ == 0)
      result.first_wrong = describe({first.head, first.row, column}, a, b, tolerance);
  }
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
  if (shape.size() == 0) return result;
  for (std::size_t row = 0; row < shape.stack * shape.rows; ++row)
    compare_row(declaration, c, {row / shape.rows, row % shape.rows, 0},
                device.values().subspan(row * shape.columns, shape.columns),
                reference.values().subspan(row * shape.columns, shape.columns), arithmetic, result);
  return result;
}

}  // namespace attn::opencl

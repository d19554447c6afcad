// Lengths of rows of every size, and rows without any.
#include <cmath>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

double squares_of(const Tensor& x, Cell cell) {
  double squares = 0;
  for (std::size_t j = 0; j < x.columns(); ++j) {
    const double number = x[{cell.head, cell.row, j}];
    squares += number * number;
  }
  return squares;
}

std::vector<Case> row_length_cases(Scope scope) {
  std::vector<Case> cases;
  for (const bool mean : {false, true}) append(cases, over_shapes(scope, RowLength{mean}));
  return cases;
}

// The root is right to 3 units, a division before it to 2.5 (OpenCL 1.2, section 7.4), of which a root leaves
// half; ε and its sum are rounded.
double row_length_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const double squares = squares_of(c.inputs[0], cell), columns = static_cast<double>(c.inputs[0].columns());
  const double lost = squares > 0 ? sum_error(columns, 1, arithmetic) : 0;
  return (12 * kUnit + lost) * std::abs(reference) + 2 * spacing(0, arithmetic);
}

std::vector<Case> by_length_cases(Scope scope) {
  return over_shapes(scope, ByLength{}, [](Shape shape, Kind kind, std::uint64_t seed) {
    const Tensor x = numbers(shape, kind, seed);
    std::vector<float> lengths;
    for (std::size_t i = 0; i < x.stack() * x.rows(); ++i) {
      const double squares = squares_of(x, {i / x.rows(), i % x.rows(), 0});
      lengths.push_back(i % 5 == 3 ? 0.0f : static_cast<float>(length_value({}, squares, x.columns())));
    }
    return std::vector<Tensor>{x, Tensor({x.stack(), x.rows(), 1}, std::move(lengths))};
  });
}

double by_length_tolerance(const Case&, Cell, double reference, const Arithmetic& arithmetic) {
  return 2.5 * spacing(reference, arithmetic);
}

}  // namespace

Declaration declared(Of<RowLength>) {
  return {RowLength::kName, row_length_cases, row_length_tolerance};
}
Declaration declared(Of<ByLength>) {
  return {ByLength::kName, by_length_cases, by_length_tolerance};
}

template Declaration declaration<RowLength>();
template Declaration declaration<ByLength>();

}  // namespace attn::opencl

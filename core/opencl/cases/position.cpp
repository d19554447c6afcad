// The sinusoidal encoding, far positions and odd bases among them.
#include <cmath>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

std::vector<Case> sinusoidal_cases(Scope scope) {
  const auto one = [](std::size_t rows, std::size_t columns, double base) {
    return Case{std::to_string(rows) + "×" + std::to_string(columns) + " base " + std::to_string(base),
                SinusoidalEncoding{.rows = rows, .columns = columns, .base = base},
                {}};
  };
  switch (scope) {
    case Scope::self_test:
      return {one(50, 6, 10000)};
    case Scope::benchmark:
      return {one(512, 512, 10000)};
    case Scope::long_grids:
      return {one(100003, 2, 10000), one(3, 70002, 10000)};
    case Scope::comparison:
    case Scope::shapes:
      break;
  }
  std::vector<Case> cases{one(1, 2, 10000), one(0, 4, 10000), one(3, 0, 10000), one(7, 2, 10000),
                          one(1, 64, 10000)};
  // With a base below 1 frequencies grow along the columns: angles of many turns a row.
  for (const double base : {10000.0, 1.0, 2.0, 1e30, 1e-3, 1e-9}) cases.push_back(one(67, 34, base));
  cases.push_back(one(5003, 6, 10000));
  return cases;
}

// sinpi, cospi, sin and cos are right to 4 units (OpenCL 1.2, section 7.4). A slow column's angle is rounded
// twice: at most two units of the sine; half a unit of a fast one. Angles of the reference, products in
// double, are off by 2^−53 of themselves, twice; fixed-point turns by 2^−64 of one a row.
double sinusoidal_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const auto& op = std::get<SinusoidalEncoding>(c.operation);
  const double row = static_cast<double>(cell.row), angle = row * op.frequency(cell.column);
  const bool slow = static_cast<double>(op.rows) * op.frequency(cell.column) < 0.5;
  return 6 * spacing(reference, arithmetic) + angle * 0x1p-52 + (slow ? 0 : row * 0x1p-61);
}

}  // namespace

Declaration declared(Of<SinusoidalEncoding>) {
  return {SinusoidalEncoding::kName, sinusoidal_cases, sinusoidal_tolerance};
}

template Declaration declaration<SinusoidalEncoding>();

}  // namespace attn::opencl

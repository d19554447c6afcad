// The sinusoidal encoding, far positions and odd bases among them; learned tables.

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
  // Far from the start, and widths that leave a sine alone.
  for (const std::size_t first : {std::size_t{100000}, std::size_t{1} << 24}) {
    cases.push_back(one(9, 7, 10000));
    std::get<SinusoidalEncoding>(cases.back().operation).first = first;
  }
  cases.push_back(one(9, 1, 10000));
  return cases;
}

// sinpi, cospi, sin and cos are right to 4 units (OpenCL 1.2, section 7.4). A slow column's angle is rounded
// twice: at most two units of the sine; half a unit of a fast one. Angles of the reference, products in
// double, are off by 2^−53 of themselves, twice; fixed-point turns by 2^−64 of one a row.
double sinusoidal_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const auto& op = std::get<SinusoidalEncoding>(c.operation);
  const double row = static_cast<double>(op.first + cell.row), angle = row * op.frequency(cell.column);
  const bool slow = static_cast<double>(op.first + op.rows) * op.frequency(cell.column) < 0.5;
  return 6 * spacing(reference, arithmetic) + angle * 0x1p-52 + (slow ? 0 : row * 0x1p-61);
}

std::vector<Case> learned_cases(Scope scope) {
  const std::size_t large = scope == Scope::long_grids ? 20011 : scope == Scope::benchmark ? 512 : 9;
  std::vector<Case> cases;
  for (const std::size_t first : {0, 4})
    cases.push_back({"rows from " + std::to_string(first),
                     LearnedTable{.stack = 3,
                                  .length = large + first,
                                  .columns = 7,
                                  .seed = 0xFEDCBA9876543210u,
                                  .sd = 0.7,
                                  .first = first,
                                  .rows = large},
                     {}});
  return cases;
}

}  // namespace

Declaration declared(Of<LearnedTable>) {
  return {LearnedTable::kName, learned_cases, rounded_once};
}

Declaration declared(Of<SinusoidalEncoding>) {
  return {SinusoidalEncoding::kName, sinusoidal_cases, sinusoidal_tolerance};
}

template Declaration declaration<SinusoidalEncoding>();
template Declaration declaration<LearnedTable>();

}  // namespace attn::opencl

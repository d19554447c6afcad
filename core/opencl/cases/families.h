// The declarations of each family, and what they have in common.
#pragma once

#include <cmath>
#include <initializer_list>

#include "core/opencl/cases/cases.h"
#include "core/opencl/cases/numbers.h"

namespace attn::opencl {

// The distance between neighbouring floats at |x|; a rounding is off by at most half of it.
double spacing(double x, const Arithmetic& arithmetic);

// Tolerances of operations that only copy or choose, and of those that round once.
double exact(const Case&, Cell, double reference, const Arithmetic&);
double rounded_once(const Case&, Cell, double reference, const Arithmetic&);

// |Σ computed − Σ exact| before the last rounding, for `count` terms whose absolute values add up to
// `magnitude`.
double sum_error(double count, double magnitude, const Arithmetic& arithmetic);

// The same where what is not finite may stand among a row's numbers: 0 there.
inline double spacing_at(double x, const Arithmetic& arithmetic) {
  return std::isfinite(x) ? spacing(x, arithmetic) : 0;
}

// The tolerance of a cell where those of a row, as long as input 0's, are computed together.
template <RowTolerances of_row>
double at_cell(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const std::vector<double> row(c.inputs[0].columns(), reference);
  return of_row(c, cell.head, cell.row, row, arithmetic)[cell.column];
}

// The shapes of a scope for operations that work number by number or row by row.
std::vector<Shape> shapes(Scope scope);

// Cases of one operation over shapes × kinds of numbers: make(shape, kind, seed) gives the inputs.
template <class Make>
std::vector<Case> over_shapes(Scope scope, const Operation& operation, Make make) {
  std::vector<Case> cases;
  std::uint64_t seed = 1;
  for (const Shape& shape : shapes(scope))
    for (const Kind kind : kinds(scope, shape))
      cases.push_back({to_string(shape) + " " + name(kind), operation, make(shape, kind, ++seed),
                       kind == Kind::subnormal});
  return cases;
}

// The same of one matrix of numbers each.
inline std::vector<Case> over_shapes(Scope scope, const Operation& operation) {
  return over_shapes(scope, operation, [](Shape shape, Kind kind, std::uint64_t seed) {
    return std::vector<Tensor>{numbers(shape, kind, seed)};
  });
}

void append(std::vector<Case>& cases, std::vector<Case> more);

// One operation's declaration: each family's file writes declared() for its own and instantiates this
// (family.h). The program does not link without it.
template <class Op>
Declaration declaration();

template <class Op>
struct Of {};

}  // namespace attn::opencl

// Rows repeated under matrices of one sequence and many, and sums over them that cancel.
#include "core/operations/repeated_rows.h"

#include <cmath>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

constexpr std::size_t kTimes = 3;  // sequences below each other

Shape below_each_other(const Shape& shape) {
  return {shape.stack, kTimes * shape.rows, shape.columns};
}

std::vector<Case> add_repeated_cases(Scope scope) {
  std::vector<Case> cases;
  for (const Shape& shape : shapes(scope)) {
    if (shape.rows == 0) continue;  // nothing that could be repeated
    for (const Kind kind : kinds(scope, shape)) {
      const std::uint64_t seed = 40 + 2 * cases.size();
      cases.push_back({to_string(shape) + " " + name(kind),
                       AddRepeated{},
                       {numbers(below_each_other(shape), kind, seed),
                        numbers({1, shape.rows, shape.columns}, kind, seed + 1)},
                       kind == Kind::subnormal});
    }
  }
  return cases;
}

std::vector<Case> sum_repeated_cases(Scope scope) {
  std::vector<Case> cases;
  for (const Shape& shape : shapes(scope)) {
    if (shape.rows == 0) continue;
    for (const Kind kind : kinds(scope, shape))
      cases.push_back({to_string(shape) + " " + name(kind),
                       SumRepeated{shape.rows},
                       {numbers(below_each_other(shape), kind, 70 + cases.size())},
                       kind == Kind::subnormal});
  }
  return cases;
}

double sum_repeated_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const Tensor& x = c.inputs[0];
  double magnitude = 0, count = 0;
  for (std::size_t head = 0; head < x.stack(); ++head)
    for (std::size_t row = cell.row; row < x.rows(); row += std::get<SumRepeated>(c.operation).rows, ++count)
      magnitude += std::abs(static_cast<double>(x[{head, row, cell.column}]));
  return sum_error(count, magnitude, arithmetic) + 0.5 * spacing(reference, arithmetic);
}

}  // namespace

Declaration declared(Of<AddRepeated>) {
  return {AddRepeated::kName, add_repeated_cases, rounded_once};
}
Declaration declared(Of<SumRepeated>) {
  return {SumRepeated::kName, sum_repeated_cases, sum_repeated_tolerance};
}

template Declaration declaration<AddRepeated>();
template Declaration declaration<SumRepeated>();

}  // namespace attn::opencl

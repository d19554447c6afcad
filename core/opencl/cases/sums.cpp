// Products added up over rows and altogether: sums that cancel, and zeros beside what is special.
#include "core/operations/sums.h"

#include <cmath>

#include "core/opencl/cases/family.h"
#include "core/operations/products.h"
#include "core/operations/row_norm_row.h"

namespace attn::opencl {
namespace {

std::vector<Case> sum_product_cases(Scope scope) {
  std::vector<Case> cases;
  for (const SumProduct op : {SumProduct{SumProduct::row}, SumProduct{SumProduct::all}}) {
    append(cases, over_shapes(scope, op, [](Shape shape, Kind kind, std::uint64_t seed) {
             // Of pairs that cancel one factor is: the other one is the same for all.
             const Tensor y = kind == Kind::cancelling ? Tensor(shape, std::vector<float>(shape.size(), 0.7f))
                                                       : with_zeros(numbers(shape, kind, seed + 1000));
             return std::vector<Tensor>{numbers(shape, kind, seed), y};
           }));
    if (scope == Scope::comparison)  // several runs of numbers
      for (const Kind kind : {Kind::ordinary, Kind::large})
        cases.push_back({std::string("many ") + name(kind),
                         op,
                         {numbers({2, 70, 131}, kind, 7), numbers({2, 70, 131}, kind, 8)}});
  }
  return cases;
}

double sum_product_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const bool all = std::get<SumProduct>(c.operation).over == SumProduct::all;
  const Tensor &x = c.inputs[0], &y = c.inputs[1];
  const auto of_x = all ? x.values() : row_numbers(x, cell.head, cell.row);
  const auto of_y = all ? y.values() : row_numbers(y, cell.head, cell.row);
  return sum_error(static_cast<double>(of_x.size()), size_of_products(of_x, of_y), arithmetic) +
         0.5 * spacing(reference, arithmetic);
}

}  // namespace

Declaration declared(Of<SumProduct>) {
  return {SumProduct::kName, sum_product_cases, sum_product_tolerance};
}

template Declaration declaration<SumProduct>();

}  // namespace attn::opencl

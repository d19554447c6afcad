// Products of random vectors: dimensions that begin and end within a block, few and many keys, chains.
#include <cmath>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

std::vector<Case> random_product_cases(Scope scope) {
  std::vector<Case> cases;
  const auto add = [&](std::size_t first, std::size_t count, std::size_t rows, std::size_t keys,
                       bool chained) {
    const RandomProducts op{
        .seed = 0xFEDCBA9876543210u, .first = first, .count = count, .rows = rows, .keys = keys};
    std::vector<Tensor> inputs;
    if (chained) inputs.push_back(numbers({1, rows, keys}, Kind::ordinary, 90 + first));
    cases.push_back({std::to_string(first) + "+" + std::to_string(count) + " rows " + std::to_string(rows) +
                         " keys " + std::to_string(keys),
                     op, std::move(inputs)});
  };
  if (scope == Scope::long_grids) return add(2, 3, 20011, 3, true), cases;
  if (scope == Scope::benchmark) return add(64, 64, 6250, 16, true), cases;
  add(5, 11, 3, 5, true);
  if (scope == Scope::self_test) return cases;
  for (const std::size_t keys : {1, 7, 16, 33})
    for (const auto& [first, count] :
         {std::pair{0, 1}, {0, 64}, {3, 2}, {61, 64}, {64, 64}, {127, 1}, {8, 0}, {1000, 24}})
      add(static_cast<std::size_t>(first), static_cast<std::size_t>(count), 4, keys, first % 2 == 0);
  add(0, 4, 0, 4, false);
  return cases;
}

// A normal is √(−2·ln u)·cos: log is right to 3 units, of which the root takes half, sqrt to 3, sinpi and
// cospi to 4 (OpenCL 1.2, section 7.4), with a rounding of the product: 9 units, each 2 roundings.
double random_product_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const auto& op = std::get<RandomProducts>(c.operation);
  const std::vector<double> q = random_vector(op, cell.row, 0),
                            k = random_vector(op, cell.row, 1 + cell.column);
  double magnitude = 0;
  for (std::size_t i = 0; i < q.size(); ++i) magnitude += std::abs(q[i] * k[i]);
  const double before = c.inputs.empty() ? 0 : std::abs(static_cast<double>(c.inputs[0][cell]));
  return 0.5 * spacing(reference, arithmetic) + 2 * 9 * 0x1p-23 * magnitude +
         sum_error(static_cast<double>(q.size()) + 1, magnitude + before, arithmetic);
}

}  // namespace

Declaration declared(Of<RandomProducts>) {
  return {RandomProducts::kName, random_product_cases, random_product_tolerance};
}

template Declaration declaration<RandomProducts>();

}  // namespace attn::opencl

// Kernels of regression: duplicate keys, far queries, edges of the reach, and widths of every kind.
#include <algorithm>
#include <cmath>

#include "core/opencl/cases/family.h"
#include "core/opencl/cases/points.h"
#include "core/operations/kernel_row.h"

namespace attn::opencl {
namespace {

std::vector<Case> pair_cases(Scope scope, const Operation& operation) {
  std::vector<Case> cases;
  for (const PointSet& set : point_sets(scope))
    for (Tensor& widths : widths_for(scope, set.queries.rows(), set.keys.rows()))
      cases.push_back({set.name + " widths " + to_string(widths.shape()),
                       operation,
                       {set.queries, set.keys, std::move(widths)}});
  return cases;
}

std::vector<Case> kernel_distance_cases(Scope scope) {
  return pair_cases(scope, KernelDistance{});
}

// u on both sides of the edge, and at it.
Tensor reach_edges() {
  std::vector<float> u{0,
                       -0.0f,
                       1,
                       -1,
                       std::nextafter(1.0f, 0.0f),
                       std::nextafter(1.0f, 2.0f),
                       0.5f,
                       -0.999f,
                       30,
                       -1e20f,
                       INFINITY,
                       -INFINITY,
                       NAN,
                       1e-20f,
                       0.25f,
                       0.75f};
  return {{1, 2, 8}, std::move(u)};
}

std::vector<Case> value_cases(Scope scope) {
  std::vector<Case> cases;
  for (std::size_t kind = 0; kind < kKernels.size(); ++kind) {
    const auto kernel = static_cast<Kernel>(kind);
    if (kernel == Kernel::dot) continue;
    const std::string title(kernel_text(kernel).title);
    append(cases, over_shapes(scope, KernelValue{kernel}, [](Shape shape, Kind what, std::uint64_t seed) {
             std::vector<float> values;
             const Tensor from = numbers(shape, what, seed);
             for (const float x : from.values()) values.push_back(x / 6);
             return std::vector<Tensor>{Tensor(shape, std::move(values))};
           }));
    cases.push_back({title + " at the edges", KernelValue{kernel}, {reach_edges()}});
    if (scope == Scope::benchmark) break;
  }
  return cases;
}

std::vector<Case> exponent_cases(Scope scope) {
  std::vector<Case> cases = pair_cases(scope, KernelExponent{Kernel::gaussian});
  append(cases, pair_cases(scope, KernelExponent{Kernel::dot}));
  return cases;
}

std::vector<Case> neighbour_cases(Scope scope) {
  std::vector<Case> cases;
  for (const PointSet& set : point_sets(scope))
    for (const std::size_t count : {1, 3, 1000})
      if (set.keys.rows() > 0)
        cases.push_back({set.name + " neighbour " + std::to_string(count),
                         NeighbourWidth{count},
                         {set.queries, set.keys}});
  return cases;
}

// Rounded once: in double, or in float with what was lost put back, which leaves 2^-20 of a unit.
double distance_tolerance(const Case&, Cell, double reference, const Arithmetic& arithmetic) {
  return (0.5 + 0x1p-20) * spacing(reference, arithmetic);
}

// Roundings of the factors and their powers; exp is right to 3 units, sinpi to 4 (OpenCL 1.2, section 7.4).
double value_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const double u = c.inputs[0][cell];
  switch (std::get<KernelValue>(c.operation).kernel) {
    case Kernel::gaussian:
      if (!std::isfinite(u)) return 0;
      return 3 * spacing(reference, arithmetic) + u * u * kUnit * reference;
    case Kernel::boxcar:
    case Kernel::constant:
    case Kernel::dot:
      return 0;
    case Kernel::triangular:
      return rounded_once(c, cell, reference, arithmetic);
    case Kernel::epanechnikov:
      return 4 * kUnit * reference;
    case Kernel::biweight:
      return 8 * kUnit * reference;
    case Kernel::tricube:
      return 18 * kUnit * reference;
    case Kernel::cosine:
      return 5 * spacing(reference, arithmetic);
  }
  return 0;
}

double exponent_tolerance(const Case& c, Cell cell, double, const Arithmetic& arithmetic) {
  const KernelRow<float> row{
      .keys = c.inputs[1], .widths = c.inputs[2], .query = c.inputs[0][{0, cell.row, 0}], .row = cell.row};
  const auto kernel = std::get<KernelExponent>(c.operation).kernel;
  return exponent_error(row, kernel, cell.column, *row.largest(kernel), arithmetic);
}

}  // namespace

Declaration declared(Of<KernelDistance>) {
  return {KernelDistance::kName, kernel_distance_cases, distance_tolerance};
}
Declaration declared(Of<KernelValue>) {
  return {KernelValue::kName, value_cases, value_tolerance};
}
Declaration declared(Of<KernelExponent>) {
  return {KernelExponent::kName, exponent_cases, exponent_tolerance};
}
Declaration declared(Of<NeighbourWidth>) {
  return {NeighbourWidth::kName, neighbour_cases, rounded_once};
}

template Declaration declaration<KernelDistance>();
template Declaration declaration<KernelValue>();
template Declaration declaration<KernelExponent>();
template Declaration declaration<NeighbourWidth>();

}  // namespace attn::opencl

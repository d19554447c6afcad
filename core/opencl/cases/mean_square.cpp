// Mean square distances to targets of which some ask nothing, and what flows back.
#include "core/operations/mean_square_row.h"

#include <cmath>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

// Every fifth asks nothing; every seventh is the number itself.
Tensor targets_for(const Tensor& x, Kind kind, std::uint64_t seed) {
  const Tensor from = numbers(x.shape(), kind, seed);
  std::vector<float> values(from.values().begin(), from.values().end());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % 7 == 3) values[i] = x.values()[i];
    if (i % 5 == 4) values[i] = NAN;
  }
  return {x.shape(), std::move(values)};
}

std::vector<Case> square_cases(Scope scope) {
  auto cases = over_shapes(scope, MeanSquare{}, [](Shape shape, Kind kind, std::uint64_t seed) {
    const Tensor x = numbers(shape, kind, seed);
    return std::vector<Tensor>{x, targets_for(x, kind, seed + 1000)};
  });
  if (scope != Scope::comparison) return cases;
  const Tensor many = numbers({2, 70, 131}, Kind::ordinary, 7);  // several runs of numbers
  cases.push_back({"many numbers", MeanSquare{}, {many, targets_for(many, Kind::ordinary, 8)}});
  cases.push_back(
      {"nothing asked", MeanSquare{}, {Tensor({1, 1, 2}, {3, NAN}), Tensor({1, 1, 2}, {NAN, NAN})}});
  return cases;
}

std::vector<Case> square_gradient_cases(Scope scope) {
  auto cases = over_shapes(scope, MeanSquareGradient{}, [](Shape shape, Kind kind, std::uint64_t seed) {
    const Tensor x = numbers(shape, kind, seed);
    return std::vector<Tensor>{x, targets_for(x, kind, seed + 1000),
                               numbers({1, 1, 1}, Kind::ordinary, seed + 2000)};
  });
  if (scope == Scope::comparison)
    cases.push_back({"nothing asked",
                     MeanSquareGradient{},
                     {Tensor({1, 1, 2}, {3, NAN}), Tensor({1, 1, 2}, {NAN, NAN}), Tensor({1, 1, 1}, {2})}});
  return cases;
}

// A distance is rounded, its square's quotient right to 2.5 units (OpenCL 1.2, section 7.4): 7 roundings with
// the distance itself. Small squares vanish.
double square_tolerance(const Case& c, Cell, double reference, const Arithmetic& arithmetic) {
  const Tensor& x = c.inputs[0];
  double sizes = 0;
  for (std::size_t i = 0; i < x.values().size(); ++i) {
    const double size = std::abs(distance_asked(x.values()[i], c.inputs[1].values()[i]));
    if (std::isfinite(size)) sizes += size + 1;
  }
  return 7 * kUnit * reference + sum_error(static_cast<double>(x.values().size()), reference, arithmetic) +
         0.5 * spacing(reference, arithmetic) + sizes * spacing(0, arithmetic);
}

// A distance and a division as above, and their product.
double square_gradient_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const double size = std::abs(distance_asked(c.inputs[0][cell], c.inputs[1][cell]));
  const double g = std::abs(static_cast<double>(c.inputs[2].values()[0]));
  return 6 * kUnit * std::abs(reference) + 0.5 * spacing(reference, arithmetic) +
         2 * (size + g) * spacing(0, arithmetic);
}

}  // namespace

Declaration declared(Of<MeanSquare>) {
  return {MeanSquare::kName, square_cases, square_tolerance};
}
Declaration declared(Of<MeanSquareGradient>) {
  return {MeanSquareGradient::kName, square_gradient_cases, square_gradient_tolerance};
}

template Declaration declaration<MeanSquare>();
template Declaration declaration<MeanSquareGradient>();

}  // namespace attn::opencl

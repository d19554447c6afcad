// Scaling, adding, multiplying and replacing: difficult numbers for each.
#include <cmath>
#include <limits>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

std::vector<Case> scale_cases(Scope scope) {
  std::vector<Case> cases;
  append(cases, over_shapes(scope, Scale{.factor = 1 / std::sqrt(7.0), .text = {}}));
  if (scope == Scope::benchmark) return cases;
  // Beyond the range of float: the factor's power of two goes to the kernel apart.
  append(cases, over_shapes(scope, Scale{.factor = -3e40, .text = {}}));
  if (scope != Scope::comparison) return cases;
  // Factors that no float holds, that underflow, and those that make NaN out of 0 or ∞.
  for (const double factor : {0.0, -0.0, 1e-50, 1e-42, 1e300, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()})
    for (const Kind kind : {Kind::large, Kind::subnormal, Kind::special})
      cases.push_back({"factor " + std::to_string(factor) + " " + name(kind),
                       Scale{.factor = factor, .text = {}},
                       {numbers({1, 9, 23}, kind, 7)},
                       kind == Kind::subnormal || std::abs(factor) < 1e-30});
  return cases;
}

std::vector<Case> add_cases(Scope scope) {
  auto cases = over_shapes(scope, Add{}, [](Shape shape, Kind kind, std::uint64_t seed) {
    return std::vector<Tensor>{numbers(shape, kind, seed), numbers(shape, kind, seed + 1000)};
  });
  append(cases, over_shapes(scope, Add{}, [](Shape shape, Kind kind, std::uint64_t seed) {
           const std::size_t shared = shape.stack % 2 == 0 ? shape.stack / 2 : 1;
           return std::vector<Tensor>{numbers(shape, kind, seed),
                                      numbers({shared, shape.rows, shape.columns}, kind, seed + 1000)};
         }));
  return cases;
}

// Factors for each number, shared by heads, for each row, and one for each matrix. Zeros in one meet what is
// special in the other.
std::vector<Case> multiply_cases(Scope scope) {
  std::vector<Case> cases;
  for (const bool by_row : {false, true})
    for (const bool shared : {false, true})
      append(cases, over_shapes(scope, Multiply{}, [=](Shape shape, Kind kind, std::uint64_t seed) {
               const std::size_t stack = !shared ? shape.stack : shape.stack % 2 == 0 ? shape.stack / 2 : 1;
               const Shape factors{stack, by_row && shared ? 1 : shape.rows, by_row ? 1 : shape.columns};
               const Tensor x = numbers(shape, kind, seed), b = numbers(factors, kind, seed + 1000);
               return std::vector<Tensor>{shared ? with_zeros(x) : x, shared ? b : with_zeros(b)};
             }));
  return cases;
}

std::vector<Case> override_cases(Scope scope) {
  std::vector<Case> cases;
  for (const Shape& shape : shapes(scope)) {
    Override op;
    for (std::size_t i = 0; i < 5 && shape.size() > 0; ++i) {  // the last number twice: the later one wins
      const std::size_t flat = i < 3 ? i * 7 % shape.size() : shape.size() - 1;
      const std::size_t row = flat / shape.columns;
      op.cells.push_back({{row / shape.rows, row % shape.rows, flat % shape.columns},
                          i == 1 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(i) + 0.5f});
    }
    for (const Kind kind : kinds(scope, shape))
      cases.push_back(
          {to_string(shape) + " " + name(kind), op, {numbers(shape, kind, 11)}, kind == Kind::subnormal});
  }
  return cases;
}

// The two-float factor adds at most 2^−20 of a unit to the rounding, and a second rounding where the result
// is subnormal.
double scale_tolerance(const Case&, Cell, double reference, const Arithmetic& arithmetic) {
  return (0.5 + 0x1p-20) * spacing(reference, arithmetic) + spacing(0, arithmetic);
}

}  // namespace

Declaration declared(Of<Scale>) {
  return {Scale::kName, scale_cases, scale_tolerance};
}
Declaration declared(Of<Add>) {
  return {Add::kName, add_cases, rounded_once};
}
Declaration declared(Of<Multiply>) {
  return {Multiply::kName, multiply_cases, rounded_once};
}
Declaration declared(Of<Override>) {
  return {Override::kName, override_cases, exact};
}

template Declaration declaration<Scale>();
template Declaration declaration<Add>();
template Declaration declaration<Multiply>();
template Declaration declaration<Override>();

}  // namespace attn::opencl

// What the families' declarations share, and the list of them all.
#include "core/opencl/cases/cases.h"

#include <cmath>
#include <iterator>
#include <type_traits>

#include "core/opencl/cases/families.h"

namespace attn::opencl {

double spacing(double x, const Arithmetic& arithmetic) {
  // A device without subnormal numbers may turn any of them into 0, which is off by nearly 2^-126.
  const double smallest = arithmetic.subnormals ? 0x1p-149 : 0x1p-126;
  if (std::abs(x) < 0x1p-126) return smallest;
  return std::ldexp(1.0, std::ilogb(x) - 23);
}

double exact(const Case&, Cell, double, const Arithmetic&) {
  return 0;
}

double rounded_once(const Case&, Cell, double reference, const Arithmetic& arithmetic) {
  return 0.5 * spacing(reference, arithmetic);
}

double sum_error(double count, double magnitude, const Arithmetic& arithmetic) {
  // The reference's own sum, in double: one rounding a term (Higham 2002, section 3.1).
  const double in_double = count * 0x1p-53 * magnitude;
  if (arithmetic.double_sums) return 2 * in_double;  // the device's, by the same bound
  // Terms beyond the range of float fall back on a plain float sum.
  if (magnitude >= 0x1p127) return in_double + 2 * count * 0x1p-24 * magnitude;
  // Ogita, Rump, Oishi 2005, proposition 5.5: γ² of the terms, and underflow of the lost parts of a product.
  const double gamma = count * 0x1p-24 / (1 - count * 0x1p-24);
  return in_double + gamma * gamma * magnitude + 5 * count * spacing(0, arithmetic);
}

std::vector<Shape> shapes(Scope scope) {
  switch (scope) {
    case Scope::self_test:
      return {{2, 5, 37}};
    // Below, at and above the widths of vectors (2 to 16) and groups (64); single rows and columns; nothing.
    case Scope::comparison:
      return {{1, 1, 1},   {1, 1, 7},   {1, 1, 64},   {1, 7, 1},   {1, 64, 1},
              {1, 2, 2},   {2, 3, 5},   {3, 5, 17},   {4, 13, 37}, {1, 16, 16},
              {2, 31, 33}, {8, 16, 64}, {1, 31, 257}, {1, 0, 4},   {2, 3, 0}};
    // The same widths and heights, no more of them side by side than it takes to step over an edge.
    case Scope::shapes:
      return {{1, 1, 1},  {1, 1, 7},   {1, 1, 64}, {1, 7, 1},  {1, 64, 1},  {1, 2, 2}, {2, 3, 5}, {3, 5, 17},
              {1, 5, 37}, {1, 16, 16}, {1, 9, 33}, {2, 2, 64}, {1, 3, 257}, {1, 0, 4}, {2, 3, 0}};
    // More than the 16384 items of a dimension, by an odd number, so that the last stride is a part of one.
    case Scope::long_grids:
      return {{2, 20011, 3}, {1, 3, 70001}};
    case Scope::benchmark:
      return {{8, 512, 512}};
  }
  return {};
}

void append(std::vector<Case>& cases, std::vector<Case> more) {
  cases.insert(cases.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

namespace {

// All alternatives of Operation but the first, Source.
template <class First, class... Ops>
std::vector<Declaration> declared(std::type_identity<std::variant<First, Ops...>>) {
  static_assert(std::is_same_v<First, Source>);
  return {declaration<Ops>()...};
}

}  // namespace

std::span<const Declaration> declarations() {
  static const std::vector<Declaration> all = declared(std::type_identity<OperationVariant>{});
  return all;
}

}  // namespace attn::opencl

// Merging heads, with and without muted ones; rows of one; rows and columns exchanged.
#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

std::vector<Case> concat_cases(Scope scope) {
  std::vector<Case> cases;
  append(cases, over_shapes(scope, Concat{}));
  if (scope != Scope::benchmark) append(cases, over_shapes(scope, Concat{.muted = {0, 2}}));
  return cases;
}

// The last row there is.
std::vector<Case> pick_row_cases(Scope scope) {
  std::vector<Case> cases;
  std::uint64_t seed = 50;
  for (const Shape& shape : shapes(scope)) {
    if (shape.rows == 0) continue;
    const PickRow last{shape.stack - 1, shape.rows - 1};
    for (const Kind kind : kinds(scope, shape))
      cases.push_back({to_string(shape) + " " + name(kind), last, {numbers(shape, kind, ++seed)}});
  }
  return cases;
}

}  // namespace

Declaration declared(Of<Transpose>) {
  return {Transpose::kName, [](Scope scope) { return over_shapes(scope, Transpose{}); }, exact};
}
Declaration declared(Of<PickRow>) {
  return {PickRow::kName, pick_row_cases, exact};
}
Declaration declared(Of<Concat>) {
  return {Concat::kName, concat_cases, exact};
}

template Declaration declaration<Concat>();
template Declaration declaration<PickRow>();
template Declaration declaration<Transpose>();

}  // namespace attn::opencl

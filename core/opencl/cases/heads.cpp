// Merging heads, with and without muted ones.
#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

std::vector<Case> concat_cases(Scope scope) {
  const auto one = [](Shape shape, Kind kind, std::uint64_t seed) {
    return std::vector<Tensor>{numbers(shape, kind, seed)};
  };
  std::vector<Case> cases;
  append(cases, over_shapes(scope, Concat{}, one));
  if (scope != Scope::benchmark) append(cases, over_shapes(scope, Concat{.muted = {0, 2}}, one));
  return cases;
}

}  // namespace

Declaration declared(Of<Concat>) {
  return {Concat::kName, concat_cases, exact};
}

template Declaration declaration<Concat>();

}  // namespace attn::opencl

// Cases of products whose sums are in float, however few terms they have: around tiles of 6 rows, panels of
// up to 64 columns and blocks of 64 terms, read as they lie and laid out first; on GPUs in wide tiles.
#pragma once

#include "core/opencl/cases/families.h"
#include "core/opencl/cases/flash.h"
#include "core/operations/matmul.h"

namespace attn::opencl {

inline std::vector<Case> float_cases(Scope scope) {
  struct FloatSize {
    std::size_t stack, rows, depth, columns;
  };
  std::vector<FloatSize> all{{1, 7, 5, 16}, {1, 34, 19, 35}};
  if (scope == Scope::comparison)
    all = {{1, 7, 5, 16},   {1, 34, 19, 35}, {1, 13, 65, 70}, {1, 100, 130, 192},
           {2, 31, 64, 80}, {3, 1, 1, 48},   {1, 64, 300, 96}};
  if (scope == Scope::benchmark) all = {{1, 1024, 64, 192}};
  if (scope == Scope::long_grids) all = {};
  std::vector<Case> cases;
  std::uint64_t seed = 350;
  for (const auto& [stack, rows, depth, columns] : all)
    for (const bool left : {false, true})
      for (const bool right : {false, true})
        for (const auto after : {AfterProduct::nothing, AfterProduct::residual}) {
          const Shape a = left ? Shape{stack, depth, rows} : Shape{stack, rows, depth},
                      b = right ? Shape{1, columns, depth} : Shape{stack, depth, columns};
          if (left && right) continue;
          const MatMul op{.transpose_right = right, .transpose_left = left, .in_float = true, .after = after};
          Case one{"in float " + to_string(a) + " by " + to_string(b) +
                       (after == AfterProduct::residual ? ", bias, residual" : ""),
                   op,
                   {up_to_one(a, Kind::ordinary, ++seed), up_to_one(b, Kind::ordinary, ++seed)}};
          if (after == AfterProduct::residual) {
            one.inputs.push_back(up_to_one({1, 1, columns}, Kind::ordinary, ++seed));
            one.inputs.push_back(up_to_one({stack, rows, columns}, Kind::ordinary, ++seed));
          }
          cases.push_back(std::move(one));
        }
  return cases;
}

}  // namespace attn::opencl

// Cases of projections of many terms, which are summed in float by blocks of 64 or 128: their last block
// short, heads that straddle vectors of columns, a single row of a matrix that is read as it lies.
#pragma once

#include "core/opencl/cases/families.h"
#include "core/opencl/cases/flash.h"
#include "core/operations/matmul.h"

namespace attn::opencl {

inline std::vector<Case> long_projections(Scope scope) {
  if (scope != Scope::comparison) return {};
  struct LongSize {
    std::size_t heads, rows, depth, columns;
  };
  std::vector<Case> cases;
  std::uint64_t seed = 700;
  for (const auto& [heads, rows, depth, columns] :
       {LongSize{1, 4, 257, 9}, LongSize{3, 101, 327, 7}, LongSize{2, 7, 515, 64}, LongSize{4, 1, 400, 24}})
    for (const auto after : {AfterProduct::nothing, AfterProduct::gelu, AfterProduct::residual}) {
      const std::size_t all = heads * columns;
      Case one{std::to_string(heads) + " heads of " + std::to_string(rows) + "×" + std::to_string(depth) +
                   "×" + std::to_string(columns) + " in blocks then " +
                   std::to_string(static_cast<int>(after)),
               Project{.heads = heads, .after = after},
               {up_to_one({1, rows, depth}, Kind::ordinary, ++seed),
                up_to_one({1, depth, all}, Kind::ordinary, ++seed),
                up_to_one({1, 1, all}, Kind::ordinary, ++seed)}};
      if (after == AfterProduct::residual)
        one.inputs.push_back(up_to_one({heads, rows, columns}, Kind::ordinary, ++seed));
      cases.push_back(std::move(one));
    }
  return cases;
}

}  // namespace attn::opencl

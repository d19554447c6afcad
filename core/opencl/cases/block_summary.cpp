// Blocks of numbers of every kind, with masks and without, in whole blocks and not, some between other
// columns.
#include "core/operations/block_summary.h"

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

std::vector<Case> block_summary_cases(Scope scope) {
  std::vector<Case> cases = over_shapes(scope, BlockSummary{});
  append(cases, over_shapes(scope, BlockSummary{}, [](Shape shape, Kind kind, std::uint64_t seed) {
           const std::size_t shared = seed % 2 == 0 ? 1 : shape.stack;
           return std::vector<Tensor>{numbers(shape, kind, seed),
                                      zeros_and_ones({shared, shape.rows, shape.columns}, seed, true)};
         }));
  append(cases, over_shapes(scope, BlockSummary{3, 2}, [](Shape shape, Kind kind, std::uint64_t seed) {
           return std::vector<Tensor>{numbers({shape.stack, shape.rows, shape.columns + 5}, kind, seed),
                                      zeros_and_ones({1, shape.rows, shape.columns}, seed, true)};
         }));
  return cases;
}

}  // namespace

Declaration declared(Of<BlockSummary>) {
  return {BlockSummary::kName, block_summary_cases, exact};
}

template Declaration declaration<BlockSummary>();

}  // namespace attn::opencl

// Blocks of numbers of every kind, with masks and without, in whole blocks and not, some between other
// columns.
#include "core/operations/block_summary.h"

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

// Numbers between other columns as `op` says, and a mask of one matrix or of as many as they have.
std::vector<Case> masked(Scope scope, const BlockSummary& op) {
  return over_shapes(scope, op, [=](Shape shape, Kind kind, std::uint64_t seed) {
    const Shape wide{shape.stack, shape.rows, op.before + shape.columns + op.behind};
    const std::size_t shared = seed % 2 == 0 ? 1 : shape.stack;
    return std::vector<Tensor>{numbers(wide, kind, seed),
                               zeros_and_ones({shared, shape.rows, shape.columns}, seed, true)};
  });
}

std::vector<Case> block_summary_cases(Scope scope) {
  std::vector<Case> cases = over_shapes(scope, BlockSummary{});
  append(cases, over_shapes(scope, BlockSummary{0, 2}, [](Shape shape, Kind kind, std::uint64_t seed) {
           return std::vector<Tensor>{numbers({shape.stack, shape.rows, shape.columns + 2}, kind, seed)};
         }));
  append(cases, masked(scope, {}));
  append(cases, masked(scope, {3, 2}));
  return cases;
}

}  // namespace

Declaration declared(Of<BlockSummary>) {
  return {BlockSummary::kName, block_summary_cases, exact};
}

template Declaration declaration<BlockSummary>();

}  // namespace attn::opencl

// Blocks of a matrix: which of its numbers stand for them, and where they come from.
#include "core/operations/block_summary.h"

#include "core/operations/family.h"
#include "core/operations/matmul.h"
#include "core/system/error.h"

namespace attn {
namespace {

// Whether `a` comes before `b` as the largest.
bool larger(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return !std::isnan(b);
  return std::abs(a) == std::abs(b) ? a < b : std::abs(a) > std::abs(b);
}

}  // namespace

void BlockFigures::take(double x, bool masked, Cell cell) {
  if (!masked && ((kinds & kAllMasked) || larger(x, largest))) {
    largest = x, where = cell;
    kinds &= ~kAllMasked;
  }
  if (!std::isfinite(x)) {
    kinds |= kSomeNotFinite;
    return;
  }
  if (!(std::abs(x) < kMostWhole && x == std::round(x))) kinds |= kSomeNotWhole;
  if (x < least) least = x, where_least = cell;
  if (x > most) most = x, where_most = cell;
}

Shape read_of(const BlockSummary& op, const Shape& x) {
  if (op.before > x.columns || op.behind > x.columns - op.before)
    throw Error(std::to_string(op.before) + " columns before and " + std::to_string(op.behind) +
                " behind what is read are more than " + to_string(x) + " has");
  return {x.stack, x.rows, x.columns - op.before - op.behind};
}

Shape result_shape(const BlockSummary& op, Shapes inputs) {  // throws Error when a mask does not fit
  const Shape x = read_of(op, inputs[0]);
  if (inputs.size() > 1) {
    const Shape& mask = inputs[1];
    if (mask.rows != x.rows || mask.columns != x.columns || mask.stack == 0 || x.stack % mask.stack != 0)
      throw Error("a mask of " + to_string(mask) + " does not fit numbers of " + to_string(x));
  }
  return {x.stack, blocks_in(x.rows), kBlockFigures * blocks_in(x.columns)};
}

Explanation explain(const BlockSummary& op, Inputs inputs, Cell cell) {
  const Shape x = read_of(op, inputs[0].shape());
  const auto in_x = [&](Cell c) { return Cell{c.head, c.row, op.before + c.column}; };
  const auto masked = [&](Cell c) {
    return inputs.size() > 1 &&
           inputs[1][{shared_matrix(c.head, inputs[1].stack(), x.stack), c.row, c.column}] != 0;
  };
  const BlockFigures figures = block_figures(
      x, cell, [&](Cell c) { return double(inputs[0][in_x(c)]); }, masked);
  const std::size_t figure = cell.column / blocks_in(x.columns);
  constexpr const char* kRules[] = {"the largest of its block in magnitude",
                                    "the least of its block, and of 0", "the most of its block, and of 0",
                                    "what kinds of numbers its block has"};
  const Cell* const where[] = {figures.kinds & kAllMasked ? nullptr : &figures.where,
                               figures.least < 0 ? &figures.where_least : nullptr,
                               figures.most > 0 ? &figures.where_most : nullptr, nullptr};
  const Operand from =
      where[figure] ? operand(inputs, 0, in_x(*where[figure])) : constant(figures[figure], kRules[figure]);
  return only(kRules[figure], {.operands = {from}, .value = figures[figure]});
}

Regions reach(const BlockSummary& op, Shapes inputs, std::size_t input, Cell cell) {
  constexpr std::size_t kSide = BlockSummary::kSide;
  const Shape read = read_of(op, inputs[0]);
  const std::size_t group = read.stack / inputs[input].stack, blocks = blocks_in(read.columns);
  if (input == 0) {
    if (cell.column < op.before || cell.column >= op.before + read.columns) return {};
    cell.column -= op.before;
  }
  Regions regions;
  for (std::size_t figure = 0; figure < kBlockFigures; ++figure) {
    const Cell at{cell.head * group, cell.row / kSide, figure * blocks + cell.column / kSide};
    regions.push_back({at, {at.head + group, at.row + 1, at.column + 1}});
  }
  return regions;
}

Traits traits(const BlockSummary& op, Shapes inputs, const Shape&) {
  return {.multiply_adds = size_of(read_of(op, inputs[0]))};
}

// A row of it is of several rows.
RowReads cut(BlockSummary&, Shapes, const RowRange&) {
  return std::nullopt;
}

Backward backward(const BlockSummary&, Shapes, const Shape&) {
  return no_way_back(kIsMeasure);
}

template struct Family<BlockSummary>;

}  // namespace attn

// Merging heads and splitting them: which head a merged column belongs to, and which cell of it; in words,
// and the way back. Heads added up; rows of one head; the same numbers as another shape; heads repeated; rows
// and columns exchanged.
#include "core/operations/heads.h"

#include <algorithm>

#include "core/operations/family.h"
#include "core/system/error.h"

namespace attn {
namespace {

bool mutes(const SplitHeads& op, std::size_t head) {
  return std::binary_search(op.muted.begin(), op.muted.end(), head);
}

// Where a number of a head stands among all heads' columns.
Cell merged_cell(const SplitHeads& op, Inputs inputs, Cell cell) {
  return {0, cell.row, cell.head * (inputs[0].columns() / op.heads) + cell.column};
}

// Which number of the input a reshaped one is.
Cell viewed_cell(const Reshape& op, const Shape& x, Cell cell) {
  return cell_at(x, index_of(op.shape, cell));
}
Cell tiled_cell(const Shape& x, Cell cell) {
  return {cell.head % x.stack, cell.row, cell.column};
}

}  // namespace

bool Concat::mutes(std::size_t head) const {
  return std::binary_search(muted.begin(), muted.end(), head);
}

Shape result_shape(const Concat&, Shapes inputs) {
  return {1, inputs[0].rows, inputs[0].stack * inputs[0].columns};
}

Explanation explain(const Concat& op, Inputs inputs, Cell cell) {
  const std::size_t width = inputs[0].columns(), head = cell.column / width;
  const Cell from{head, cell.row, cell.column % width};
  const Operand x = operand(inputs, 0, from);
  const std::string name = "head " + std::to_string(head);
  if (op.mutes(head)) return only(name + " is switched off: zeros", {.operands = {x}, .value = 0});
  Explanation e = only(name + "'s output", {.operands = {x}, .value = x.value});
  e.formula = {cell_of(0, from), words(" of " + name)};
  return e;
}

Regions reach(const Concat& op, Shapes inputs, std::size_t, Cell cell) {
  if (op.mutes(cell.head)) return {};
  return region({0, cell.row, cell.head * inputs[0].columns + cell.column});
}

Shape result_shape(const SplitHeads& op, Shapes inputs) {
  const Shape x = inputs[0];
  if (x.stack != 1 || op.heads == 0 || x.columns % op.heads != 0)
    throw Error("a " + to_string(x) + " matrix cannot be split into " + std::to_string(op.heads) +
                " heads: give one matrix, whose columns they divide");
  return {op.heads, x.rows, x.columns / op.heads};
}

Explanation explain(const SplitHeads& op, Inputs inputs, Cell cell) {
  const Cell from = merged_cell(op, inputs, cell);
  const Operand x = operand(inputs, 0, from);
  const std::string name = "head " + std::to_string(cell.head);
  if (mutes(op, cell.head)) return only(name + " is switched off: zeros", {.operands = {x}, .value = 0});
  Explanation e = only("a column of " + name, {.operands = {x}, .value = x.value});
  e.formula = {cell_of(0, from)};
  return e;
}

Regions reach(const SplitHeads& op, Shapes inputs, std::size_t, Cell cell) {
  const std::size_t width = inputs[0].columns / op.heads, head = cell.column / width;
  if (mutes(op, head)) return {};
  return region({head, cell.row, cell.column % width});
}

Shape result_shape(const HeadSum& op, Shapes inputs) {
  const Shape x = inputs[0];
  if (op.group == 0 || x.stack % op.group != 0)
    throw Error(std::to_string(x.stack) + " heads cannot be added up " + std::to_string(op.group) + " by " +
                std::to_string(op.group) + ": that number must divide the heads");
  return {x.stack / op.group, x.rows, x.columns};
}

Explanation explain(const HeadSum& op, Inputs inputs, Cell cell) {
  const std::size_t first = cell.head * op.group;
  std::vector<Term> terms;
  for (std::size_t head = first; head < first + op.group; ++head) {
    const Operand x = operand(inputs, 0, {head, cell.row, cell.column});
    terms.push_back({.operands = {x}, .value = x.value});
  }
  Explanation e = sum_of("Σ of the number over " + std::to_string(op.group) + " heads", std::move(terms));
  e.formula = {words("Σ of "), part_of(0, in_brackets(cell.row) + in_brackets(cell.column)),
               words(" over heads " + std::to_string(first) + " to " + std::to_string(first + op.group - 1))};
  return e;
}

Regions reach(const HeadSum& op, Shapes, std::size_t, Cell cell) {
  return region({cell.head / op.group, cell.row, cell.column});
}

Shape result_shape(const PickRow& op, Shapes inputs) {  // throws Error when there is no such row
  const Shape x = inputs[0];
  if (op.head >= x.stack || op.row >= x.rows)
    throw Error("row " + std::to_string(op.row) + " of head " + std::to_string(op.head) + " lies outside " +
                to_string(x) + ": choose another");
  return {1, 1, x.columns};
}

Explanation explain(const PickRow& op, Inputs inputs, Cell cell) {
  const Cell from{op.head, op.row, cell.column};
  const Operand x = operand(inputs, 0, from);
  Explanation e = only("row " + std::to_string(op.row) + " of head " + std::to_string(op.head),
                       {.operands = {x}, .value = x.value});
  e.formula = {cell_of(0, from)};
  return e;
}

Regions reach(const PickRow& op, Shapes, std::size_t, Cell cell) {
  if (cell.head != op.head || cell.row != op.row) return {};
  return region({0, 0, cell.column});
}

Shape result_shape(const Reshape& op, Shapes inputs) {
  if (op.shape.size() != inputs[0].size())
    throw Error("a " + to_string(inputs[0]) + " matrix has " + std::to_string(inputs[0].size()) +
                " numbers and cannot be viewed as " + to_string(op.shape) + ", which has " +
                std::to_string(op.shape.size()) + ": give a shape of as many");
  return op.shape;
}

Explanation explain(const Reshape& op, Inputs inputs, Cell cell) {
  const Cell from = viewed_cell(op, inputs[0].shape(), cell);
  const Operand x = operand(inputs, 0, from);
  const std::string number = "number " + std::to_string(index_of(op.shape, cell)) + " in memory";
  Explanation e = only(number, {.operands = {x}, .value = x.value});
  e.formula = {cell_of(0, from), words(", " + number)};
  return e;
}

Regions reach(const Reshape& op, Shapes inputs, std::size_t, Cell cell) {
  return region(cell_at(op.shape, index_of(inputs[0], cell)));
}

Shape result_shape(const TileHeads& op, Shapes inputs) {
  const Shape x = inputs[0];
  if (op.heads == 0 || x.stack == 0 || op.heads % x.stack != 0)
    throw Error(std::to_string(x.stack) + " heads cannot be repeated to " + std::to_string(op.heads) +
                ": that must be a multiple of them");
  return {op.heads, x.rows, x.columns};
}

Explanation explain(const TileHeads&, Inputs inputs, Cell cell) {
  const Cell from = tiled_cell(inputs[0].shape(), cell);
  const Operand x = operand(inputs, 0, from);
  Explanation e = only("head " + std::to_string(cell.head) + " modulo " + std::to_string(inputs[0].stack()),
                       {.operands = {x}, .value = x.value});
  e.formula = {cell_of(0, from), words(" of head " + std::to_string(from.head))};
  return e;
}

Regions reach(const TileHeads& op, Shapes inputs, std::size_t, Cell cell) {
  Regions regions;
  for (std::size_t head = cell.head; head < op.heads; head += inputs[0].stack)
    regions.push_back(region({head, cell.row, cell.column}));
  return regions;
}

Shape result_shape(const Transpose&, Shapes inputs) {
  return {inputs[0].stack, inputs[0].columns, inputs[0].rows};
}

Explanation explain(const Transpose&, Inputs inputs, Cell cell) {
  const Cell from{cell.head, cell.column, cell.row};
  const Operand x = operand(inputs, 0, from);
  Explanation e = only("row and column exchanged", {.operands = {x}, .value = x.value});
  e.formula = {cell_of(0, from)};
  return e;
}

Regions reach(const Transpose&, Shapes, std::size_t, Cell cell) {
  return region({cell.head, cell.column, cell.row});
}

Traits traits(const Concat& op, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result),
          .counted = 0,
          .passes_numbers = true,
          .joins_heads = true,
          .mutes_heads = !op.muted.empty(),
          .stays_in_format = true};
}
Traits traits(const SplitHeads&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result), .counted = 0, .passes_numbers = true, .stays_in_format = true};
}
Traits traits(const HeadSum&, Shapes inputs, const Shape&) {
  return {.multiply_adds = size_of(inputs[0]), .counted = size_of(inputs[0])};
}
Traits traits(const PickRow&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result)};
}
Traits traits(const Reshape&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result), .counted = 0, .passes_numbers = true, .stays_in_format = true};
}
Traits traits(const TileHeads&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result), .counted = 0, .passes_numbers = true, .stays_in_format = true};
}
Traits traits(const Transpose&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result), .counted = 0, .passes_numbers = true, .stays_in_format = true};
}

MaskOrigin mask_origin(const SplitHeads& op, Inputs inputs, Cell cell) {
  return {.of = {{0, merged_cell(op, inputs, cell)}}};
}
MaskOrigin mask_origin(const PickRow& op, Inputs, Cell cell) {
  return {.of = {{0, {op.head, op.row, cell.column}}}};
}
MaskOrigin mask_origin(const Reshape& op, Inputs inputs, Cell cell) {
  return {.of = {{0, viewed_cell(op, inputs[0].shape(), cell)}}};
}
MaskOrigin mask_origin(const TileHeads&, Inputs inputs, Cell cell) {
  return {.of = {{0, tiled_cell(inputs[0].shape(), cell)}}};
}
MaskOrigin mask_origin(const Transpose&, Inputs, Cell cell) {
  return {.of = {{0, {cell.head, cell.column, cell.row}}}};
}

RowReads cut(Concat&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(SplitHeads&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(HeadSum&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(PickRow&, Shapes, const RowRange&) {
  return std::nullopt;
}
RowReads cut(Reshape&, Shapes, const RowRange&) {
  return std::nullopt;  // its rows are no rows of the input
}
RowReads cut(TileHeads&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(Transpose&, Shapes, const RowRange&) {
  return std::nullopt;
}

Backward backward(const Concat& op, Shapes inputs, const Shape&) {
  Backward back;
  back.flow(0, back.add(SplitHeads{inputs[0].stack, op.muted}, {kGradient}, "%g by heads"));
  return back;
}
Backward backward(const SplitHeads& op, Shapes, const Shape&) {
  Backward back;
  back.flow(0, back.add(Concat{op.muted}, {kGradient}, "%g side by side"));
  return back;
}
Backward backward(const HeadSum&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}
Backward backward(const PickRow&, Shapes, const Shape&) {
  return no_way_back(kIsMeasure);
}
Backward backward(const Reshape&, Shapes inputs, const Shape&) {
  Backward back;
  back.flow(0, back.add(Reshape{inputs[0]}, {kGradient}, "%g as it was"));
  return back;
}
// With a row for each round of heads the sums over the repeats are sums of columns.
Backward backward(const TileHeads& op, Shapes inputs, const Shape&) {
  const Shape x = inputs[0];
  Backward back;
  const BackwardValue rounds =
      back.add(Reshape{{1, op.heads / x.stack, x.size()}}, {kGradient}, "%g, a row a round");
  const BackwardValue sum = back.add(ColumnSum{}, {rounds}, "Σ over rounds of %g");
  back.flow(0, back.add(Reshape{x}, {sum}, "Σ of %g over the heads that read it"));
  return back;
}
Backward backward(const Transpose&, Shapes, const Shape&) {
  Backward back;
  back.flow(0, back.add(Transpose{}, {kGradient}, "%gᵀ"));
  return back;
}

template struct Family<Concat>;
template struct Family<SplitHeads>;
template struct Family<HeadSum>;
template struct Family<PickRow>;
template struct Family<Reshape>;
template struct Family<TileHeads>;
template struct Family<Transpose>;

}  // namespace attn

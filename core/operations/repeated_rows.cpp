// Rows repeated under longer matrices: which row is added to which, in words, and the way back.
#include "core/operations/repeated_rows.h"

#include "core/operations/family.h"
#include "core/system/error.h"

namespace attn {
namespace {

Cell repeated_cell(Inputs inputs, Cell cell) {
  return {0, cell.row % inputs[1].rows(), cell.column};
}

}  // namespace

Shape result_shape(const AddRepeated&, Shapes inputs) {
  const Shape x = inputs[0], b = inputs[1];
  if (b.stack != 1 || b.columns != x.columns || b.rows == 0 || x.rows % b.rows != 0)
    throw Error("rows of " + to_string(b) + " cannot be repeated under a " + to_string(x) +
                " matrix: it must have as many columns, and a multiple of their rows");
  return x;
}
Shape result_shape(const SumRepeated& op, Shapes inputs) {
  if (op.rows == 0 || inputs[0].rows % op.rows != 0)
    throw Error("the " + std::to_string(inputs[0].rows) + " rows of a matrix are no multiple of " +
                std::to_string(op.rows));
  return {1, op.rows, inputs[0].columns};
}

Explanation explain(const AddRepeated&, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell), b = operand(inputs, 1, repeated_cell(inputs, cell));
  return sum_of("the number, and that of its place in the sequence",
                {{.operands = {x}, .value = x.value}, {.operands = {b}, .value = b.value}});
}
Explanation explain(const SumRepeated& op, Inputs inputs, Cell cell) {
  std::vector<Term> terms;
  for (std::size_t head = 0; head < inputs[0].stack(); ++head)
    for (std::size_t row = cell.row; row < inputs[0].rows(); row += op.rows) {
      const Operand x = operand(inputs, 0, {head, row, cell.column});
      terms.push_back({.operands = {x}, .value = x.value});
    }
  return sum_of("Σ of the number at this place over all sequences", std::move(terms));
}

Regions reach(const AddRepeated&, Shapes inputs, std::size_t input, Cell cell) {
  if (input == 0) return region(cell);
  Regions all;
  for (std::size_t head = 0; head < inputs[0].stack; ++head)
    for (std::size_t row = cell.row; row < inputs[0].rows; row += inputs[1].rows)
      all.push_back(Region{{head, row, cell.column}, {head + 1, row + 1, cell.column + 1}});
  return all;
}
Regions reach(const SumRepeated& op, Shapes, std::size_t, Cell cell) {
  return region({0, cell.row % op.rows, cell.column});
}

Traits traits(const AddRepeated&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result)};
}
Traits traits(const SumRepeated&, Shapes inputs, const Shape&) {
  return {.multiply_adds = size_of(inputs[0]), .counted = size_of(inputs[0])};
}

RowReads cut(AddRepeated&, Shapes, const RowRange&) {
  return std::nullopt;  // some rows may begin anywhere among those that are repeated
}
RowReads cut(SumRepeated&, Shapes, const RowRange&) {
  return std::nullopt;
}

Backward backward(const AddRepeated&, Shapes inputs, const Shape&) {
  Backward back;
  back.flow(0, kGradient);
  back.flow(1, back.add(SumRepeated{inputs[1].rows}, {kGradient}, "Σ over sequences of %g"));
  return back;
}
Backward backward(const SumRepeated&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}

template struct Family<AddRepeated>;
template struct Family<SumRepeated>;

}  // namespace attn

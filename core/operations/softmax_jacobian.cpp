// The Jacobian of the softmax, explained: how a weight moves with a score.
#include "core/operations/family.h"
#include "core/operations/weighting.h"

namespace attn {

Shape result_shape(const SoftmaxJacobian&, Shapes inputs) {
  return {inputs[0].stack * inputs[0].rows, inputs[0].columns, inputs[0].columns};
}

Explanation explain(const SoftmaxJacobian&, Inputs inputs, Cell cell) {
  const std::size_t rows = inputs[0].rows(), head = cell.head / rows, row = cell.head % rows;
  const Operand a = operand(inputs, 0, {head, row, cell.row});
  Operand other = operand(inputs, 0, {head, row, cell.column});
  const bool same = cell.row == cell.column;
  const double with = other.value;
  other.value = (same ? 1 : 0) - other.value, other.text = same ? "1 − a" : "0 − a";
  Explanation e = only(same ? "a · (1 − a)" : "a · (0 − a of the other key)",
                       {.operands = {a, other}, .value = a.value * other.value});
  e.formula = {cell_of(0, a.cell), words(same ? " × (1 − " : " × (0 − "), number_of(with, ")")};
  return e;
}

Regions reach(const SoftmaxJacobian&, Shapes inputs, std::size_t, Cell cell) {
  const std::size_t matrix = cell.head * inputs[0].rows + cell.row, m = inputs[0].columns, i = cell.column;
  Regions regions({matrix, i, 0}, {matrix + 1, i + 1, m});
  if (i > 0) regions.push_back({{matrix, 0, i}, {matrix + 1, i, i + 1}});
  if (i + 1 < m) regions.push_back({{matrix, i + 1, i}, {matrix + 1, m, i + 1}});
  return regions;
}

Traits traits(const SoftmaxJacobian&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result)};
}

RowReads cut(SoftmaxJacobian&, Shapes, const RowRange&) {
  return std::nullopt;
}

Backward backward(const SoftmaxJacobian&, Shapes, const Shape&) {
  return no_way_back(kIsMeasure);
}

template struct Family<SoftmaxJacobian>;

}  // namespace attn

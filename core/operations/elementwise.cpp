#include "core/operations/elementwise.h"

#include "core/error.h"
#include "core/operations/matmul.h"

namespace attn {

Shape result_shape(const Scale&, Shapes inputs) {
  return inputs[0];
}

Shape result_shape(const Add&, Shapes inputs) {
  const Shape x = inputs[0], b = inputs[1];
  if (x.rows != b.rows || x.columns != b.columns || b.stack == 0 || x.stack % b.stack != 0)
    throw Error("a " + to_string(b) + " matrix cannot be added to a " + to_string(x) +
                " one: give it the same rows and columns, and 1 or " + std::to_string(x.stack) + " matrices");
  return x;
}

Shape result_shape(const Override& op, Shapes inputs) {
  const Shape x = inputs[0];
  for (const CellValue& c : op.cells)
    if (c.cell.head >= x.stack || c.cell.row >= x.rows || c.cell.column >= x.columns)
      throw Error("an overridden cell [" + std::to_string(c.cell.head) + ", " + std::to_string(c.cell.row) +
                  ", " + std::to_string(c.cell.column) + "] lies outside " + to_string(x) + ": remove it");
  return x;
}

Explanation explain(const Scale& op, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell);
  const Operand factor{.value = op.factor, .input = -1, .cell = {}, .text = op.text};
  const double value = x.value * op.factor;
  return {.rule = "score × " + op.text,
          .combine = Combine::sum,
          .terms = {{.operands = {x, factor}, .value = value}},
          .result = value};
}

Explanation explain(const Add&, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell);
  const std::size_t s = shared_matrix(cell.head, inputs[1].stack(), inputs[0].stack());
  const Operand b = operand(inputs, 1, {s, cell.row, cell.column});
  return {.rule = "left + right",
          .combine = Combine::sum,
          .terms = {{.operands = {x}, .value = x.value}, {.operands = {b}, .value = b.value}},
          .result = x.value + b.value};
}

Explanation explain(const Override& op, Inputs inputs, Cell cell) {
  for (auto it = op.cells.rbegin(); it != op.cells.rend(); ++it)
    if (it->cell == cell)
      return {.rule = "overridden by you",
              .combine = Combine::choice,
              .terms = {{.operands = {{.value = it->value, .input = -1, .cell = {}, .text = "your value"}},
                         .value = it->value}},
              .result = it->value};
  const Operand x = operand(inputs, 0, cell);
  return {.rule = "as computed",
          .combine = Combine::choice,
          .terms = {{.operands = {x}, .value = x.value}},
          .result = x.value};
}

Region reach(const Scale&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}

Region reach(const Add&, Shapes inputs, std::size_t input, Cell cell) {
  if (input == 0) return region(cell);
  const std::size_t group = inputs[0].stack / inputs[1].stack;
  return {{cell.head * group, cell.row, cell.column},
          {(cell.head + 1) * group, cell.row + 1, cell.column + 1}};
}

Region reach(const Override& op, Shapes, std::size_t, Cell cell) {
  for (const CellValue& c : op.cells)
    if (c.cell == cell) return {};  // replaced: the computed number goes nowhere
  return region(cell);
}

}  // namespace attn

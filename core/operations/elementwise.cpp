// Scaling, adding, multiplying and replacing: which shapes fit, the arithmetic of one number in words, and
// where it goes.
#include "core/operations/elementwise.h"

#include <algorithm>

#include "core/operations/family.h"
#include "core/operations/matmul.h"
#include "core/operations/products.h"
#include "core/system/error.h"

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

Shape result_shape(const Multiply&, Shapes inputs) {
  const Shape x = inputs[0], b = inputs[1];
  const bool by_number = b.rows == x.rows && b.columns == x.columns;
  const bool by_row = b.rows == x.rows && b.columns == 1, by_matrix = b.rows == 1 && b.columns == 1;
  if (!(by_number || by_row || by_matrix) || b.stack == 0 || x.stack % b.stack != 0)
    throw Error("a " + to_string(x) + " matrix cannot be multiplied, number by number, by a " + to_string(b) +
                " one: give it the same rows and columns, one column or one number, and 1 or " +
                std::to_string(x.stack) + " matrices");
  return x;
}

Shape result_shape(const Override& op, Shapes inputs) {  // throws Error when a cell lies outside
  const Shape x = inputs[0];
  for (const CellValue& c : op.cells)
    if (c.cell.head >= x.stack || c.cell.row >= x.rows || c.cell.column >= x.columns)
      throw Error("an overridden cell [" + std::to_string(c.cell.head) + ", " + std::to_string(c.cell.row) +
                  ", " + std::to_string(c.cell.column) + "] lies outside " + to_string(x) + ": remove it");
  return x;
}

bool is_typed(const Override& op, Cell cell) {
  return std::ranges::count(op.cells, cell, &CellValue::cell) > 0;
}

Cell shared_cell(Inputs inputs, Cell cell) {
  return {shared_matrix(cell.head, inputs[1].stack(), inputs[0].stack()), cell.row, cell.column};
}

Explanation explain(const Scale& op, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell);
  // "÷ √4 ÷ 6" for the factor "1/√4 ÷ 6".
  const std::string done = op.text.starts_with("1/") ? "÷ " + op.text.substr(2) : "× " + op.text;
  Explanation e = only("score × " + op.text,
                       {.operands = {x, constant(op.factor, op.text)}, .value = x.value * op.factor});
  e.formula = {cell_of(0, cell), words(" " + done)};
  e.passages = {{words(done)}};
  return e;
}

Explanation explain(const Add&, Inputs inputs, Cell cell) {
  const Cell shared = shared_cell(inputs, cell);
  const Operand x = operand(inputs, 0, cell), b = operand(inputs, 1, shared);
  Explanation e = sum_of("left + right", {{.operands = {x}, .value = x.value, .named_by = 0},
                                          {.operands = {b}, .value = b.value, .named_by = 1}});
  e.formula = {cell_of(0, cell), words(" + "), cell_of(1, shared)};
  const auto plus = [](double value, int other) {
    return Formula{words("+ "), number_of(value, " ("), part_of(other, ")")};
  };
  e.passages = {plus(b.value, 1), plus(x.value, 0)};
  return e;
}

Explanation explain(const Multiply&, Inputs inputs, Cell cell) {
  const Cell factor = factor_cell(inputs[1].shape(), inputs[0].shape(), cell);
  const Operand x = operand(inputs, 0, cell), b = operand(inputs, 1, factor);
  const bool zero = x.value == 0 || b.value == 0;
  Explanation e = only(zero ? "left × right: a 0 makes a 0" : "left × right", product_term(x, b));
  e.formula = {cell_of(0, cell), words(" × "), cell_of(1, factor)};
  const auto by = [](double value, int other) {
    return Formula{words("× "), number_of(value, " ("), part_of(other, ")")};
  };
  e.passages = {by(b.value, 1), by(x.value, 0)};
  return e;
}

Explanation explain(const Override& op, Inputs inputs, Cell cell) {
  for (auto it = op.cells.rbegin(); it != op.cells.rend(); ++it)
    if (it->cell == cell) {
      Explanation e =
          only("overridden by you", {.operands = {constant(it->value, "your value")}, .value = it->value});
      e.passages = {{words("replaced by your number")}};
      return e;
    }
  const Operand x = operand(inputs, 0, cell);
  return only("as computed", {.operands = {x}, .value = x.value});
}

Regions reach(const Scale&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}

Regions reach(const Add&, Shapes inputs, std::size_t input, Cell cell) {
  if (input == 0) return region(cell);
  const std::size_t group = inputs[0].stack / inputs[1].stack;
  return {{cell.head * group, cell.row, cell.column},
          {(cell.head + 1) * group, cell.row + 1, cell.column + 1}};
}

Regions reach(const Multiply&, Shapes inputs, std::size_t input, Cell cell) {
  if (input == 0) return region(cell);
  const Shape &x = inputs[0], &b = inputs[1];
  const std::size_t group = x.stack / b.stack;
  return {{cell.head * group, cell.row, cell.column},
          {(cell.head + 1) * group, b.rows == 1 ? x.rows : cell.row + 1,
           b.columns == 1 ? x.columns : cell.column + 1}};
}

Regions reach(const Override& op, Shapes, std::size_t, Cell cell) {
  if (is_typed(op, cell)) return {};  // the computed number goes nowhere
  return region(cell);
}

Traits traits(const Scale& op, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result), .factor = op.factor};
}
Traits traits(const Add&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result)};
}
Traits traits(const Multiply&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result)};
}
Traits traits(const Override&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result)};
}

MaskOrigin mask_origin(const Scale&, Inputs, Cell cell) {
  return {.of = {{0, cell}}};
}
MaskOrigin mask_origin(const Add&, Inputs inputs, Cell cell) {
  return {.of = {{0, cell}, {1, shared_cell(inputs, cell)}}};
}
MaskOrigin mask_origin(const Multiply&, Inputs inputs, Cell cell) {
  return {.of = {{0, cell}, {1, factor_cell(inputs[1].shape(), inputs[0].shape(), cell)}}};
}
MaskOrigin mask_origin(const Override& op, Inputs, Cell cell) {
  return {.here = is_typed(op, cell), .of = {{0, cell}}};
}

RowReads cut(Scale&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(Add&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(Multiply&, Shapes inputs, const RowRange&) {
  return inputs[1].rows == inputs[0].rows ? same_rows(inputs) : same_rows(inputs, {1});
}
RowReads cut(Override& op, Shapes inputs, const RowRange& rows) {
  std::erase_if(op.cells, [&](const CellValue& typed) {
    return typed.cell.row < rows.first || typed.cell.row >= rows.first + rows.count;
  });
  for (CellValue& typed : op.cells) typed.cell.row -= rows.first;
  return same_rows(inputs);
}

Backward backward(const Scale& op, Shapes, const Shape&) {
  Backward back;
  back.flow(0, back.add(op, {kGradient}, op.text.empty() ? "%g" : op.text + " · %g"));
  back.number = back.add(SumProduct{SumProduct::all}, {kGradient, input_of(0)}, "Σ %g ⊙ %0");
  return back;
}
Backward backward(const Add&, Shapes inputs, const Shape& result) {
  Backward back;
  back.flow(0, kGradient);
  const std::size_t group = result.stack / inputs[1].stack;
  back.flow(1, group == 1 ? kGradient : back.add(HeadSum{group}, {kGradient}, "Σ over heads of %g"));
  return back;
}
Backward backward(const Override& op, Shapes, const Shape&) {
  Override none = op;
  for (CellValue& typed : none.cells) typed.value = 0;
  Backward back;
  back.flow(0, back.add(std::move(none), {kGradient}, "%g, 0 where a number is typed"));
  return back;
}
Backward backward(const Multiply&, Shapes inputs, const Shape& result) {
  const Shape& b = inputs[1];
  Backward back;
  back.flow(0, back.add(Multiply{}, {kGradient, input_of(1)}, "%g ⊙ %1"));
  if (b.rows == result.rows && b.columns == result.columns) {
    const BackwardValue each = back.add(Multiply{}, {kGradient, input_of(0)}, "%g ⊙ %0");
    const std::size_t group = result.stack / b.stack;
    back.flow(1, group == 1 ? each : back.add(HeadSum{group}, {each}, "Σ over heads of %g ⊙ %0"));
  } else if (b.size() == 1) {
    back.flow(1, back.add(SumProduct{SumProduct::all}, {kGradient, input_of(0)}, "Σ %g ⊙ %0"));
  } else {
    const BackwardValue rows = back.add(SumProduct{}, {kGradient, input_of(0)}, "Σ %g ⊙ %0");
    back.flow(1, b.rows == result.rows ? rows : back.add(ColumnSum{.each = true}, {rows}, "Σ %g ⊙ %0"));
  }
  return back;
}

template struct Family<Scale>;
template struct Family<Add>;
template struct Family<Multiply>;
template struct Family<Override>;

}  // namespace attn

// Lengths of rows, and rows divided by them: the arithmetic of one number in words, and where it goes.
#include "core/operations/norm.h"

#include <cmath>

#include "core/operations/family.h"
#include "core/operations/written.h"

namespace attn {

double length_value(const RowLength& op, double squares, std::size_t columns) {
  return std::sqrt(op.mean ? squares / static_cast<double>(columns) + kNormEpsilon : squares);
}

double by_length_value(double x, double length) {
  return length == 0 ? 0 : x / length;
}

Shape result_shape(const RowLength&, Shapes inputs) {
  return {inputs[0].stack, inputs[0].rows, 1};
}
Shape result_shape(const ByLength&, Shapes inputs) {
  return inputs[0];
}

Explanation explain(const RowLength& op, Inputs inputs, Cell cell) {
  const std::size_t columns = inputs[0].columns();
  const double share = op.mean ? 1 / static_cast<double>(columns) : 1;
  const std::string divided = op.mean ? " ÷ " + std::to_string(columns) : "";
  std::vector<Term> terms;
  double squares = 0;
  for (std::size_t j = 0; j < columns; ++j) {
    const Operand x = operand(inputs, 0, {cell.head, cell.row, j});
    const Operand shared = op.mean ? constant(x.value * share, written(x.value) + divided) : x;
    terms.push_back({.operands = {x, shared}, .value = x.value * x.value * share});
    squares += x.value * x.value;
  }
  if (op.mean) terms.push_back({.operands = {constant(kNormEpsilon, "1e−6")}, .value = kNormEpsilon});
  Explanation e{.rule = op.mean ? "√(Σ x² ÷ d + 1e−6)" : "√Σ x²",
                .aggregate = Aggregate::root,
                .terms = std::move(terms),
                .result = length_value(op, squares, columns),
                .over = 0};
  e.formula = {words("√(Σ "), part_of(0, in_brackets(cell.row)), words("² over "), columns_of(0),
               words(op.mean ? divided + " + 1e−6)" : ")")};
  e.passages = {{words("its square is part of the row’s length")}};
  return e;
}

Explanation explain(const ByLength&, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell), length = operand(inputs, 1, {cell.head, cell.row, 0});
  const Term term{.operands = {x, length}, .value = by_length_value(x.value, length.value)};
  if (length.value == 0) {
    Explanation e = only("a row without length: zeros", term);
    e.writing.between = ",";
    return e;
  }
  Explanation e = only("number ÷ length of the row", term);
  e.writing.between = "÷";
  e.formula = {cell_of(0, cell), words(" ÷ "), part_of(1, in_brackets(cell.row))};
  e.passages = {{words("÷ "), part_of(1, " "), number_of(length.value)}};
  return e;
}

Regions reach(const RowLength&, Shapes, std::size_t, Cell cell) {
  return region({cell.head, cell.row, 0});
}
Regions reach(const ByLength&, Shapes inputs, std::size_t input, Cell cell) {
  return reach_row(inputs, input, cell);
}

Traits traits(const RowLength&, Shapes inputs, const Shape&) {
  return {.multiply_adds = 2 * size_of(inputs[0])};
}
Traits traits(const ByLength&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result)};
}

RowReads cut(RowLength&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(ByLength&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}

Backward backward(const RowLength& op, Shapes inputs, const Shape&) {
  Backward back;
  const BackwardValue direction = back.add(ByLength{}, {input_of(0), kResult}, "%0 ÷ %y");
  const BackwardValue flow = back.add(Multiply{}, {direction, kGradient}, "%g · %0 ÷ %y");
  const double width = static_cast<double>(inputs[0].columns);
  const std::string text = "1/" + std::to_string(inputs[0].columns);
  back.flow(0, op.mean ? back.add(Scale{1 / width, text}, {flow}, text + " · %g · %0 ÷ %y") : flow);
  return back;
}
Backward backward(const ByLength&, Shapes, const Shape&) {
  Backward back;
  back.flow(0, back.add(ByLength{}, {kGradient, input_of(1)}, "%g ÷ %1"));
  back.number = back.add(SumProduct{SumProduct::all}, {kGradient, kResult}, "Σ %g ⊙ %y");  // a gain, now 1
  const BackwardValue sum = back.add(SumProduct{}, {kGradient, kResult}, "Σ %g ⊙ %y");
  const BackwardValue shared = back.add(ByLength{}, {sum, input_of(1)}, "Σ %g ⊙ %y ÷ %1");
  back.flow(1, back.add(Scale{-1, "−1"}, {shared}, "−Σ %g ⊙ %y ÷ %1"));
  return back;
}

template struct Family<RowLength>;
template struct Family<ByLength>;

}  // namespace attn

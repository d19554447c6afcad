// The softmax in its four steps: the arithmetic of one number, and how it is explained.
#include "core/operations/softmax.h"

#include <cassert>
#include <cmath>

#include "core/operations/family.h"
#include "core/operations/softmax_row.h"
#include "core/text/special.h"

namespace attn {
namespace {

Shape column(Shape x) {
  return {x.stack, x.rows, 1};
}

// A reduction of the whole row that it read, one term for each key.
Explanation over_row(const std::string& what, Inputs inputs, Cell cell) {
  Explanation e{.rule = what + " over the keys of the row", .over = 0};
  e.terms = terms_of_row(inputs, cell);
  e.formula = {words(what + " of "), part_of(0, in_brackets(cell.row)), words(" over "), columns_of(0)};
  return e;
}

std::string empty_row_rule(EmptyRow choice) {
  switch (choice) {
    case EmptyRow::zeros:
      return "no key left in this row: zeros";
    case EmptyRow::nan:
      return "no key left in this row: −∞ − (−∞) is NaN";
    case EmptyRow::uniform:
      return "no key left in this row: every key counts the same";
  }
  return {};
}

}  // namespace

double exponential_value(const Exponential& op, double x, double maximum) {
  return exponential_value<double>(op, x, maximum);
}

double normalized_value(const Normalize& op, double x, double sum) {
  return normalized_value<double>(op, x, sum);
}

Shape result_shape(const RowMaximum&, Shapes inputs) {
  return column(inputs[0]);
}
Shape result_shape([[maybe_unused]] const Exponential& op, Shapes inputs) {
  assert(inputs.size() == 2 || !op.hard);
  return inputs[0];
}
Shape result_shape(const RowSum&, Shapes inputs) {
  return column(inputs[0]);
}
Shape result_shape(const Normalize&, Shapes inputs) {
  return inputs[0];
}

Explanation explain(const RowMaximum&, Inputs inputs, Cell cell) {
  Explanation e = over_row("max", inputs, cell);
  e.aggregate = Aggregate::maximum;
  e.result = -kInfinity;
  for (const Term& term : e.terms)
    if (std::isnan(term.value) || term.value > e.result) e.result = term.value;
  return e;
}

Explanation explain(const Exponential& op, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell);
  if (inputs.size() == 1) {
    Explanation e = only("exp(score)", {.operands = {x}, .value = exponential_value(op, x.value, 0)});
    e.writing = {.before = "exp(", .after = ")"};
    e.formula = {words("exp("), cell_of(0, cell), words(")")};
    return e;
  }
  const Operand maximum = operand(inputs, 1, {cell.head, cell.row, 0});
  const Term term{.operands = {x, maximum}, .value = exponential_value(op, x.value, maximum.value)};
  const bool empty = maximum.value == -kInfinity;
  if (empty || op.hard) {
    Explanation e = only(empty ? empty_row_rule(op.empty_row)
                               : "temperature 0: 1 where the score is the row's maximum, else 0",
                         term);
    e.writing.between = ",";
    return e;
  }
  Explanation e = only("exp(score − row max)", term);
  e.writing = {.before = "exp(", .between = "−", .after = ")"};
  e.formula = {words("exp("), cell_of(0, cell), words(" − "), part_of(1, in_brackets(cell.row)), words(")")};
  e.passages = {{words("exp("), number_of(x.value, " − "), number_of(maximum.value, ")")}};
  return e;
}

Explanation explain(const RowSum&, Inputs inputs, Cell cell) {
  Explanation e = over_row("Σ", inputs, cell);
  e.aggregate = Aggregate::sum;
  for (const Term& term : e.terms) e.result += term.value;
  return e;
}

Explanation explain(const Normalize& op, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell), sum = operand(inputs, 1, {cell.head, cell.row, 0});
  const Term term{.operands = {x, sum}, .value = normalized_value(op, x.value, sum.value)};
  if (sum.value == 0) {
    Explanation e =
        only(op.undefined ? "no key in reach: undefined" : "no key left in this row: zeros", term);
    e.writing.between = ",";
    return e;
  }
  Explanation e = only("exp ÷ row sum", term);
  e.writing.between = "÷";
  e.formula = {cell_of(0, cell), words(" ÷ "), part_of(1, in_brackets(cell.row))};
  e.passages = {{words("÷ "), part_of(1, " "), number_of(sum.value)}};
  return e;
}

Regions reach(const RowMaximum&, Shapes, std::size_t, Cell cell) {
  return region({cell.head, cell.row, 0});
}
Regions reach(const Exponential&, Shapes inputs, std::size_t input, Cell cell) {
  return reach_row(inputs, input, cell);
}
Regions reach(const RowSum&, Shapes, std::size_t, Cell cell) {
  return region({cell.head, cell.row, 0});
}
Regions reach(const Normalize&, Shapes inputs, std::size_t input, Cell cell) {
  return reach_row(inputs, input, cell);
}

Traits traits(const RowMaximum&, Shapes inputs, const Shape&) {
  return {.multiply_adds = size_of(inputs[0]), .counted = size_of(inputs[0]), .stays_in_format = true};
}
Traits traits(const Exponential& op, Shapes, const Shape& result) {
  return {.multiply_adds = 10 * size_of(result),
          .counted = 2 * size_of(result),  // the maximum is subtracted
          .step = SoftmaxStep::exponential,
          .empty_row = op.empty_row,
          .hard = op.hard,
          .bends = op.hard};
}
Traits traits(const RowSum&, Shapes inputs, const Shape&) {
  return {.multiply_adds = size_of(inputs[0]), .counted = size_of(inputs[0]), .step = SoftmaxStep::sum};
}
Traits traits(const Normalize&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result), .step = SoftmaxStep::division};
}

MaskOrigin mask_origin(const RowMaximum&, Inputs inputs, Cell cell) {
  MaskOrigin mask_origin{.all = true};
  for (std::size_t key = 0; key < inputs[0].columns(); ++key)
    mask_origin.of.push_back({0, {cell.head, cell.row, key}});
  return mask_origin;
}

RowReads cut(RowMaximum&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(Exponential&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(RowSum&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(Normalize&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}

Backward backward(const RowMaximum&, Shapes, const Shape&) {
  Backward back;
  back.flow(0, back.add(FigureGradient{FigureRule::largest}, {input_of(0), kResult, kGradient},
                        "%g where %0 is the largest"));
  return back;
}
// Of a row without a key the ones, or NaN, do not move with its scores: there the exponentials count as 0.
Backward backward(const Exponential& op, Shapes inputs, const Shape&) {
  Backward back;
  if (op.hard) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      back.zero(i, "hard choice: the largest score stays the largest when scores move a little");
    return back;
  }
  const bool as_they_are = inputs.size() == 1 || op.empty_row == EmptyRow::zeros;
  const BackwardValue exponentials =
      as_they_are ? kResult : back.add(Exponential{}, {input_of(0), input_of(1)}, "%y, 0 without a key");
  const BackwardValue scores = back.add(Multiply{}, {kGradient, exponentials}, "%g ⊙ %y");
  back.flow(0, scores);
  if (inputs.size() == 1) return back;
  const BackwardValue sum = back.add(RowSum{}, {scores}, "Σ %g ⊙ %y");
  back.flow(1, back.add(Scale{-1, "−1"}, {sum}, "−Σ %g ⊙ %y"));
  return back;
}
Backward backward(const RowSum&, Shapes inputs, const Shape&) {
  Backward back;
  back.flow(0, spread_over_columns(back, inputs[0].columns));
  return back;
}
Backward backward(const Normalize& op, Shapes, const Shape&) {
  Backward back;
  back.flow(0, back.add(op, {kGradient, input_of(1)}, "%g ÷ %1"));
  const BackwardValue sum = back.add(SumProduct{}, {kGradient, kResult}, "Σ %g ⊙ %y");
  const BackwardValue shared = back.add(op, {sum, input_of(1)}, "Σ %g ⊙ %y ÷ %1");
  back.flow(1, back.add(Scale{-1, "−1"}, {shared}, "−Σ %g ⊙ %y ÷ %1"));
  return back;
}

template struct Family<RowMaximum>;
template struct Family<Exponential>;
template struct Family<RowSum>;
template struct Family<Normalize>;

}  // namespace attn

#include "core/operations/softmax.h"

#include <cmath>
#include <limits>

namespace attn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Shape column(Shape x) {
  return {x.stack, x.rows, 1};
}

// The whole row of `input` that a reduction read, as one term per key.
std::vector<Term> row_terms(Inputs inputs, Cell cell) {
  std::vector<Term> terms;
  for (std::size_t j = 0; j < inputs[0].columns(); ++j) {
    const Operand x = operand(inputs, 0, {cell.head, cell.row, j});
    terms.push_back({.operands = {x}, .value = x.value});
  }
  return terms;
}

// A number of the row statistic (input 1) goes into its whole row, a number of the matrix into its own cell.
Region reach_row(Shapes inputs, std::size_t input, Cell cell) {
  if (input == 0) return region(cell);
  return {{cell.head, cell.row, 0}, {cell.head + 1, cell.row + 1, inputs[0].columns}};
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
  if (maximum == -kInfinity) {
    if (op.empty_row == EmptyRow::zeros) return 0;
    return op.empty_row == EmptyRow::uniform ? 1 : std::numeric_limits<double>::quiet_NaN();
  }
  if (!op.hard) return std::exp(x - maximum);
  if (std::isnan(maximum)) return maximum;
  return x == maximum ? 1 : 0;
}

Shape result_shape(const RowMaximum&, Shapes inputs) {
  return column(inputs[0]);
}
Shape result_shape(const Exponential&, Shapes inputs) {
  return inputs[0];
}
Shape result_shape(const RowSum&, Shapes inputs) {
  return column(inputs[0]);
}
Shape result_shape(const Normalize&, Shapes inputs) {
  return inputs[0];
}

Explanation explain(const RowMaximum&, Inputs inputs, Cell cell) {
  Explanation e{.rule = "max over the keys of the row",
                .combine = Combine::maximum,
                .terms = row_terms(inputs, cell),
                .result = -kInfinity};
  for (const Term& term : e.terms)
    if (std::isnan(term.value) || term.value > e.result) e.result = term.value;
  return e;
}

Explanation explain(const Exponential& op, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell), maximum = operand(inputs, 1, {cell.head, cell.row, 0});
  const double value = exponential_value(op, x.value, maximum.value);
  const Term term{.operands = {x, maximum}, .value = value};
  if (maximum.value == -kInfinity)
    return {
        .rule = empty_row_rule(op.empty_row), .combine = Combine::choice, .terms = {term}, .result = value};
  if (op.hard)
    return {.rule = "temperature 0: 1 where the score is the row's maximum, else 0",
            .combine = Combine::choice,
            .terms = {term},
            .result = value};
  return {.rule = "exp(score − row max)", .combine = Combine::exponential, .terms = {term}, .result = value};
}

Explanation explain(const RowSum&, Inputs inputs, Cell cell) {
  Explanation e{.rule = "Σ over the keys of the row",
                .combine = Combine::sum,
                .terms = row_terms(inputs, cell),
                .result = 0};
  for (const Term& term : e.terms) e.result += term.value;
  return e;
}

Explanation explain(const Normalize&, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell), sum = operand(inputs, 1, {cell.head, cell.row, 0});
  const double value = normalized_value(x.value, sum.value);
  return {.rule = sum.value == 0 ? "no key left in this row: zeros" : "exp ÷ row sum",
          .combine = sum.value == 0 ? Combine::choice : Combine::quotient,
          .terms = {{.operands = {x, sum}, .value = value}},
          .result = value};
}

Region reach(const RowMaximum&, Shapes, std::size_t, Cell cell) {
  return region({cell.head, cell.row, 0});
}
Region reach(const Exponential&, Shapes inputs, std::size_t input, Cell cell) {
  return reach_row(inputs, input, cell);
}
Region reach(const RowSum&, Shapes, std::size_t, Cell cell) {
  return region({cell.head, cell.row, 0});
}
Region reach(const Normalize&, Shapes inputs, std::size_t input, Cell cell) {
  return reach_row(inputs, input, cell);
}

}  // namespace attn

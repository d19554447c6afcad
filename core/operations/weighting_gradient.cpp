// What flows back through rows of weights and through a number of a row: which shapes fit, the arithmetic of
// one number in words, and where it goes.
#include "core/operations/weighting_gradient.h"

#include <algorithm>

#include "core/operations/family.h"
#include "core/operations/row_norm_row.h"
#include "core/operations/weighting_gradient_row.h"
#include "core/system/error.h"

namespace attn {
namespace {

// The weight that a number of G flows to: rows of G may share one.
Cell weight_cell(const Shape& a, Cell cell) {
  return {cell.head, a.rows == 1 ? 0 : cell.row, cell.column};
}

// Every number of a row enters those that do not stand alone.
bool joins_row(WeightsRule rule) {
  return rule == WeightsRule::softmax || rule == WeightsRule::sparsemax;
}

Explanation applied(std::string rule, std::vector<Term> terms, double result) {
  Explanation e = sum_of(std::move(rule), std::move(terms));
  e.aggregate = Aggregate::applied;
  e.result = result;
  return e;
}

// Where a flow is taken from and what it belongs to.
struct FlowAt {
  Inputs inputs;
  Cell cell, weight;

  Operand a(std::size_t j) const { return operand(inputs, 0, {weight.head, weight.row, j}); }
  Operand g(std::size_t j) const { return operand(inputs, 1, {cell.head, cell.row, j}); }
  std::string own_row() const { return in_brackets(cell.row); }
};

// A weight of 0 stands alone where what flows in is no number.
Term weighted(const Operand& a, const Operand& g) {
  if (a.value == 0 && !std::isfinite(g.value)) return {.operands = {a}, .value = 0};
  return {.operands = {a, g}, .value = a.value * g.value};
}

// Other keys into which nothing flows are not listed: of a Jacobian's row all but one.
Explanation explain_softmax_flow(const FlowAt& at, double result) {
  std::vector<Term> terms;
  for (std::size_t j = 0; j < at.inputs[1].columns(); ++j)
    if (const Operand g = at.g(j); g.value != 0 || j == at.cell.column) terms.push_back(weighted(at.a(j), g));
  Explanation e = applied("weight × (what flows in − Σ of weight × what flows in over the keys)",
                          std::move(terms), result);
  e.over = 1;
  e.formula = {cell_of(0, at.weight),
               words(" × ("),
               cell_of(1, at.cell),
               words(" − Σ "),
               part_of(1, at.own_row()),
               words(" · "),
               part_of(0, in_brackets(at.weight.row) + ")")};
  return e;
}

Explanation explain_sparsemax_flow(const FlowAt& at, double support, double result) {
  const std::string count = std::to_string(static_cast<long>(support));
  std::vector<Term> terms;
  for (std::size_t j = 0; j < at.inputs[1].columns(); ++j) {
    const Operand g = at.g(j);
    if (at.a(j).value > 0)
      terms.push_back({.operands = {g, constant(1 / support, "1/" + count)}, .value = g.value / support});
  }
  Explanation e = applied("what flows in − its mean over the support", std::move(terms), result);
  e.formula = {cell_of(1, at.cell), words(" − mean of "), part_of(1, at.own_row()),
               words(" over the " + count + " keys with a weight")};
  return e;
}

Explanation explain_sigmoid_flow(const FlowAt& at, double result) {
  const Operand a = at.a(at.cell.column), g = at.g(at.cell.column);
  Operand rest = a;
  rest.value = 1 - a.value, rest.text = "1 − a";
  Explanation e = only("what flows in × weight × (1 − weight)", {.operands = {g, a, rest}, .value = result});
  e.formula = {cell_of(1, at.cell), words(" × "), cell_of(0, at.weight), words(" × (1 − "),
               number_of(a.value, ")")};
  return e;
}

Explanation explain_rectified_flow(const FlowAt& at, double result) {
  std::vector<Operand> factors{at.g(at.cell.column)};
  Formula formula{cell_of(1, at.cell)};
  if (at.inputs.size() > 2) {
    Operand r = operand(at.inputs, 2, {at.cell.head, at.cell.row, 0});
    r.value = 1 / r.value, r.text = "1 ÷ r";
    factors.push_back(r);
    formula.insert(formula.end(), {words(" ÷ "), part_of(2, at.own_row())});
  }
  Explanation e = only(at.inputs.size() > 2 ? "what flows in ÷ r, as the weight is above 0"
                                            : "what flows in, as the weight is above 0",
                       {.operands = std::move(factors), .value = result});
  e.formula = std::move(formula);
  return e;
}

Region whole_row(const Shape& x, Cell cell) {
  return {{cell.head, cell.row, 0}, {cell.head + 1, cell.row + 1, x.columns}};
}

std::string sought(FigureRule rule) {
  switch (rule) {
    case FigureRule::largest:
      return "the row’s largest";
    case FigureRule::largest_or_zero:
      return "the row’s largest above 0";
    case FigureRule::threshold:
      break;
  }
  return "above the row’s threshold";
}

}  // namespace

Shape result_shape(const WeightsGradient& op, Shapes inputs) {
  const Shape a = inputs[0], g = inputs[1];
  if (a.stack != g.stack || a.columns != g.columns || (a.rows != g.rows && a.rows != 1))
    throw Error("a gradient of " + to_string(g) + " is not that of weights of " + to_string(a) +
                ": give it their shape, or one row of weights for all of its rows");
  if (op.rule == WeightsRule::rectified && inputs.size() > 2 && inputs[2] != Shape{g.stack, g.rows, 1})
    throw Error("divisors of " + to_string(inputs[2]) + " do not fit a gradient of " + to_string(g) +
                ": each row needs one");
  return g;
}
Shape result_shape(const FigureGradient&, Shapes inputs) {
  const Shape x = inputs[0];
  for (const Shape& of_rows : inputs.subspan(1, 2))
    if (of_rows != Shape{x.stack, x.rows, 1})
      throw Error("numbers of " + to_string(of_rows) + " are not those of the rows of " + to_string(x) +
                  ": each row needs one");
  return x;
}

Explanation explain(const WeightsGradient& op, Inputs inputs, Cell cell) {
  const FlowAt at{inputs, cell, weight_cell(inputs[0].shape(), cell)};
  const WeightsRow row = weights_row(op.rule, row_numbers(inputs[0], at.weight.head, at.weight.row),
                                     row_numbers(inputs[1], cell.head, cell.row));
  const Operand a = at.a(cell.column), g = at.g(cell.column);
  const bool divided = op.rule == WeightsRule::rectified && inputs.size() > 2;
  const double r = divided ? inputs[2][{cell.head, cell.row, 0}] : 1.0f;
  const double result = weights_flow(op.rule, row, a.value, g.value, r);
  if (a.value == 0) return only("a weight of 0 passes nothing on: 0", {.operands = {a}, .value = 0});
  switch (op.rule) {
    case WeightsRule::softmax:
      return explain_softmax_flow(at, result);
    case WeightsRule::sigmoid:
      return explain_sigmoid_flow(at, result);
    case WeightsRule::sparsemax:
    case WeightsRule::rectified:
      break;
  }
  if (!(a.value > 0)) return only("no weight above 0: 0", {.operands = {a}, .value = 0});
  return op.rule == WeightsRule::sparsemax ? explain_sparsemax_flow(at, row.support, result)
                                           : explain_rectified_flow(at, result);
}

Explanation explain(const FigureGradient& op, Inputs inputs, Cell cell) {
  const Cell of_row{cell.head, cell.row, 0};
  const Operand x = operand(inputs, 0, cell), figure = operand(inputs, 1, of_row);
  const std::string what = sought(op.rule);
  if (!makes_figure(op.rule, x.value, figure.value)) {
    Explanation e = only("not " + what + ": 0", {.operands = {x, figure}, .value = 0});
    e.writing.between = op.rule == FigureRule::threshold ? "≤" : "≠";
    return e;
  }
  const Operand g = operand(inputs, 2, of_row);
  const double count = figure_makers(op.rule, row_numbers(inputs[0], cell.head, cell.row), figure.value);
  const std::string number = std::to_string(static_cast<long>(count));
  Explanation e = only("what flows in ÷ how many are " + what,
                       {.operands = {g, constant(1 / count, "1/" + number)}, .value = g.value / count});
  e.formula = {part_of(2, in_brackets(cell.row)), words(" ÷ " + number + ", for "), cell_of(0, cell),
               words(" is " + what)};
  return e;
}

Regions reach(const WeightsGradient& op, Shapes inputs, std::size_t input, Cell cell) {
  const Shape &a = inputs[0], &g = inputs[1];
  Region reached = input > 1 || joins_row(op.rule) ? whole_row(g, cell) : region(cell);
  if (input == 0 && a.rows == 1) reached.end.row = g.rows;
  return reached;
}
// A number of X is also counted by those that equal it.
Regions reach(const FigureGradient&, Shapes inputs, std::size_t, Cell cell) {
  return whole_row(inputs[0], cell);
}

Traits traits(const WeightsGradient& op, Shapes, const Shape& result) {
  const double each = joins_row(op.rule) ? 4 : op.rule == WeightsRule::sigmoid ? 3 : 1;
  return {.multiply_adds = each * size_of(result), .counted = each * size_of(result)};
}
Traits traits(const FigureGradient&, Shapes, const Shape& result) {
  return {.multiply_adds = 2 * size_of(result), .counted = 2 * size_of(result)};
}

// What flows in and its mean nearly equal each other where one weight is nearly 1.
double size_of_terms(const WeightsGradient& op, Inputs inputs) {
  if (!joins_row(op.rule)) return 0;
  double largest = 0;
  const Tensor& g = inputs[1];
  for (std::size_t i = 0; i < g.values().size(); ++i) {
    const double a = inputs[0][weight_cell(inputs[0].shape(), cell_at(g.shape(), i))];
    const double weight = op.rule == WeightsRule::softmax ? a : a > 0 ? 1 : 0;
    const double size = std::abs(product_or_zero(weight, static_cast<double>(g.values()[i])));
    if (std::isfinite(size)) largest = std::max(largest, size);
  }
  return largest;
}

RowReads cut(WeightsGradient&, Shapes inputs, const RowRange&) {
  return inputs[0].rows == inputs[1].rows ? same_rows(inputs) : same_rows(inputs, {0});
}
RowReads cut(FigureGradient&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}

Backward backward(const WeightsGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}
Backward backward(const FigureGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}

template struct Family<WeightsGradient>;
template struct Family<FigureGradient>;

}  // namespace attn

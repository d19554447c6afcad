// Local attention: which shapes fit, the arithmetic of one number in words, and where it goes.
#include "core/operations/local.h"

#include <algorithm>
#include <cmath>

#include "core/operations/family.h"
#include "core/operations/hidden.h"
#include "core/operations/local_slopes.h"
#include "core/operations/matmul.h"
#include "core/operations/written.h"
#include "core/system/error.h"

namespace attn {
namespace {

void check_centres(const Shape& centres, const Shape& wanted) {
  if (centres != Shape{wanted.stack, wanted.rows, 1})
    throw Error("centres of " + to_string(centres) + " do not fit " + to_string(wanted) +
                ": give each query one");
}

void check_reach(std::size_t reach) {
  if (reach == 0) throw Error("the reach D around a centre must be at least 1");
}

void check_local_flow(const Shape& g, const Shape& through) {
  if (g != through)
    throw Error("a gradient of " + to_string(g) + " does not flow through " + to_string(through));
}

// The cells of a row that a number of it has a say in.
Regions row_of(Cell cell, std::size_t columns) {
  return {{cell.head, cell.row, 0}, {cell.head + 1, cell.row + 1, columns}};
}

}  // namespace

// By the exponential of a negative number: one that is far from 0 loses no digits and leaves no range.
double local_centre(const LocalCentre& op, double x) {
  const auto m = static_cast<double>(op.keys);
  return x > 0 ? m / (1 + std::exp(-x)) : m * std::exp(x) / (1 + std::exp(x));
}

bool is_outside(const LocalMask& op, double centre, std::size_t key) {
  const auto j = static_cast<double>(key), reach = static_cast<double>(op.reach);
  return centre < j - reach || centre > j + reach;
}

double local_factor(const LocalDecay& op, double centre, std::size_t key) {
  const double apart = static_cast<double>(key) - centre, sd = static_cast<double>(op.reach) / 2;
  return std::exp(-apart * apart / (2 * sd * sd));
}

Shape result_shape(const LocalCentre&, Shapes inputs) {
  return inputs[0];
}
Shape result_shape(const LocalMask& op, Shapes inputs) {
  check_reach(op.reach);
  const Shape result{inputs[0].stack, inputs[0].rows, op.keys};
  check_centres(inputs[0], result);
  if (inputs.size() < 2) return result;
  const Shape mask = inputs[1];
  if (mask.rows != result.rows || mask.columns != result.columns || mask.stack == 0 ||
      result.stack % mask.stack != 0)
    throw Error("a mask of " + to_string(mask) + " does not fit " + to_string(result));
  return result;
}
Shape result_shape(const LocalDecay& op, Shapes inputs) {
  check_reach(op.reach);
  check_centres(inputs[1], inputs[0]);
  return inputs[0];
}
Shape result_shape(const CentreGradient&, Shapes inputs) {
  check_local_flow(inputs[1], inputs[0]);
  return inputs[0];
}
Shape result_shape(const DecayGradient& op, Shapes inputs) {
  check_reach(op.reach);
  check_centres(inputs[1], inputs[0]);
  check_local_flow(inputs[2], inputs[0]);
  return inputs[1];
}

Explanation explain(const LocalCentre& op, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell);
  const std::string keys = std::to_string(op.keys);
  Explanation e = only(keys + " keys · σ, σ(x) = 1 ÷ (1 + exp(−x))",
                       {.operands = {x}, .value = local_centre(op, x.value)});
  e.writing = {.before = keys + "·σ(", .after = ")"};
  e.formula = {words(keys + "·σ("), cell_of(0, cell), words(")")};
  return e;
}

Explanation explain(const LocalMask& op, Inputs inputs, Cell cell) {
  Operand centre = operand(inputs, 0, {cell.head, cell.row, 0});
  const bool outside = is_outside(op, centre.value, cell.column);
  const double apart = std::abs(static_cast<double>(cell.column) - centre.value);
  centre.text = "|key " + std::to_string(cell.column) + " − centre " + written(centre.value) +
                "| = " + written(apart) + " > " + std::to_string(op.reach);
  centre.value = outside ? 1 : 0;
  Explanation e{.rule = "1 = masked", .aggregate = Aggregate::any, .result = centre.value};
  e.terms.push_back({.operands = {centre}, .value = centre.value});
  if (inputs.size() > 1) {
    const std::size_t s = shared_matrix(cell.head, inputs[1].stack(), inputs[0].stack());
    const Operand other = operand(inputs, 1, {s, cell.row, cell.column});
    e.terms.push_back({.operands = {other}, .value = other.value != 0 ? 1.0 : 0.0});
    if (other.value != 0) e.result = 1;
  }
  e.formula = {words("1 (masked) where any of these holds")};
  return e;
}

Explanation explain(const LocalDecay& op, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell);
  Operand centre = operand(inputs, 1, {cell.head, cell.row, 0});
  const std::string j = std::to_string(cell.column),
                    twice = brief(static_cast<double>(op.reach * op.reach) / 2);
  const double factor = local_factor(op, centre.value, cell.column);
  centre.text = "exp(−(" + j + " − " + written(centre.value) + ")² ÷ " + twice + ")", centre.value = factor;
  Explanation e =
      only("weight · exp(−(j − centre)² ÷ 2(D/2)²)", {.operands = {x, centre}, .value = x.value * factor});
  e.formula = {cell_of(0, cell), words(" · exp(−(" + j + " − "), part_of(1, in_brackets(cell.row)),
               words(")² ÷ " + twice + ")")};
  return e;
}

Explanation explain(const CentreGradient& op, Inputs inputs, Cell cell) {
  const Operand g = operand(inputs, 1, cell);
  Operand y = operand(inputs, 0, cell);
  const std::string keys = std::to_string(op.keys), own = written(y.value);
  y.text = "(" + own + " × (1 − " + own + " ÷ " + keys + "))", y.value = centre_slope(op, y.value);
  Explanation e =
      only("what flows in × centre × (1 − centre ÷ keys)", {.operands = {g, y}, .value = g.value * y.value});
  e.formula = {cell_of(1, cell), words("·"),       cell_of(0, cell),
               words("·(1 − "),  cell_of(0, cell), words(" ÷ " + keys + ")")};
  return e;
}

Explanation explain(const DecayGradient& op, Inputs inputs, Cell cell) {
  const Operand scale = constant(decay_scale(op), "1/(" + brief(static_cast<double>(op.reach) / 2) + ")²");
  const Cell at{cell.head, cell.row, 0};
  std::vector<Term> terms;
  for (std::size_t j = 0; j < inputs[0].columns(); ++j) {
    const Cell key{cell.head, cell.row, j};
    const Operand y = operand(inputs, 0, key), g = operand(inputs, 2, key);
    Operand apart = operand(inputs, 1, at);
    apart.text = "(" + std::to_string(j) + " − " + written(apart.value) + ")";
    apart.value = static_cast<double>(j) - apart.value;
    terms.push_back(product_or_hidden(y.value == 0, {g, y, apart, scale}));
  }
  Explanation e = sum_of("Σ of what flows in × weight × (j − centre) ÷ (D/2)²", std::move(terms));
  e.over = 0;
  e.formula = {words("Σ over "),
               columns_of(0),
               words(" of "),
               part_of(2, in_brackets(cell.row)),
               words("·"),
               part_of(0, in_brackets(cell.row)),
               words("·(j − "),
               cell_of(1, at),
               words(") × " + scale.text)};
  return e;
}

Regions reach(const LocalCentre&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}
Regions reach(const LocalMask& op, Shapes inputs, std::size_t input, Cell cell) {
  if (input == 0) return row_of(cell, op.keys);
  const std::size_t group = inputs[0].stack / inputs[1].stack;
  return {{cell.head * group, cell.row, cell.column},
          {(cell.head + 1) * group, cell.row + 1, cell.column + 1}};
}
Regions reach(const LocalDecay&, Shapes inputs, std::size_t input, Cell cell) {
  return input == 0 ? region(cell) : row_of(cell, inputs[0].columns);
}
Regions reach(const CentreGradient&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}
Regions reach(const DecayGradient&, Shapes, std::size_t, Cell cell) {
  return region({cell.head, cell.row, 0});
}

Traits traits(const LocalCentre&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result)};
}
Traits traits(const LocalMask&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result), .bends = true};
}
Traits traits(const LocalDecay&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result)};
}
// Counted: the share, 1 less it, two products; of a pair the distance, two products, added.
Traits traits(const CentreGradient&, Shapes, const Shape& result) {
  return {.multiply_adds = 2 * size_of(result), .counted = 4 * size_of(result)};
}
Traits traits(const DecayGradient&, Shapes inputs, const Shape&) {
  return {.multiply_adds = 2 * size_of(inputs[0]), .counted = 4 * size_of(inputs[0])};
}

// The largest Σ of sizes of a row's terms.
double size_of_terms(const DecayGradient& op, Inputs inputs) {
  const Shape y = inputs[0].shape();
  double largest = 0;
  for (Cell row; row.head < y.stack; ++row.head)
    for (row.row = 0; row.row < y.rows; ++row.row) {
      const double centre = inputs[1][row];
      double sum = 0;
      for (Cell at = row; at.column < y.columns; ++at.column) {
        const double weight = inputs[0][at];
        if (weight != 0) sum += std::abs(inputs[2][at] * decay_slope(weight, centre, at.column));
      }
      largest = std::max(largest, sum);
    }
  return largest * decay_scale(op);
}

RowReads cut(LocalCentre&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(LocalMask&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(LocalDecay&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(CentreGradient&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(DecayGradient&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}

Backward backward(const CentreGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}
Backward backward(const DecayGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}

Backward backward(const LocalCentre& op, Shapes, const Shape&) {
  Backward back;
  back.flow(0, back.add(CentreGradient{op.keys}, {kResult, kGradient}, "%g ⊙ %y (1 − %y ÷ m)"));
  return back;
}
// The window's edge counts as constant.
Backward backward(const LocalMask&, Shapes, const Shape&) {
  return {};
}
Backward backward(const LocalDecay& op, Shapes, const Shape&) {
  Backward back;
  back.flow(0, back.add(op, {kGradient, input_of(1)}, "%g, as it falls off around the centre"));
  back.flow(
      1, back.add(DecayGradient{op.reach}, {kResult, input_of(1), kGradient}, "Σ %g ⊙ %y (j − p) ÷ (D/2)²"));
  return back;
}

template struct Family<LocalCentre>;
template struct Family<LocalMask>;
template struct Family<LocalDecay>;
template struct Family<CentreGradient>;
template struct Family<DecayGradient>;

}  // namespace attn

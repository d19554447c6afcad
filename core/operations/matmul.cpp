// Matrix products and projections: their shapes, and the sums behind their numbers.
#include "core/operations/matmul.h"

#include <algorithm>

#include "core/operations/family.h"
#include "core/system/error.h"

namespace attn {
namespace {

Term product(Operand a, Operand b) {
  const double value = a.value * b.value;
  return {.operands = {std::move(a), std::move(b)}, .value = value};
}

// The matrices of the result that matrix `s` of a stack of `stack` feeds: [first, last).
std::pair<std::size_t, std::size_t> fed(std::size_t s, std::size_t stack, std::size_t result_stack) {
  const std::size_t group = result_stack / stack;
  return {s * group, (s + 1) * group};
}

// One matrix of a stack, in double.
std::uint64_t widened(const Shape& shape) {
  return std::uint64_t{shape.rows} * shape.columns * sizeof(double);
}

constexpr const char* kOneTerm = "one term of a sum";

// Which matrix of a shared stack it is, where its number is not the result's own.
std::string other_head(std::size_t matrix, const Tensor& shared, Cell cell) {
  return matrix == cell.head || shared.stack() == 1 ? "" : " of head " + std::to_string(matrix);
}

}  // namespace

Shape result_shape(const MatMul& op, Shapes inputs) {
  const Shape a = inputs[0], b = inputs[1];
  const std::size_t depth = op.transpose_right ? b.columns : b.rows;
  if (a.columns != depth)
    throw Error("a " + to_string(a) + " matrix cannot multiply a " + to_string(b) +
                (op.transpose_right ? " matrix transposed" : " matrix") +
                ": the widths differ; give both the same number of features");
  const std::size_t stack = std::max(a.stack, b.stack), smaller = std::min(a.stack, b.stack);
  if (smaller == 0 || stack % smaller != 0)
    throw Error(std::to_string(a.stack) + " heads cannot share " + std::to_string(b.stack) +
                ": the smaller number must divide the larger");
  return {stack, a.rows, op.transpose_right ? b.rows : b.columns};
}

Shape result_shape(const Project& op, Shapes inputs) {
  const Shape x = inputs[0], w = inputs[1];
  if (x.stack != 1 || w.stack != 1) throw Error("a projection takes one matrix, not a stack");
  if (x.columns != w.rows)
    throw Error("a projection of " + to_string(w) + " cannot follow an input of " + to_string(x) +
                ": give the projection " + std::to_string(x.columns) + " rows");
  if (op.heads == 0 || w.columns % op.heads != 0)
    throw Error(std::to_string(op.heads) + " heads don't divide the projection's " +
                std::to_string(w.columns) + " columns");
  if (inputs.size() > 2 && inputs[2] != Shape{1, 1, w.columns})
    throw Error("a bias of " + to_string(inputs[2]) + " does not fit a projection of " + to_string(w) +
                ": it needs " + std::to_string(w.columns) + " numbers");
  return {op.heads, x.rows, w.columns / op.heads};
}

Explanation explain(const MatMul& op, Inputs inputs, Cell cell) {
  const Tensor &a = inputs[0], &b = inputs[1];
  const std::size_t stack = std::max(a.stack(), b.stack());
  const std::size_t sa = shared_matrix(cell.head, a.stack(), stack);
  const std::size_t sb = shared_matrix(cell.head, b.stack(), stack);
  std::vector<Term> terms;
  for (std::size_t k = 0; k < a.columns(); ++k) {
    const Cell right = op.transpose_right ? Cell{sb, cell.column, k} : Cell{sb, k, cell.column};
    terms.push_back(product(operand(inputs, 0, {sa, cell.row, k}), operand(inputs, 1, right)));
  }
  const std::string left = in_brackets(cell.row);
  const std::string right =
      op.transpose_right ? in_brackets(cell.column) : "[:, " + std::to_string(cell.column) + "]";
  Explanation e = sum_of("left" + left + "·right" + right, std::move(terms));
  e.over = 0;
  e.formula = {part_of(0, left), words(" · "), part_of(1, right + other_head(sb, b, cell)),
               words(" = Σ over "), columns_of(0)};
  e.passages = {{words(kOneTerm)}};
  return e;
}

Explanation explain(const Project& op, Inputs inputs, Cell cell) {
  const std::size_t width = inputs[1].columns() / op.heads;
  const std::size_t column = cell.head * width + cell.column;
  const bool biased = inputs.size() > 2;
  std::vector<Term> terms;
  for (std::size_t k = 0; k < inputs[0].columns(); ++k)
    terms.push_back(product(operand(inputs, 0, {0, cell.row, k}), operand(inputs, 1, {0, k, column})));
  if (biased) {
    const Operand bias = operand(inputs, 2, {0, 0, column});
    terms.push_back({.operands = {bias}, .value = bias.value, .named_by = 2});
  }
  const std::string left = in_brackets(cell.row), right = "[:, " + std::to_string(column) + "]";
  Explanation e = sum_of("left" + left + "·right" + right + (biased ? " + b" + in_brackets(column) : ""),
                         std::move(terms));
  e.over = 0;
  e.formula = {part_of(0, left), words(" · "), part_of(1, right)};
  if (biased) e.formula.insert(e.formula.end(), {words(" + "), cell_of(2, {0, 0, column})});
  e.formula.insert(e.formula.end(), {words(" = Σ over "), columns_of(0)});
  e.passages = {{words(kOneTerm)}};
  return e;
}

Regions reach(const MatMul& op, Shapes inputs, std::size_t input, Cell cell) {
  const Shape out = result_shape(op, inputs);
  const auto [first, last] = fed(cell.head, inputs[input].stack, out.stack);
  if (input == 0) return {{first, cell.row, 0}, {last, cell.row + 1, out.columns}};
  const std::size_t column = op.transpose_right ? cell.row : cell.column;
  return {{first, 0, column}, {last, out.rows, column + 1}};
}

Regions reach(const Project& op, Shapes inputs, std::size_t input, Cell cell) {
  const Shape out = result_shape(op, inputs);
  if (input == 0) return {{0, cell.row, 0}, {out.stack, cell.row + 1, out.columns}};
  const std::size_t head = cell.column / out.columns, column = cell.column % out.columns;
  return {{head, 0, column}, {head + 1, out.rows, column + 1}};
}

Traits traits(const MatMul&, Shapes inputs, const Shape& result) {
  const double products = size_of(result) * static_cast<double>(inputs[0].columns);
  return {.multiply_adds = products,
          .counted = 2 * products,
          .widened = widened(inputs[0]) + widened(inputs[1]) + widened(result)};
}
Traits traits(const Project& op, Shapes inputs, const Shape& result) {
  const double products = size_of(result) * static_cast<double>(inputs[0].columns);
  return {.multiply_adds = products,
          .counted = 2 * products,
          .widened = widened(inputs[0]) + widened(inputs[1]) + sizeof(double) * std::uint64_t{result.size()},
          .column_heads = op.heads};
}

// A column of factors times a row: the row at many temperatures.
MaskOrigin mask_origin(const MatMul& op, Inputs inputs, Cell cell) {
  if (op.transpose_right || inputs[0].columns() != 1) return {};
  return {.of = {{1, {0, 0, cell.column}}}};
}

template struct Family<MatMul>;
template struct Family<Project>;

}  // namespace attn

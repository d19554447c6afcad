// Matrix products and projections: their shapes, the sums behind their numbers, and what becomes of these.
#include "core/operations/matmul.h"

#include <algorithm>
#include <cmath>

#include "core/operations/activation.h"
#include "core/operations/family.h"
#include "core/operations/products.h"
#include "core/operations/row_norm_row.h"
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

const char* function_name(AfterProduct after) {
  switch (after) {
    case AfterProduct::relu:
      return "ReLU";
    case AfterProduct::gelu:
      return "GELU";
    case AfterProduct::gelu_tanh:
      return "GELU by tanh";
    case AfterProduct::nothing:
    case AfterProduct::residual:
      break;
  }
  return nullptr;
}

// What is written of one number of a product.
struct ProductWords {
  std::vector<Term> terms;
  std::string rule;
  Formula formula;  // of the product
  Cell bias, cell;
  bool down = false;  // its terms go down a column of the first factor
};

// A plain number among products, named by its input.
void add_plain(ProductWords& of, Inputs inputs, std::size_t input, Cell cell) {
  const int number = static_cast<int>(input);
  const Operand x = operand(inputs, number, cell);
  of.terms.push_back({.operands = {x}, .value = x.value, .named_by = number});
  of.formula.insert(of.formula.end(), {words(" + "), cell_of(number, cell)});
}

Explanation explained(AfterProduct after, Inputs inputs, ProductWords of) {
  const ProductInputs at(after, inputs.size());
  if (at.bias) add_plain(of, inputs, at.bias, of.bias), of.rule += " + b" + in_brackets(of.bias.column);
  if (at.residual) add_plain(of, inputs, at.residual, of.cell), of.rule += " + what is added";
  Explanation e = sum_of(std::move(of.rule), std::move(of.terms));
  if (!of.down) e.over = 0;
  const char* function = function_name(after);
  if (function) {
    e.rule = std::string(function) + "(" + e.rule + ")";
    e.aggregate = Aggregate::applied;
    e.result = after_product(after, e.result, 0);
    e.formula = {words(std::string(function) + "(")};
  }
  e.formula.insert(e.formula.end(), of.formula.begin(), of.formula.end());
  e.formula.insert(e.formula.end(), {words(function ? "), Σ over " : " = Σ over "),
                                     of.down ? words("their rows") : columns_of(0)});
  e.passages = {{words(kOneTerm)}};
  return e;
}

void check_after(AfterProduct after, Shapes inputs, const Shape& result) {
  const ProductInputs at(after, inputs.size());
  if (after == AfterProduct::residual && !at.residual) throw Error("nothing is given to add to the product");
  if (at.residual && inputs[at.residual] != result)
    throw Error("a " + to_string(inputs[at.residual]) + " matrix cannot be added to a product of " +
                to_string(result));
}

// Products of heads are added up where their rows lie together.
void check_summed(const MatMul& op, Shapes inputs) {
  if (!op.transpose_left || op.transpose_right)
    throw Error("only products of columns are added up over heads");
  for (const Shape& factor : inputs.first(2))
    if (op.summed == 0 || factor.stack % op.summed != 0)
      throw Error("products of " + std::to_string(factor.stack) + " heads cannot be added up " +
                  std::to_string(op.summed) + " by " + std::to_string(op.summed) +
                  ": that number must divide the heads");
}

// Where row `k` of a factor lies whose rows several matrices have together.
Cell joined_row(const MatMul& op, const Tensor& factor, std::size_t matrix, std::size_t k,
                std::size_t column) {
  return {matrix * op.summed + k / factor.rows(), k % factor.rows(), column};
}

void check_bias(const Shape& bias, std::size_t columns, const std::string& product) {
  if (bias != Shape{1, 1, columns})
    throw Error("a bias of " + to_string(bias) + " does not fit " + product + ": it needs " +
                std::to_string(columns) + " numbers");
}

}  // namespace

ProductInputs::ProductInputs(AfterProduct after, std::size_t inputs) {
  const bool adds = after == AfterProduct::residual && inputs > 2;
  if (adds) residual = inputs - 1;
  if (inputs > (adds ? 3u : 2u)) bias = 2;
}

double after_product(AfterProduct after, double x, double residual) {
  switch (after) {
    case AfterProduct::nothing:
      return x;
    case AfterProduct::relu:
      return activated(ActivationKind::relu, x);
    case AfterProduct::gelu:
      return activated(ActivationKind::gelu, x);
    case AfterProduct::gelu_tanh:
      return activated(ActivationKind::gelu_tanh, x);
    case AfterProduct::residual:
      return x + residual;
  }
  return x;
}

Shape left_factor(const MatMul& op, const Shape& a) {
  if (op.transpose_left) return {a.stack / op.summed, a.columns, a.rows * op.summed};
  return a;
}
Shape right_factor(const MatMul& op, const Shape& b) {
  if (op.transpose_right) return {b.stack, b.columns, b.rows};
  return {b.stack / op.summed, b.rows * op.summed, b.columns};
}

Shape result_shape(const MatMul& op, Shapes inputs) {
  if (op.summed != 1) check_summed(op, inputs);
  const Shape a = left_factor(op, inputs[0]), b = right_factor(op, inputs[1]);
  if (a.columns != b.rows)
    throw Error("a " + to_string(inputs[0]) + (op.transpose_left ? " matrix transposed" : " matrix") +
                " cannot multiply a " + to_string(inputs[1]) +
                (op.transpose_right ? " matrix transposed" : " matrix") +
                (op.transpose_left ? ": give both the same number of rows"
                                   : ": the widths differ; give both the same number of features"));
  const std::size_t stack = std::max(a.stack, b.stack), smaller = std::min(a.stack, b.stack);
  if (smaller == 0 || stack % smaller != 0)
    throw Error(std::to_string(a.stack) + " heads cannot share " + std::to_string(b.stack) +
                ": the smaller number must divide the larger");
  const Shape result{stack, a.rows, b.columns};
  check_after(op.after, inputs, result);
  const ProductInputs at(op.after, inputs.size());
  if (at.bias) check_bias(inputs[at.bias], result.columns, "a product of " + to_string(result));
  return result;
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
  const Shape result{op.heads, x.rows, w.columns / op.heads};
  check_after(op.after, inputs, result);
  const ProductInputs at(op.after, inputs.size());
  if (at.bias) check_bias(inputs[at.bias], w.columns, "a projection of " + to_string(w));
  return result;
}

Explanation explain(const MatMul& op, Inputs inputs, Cell cell) {
  const Tensor &a = inputs[0], &b = inputs[1];
  const Shape left_shape = left_factor(op, a.shape()), right_shape = right_factor(op, b.shape());
  const std::size_t stack = std::max(left_shape.stack, right_shape.stack);
  const std::size_t sa = shared_matrix(cell.head, left_shape.stack, stack);
  const std::size_t sb = shared_matrix(cell.head, right_shape.stack, stack);
  std::vector<Term> terms;
  for (std::size_t k = 0; k < left_shape.columns; ++k) {
    const Cell of_left = op.transpose_left ? joined_row(op, a, sa, k, cell.row) : Cell{sa, cell.row, k};
    const Cell of_right =
        op.transpose_right ? Cell{sb, cell.column, k} : joined_row(op, b, sb, k, cell.column);
    terms.push_back(product(operand(inputs, 0, of_left), operand(inputs, 1, of_right)));
  }
  const std::string left =
      op.transpose_left ? "[:, " + std::to_string(cell.row) + "]" : in_brackets(cell.row);
  const std::string right =
      op.transpose_right ? in_brackets(cell.column) : "[:, " + std::to_string(cell.column) + "]";
  return explained(op.after, inputs,
                   {.terms = std::move(terms),
                    .rule = "left" + left + "·right" + right,
                    .formula = {part_of(0, left), words(" · "), part_of(1, right + other_head(sb, b, cell))},
                    .bias = {0, 0, cell.column},
                    .cell = cell,
                    .down = op.transpose_left});
}

Explanation explain(const Project& op, Inputs inputs, Cell cell) {
  const std::size_t width = inputs[1].columns() / op.heads;
  const std::size_t column = cell.head * width + cell.column;
  std::vector<Term> terms;
  for (std::size_t k = 0; k < inputs[0].columns(); ++k)
    terms.push_back(product(operand(inputs, 0, {0, cell.row, k}), operand(inputs, 1, {0, k, column})));
  const std::string left = in_brackets(cell.row), right = "[:, " + std::to_string(column) + "]";
  return explained(op.after, inputs,
                   {.terms = std::move(terms),
                    .rule = "left" + left + "·right" + right,
                    .formula = {part_of(0, left), words(" · "), part_of(1, right)},
                    .bias = {0, 0, column},
                    .cell = cell});
}

Regions reach(const MatMul& op, Shapes inputs, std::size_t input, Cell cell) {
  const Shape out = result_shape(op, inputs);
  const ProductInputs at(op.after, inputs.size());
  if (input > 1 && input == at.residual) return region(cell);
  if (input > 1) return {{0, 0, cell.column}, {out.stack, out.rows, cell.column + 1}};
  const auto [first, last] = fed(cell.head / op.summed, inputs[input].stack / op.summed, out.stack);
  const std::size_t row = op.transpose_left ? cell.column : cell.row;
  if (input == 0) return {{first, row, 0}, {last, row + 1, out.columns}};
  const std::size_t column = op.transpose_right ? cell.row : cell.column;
  return {{first, 0, column}, {last, out.rows, column + 1}};
}

Regions reach(const Project& op, Shapes inputs, std::size_t input, Cell cell) {
  const Shape out = result_shape(op, inputs);
  if (input > 1 && input == ProductInputs(op.after, inputs.size()).residual) return region(cell);
  if (input == 0) return {{0, cell.row, 0}, {out.stack, cell.row + 1, out.columns}};
  const std::size_t head = cell.column / out.columns, column = cell.column % out.columns;
  return {{head, 0, column}, {head + 1, out.rows, column + 1}};
}

Traits traits(const MatMul& op, Shapes inputs, const Shape& result) {
  const double products = size_of(result) * static_cast<double>(left_factor(op, inputs[0]).columns);
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

// What independent terms of a long sum come to; shorter ones are right to the last digit.
double size_of_terms(const Project&, Inputs inputs) {
  double longest = 0;
  for (std::size_t row = 0; row < inputs[0].rows() && inputs[0].columns() >= MatMul::kManyTerms; ++row)
    longest =
        std::max(longest, size_of_products(row_numbers(inputs[0], 0, row), row_numbers(inputs[0], 0, row)));
  return std::sqrt(longest) * largest_size(inputs[1].values());
}

// A column of factors times a row: the row at many temperatures.
MaskOrigin mask_origin(const MatMul& op, Inputs inputs, Cell cell) {
  if (op.transpose_right || op.transpose_left || inputs.size() > 2 || op.after != AfterProduct::nothing ||
      inputs[0].columns() != 1)
    return {};
  return {.of = {{1, {0, 0, cell.column}}}};
}

RowReads cut(MatMul& op, Shapes inputs, const RowRange&) {
  if (op.transpose_left) return std::nullopt;  // its rows are columns of A
  const ProductInputs which(op.after, inputs.size());
  return which.bias > 0 ? same_rows(inputs, {1, which.bias}) : same_rows(inputs, {1});
}
RowReads cut(Project& op, Shapes inputs, const RowRange&) {
  const ProductInputs which(op.after, inputs.size());
  return which.bias > 0 ? same_rows(inputs, {1, which.bias}) : same_rows(inputs, {1});
}

// matmul_backward.cpp
Backward backward(const MatMul& op, Shapes inputs, const Shape& result);
Backward backward(const Project& op, Shapes inputs, const Shape& result);

template struct Family<MatMul>;
template struct Family<Project>;

}  // namespace attn

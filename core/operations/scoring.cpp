// Distances, pairs and tanh: which shapes fit, the arithmetic of one number in words, and where it goes.
#include "core/operations/scoring.h"

#include <cmath>

#include "core/operations/family.h"
#include "core/operations/matmul.h"
#include "core/operations/written.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr double kTanhWork = 20;  // multiply-adds of one

// Q and K, whose heads share the keys' as in a product.
Shape pairs_of(Shapes inputs) {
  return result_shape(MatMul{.transpose_right = true}, inputs.first(2));
}

// Matrix of the keys that one of the result reads.
std::size_t key_matrix(std::size_t head, Inputs inputs) {
  return shared_matrix(head, inputs[1].stack(), inputs[0].stack());
}

// The heads that read this matrix of an input.
std::pair<std::size_t, std::size_t> readers(Shapes inputs, std::size_t input, std::size_t matrix) {
  const std::size_t group = inputs[0].stack / inputs[input].stack;
  return {matrix * group, (matrix + 1) * group};
}

void check_heads(Shapes inputs) {
  if (inputs[0].stack < inputs[1].stack)
    throw Error(std::to_string(inputs[0].stack) + " heads cannot share " + std::to_string(inputs[1].stack) +
                ": give the keys as many heads, or fewer that divide them");
}

void check_vector(const Shape& v, std::size_t width) {
  if (v != Shape{1, 1, width})
    throw Error("a vector of " + to_string(v) + " does not weigh " + std::to_string(width) +
                " hidden features: give it " + std::to_string(width) + " numbers");
}

// Terms of additive scores are as large as the numbers of v.
double sum_of_sizes(const Tensor& v) {
  double sum = 0;
  for (const float x : v.values()) sum += std::abs(static_cast<double>(x));
  return sum;
}

}  // namespace

double tanh_value(const Tanh& op, double x) {
  return op.cap * std::tanh(x / op.cap);
}

Shape result_shape(const Tanh& op, Shapes inputs) {
  if (!(op.cap > 0) || !std::isfinite(op.cap)) throw Error("a cap must be finite and above 0");
  return inputs[0];
}
Shape result_shape(const SquaredDistance&, Shapes inputs) {
  check_heads(inputs);
  return pairs_of(inputs);
}
Shape result_shape(const TakeColumns& op, Shapes inputs) {
  if (op.first + op.count > inputs[0].columns)
    throw Error("columns " + std::to_string(op.first) + " to " + std::to_string(op.first + op.count) +
                " lie outside " + to_string(inputs[0]));
  return {inputs[0].stack, inputs[0].rows, op.count};
}
Shape result_shape(const PairSum&, Shapes inputs) {
  check_heads(inputs);
  const Shape pairs = pairs_of(inputs);
  return {pairs.stack, pairs.rows * pairs.columns, inputs[0].columns};
}
Shape result_shape(const PairProduct& op, Shapes inputs) {
  check_vector(inputs[1], inputs[0].columns);
  if (op.keys == 0 ? inputs[0].rows != 0 : inputs[0].rows % op.keys != 0)
    throw Error(std::to_string(inputs[0].rows) + " pairs are no whole number of rows of " +
                std::to_string(op.keys) + " keys");
  return {inputs[0].stack, op.keys == 0 ? 0 : inputs[0].rows / op.keys, op.keys};
}
Shape result_shape(const AdditiveScore&, Shapes inputs) {
  check_heads(inputs);
  check_vector(inputs[2], inputs[0].columns);
  return pairs_of(inputs);
}

Explanation explain(const Tanh& op, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell);
  Explanation e;
  if (op.cap == 1) {
    e = only("tanh", {.operands = {x}, .value = tanh_value(op, x.value)});
    e.writing = {.before = "tanh(", .after = ")"};
    e.formula = {words("tanh("), cell_of(0, cell), words(")")};
  } else {
    const std::string cap = brief(op.cap);
    e = only("c·tanh(score ÷ c)", {.operands = {x, constant(op.cap, cap)}, .value = tanh_value(op, x.value)});
    e.writing = {.before = cap + "·tanh(", .between = "÷", .after = ")"};
    e.formula = {words(cap + "·tanh("), cell_of(0, cell), words(" ÷ " + cap + ")")};
  }
  e.passages = {e.formula};
  return e;
}

Explanation explain(const SquaredDistance&, Inputs inputs, Cell cell) {
  const std::size_t keys = key_matrix(cell.head, inputs);
  std::vector<Term> terms;
  for (std::size_t k = 0; k < inputs[0].columns(); ++k) {
    const Operand q = operand(inputs, 0, {cell.head, cell.row, k});
    const Operand x = operand(inputs, 1, {keys, cell.column, k});
    terms.push_back({.operands = {q, x}, .value = (q.value - x.value) * (q.value - x.value)});
  }
  Explanation e = sum_of("Σ of squared differences", std::move(terms));
  e.writing = {.before = "(", .between = "−", .after = ")²"};
  e.over = 0;
  e.formula = {words("|"),
               part_of(0, in_brackets(cell.row)),
               words(" − "),
               part_of(1, in_brackets(cell.column)),
               words("|² = Σ over "),
               columns_of(0)};
  e.passages = {{words("one squared difference of a sum")}};
  return e;
}

Explanation explain(const TakeColumns& op, Inputs inputs, Cell cell) {
  const Cell from{cell.head, cell.row, op.first + cell.column};
  const Operand x = operand(inputs, 0, from);
  Explanation e = only("column " + std::to_string(from.column), {.operands = {x}, .value = x.value});
  e.formula = {cell_of(0, from)};
  return e;
}

Explanation explain(const PairSum&, Inputs inputs, Cell cell) {
  const std::size_t keys = inputs[1].rows();
  const Cell q{cell.head, cell.row / keys, cell.column};
  const Cell k{key_matrix(cell.head, inputs), cell.row % keys, cell.column};
  const Operand left = operand(inputs, 0, q), right = operand(inputs, 1, k);
  Explanation e = sum_of("query + key", {{.operands = {left}, .value = left.value, .named_by = 0},
                                         {.operands = {right}, .value = right.value, .named_by = 1}});
  e.formula = {cell_of(0, q), words(" + "), cell_of(1, k)};
  return e;
}

Explanation explain(const PairProduct& op, Inputs inputs, Cell cell) {
  const std::size_t pair = cell.row * op.keys + cell.column;
  std::vector<Term> terms;
  for (std::size_t k = 0; k < inputs[0].columns(); ++k) {
    const Operand x = operand(inputs, 0, {cell.head, pair, k}), v = operand(inputs, 1, {0, 0, k});
    terms.push_back({.operands = {x, v}, .value = x.value * v.value});
  }
  Explanation e = sum_of("the pair times v", std::move(terms));
  e.over = 0;
  e.formula = {part_of(0, in_brackets(pair)), words(" · "), part_of(1, ""), words(" = Σ over "),
               columns_of(0)};
  e.passages = {{words("one term of a sum")}};
  return e;
}

Explanation explain(const AdditiveScore&, Inputs inputs, Cell cell) {
  const std::size_t keys = key_matrix(cell.head, inputs);
  std::vector<Term> terms;
  for (std::size_t k = 0; k < inputs[0].columns(); ++k) {
    const Operand q = operand(inputs, 0, {cell.head, cell.row, k});
    const Operand x = operand(inputs, 1, {keys, cell.column, k});
    const Operand v = operand(inputs, 2, {0, 0, k});
    const double sum = q.value + x.value, bent = std::tanh(sum);
    const Operand hidden = constant(bent, "tanh(" + written(q.value) + " + " + written(x.value) + ")");
    terms.push_back({.operands = {v, hidden}, .value = v.value * bent});
  }
  Explanation e = sum_of("Σ v·tanh(query + key)", std::move(terms));
  e.over = 0;
  e.formula = {part_of(2, ""),
               words(" · tanh("),
               part_of(0, in_brackets(cell.row)),
               words(" + "),
               part_of(1, in_brackets(cell.column)),
               words(") = Σ over "),
               columns_of(0)};
  e.passages = {{words("one term of a sum, in its tanh")},
                {words("one term of a sum, in its tanh")},
                {words("one term of a sum")}};
  return e;
}

Regions reach(const Tanh&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}
Regions reach(const SquaredDistance&, Shapes inputs, std::size_t input, Cell cell) {
  return reach(MatMul{.transpose_right = true}, inputs.first(2), input, cell);
}
Regions reach(const TakeColumns& op, Shapes, std::size_t, Cell cell) {
  if (cell.column < op.first || cell.column >= op.first + op.count) return {};
  return region({cell.head, cell.row, cell.column - op.first});
}
Regions reach(const PairSum&, Shapes inputs, std::size_t input, Cell cell) {
  const std::size_t n = inputs[0].rows, m = inputs[1].rows;
  const auto [first, last] = readers(inputs, input, cell.head);
  if (input == 0) return {{first, cell.row * m, cell.column}, {last, (cell.row + 1) * m, cell.column + 1}};
  Regions regions;
  for (std::size_t i = 0; i < n; ++i)
    regions.push_back(
        {{first, i * m + cell.row, cell.column}, {last, i * m + cell.row + 1, cell.column + 1}});
  return regions;
}
Regions reach(const PairProduct& op, Shapes inputs, std::size_t input, Cell cell) {
  if (input == 0) return region({cell.head, cell.row / op.keys, cell.row % op.keys});
  const Shape out = result_shape(op, inputs);
  return {{0, 0, 0}, {out.stack, out.rows, out.columns}};
}
Regions reach(const AdditiveScore& op, Shapes inputs, std::size_t input, Cell cell) {
  const Shape out = result_shape(op, inputs);
  if (input == 2) return {{0, 0, 0}, {out.stack, out.rows, out.columns}};
  return reach(MatMul{.transpose_right = true}, inputs.first(2), input, cell);
}

Traits traits(const Tanh&, Shapes, const Shape& result) {
  return {.multiply_adds = kTanhWork * size_of(result)};
}
Traits traits(const SquaredDistance&, Shapes inputs, const Shape& result) {
  return {.multiply_adds = 2 * size_of(result) * static_cast<double>(inputs[0].columns)};
}
Traits traits(const TakeColumns& op, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result), .stays_in_format = true, .takes_from = op.first};
}
Traits traits(const PairSum&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result)};
}
Traits traits(const PairProduct&, Shapes inputs, const Shape& result) {
  return {.multiply_adds = size_of(result) * static_cast<double>(inputs[0].columns)};
}
Traits traits(const AdditiveScore&, Shapes inputs, const Shape& result) {
  return {.multiply_adds = kTanhWork * size_of(result) * static_cast<double>(inputs[0].columns)};
}

double size_of_terms(const PairProduct&, Inputs inputs) {
  return sum_of_sizes(inputs[1]);
}

double size_of_terms(const AdditiveScore&, Inputs inputs) {
  return sum_of_sizes(inputs[2]);
}

RowReads cut(Tanh&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(SquaredDistance&, Shapes inputs, const RowRange&) {
  return same_rows(inputs, {1});
}
RowReads cut(TakeColumns&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(PairSum&, Shapes, const RowRange&) {
  return std::nullopt;
}
RowReads cut(PairProduct&, Shapes, const RowRange&) {
  return std::nullopt;
}
RowReads cut(AdditiveScore&, Shapes inputs, const RowRange&) {
  return same_rows(inputs, {1, 2});
}

// scoring_backward.cpp
Backward backward(const Tanh& op, Shapes inputs, const Shape& result);
Backward backward(const SquaredDistance& op, Shapes inputs, const Shape& result);
Backward backward(const TakeColumns& op, Shapes inputs, const Shape& result);
Backward backward(const PairSum& op, Shapes inputs, const Shape& result);
Backward backward(const PairProduct& op, Shapes inputs, const Shape& result);
Backward backward(const AdditiveScore& op, Shapes inputs, const Shape& result);

template struct Family<Tanh>;
template struct Family<SquaredDistance>;
template struct Family<TakeColumns>;
template struct Family<PairSum>;
template struct Family<PairProduct>;
template struct Family<AdditiveScore>;

}  // namespace attn

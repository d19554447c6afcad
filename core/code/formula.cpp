// Formulas put together: what shape each has.
#include "core/code/formula.h"

#include <algorithm>
#include <numeric>

namespace attn::code {
namespace {

Shape spread(const Shape& a, const Shape& b) {
  return {std::max(a.stack, b.stack), std::max(a.rows, b.rows), std::max(a.columns, b.columns)};
}

Formula made(Fn fn, const Shape& shape, std::vector<Formula> of, std::size_t first = 0) {
  return Formula(Node{.fn = fn, .shape = shape, .of = std::move(of), .first = first});
}

}  // namespace

Formula::Formula(double number) : Formula(Node{.value = number}) {}
Formula::Formula(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}

Formula input(std::size_t number, const Shape& shape) {
  return made(Fn::input, shape, {}, number);
}

Formula constant(const char* called, const Shape& shape, std::vector<double> numbers) {
  return Formula(Node{.fn = Fn::constant, .shape = shape, .numbers = std::move(numbers), .called = called});
}

Formula places(std::size_t count, std::ptrdiff_t first) {
  const Formula counted = made(Fn::place, {1, count, 1}, {});
  return first == 0 ? counted : counted + static_cast<double>(first);
}

Formula columns_counted(std::size_t count) {
  return made(Fn::column, {1, 1, count}, {});
}

Formula binary(Fn fn, Formula a, Formula b) {
  const Shape shape = spread(a->shape, b->shape);
  return made(fn, shape, {std::move(a), std::move(b)});
}
Formula operator+(Formula a, Formula b) {
  return binary(Fn::add, std::move(a), std::move(b));
}
Formula operator-(Formula a, Formula b) {
  return binary(Fn::subtract, std::move(a), std::move(b));
}
Formula operator*(Formula a, Formula b) {
  return binary(Fn::multiply, std::move(a), std::move(b));
}
Formula operator/(Formula a, Formula b) {
  return binary(Fn::divide, std::move(a), std::move(b));
}

Formula where(Formula condition, Formula then, Formula otherwise) {
  const Shape shape = spread(spread(condition->shape, then->shape), otherwise->shape);
  return made(Fn::where, shape, {std::move(condition), std::move(then), std::move(otherwise)});
}

Formula of_each(Fn fn, Formula a) {
  const Shape shape = a->shape;
  return made(fn, shape, {std::move(a)});
}
Formula row_max(Formula a) {
  const Shape& s = a->shape;
  return made(Fn::row_max, {s.stack, s.rows, 1}, {a});
}
Formula row_sum(Formula a) {
  const Shape& s = a->shape;
  return made(Fn::row_sum, {s.stack, s.rows, 1}, {a});
}
Formula column_sum(Formula a) {
  const Shape& s = a->shape;
  return made(Fn::column_sum, {s.stack, 1, s.columns}, {a});
}
Formula stack_sum(Formula a) {
  const Shape& s = a->shape;
  return s.stack == 1 ? a : made(Fn::stack_sum, {1, s.rows, s.columns}, {a});
}

Formula product(Formula a, Formula b) {
  const Shape shape{std::max(a->shape.stack, b->shape.stack), a->shape.rows, b->shape.columns};
  return made(Fn::product, shape, {std::move(a), std::move(b)});
}
Formula transposed(Formula a) {
  const Shape& s = a->shape;
  return made(Fn::transposed, {s.stack, s.columns, s.rows}, {a});
}
Formula exchanged(Formula a) {
  const Shape& s = a->shape;
  return made(Fn::exchanged, {s.rows, s.stack, s.columns}, {a});
}
Formula reshaped(Formula a, const Shape& shape) {
  return a->shape == shape ? a : made(Fn::reshaped, shape, {a});
}

Formula columns(Formula a, std::size_t first, std::size_t count) {
  const Shape& s = a->shape;
  return count == s.columns ? a : made(Fn::columns, {s.stack, s.rows, count}, {a}, first);
}
Formula rows(Formula a, std::size_t first, std::size_t count) {
  const Shape& s = a->shape;
  return count == s.rows ? a : made(Fn::rows, {s.stack, count, s.columns}, {a}, first);
}
Formula matrices(Formula a, std::size_t first, std::size_t count) {
  const Shape& s = a->shape;
  return count == s.stack ? a : made(Fn::matrices, {count, s.rows, s.columns}, {a}, first);
}

Formula picked(Formula a, std::vector<std::size_t> listed) {
  const Shape shape{a->shape.stack, a->shape.rows, listed.size()};
  return Formula(Node{.fn = Fn::picked, .shape = shape, .of = {a}, .listed = std::move(listed)});
}
Formula by_index(Formula a, const Shape& shape, std::vector<std::size_t> listed) {
  const Fn fn = a->shape.rows == 1 ? Fn::by_one_index : Fn::by_index;
  return Formula(Node{.fn = fn, .shape = shape, .of = {a}, .listed = std::move(listed)});
}
Formula beside(Formula a, Formula b) {
  const Shape shape{a->shape.stack, a->shape.rows, a->shape.columns + b->shape.columns};
  return made(Fn::beside, shape, {std::move(a), std::move(b)});
}
Formula tiled(Formula a, std::size_t times) {
  const Shape& s = a->shape;
  return times == 1 ? a : made(Fn::tiled, {s.stack * times, s.rows, s.columns}, {a}, times);
}

Formula shared_by(Formula a, std::size_t heads) {
  const Shape& s = a->shape;
  if (s.stack == heads || s.stack == 1) return a;  // one matrix serves all anyway
  return made(Fn::repeated, {heads, s.rows, s.columns}, {a}, heads / s.stack);
}

Formula sum_of_groups(Formula a, std::size_t group) {
  if (group == 1) return a;
  const Shape s = a->shape;
  if (s.stack == group) return stack_sum(a);
  // Heads of a group become the rows that are added up.
  const Formula in_groups = reshaped(a, {s.stack / group, group, s.rows * s.columns});
  return reshaped(column_sum(in_groups), {s.stack / group, s.rows, s.columns});
}

Formula times_or_zero(Formula x, Formula y) {
  return where(binary(Fn::either, binary(Fn::equal, x, 0), binary(Fn::equal, y, 0)), 0, x * y);
}

Formula sigmoid(Formula x) {
  return 1 / (1 + of_each(Fn::exp, -1 * x));
}

Formula split_heads(Formula x, std::size_t heads) {
  const Shape s = x->shape;
  return heads == 1 ? x : exchanged(reshaped(x, {s.rows, heads, s.columns / heads}));
}

Formula merged_heads(Formula x) {
  const Shape s = x->shape;
  return s.stack == 1 ? x : reshaped(exchanged(x), {1, s.rows, s.stack * s.columns});
}

}  // namespace attn::code

// Products of two matrices added up: which shapes fit, the terms of one sum, and where a number goes.
#include "core/operations/sums.h"

#include <algorithm>

#include "core/operations/family.h"
#include "core/operations/products.h"
#include "core/operations/row_norm_row.h"
#include "core/operations/written.h"
#include "core/system/error.h"

namespace attn {
namespace {

Explanation explain_row_of_products(Inputs inputs, Cell cell) {
  std::vector<Term> terms;
  for (std::size_t j = 0; j < inputs[0].columns(); ++j)
    terms.push_back(product_term(operand(inputs, 0, {cell.head, cell.row, j}),
                                 operand(inputs, 1, {cell.head, cell.row, j})));
  const std::string row = in_brackets(cell.row);
  Explanation e = sum_of("left" + row + "·right" + row, std::move(terms));
  e.over = 0;
  e.formula = {part_of(0, row), words(" · "), part_of(1, row), words(" = Σ over "), columns_of(0)};
  return e;
}

// Too many products to list: those of a row are one term.
Explanation explain_all_products(Inputs inputs) {
  const Tensor& x = inputs[0];
  std::vector<Term> terms;
  for (Cell at; at.head < x.stack(); ++at.head)
    for (at.row = 0; at.row < x.rows(); ++at.row) {
      const double sum =
          sum_of_products(row_numbers(x, at.head, at.row), row_numbers(inputs[1], at.head, at.row));
      terms.push_back({.operands = {constant(sum, row_words(x.shape(), at))}, .value = sum});
    }
  Explanation e = sum_of("Σ of left × right over all numbers, row by row", std::move(terms));
  e.formula = {words("Σ of "), part_of(0, " × "), part_of(1, " over all numbers")};
  return e;
}

}  // namespace

Shape result_shape(const SumProduct& op, Shapes inputs) {
  const Shape x = inputs[0], y = inputs[1];
  if (x != y)
    throw Error("products of a " + to_string(x) + " and a " + to_string(y) +
                " matrix cannot be added up: give both the same shape");
  return op.over == SumProduct::row ? Shape{x.stack, x.rows, 1} : Shape{1, 1, 1};
}

Explanation explain(const SumProduct& op, Inputs inputs, Cell cell) {
  Explanation e =
      op.over == SumProduct::row ? explain_row_of_products(inputs, cell) : explain_all_products(inputs);
  e.passages = {{words("one term of a sum")}};
  return e;
}

Regions reach(const SumProduct& op, Shapes, std::size_t, Cell cell) {
  return op.over == SumProduct::row ? region({cell.head, cell.row, 0}) : region({0, 0, 0});
}

Traits traits(const SumProduct&, Shapes inputs, const Shape&) {
  return {.multiply_adds = size_of(inputs[0]), .counted = 2 * size_of(inputs[0])};
}

double size_of_terms(const SumProduct& op, Inputs inputs) {
  const Tensor &x = inputs[0], &y = inputs[1];
  double all = 0, largest = 0;
  for (std::size_t row = 0; row < x.stack() * x.rows(); ++row) {
    const double size = size_of_products(row_numbers(x, 0, row), row_numbers(y, 0, row));
    all += size, largest = std::max(largest, size);
  }
  return op.over == SumProduct::row ? largest : all;
}

RowReads cut(SumProduct& op, Shapes inputs, const RowRange&) {
  return op.over == SumProduct::row ? RowReads(same_rows(inputs)) : std::nullopt;
}

Backward backward(const SumProduct&, Shapes, const Shape&) {
  Backward back;
  back.flow(0, back.add(Multiply{}, {input_of(1), kGradient}, "%g · %1"));
  back.flow(1, back.add(Multiply{}, {input_of(0), kGradient}, "%g · %0"));
  return back;
}

template struct Family<SumProduct>;

}  // namespace attn

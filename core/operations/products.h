// Products in which a 0 makes a 0 whatever the other is, in double, shared by the reference and the
// explanations.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "core/operations/matmul.h"

namespace attn {

template <class Number>
Number product_or_zero(Number x, Number b) {
  return x == 0 || b == 0 ? Number{0} : x * b;
}

// The same as a term. A 0 stands alone where the other is no number that it could be multiplied by.
inline Term product_term(const Operand& x, const Operand& b) {
  const double value = product_or_zero(x.value, b.value);
  if (value == 0 && !std::isfinite(x.value * b.value))
    return {.operands = {x.value == 0 ? x : b}, .value = value};
  return {.operands = {x, b}, .value = value};
}

// Of Multiply: the number of B, of this shape, that multiplies a cell of X.
inline Cell factor_cell(const Shape& b, const Shape& x, Cell cell) {
  return {shared_matrix(cell.head, b.stack, x.stack), b.rows == 1 ? 0 : cell.row,
          b.columns == 1 ? 0 : cell.column};
}

template <class T>
double sum_of_products(std::span<const T> x, std::span<const T> y) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j)
    sum += product_or_zero(static_cast<double>(x[j]), static_cast<double>(y[j]));
  return sum;
}

// How large the products are together; those that are not finite do not count.
inline double size_of_products(std::span<const float> x, std::span<const float> y) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double size = std::abs(product_or_zero(static_cast<double>(x[j]), static_cast<double>(y[j])));
    if (std::isfinite(size)) sum += size;
  }
  return sum;
}

// Of the largest finite number.
inline double largest_size(std::span<const float> numbers) {
  double largest = 0;
  for (const float x : numbers)
    if (std::isfinite(x)) largest = std::max(largest, std::abs(static_cast<double>(x)));
  return largest;
}

}  // namespace attn

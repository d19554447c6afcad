// The templates of the matrix products: Eigen multiplies what is widened before, and rounded once after.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <span>

#include "core/reference/family.h"

namespace attn::reference {

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Eigen::Index eigen_index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

// Matrix `s` of a tensor whose matrices are taken `joined` at a time, their rows as one's.
template <class T>
Eigen::Map<const RowMajor<T>> matrix(const BasicTensor<T>& tensor, std::size_t s, std::size_t joined = 1) {
  const Shape shape = tensor.shape();
  const std::size_t rows = shape.rows * joined;
  return {tensor.data() + s * rows * shape.columns, eigen_index(rows), eigen_index(shape.columns)};
}

// `count` rows of it, widened; row_at says which.
template <class T, class RowAt>
RowMajor<Wide<T>> widened(const Eigen::Map<const RowMajor<T>>& matrix, std::size_t count, RowAt row_at) {
  RowMajor<Wide<T>> rows(eigen_index(count), matrix.cols());
  for (std::size_t i = 0; i < count; ++i)
    rows.row(eigen_index(i)) = matrix.row(eigen_index(row_at(i))).template cast<Wide<T>>();
  return rows;
}

// A number of a product with its bias and what becomes of it. Numbers that watch what is done with them are
// of products alone.
template <class T>
Wide<T> finished_product(AfterProduct after, TensorsOf<T> inputs, Wide<T> product, std::size_t bias_column,
                         Cell cell) {
  const ProductInputs at(after, inputs.size());
  if (at.bias) product += static_cast<Wide<T>>(inputs[at.bias][{0, 0, bias_column}]);
  if constexpr (std::is_same_v<Wide<T>, double>)
    return after_product(after, product, at.residual ? static_cast<double>(inputs[at.residual][cell]) : 0);
  return product;
}

// One matrix of a factor, widened: of its rows, or where it is transposed of its columns, those that row_at
// says.
template <class T, class RowAt>
RowMajor<Wide<T>> left_rows(const MatMul& op, const BasicTensor<T>& a, std::size_t s, std::size_t count,
                            RowAt row_at) {
  if (!op.transpose_left) return widened(matrix(a, s), count, row_at);
  const Shape shape = left_factor(op, a.shape());
  const auto columns = matrix(a, s, op.summed);
  RowMajor<Wide<T>> rows(eigen_index(count), eigen_index(shape.columns));
  for (std::size_t i = 0; i < count; ++i)
    rows.row(eigen_index(i)) = columns.col(eigen_index(row_at(i))).template cast<Wide<T>>();
  return rows;
}

// Of so few rows that are asked for each is multiplied for itself, with numbers that are widened as they are
// read: to widen all of the other factor first takes longer than the product.
inline bool are_few(const WantedRows& wanted) {
  constexpr std::size_t kFewRows = 4;
  return !wanted.rows.empty() && wanted.count() <= kFewRows;
}

template <class T>
ColumnChoice columns_of(TensorsOf<T> inputs, const Shape& result) {
  return inputs.columns.count > 0 ? inputs.columns : ColumnChoice{0, result.columns};
}

// A row times a matrix whose rows lie `stride` numbers apart. A loop that compilers turn into vector
// instructions.
template <class T>
void multiply_row(std::span<const Wide<T>> row, const T* right, std::size_t stride,
                  std::span<Wide<T>> product) {
  std::ranges::fill(product, Wide<T>(0));
  Wide<T>* const sums = product.data();
  for (const Wide<T>& factor : row) {
    for (std::size_t j = 0; j < product.size(); ++j) sums[j] += factor * static_cast<Wide<T>>(right[j]);
    right += stride;
  }
}

template <class Matrix>
auto row_span(Matrix& matrix, std::size_t row) {
  const auto columns = static_cast<std::size_t>(matrix.cols());
  return std::span(matrix.data() + row * columns, columns);
}

// These columns of the product.
template <class T>
RowMajor<Wide<T>> product_of(const MatMul& op, const RowMajor<Wide<T>>& left,
                             const Eigen::Map<const RowMajor<T>>& right, ColumnChoice columns, bool few) {
  const Eigen::Index first = eigen_index(columns.first), count = eigen_index(columns.count);
  if (op.transpose_right) {
    const RowMajor<Wide<T>> some = right.middleRows(first, count).template cast<Wide<T>>();
    return left * some.transpose();
  }
  if (!few) {
    const RowMajor<Wide<T>> some = right.middleCols(first, count).template cast<Wide<T>>();
    return left * some;
  }
  RowMajor<Wide<T>> product(left.rows(), count);
  for (std::size_t i = 0; i < static_cast<std::size_t>(left.rows()); ++i)
    multiply_row<T>(row_span(left, i), right.data() + columns.first, static_cast<std::size_t>(right.cols()),
                    row_span(product, i));
  return product;
}

template <class T>
BasicTensor<T> compute(const MatMul& op, TensorsOf<T> inputs) {
  const auto &a = inputs[0], &b = inputs[1];
  const WantedRows result = wanted<T>(op, inputs);
  const Shape shape = result.shape;
  const std::size_t a_stack = a.stack() / op.summed, b_stack = b.stack() / op.summed;
  const ColumnChoice columns = columns_of<T>(inputs, shape);
  std::vector<T> values;
  values.reserve(result.count() * columns.count);
  for (std::size_t first = 0, last = 0; first < result.count(); first = last) {
    const std::size_t s = result.row(first).head;
    while (last < result.count() && result.row(last).head == s) ++last;
    const RowMajor<Wide<T>> left = left_rows(op, a, shared_matrix(s, a_stack, shape.stack), last - first,
                                             [&](std::size_t i) { return result.row(first + i).row; });
    const RowMajor<Wide<T>> product = product_of(
        op, left, matrix(b, shared_matrix(s, b_stack, shape.stack), op.summed), columns, are_few(result));
    for (std::size_t i = first; i < last; ++i)
      for (std::size_t j = 0; j < columns.count; ++j) {
        const Cell at{s, result.row(i).row, columns.first + j};
        values.push_back(static_cast<T>(finished_product(
            op.after, inputs, product(eigen_index(i - first), eigen_index(j)), at.column, at)));
      }
  }
  return {{result.result().stack, result.result().rows, columns.count}, std::move(values)};
}

// Each for itself.
template <class T>
BasicTensor<T> few_rows_of(const Project& op, TensorsOf<T> inputs, const WantedRows& result) {
  const ColumnChoice columns = columns_of<T>(inputs, result.shape);
  RowMajor<Wide<T>> x =
      widened(matrix(inputs[0], 0), result.count(), [&](std::size_t i) { return result.row(i).row; });
  std::vector<Wide<T>> product(columns.count);
  std::vector<T> values;
  for (std::size_t i = 0; i < result.count(); ++i) {
    Cell at = result.row(i);
    const std::size_t first = at.head * result.shape.columns + columns.first;
    multiply_row<T>(row_span(x, i), inputs[1].data() + first, inputs[1].columns(), product);
    for (std::size_t j = 0; j < columns.count; ++j) {
      at.column = columns.first + j;
      values.push_back(static_cast<T>(finished_product(op.after, inputs, product[j], first + j, at)));
    }
  }
  return {{1, result.count(), columns.count}, std::move(values)};
}

// A row of X makes a row of each head: one that several ask for is multiplied once.
template <class T>
BasicTensor<T> compute(const Project& op, TensorsOf<T> inputs) {
  const WantedRows result = wanted<T>(op, inputs);
  if (are_few(result)) return few_rows_of<T>(op, inputs, result);
  constexpr std::size_t kUnwanted = static_cast<std::size_t>(-1);
  std::vector<std::size_t> rows, place(result.shape.rows, kUnwanted);
  for (std::size_t i = 0; i < result.count(); ++i) {
    const std::size_t row = result.row(i).row;
    if (place[row] != kUnwanted) continue;
    place[row] = rows.size();
    rows.push_back(row);
  }
  const RowMajor<Wide<T>> x =
      widened(matrix(inputs[0], 0), rows.size(), [&](std::size_t i) { return rows[i]; });
  const RowMajor<Wide<T>> product = x * matrix(inputs[1], 0).template cast<Wide<T>>();
  return generate<T>(result, [&](Cell c) {
    const std::size_t column = c.head * result.shape.columns + c.column;
    return finished_product(op.after, inputs, product(eigen_index(place[c.row]), eigen_index(column)), column,
                            c);
  });
}

}  // namespace attn::reference

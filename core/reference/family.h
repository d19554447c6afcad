// For the families' own files and tests alone: what Reference is, and what they share.
#pragma once

#include "core/reference/operations.h"

namespace attn::reference {

template <class Op>
BasicTensor<float> Reference<Op>::run(const Op& op, TensorsOf<float> inputs) {
  return compute(op, inputs);
}

template <class Op>
BasicTensor<double> Reference<Op>::run(const Op& op, TensorsOf<double> inputs) {
  return compute(op, inputs);
}

// What numbers of a type are computed in: all of them in double, but one that watches what is done with it
// in itself.
template <class T>
struct ComputedIn {
  using type = double;
};
template <class T>
using Wide = typename ComputedIn<T>::type;

// The shape of a result, and the rows of it that are asked for.
struct WantedRows {
  Shape shape;
  RowChoice rows;

  std::size_t count() const { return rows.empty() ? shape.stack * shape.rows : rows.size(); }
  // The `i`th of them: head and row.
  Cell row(std::size_t i) const {
    const std::size_t flat = rows.empty() ? i : rows[i];
    return {flat / shape.rows, flat % shape.rows, 0};
  }
  Shape result() const { return rows.empty() ? shape : Shape{1, rows.size(), shape.columns}; }
};

template <class T, class Op>
WantedRows wanted(const Op& op, TensorsOf<T> inputs) {
  std::vector<Shape> shapes;
  for (const auto& input : inputs) shapes.push_back(input.shape());
  return {Family<Op>::result_shape(op, shapes), inputs.rows};
}

// A tensor whose values are value(cell of the whole result), computed wide.
template <class T, class Value>
BasicTensor<T> generate(const WantedRows& wanted, Value value) {
  std::vector<T> values;
  values.reserve(wanted.count() * wanted.shape.columns);
  for (std::size_t i = 0; i < wanted.count(); ++i) {
    Cell cell = wanted.row(i);
    for (; cell.column < wanted.shape.columns; ++cell.column) values.push_back(static_cast<T>(value(cell)));
  }
  return {wanted.result(), std::move(values)};
}

}  // namespace attn::reference

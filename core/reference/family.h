// For the families' own files alone: what run() is, and what they share.
#pragma once

#include "core/reference/operations.h"

namespace attn::reference {

template <class T, class Op>
BasicTensor<T> run(const Op& op, TensorsOf<T> inputs) {
  return compute(op, inputs);
}

// A tensor of `shape` whose values are value(head, row, column), computed in double.
template <class T, class Value>
BasicTensor<T> generate(Shape shape, Value value) {
  std::vector<T> values;
  values.reserve(shape.size());
  for (std::size_t s = 0; s < shape.stack; ++s)
    for (std::size_t i = 0; i < shape.rows; ++i)
      for (std::size_t j = 0; j < shape.columns; ++j) values.push_back(static_cast<T>(value(Cell{s, i, j})));
  return {shape, std::move(values)};
}

template <class T>
Shape shape_of(const auto& op, TensorsOf<T> inputs) {
  std::vector<Shape> shapes;
  for (const auto& input : inputs) shapes.push_back(input.shape());
  return result_shape(op, shapes);
}

}  // namespace attn::reference

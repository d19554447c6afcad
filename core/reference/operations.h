// Every operation of the reference, for float stages (computed in double, rounded once) and double stages.
// Shapes are those of result_shape; the caller has checked them.
#pragma once

#include <span>

#include "core/operation.h"

namespace attn::reference {

template <class T>
using TensorsOf = std::span<const BasicTensor<T>>;

template <class T>
BasicTensor<T> run(const MatMul& op, TensorsOf<T> inputs);
template <class T>
BasicTensor<T> run(const Project& op, TensorsOf<T> inputs);
template <class T>
BasicTensor<T> run(const Scale& op, TensorsOf<T> inputs);
template <class T>
BasicTensor<T> run(const Add& op, TensorsOf<T> inputs);
template <class T>
BasicTensor<T> run(const Override& op, TensorsOf<T> inputs);
template <class T>
BasicTensor<T> run(const Mask& op, TensorsOf<T> inputs);
template <class T>
BasicTensor<T> run(const MaskFill& op, TensorsOf<T> inputs);
template <class T>
BasicTensor<T> run(const RowMaximum& op, TensorsOf<T> inputs);
template <class T>
BasicTensor<T> run(const Exponential& op, TensorsOf<T> inputs);
template <class T>
BasicTensor<T> run(const RowSum& op, TensorsOf<T> inputs);
template <class T>
BasicTensor<T> run(const Normalize& op, TensorsOf<T> inputs);
template <class T>
BasicTensor<T> run(const Dropout& op, TensorsOf<T> inputs);
template <class T>
BasicTensor<T> run(const Concat& op, TensorsOf<T> inputs);
template <class T>
BasicTensor<T> run(const SinusoidalEncoding& op, TensorsOf<T> inputs);

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

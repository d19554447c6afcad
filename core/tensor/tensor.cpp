// One counter gives all ids, on whatever thread: that no two tensors ever share one is what the evaluator's
// memory, the device's buffers and the textures rely on.
#include "core/tensor/tensor.h"

namespace attn {

TensorId detail::next_tensor_id() {
  static std::atomic<TensorId> counter{0};
  return ++counter;
}

std::string to_string(const Shape& shape) {
  const std::string matrix = std::to_string(shape.rows) + "×" + std::to_string(shape.columns);
  return shape.stack == 1 ? matrix : std::to_string(shape.stack) + "×" + matrix;
}

Tensor64 to_double(const Tensor& tensor) {
  if (tensor.empty()) return {};
  return {tensor.shape(), std::vector<double>(tensor.values().begin(), tensor.values().end())};
}

Tensor to_float(const Tensor64& tensor) {
  if (tensor.empty()) return {};
  std::vector<float> values;
  values.reserve(tensor.values().size());
  for (const double v : tensor.values()) values.push_back(static_cast<float>(v));
  return {tensor.shape(), std::move(values)};
}

std::vector<float> take_rows(std::span<const float> values, const Shape& shape, const RowRange& rows) {
  std::vector<float> taken;
  taken.reserve(shape.stack * rows.count * shape.columns);
  for (std::size_t s = 0; s < shape.stack; ++s) {
    const auto of = values.subspan((s * shape.rows + rows.first) * shape.columns, rows.count * shape.columns);
    taken.insert(taken.end(), of.begin(), of.end());
  }
  return taken;
}

Tensor take_rows(const Tensor& tensor, const RowRange& rows) {
  const Shape& shape = tensor.shape();
  return {{shape.stack, rows.count, shape.columns}, take_rows(tensor.values(), shape, rows)};
}

Tensor transposed(const Tensor& matrix) {
  const std::size_t rows = matrix.rows(), columns = matrix.columns();
  std::vector<float> values(matrix.shape().size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) values[j * rows + i] = matrix.values()[i * columns + j];
  return {{1, columns, rows}, std::move(values)};
}

Tensor with_value(const Tensor& tensor, Cell cell, float value) {
  std::vector<float> values(tensor.values().begin(), tensor.values().end());
  values[tensor.index(cell)] = value;
  return {tensor.shape(), std::move(values)};
}

}  // namespace attn

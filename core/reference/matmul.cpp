// Matrix products by Eigen: matrices are widened to double before, the result is rounded once after.
#include <Eigen/Core>

#include "core/reference/family.h"

namespace attn::reference {
namespace {

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Index eigen_index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

// Matrix `s` of a tensor, widened to double.
template <class T>
RowMajor<double> matrix(const BasicTensor<T>& tensor, std::size_t s) {
  const Shape shape = tensor.shape();
  const T* data = tensor.data() + s * shape.rows * shape.columns;
  return Eigen::Map<const RowMajor<T>>(data, eigen_index(shape.rows), eigen_index(shape.columns))
      .template cast<double>();
}

}  // namespace

template <class T>
BasicTensor<T> compute(const MatMul& op, TensorsOf<T> inputs) {
  const auto &a = inputs[0], &b = inputs[1];
  const Shape shape = shape_of<T>(op, inputs);
  std::vector<T> values(shape.size());
  for (std::size_t s = 0; s < shape.stack; ++s) {
    const RowMajor<double> left = matrix(a, shared_matrix(s, a.stack(), shape.stack));
    const RowMajor<double> right = matrix(b, shared_matrix(s, b.stack(), shape.stack));
    Eigen::Map<RowMajor<T>> out(values.data() + s * shape.rows * shape.columns, eigen_index(shape.rows),
                                eigen_index(shape.columns));
    RowMajor<double> product;
    if (op.transpose_right)
      product.noalias() = left * right.transpose();
    else
      product.noalias() = left * right;
    out = product.template cast<T>();
  }
  return {shape, std::move(values)};
}

template <class T>
BasicTensor<T> compute(const Project& op, TensorsOf<T> inputs) {
  const Shape shape = shape_of<T>(op, inputs);
  RowMajor<double> product = matrix(inputs[0], 0) * matrix(inputs[1], 0);
  if (inputs.size() > 2) product.rowwise() += matrix(inputs[2], 0).row(0);
  return generate<T>(shape, [&](Cell c) {
    return product(eigen_index(c.row), eigen_index(c.head * shape.columns + c.column));
  });
}

template BasicTensor<float> run<float>(const MatMul&, TensorsOf<float>);
template BasicTensor<double> run<double>(const MatMul&, TensorsOf<double>);
template BasicTensor<float> run<float>(const Project&, TensorsOf<float>);
template BasicTensor<double> run<double>(const Project&, TensorsOf<double>);

}  // namespace attn::reference

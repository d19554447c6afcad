// softmax(Q·Kᵀ ÷ √d_k)·V as one writes it with Eigen: two products, and the softmax over rows in between; and
// a product alone.
#include "app/cli/eigen_rows.h"

#include <Eigen/Core>
#include <cmath>

namespace attn::bench::EIGEN_ROWS {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

// Raw pointers and Eigen alone: an inline function of another library would be compiled for this processor,
// and the linker might take it for everybody.
void attend(const EigenRows& rows) {
  const auto n = static_cast<Eigen::Index>(rows.n), d_k = static_cast<Eigen::Index>(rows.d_k);
  const auto first = static_cast<Eigen::Index>(rows.first),
             count = static_cast<Eigen::Index>(rows.end) - first;
  const Eigen::Map<const Matrix> q(rows.q + first * d_k, count, d_k), k(rows.k, n, d_k), v(rows.v, n, d_k);
  Eigen::Map<Matrix> weights(rows.weights, count, n), output(rows.output + first * d_k, count, d_k);
  weights.noalias() = q * k.transpose();
  const float scale = 1 / __builtin_sqrtf(static_cast<float>(d_k));
  for (Eigen::Index i = 0; i < count; ++i) {
    auto row = weights.row(i).array();
    row = ((row - row.maxCoeff()) * scale).exp();
    row *= 1 / row.sum();
  }
  output.noalias() = weights * v;
}

void multiply(const EigenProductRows& rows) {
  const auto n = static_cast<Eigen::Index>(rows.n), first = static_cast<Eigen::Index>(rows.first),
             count = static_cast<Eigen::Index>(rows.end) - first;
  const Eigen::Map<const Matrix> a(rows.a + first * n, count, n), b(rows.b, n, n);
  Eigen::Map<Matrix>(rows.c + first * n, count, n).noalias() = a * b;
}

}  // namespace attn::bench::EIGEN_ROWS

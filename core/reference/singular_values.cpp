// Singular values by Eigen's two-sided Jacobi rotations, which keep the small ones exact to their own size.
#include "core/reference/singular_values.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <span>

namespace attn {
namespace {

template <class T>
Eigen::MatrixXd numbers_of(const BasicTensor<T>& matrix) {
  using Numbers = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto rows = static_cast<Eigen::Index>(matrix.rows()),
             columns = static_cast<Eigen::Index>(matrix.columns());
  return Eigen::Map<const Numbers>(matrix.data(), rows, columns).template cast<double>();
}

template <class T>
std::vector<double> values_of(const BasicTensor<T>& matrix) {
  const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(numbers_of(matrix)).singularValues();
  return {values.data(), values.data() + values.size()};
}

// The eigenvalues of the shorter of M·Mᵀ and Mᵀ·M are the squares, each off by some 1e-14 of the largest at
// most, in a twentieth of the rotations' time.
template <class T>
double beyond_first(const BasicTensor<T>& matrix) {
  constexpr double kExactEnough = 1e-6;  // 1e-14 of that are eight digits
  Eigen::MatrixXd m = numbers_of(matrix);
  if (m.rows() > m.cols()) m.transposeInPlace();
  const Eigen::MatrixXd products = m * m.transpose();
  const Eigen::VectorXd squares =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(products, Eigen::EigenvaluesOnly).eigenvalues();
  const double share = squares.head(squares.size() - 1).sum() / squares.sum();
  if (!(share < kExactEnough)) return share;
  const std::vector<double> sizes = values_of(matrix);
  const double first = sizes.front() * sizes.front();
  double others = 0;
  for (const double size : std::span(sizes).subspan(1)) others += size * size;
  return others / (first + others);
}

}  // namespace

std::vector<double> singular_values(const Tensor& matrix) {
  return values_of(matrix);
}

std::vector<double> singular_values(const Tensor64& matrix) {
  return values_of(matrix);
}

double squares_beyond_first(const Tensor& matrix) {
  return beyond_first(matrix);
}

double squares_beyond_first(const Tensor64& matrix) {
  return beyond_first(matrix);
}

}  // namespace attn

// Singular values by Eigen's two-sided Jacobi rotations, which keep the small ones exact to their own size;
// and what the largest leaves, without rotating.
#include "core/reference/singular_values.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <cmath>
#include <optional>

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

// M without σ₁·u·vᵀ. An M that is nearly of rank 1 is 1e12 times as large as what is left: the difference is
// rounded once, at its own size, and what the roundings of u·M left of u and of v is then taken from what is
// small. Where u and v are off by θ and φ, what is left is off by θ·φ·σ₁.
Eigen::MatrixXd without_first(const Eigen::MatrixXd& m, const Eigen::VectorXd& u) {
  const Eigen::VectorXd w = m.transpose() * u, v = w.normalized();
  Eigen::MatrixXd rest(m.rows(), m.cols());
  for (Eigen::Index j = 0; j < m.cols(); ++j)
    for (Eigen::Index i = 0; i < m.rows(); ++i) rest(i, j) = std::fma(-u(i), w(j), m(i, j));
  const auto take_u = [&] {
    const Eigen::RowVectorXd along = u.transpose() * rest;
    rest.noalias() -= u * along;
  };
  take_u();
  const Eigen::VectorXd along = rest * v;
  rest.noalias() -= along * v.transpose();
  take_u();
  return rest;
}

// By power iteration: each round multiplies what of u is another's by σ₂² ÷ σ₁². None where that is not small
// enough for a few rounds to leave nothing of it.
std::optional<double> beyond_clear_first(const Eigen::MatrixXd& m) {
  constexpr double kClear = 1e-4;
  constexpr int kRounds = 6;
  Eigen::Index longest = 0;
  const double all = m.squaredNorm();
  if (!(m.colwise().squaredNorm().maxCoeff(&longest) > 0) || !std::isfinite(all)) return std::nullopt;
  Eigen::VectorXd u = m.col(longest).normalized();
  for (int round = 0; round < kRounds; ++round) {
    const Eigen::VectorXd next = m * (m.transpose() * u);
    if (!(next.squaredNorm() > 0)) return std::nullopt;
    u = next.normalized();
  }
  if ((m.transpose() * u).squaredNorm() < (1 - kClear) * all) return std::nullopt;
  return without_first(m, u).squaredNorm() / all;
}

// Else the eigenvalues of the shorter of M·Mᵀ and Mᵀ·M are the squares, each off by some 1e-14 of the largest
// at most.
template <class T>
double beyond_first(const BasicTensor<T>& matrix) {
  Eigen::MatrixXd m = numbers_of(matrix);
  if (const auto clear = beyond_clear_first(m)) return *clear;
  if (m.rows() > m.cols()) m.transposeInPlace();
  const Eigen::MatrixXd products = m * m.transpose();
  const Eigen::VectorXd squares =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(products, Eigen::EigenvaluesOnly).eigenvalues();
  return squares.head(squares.size() - 1).sum() / squares.sum();
}

}  // namespace

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

// Row spaces by Eigen's two-sided Jacobi rotations: of a matrix whose shorter side is a head's width or so,
// they take milliseconds, and the compiler a third of what the quicker decomposition takes it.
#include "core/reference/row_space.h"

#include <Eigen/SVD>
#include <algorithm>
#include <limits>

namespace attn {

DoubleMatrix row_space(const DoubleMatrix& matrix) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto rows = static_cast<Eigen::Index>(matrix.rows),
             columns = static_cast<Eigen::Index>(matrix.columns);
  const Eigen::MatrixXd numbers = Eigen::Map<const Rows>(matrix.values.data(), rows, columns);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(numbers, Eigen::ComputeThinV);
  const Eigen::VectorXd& sizes = svd.singularValues();
  const double as_zero =
      static_cast<double>(std::max(rows, columns)) * std::numeric_limits<double>::epsilon() * sizes[0];
  DoubleMatrix found{.columns = matrix.columns};
  for (Eigen::Index i = 0; i < sizes.size() && sizes[i] > as_zero; ++i) {
    ++found.rows;
    for (Eigen::Index j = 0; j < columns; ++j) found.values.push_back(svd.matrixV()(j, i));
  }
  return found;
}

}  // namespace attn

// The space that the rows of a matrix span, in double.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace attn {

// Row by row, of `rows` rows.
struct DoubleMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values = {};
};

// As many rows as the matrix has rank, each of length 1 and at right angles to the others: what is at right
// angles to all of them is the matrix' null space.
//
// A singular value counts as 0 up to max(rows, columns) · 2⁻⁵² · the largest: computed ones are those of the
// matrix moved by rounding, which is no more than that (Golub, Van Loan, section 5.5.8), and a singular value
// moves by no more than the matrix does.
DoubleMatrix row_space(const DoubleMatrix& matrix);

}  // namespace attn

// How long rows are, and rows divided by their length. Formulas: core/operations/norm.h. Shapes: x S×n×d, taken as
// S·n rows of d columns; lengths one a row. Includes sum.cl and larger.cl.
//
// row_length: one item a row, one dimension of at most 16384 items that stride over the rows (by_query in
// core/opencl/kernel.cpp). by_length: number by number (grid: that of elementwise.cl).

#include "sum.cl"
#include "larger.cl"

// Squares are taken at the scale of the row's largest number, so that none leaves the range of float. `mean`: of the
// squares, with ε, instead of their sum.
__kernel void row_length(__global const float* x, __global float* y, const uint mean, const uint rows,
                         const uint columns) {
  for (uint row = get_global_id(0); row < rows; row += get_global_size(0)) {
    const __global float* from = x + (size_t)row * columns;
    float largest = 0.0f;
    for (uint j = 0; j < columns; ++j) largest = larger(largest, fabs(from[j]));
    if (!isfinite(largest)) {
      y[row] = largest;
      continue;
    }
    // ε has to stay within the range of float along with them.
    const int power = largest == 0.0f ? 0 : clamp(ilogb(largest), mean ? -40 : -120, 127);
    Sum sum = sum_zero();
    for (uint j = 0; j < columns; ++j) {
      const float near = ldexp(from[j], -power);
      sum = sum_product(sum, near, near);
    }
    const float squares = sum_value(sum);
    y[row] = ldexp(sqrt(mean ? squares / (float)columns + ldexp(1e-6f, -2 * power) : squares), power);
  }
}

__kernel void by_length(__global const float* x, __global const float* lengths, __global float* y, const ulong rows,
                        const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const float length = lengths[row];
    for (ulong i = row * columns + first; i < row * columns + end; ++i) y[i] = length == 0.0f ? 0.0f : x[i] / length;
  }
}

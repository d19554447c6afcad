// Number by number: Y = factor·X, Y = X + B, Y = X ⊙ B, rows with zeros behind, and Y with single numbers replaced.
// Formulas: core/operations/elementwise.h. Includes scale.cl.
//
// Grid of all kernels that work number by number, in this file and others, over a matrix of rows × columns
// (Workbench::by_number): in dimension 0 an item takes column_chunk columns, dimension 1 strides over rows.
//   GPUs: work-groups of 64×1, a column an item; items behind the last column find nothing to do
//   processors: work-groups of one item, 4096 columns or more an item; an item takes several short rows
//
// Shapes: scale takes its tensor as one row; add a row for each matrix of the stack, whose columns are the
// numbers of that matrix; multiply takes the rows of X; replace one row of `count` places.

#include "scale.cl"

__kernel void scale(__global const float* x, __global float* y, const float high, const float low,
                    const int exponent, const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1))
    for (ulong i = row * columns + first; i < row * columns + end; ++i) y[i] = scaled(x[i], high, low, exponent);
}

// Y = X + B: matrix s of X takes matrix s / group of B.
__kernel void add(__global const float* x, __global const float* b, __global float* y, const ulong group,
                  const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong s = get_global_id(1); s < rows; s += get_global_size(1))
    for (ulong i = first; i < end; ++i) y[s * columns + i] = x[s * columns + i] + b[s / group * columns + i];
}

// Y = X ⊙ B, a 0 of either a 0. Matrices of X are `height` rows, matrix s takes matrix s / group of B, whose matrices,
// rows and columns lie so many numbers apart.
__kernel void multiply(__global const float* x, __global const float* b, __global float* y, const ulong group,
                       const ulong height, const ulong matrix_step, const ulong row_step, const ulong column_step,
                       const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const ulong s = row / height, i = row - s * height;
    __global const float* by = b + s / group * matrix_step + i * row_step;
    for (ulong j = first; j < end; ++j) {
      const float a = x[row * columns + j], factor = by[j * column_step];
      y[row * columns + j] = a == 0.0f || factor == 0.0f ? 0.0f : a * factor;
    }
  }
}

// The rows of X, `width` numbers each, with zeros behind.
__kernel void widen(__global const float* x, __global float* y, const uint width, const ulong rows, const ulong columns,
                    const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1))
    for (ulong i = first; i < end; ++i) y[row * columns + i] = i < width ? x[row * width + i] : 0.0f;
}

// Computed numbers replaced by given ones, in place: y is a copy of X. No two indices are equal, else two
// items would race for one number.
__kernel void replace(__global const ulong* indices, __global const float* values, __global float* y,
                      const ulong rows, const ulong count, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, count);
  for (ulong i = first; i < end; ++i) y[indices[i]] = values[i];
}

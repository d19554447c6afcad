// Number by number.
// Grid of all kernels that work number by number, in this file and others: a matrix of rows × columns (here: the
// matrices of a stack × their numbers); dimension 0 takes column_chunk columns an item, 1 on a GPU and many on a
// processor, whose work-groups are single items; dimension 1 strides over the rows.

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

// Computed numbers replaced by given ones: `count` columns in one row.
__kernel void replace(__global const ulong* indices, __global const float* values, __global float* y,
                      const ulong rows, const ulong count, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, count);
  for (ulong i = first; i < end; ++i) y[indices[i]] = values[i];
}

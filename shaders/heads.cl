// Heads side by side: y[i, r·c + j] = x[r, i, j], or 0 where head r is muted (core/operations/heads.h).
// Shapes: x h×n×c, y n×(h·c), `width` is c, `muted` a number for each of the h heads.
// Grid: that of elementwise.cl over y, rows = n and columns = h·c. Includes row_items.cl.

#include "row_items.cl"

__kernel void concat(__global const float* x, __global const uint* muted, __global float* y, const ulong width,
                     const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1))
    for (ulong j = first; j < end; ++j) {
      const ulong head = j / width, column = j - head * width;
      y[row * columns + j] = muted[head] ? 0.0f : x[(head * rows + row) * width + column];
    }
}

// And back: y[r, i, j] = x[i, r·c + j]. Shapes: x n×(h·c), y h×n×c, `height` is n. Grid: over y, rows = h·n and columns =
// c.
__kernel void split_heads(__global const float* x, __global const uint* muted, __global float* y, const ulong heads,
                          const ulong height, const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const ulong head = row / height, i = row - head * height;
    for (ulong j = first; j < end; ++j)
      y[row * columns + j] = muted[head] ? 0.0f : x[(i * heads + head) * columns + j];
  }
}

// Matrices of `group` consecutive heads added up. Grid: over y, a row for each of its matrices, whose columns are all
// numbers of that.
__kernel void head_sum(__global const float* x, __global float* y, const ulong group, const ulong rows,
                       const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong s = get_global_id(1); s < rows; s += get_global_size(1))
    for (ulong i = first; i < end; ++i) {
      Sum sum = sum_zero();
      for (ulong head = s * group; head < (s + 1) * group; ++head) sum = sum_product(sum, x[head * columns + i], 1.0f);
      y[s * columns + i] = sum_or_infinite(sum);
    }
}

// Matrix s of y is matrix s modulo g of x, `heads` is g (core/operations/heads.h). Grid: over y, a row for each of its
// matrices, whose columns are all numbers of that.
__kernel void tile_heads(__global const float* x, __global float* y, const ulong heads, const ulong rows,
                         const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong s = get_global_id(1); s < rows; s += get_global_size(1)) {
    const ulong from = (s % heads) * columns;
    for (ulong i = first; i < end; ++i) y[s * columns + i] = x[from + i];
  }
}

// Rows and columns exchanged: y[r, j, i] = x[r, i, j] (core/operations/heads.h). Shapes: x h×n×m, y h×m×n,
// `width` is m. Grid: that of elementwise.cl over y, rows = h·m and columns = n.
__kernel void transpose(__global const float* x, __global float* y, const ulong width, const ulong rows,
                        const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const ulong head = row / width, j = row - head * width;
    for (ulong i = first; i < end; ++i) y[row * columns + i] = x[(head * columns + i) * width + j];
  }
}

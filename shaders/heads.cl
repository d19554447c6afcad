// Heads side by side: y[i, r·c + j] = x[r, i, j], or 0 where head r is muted (core/operations/heads.h).
// Shapes: x h×n×c, y n×(h·c), `width` is c, `muted` a number for each of the h heads.
// Grid: that of elementwise.cl over y, rows = n and columns = h·c. Includes nothing.

__kernel void concat(__global const float* x, __global const uint* muted, __global float* y, const ulong width,
                     const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1))
    for (ulong j = first; j < end; ++j) {
      const ulong head = j / width, column = j - head * width;
      y[row * columns + j] = muted[head] ? 0.0f : x[(head * rows + row) * width + column];
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

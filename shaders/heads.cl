// Heads side by side: h×n×c to n×(h·c). Grid as in elementwise.cl over the result. `muted` has a number for each head.

__kernel void concat(__global const float* x, __global const uint* muted, __global float* y, const ulong width,
                     const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1))
    for (ulong j = first; j < end; ++j) {
      const ulong head = j / width, column = j - head * width;
      y[row * columns + j] = muted[head] ? 0.0f : x[(head * rows + row) * width + column];
    }
}

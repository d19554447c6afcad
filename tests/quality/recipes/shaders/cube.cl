// Cubes: Y = X³. Formula: core/operations/cube.h. Grid: that of elementwise.cl; the tensor as one row.

__kernel void cube(__global const float* x, __global float* y, const ulong rows, const ulong columns,
                   const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong i = first; i < end; ++i) y[i] = x[i] * x[i] * x[i];
}

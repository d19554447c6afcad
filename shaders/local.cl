// Local attention. Formulas: core/operations/local.h. Shapes: centres h×n×1; mask S×n×m, of which h / S = group matrices
// of the result share one; weights h×n×m. Grid of all: that of elementwise.cl over y, whose rows are h·n queries of m
// keys, or one (local_centre).

// keys·σ(x), by the exponential of a negative number: that of a positive one may leave the range of float.
__kernel void local_centre(__global const float* x, __global float* y, const float keys, const ulong rows,
                           const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong i = first; i < end; ++i) {
    const float share = exp(-fabs(x[i]));
    y[i] = (x[i] > 0.0f ? keys : keys * share) / (1.0f + share);
  }
}

// Places and their sums with the reach are whole numbers that a float holds: nothing is rounded. A group of 0: there is
// no mask besides.
__kernel void local_mask(__global const float* centres, __global const float* mask, __global float* y,
                         const ulong queries, const ulong group, const float reach, const ulong rows,
                         const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const float centre = centres[row];
    ulong other = 0;
    if (group > 0) {
      // A remainder would bring an instruction (freeze) that oclgrind does not know.
      const ulong head = row / queries;
      other = (head / group * queries + (row - head * queries)) * columns;
    }
    for (ulong j = first; j < end; ++j) {
      bool masked = centre < (float)j - reach || centre > (float)j + reach;
      if (group > 0) masked = masked || mask[other + j] != 0.0f;
      y[row * columns + j] = masked ? 1.0f : 0.0f;
    }
  }
}

// x·exp(falloff·(j − p)²), falloff = −1 / 2(D/2)².
__kernel void local_decay(__global const float* x, __global const float* centres, __global float* y,
                          const float falloff, const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const float centre = centres[row];
    for (ulong j = first; j < end; ++j) {
      const float apart = (float)j - centre;
      y[row * columns + j] = x[row * columns + j] * exp(falloff * (apart * apart));
    }
  }
}

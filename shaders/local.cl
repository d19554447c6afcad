// Local attention. Formulas: core/operations/local.h. Shapes: centres h×n×1; mask S×n×m, of which h / S = group matrices
// of the result share one; weights h×n×m. Grid of all but the last: that of elementwise.cl over y, whose rows are h·n
// queries of m keys, or one (local_centre, centre_gradient). Includes sum.cl.

#include "sum.cl"

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

// g·y·(1 − y / keys).
__kernel void centre_gradient(__global const float* centres, __global const float* g, __global float* y,
                              const float keys, const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong i = first; i < end; ++i) y[i] = g[i] * (centres[i] * ((keys - centres[i]) / keys));
}

// Σ w·g·(j − p)·scale of a row, w = the weights behind the decay and scale = 1 / (D/2)². An item a row, over which they
// stride (core/opencl/pairs.h). An infinite g meets no product with a small weight, which might have become 0.
__kernel void decay_gradient(__global const float* weights, __global const float* centres, __global const float* g,
                             __global float* y, const float scale, const uint rows, const uint columns) {
  for (uint row = get_global_id(0); row < rows; row += get_global_size(0)) {
    const float centre = centres[row];
    __global const float* weight = weights + (size_t)row * columns;
    __global const float* flows = g + (size_t)row * columns;
    Sum sum = sum_zero();
    for (uint j = 0; j < columns; ++j)
      if (weight[j] != 0.0f) sum = sum_product(sum, weight[j], flows[j] * (((float)j - centre) * scale));
    float value = sum_value(sum);
#if !DOUBLE_SUMS
    if (!isfinite(value)) {  // as plain_sum
      const float down = 0x1p-80f;
      value = 0.0f;
      for (uint j = 0; j < columns; ++j)
        if (weight[j] != 0.0f) {
          const float leans = flows[j] * (((float)j - centre) * scale);
          value += isfinite(leans) ? (weight[j] * down) * (leans * down) : weight[j] * leans;
        }
      value = ldexp(value, 160);
    }
#endif
    y[row] = value;
  }
}

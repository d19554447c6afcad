// What scores are made of besides matrix products. Formulas: core/operations/scoring.h. Shapes: q h×n×d, k g×m×d, v d;
// matrix s of q meets matrix s / group of k. Grid of all: that of elementwise.cl over y, whose rows are h·n queries of
// m keys (squared_distance, pair_product, additive_score), h·n·m pairs (pair_sum), those of x (take_columns), or one
// (capped). Includes sum.cl.

#include "sum.cl"

// c·tanh(x / c).
__kernel void capped(__global const float* x, __global float* y, const float cap, const ulong rows,
                     const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong i = first; i < end; ++i) y[i] = cap * tanh(x[i] / cap);
}

__kernel void squared_distance(__global const float* q, __global const float* k, __global float* y,
                               const ulong queries, const ulong group, const uint width, const ulong rows,
                               const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    __global const float* query = q + row * width;
    __global const float* keys = k + row / queries / group * columns * width;
    for (ulong j = first; j < end; ++j) {
      __global const float* key = keys + j * width;
      Sum sum = sum_zero();
      for (uint t = 0; t < width; ++t) {
        const float apart = query[t] - key[t];
        sum = sum_product(sum, apart, apart);
      }
      float value = sum_value(sum);
#if !DOUBLE_SUMS
      if (!isfinite(value)) {  // two floats turn ∞ into NaN
        value = 0.0f;
        for (uint t = 0; t < width; ++t) value += (query[t] - key[t]) * (query[t] - key[t]);
      }
#endif
      y[row * columns + j] = value;
    }
  }
}

__kernel void take_columns(__global const float* x, __global float* y, const ulong from, const ulong width,
                           const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1))
    for (ulong j = first; j < end; ++j) y[row * columns + j] = x[row * width + from + j];
}

__kernel void pair_sum(__global const float* q, __global const float* k, __global float* y, const ulong queries,
                       const ulong keys, const ulong group, const ulong rows, const ulong columns,
                       const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    // A remainder, too, would bring an instruction (freeze) that oclgrind does not know.
    const ulong query = row / keys, key = query / queries / group * keys + (row - query * keys);
    for (ulong t = first; t < end; ++t) y[row * columns + t] = q[query * columns + t] + k[key * columns + t];
  }
}

__kernel void pair_product(__global const float* x, __global const float* v, __global float* y, const uint width,
                           const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1))
    for (ulong i = row * columns + first; i < row * columns + end; ++i) {
      __global const float* pair = x + i * width;
      Sum sum = sum_zero();
      for (uint t = 0; t < width; ++t) sum = sum_product(sum, v[t], pair[t]);
      float value = sum_value(sum);
#if !DOUBLE_SUMS
      if (!isfinite(value)) value = plain_sum(pair, 1, v, 1, width);
#endif
      y[i] = value;
    }
}

__kernel void additive_score(__global const float* q, __global const float* k, __global const float* v,
                             __global float* y, const ulong queries, const ulong group, const uint width,
                             const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    __global const float* query = q + row * width;
    __global const float* keys = k + row / queries / group * columns * width;
    for (ulong j = first; j < end; ++j) {
      __global const float* key = keys + j * width;
      Sum sum = sum_zero();
      for (uint t = 0; t < width; ++t) sum = sum_product(sum, v[t], tanh(query[t] + key[t]));
      float value = sum_value(sum);
#if !DOUBLE_SUMS
      if (!isfinite(value)) {  // as plain_sum
        value = 0.0f;
        for (uint t = 0; t < width; ++t) value += (v[t] * 0x1p-80f) * tanh(query[t] + key[t]);
        value = ldexp(value, 80);
      }
#endif
      y[row * columns + j] = value;
    }
  }
}

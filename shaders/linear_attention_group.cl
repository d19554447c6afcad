// Linear attention on GPUs, there and back: a column of the sums an item, GROUP of them a work-group. What is computed:
// linear_attention_row.cl. Includes it.
//
// `wide` is w and `deep` p, but at least 1; column w is Σ b, and z where there is one.
//   sum_part_group    a part's state; grid: columns × parts × matrices of B
//   mix_group         rows with a state of their own, carried from one to the next; grid: columns × blocks of `tall`
//                     rows × matrices of A
//   divide            sums by their z; grid: that of elementwise.cl over rows of all matrices × 1

#include "linear_attention_row.cl"

#define GROUP 64  // core/opencl/linear_attention.cpp repeats it

static inline float largest_size(const __global float* a, uint count) {
  float largest = 0;
  for (uint i = 0; i < count; ++i) largest = fmax(largest, fabs(a[i]));
  return largest;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void sum_part_group(
    __global const float* restrict b, __global const float* restrict c, __global float* restrict states,
    const uint count, const uint p, const uint deep, const uint wide, const uint valid, const uint part,
    const uint parts) {
  const uint column = get_global_id(0), index = get_global_id(1), first = index * part, last = min(first + part, valid);
  const size_t s = get_global_id(2);
  if (column > wide) return;
  __global float* state = STATE_OF(s, index);
  for (uint i = 0; i < deep; ++i) {
    float sum = 0;
    for (uint j = first; i < p && j < last; ++j) {
      const size_t row = s * count + j;
      sum = fma(b[row * p + i], column < wide ? c[row * wide + column] : 1.0f, sum);
    }
    state[column < wide ? (size_t)i * wide + column : (size_t)deep * wide + i] = sum;
  }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void mix_group(MIX_ARGUMENTS) {
  const uint column = get_global_id(0), first = get_global_id(1) * tall, last = min(first + tall, rows);
  const size_t h = get_global_id(2), g = h / group;
  if (column > wide || (column == wide && !(what & DIVIDE))) return;
  const uint before = part_before(seen[first], valid, part, parts);
  const size_t place = column < wide ? column : (size_t)deep * wide, step = column < wide ? wide : 1;
  const __global float* from = STATE_OF(g, before) + place;
  __global float* state = own + (h * get_global_size(1) + get_global_id(1)) * STATE_SIZE + place;
  for (uint i = 0; i < p; ++i) state[i * step] = from[i * step];
  uint at = before < parts ? before * part : valid;
  for (uint row = first; row < last; ++row) {
    const __global float* of_row = a + (h * rows + row) * p;
    for (const uint sees = seen[row]; at < sees; ++at) {
      const float value = column < wide ? c[(g * count + at) * wide + column] : 1.0f;
      for (uint i = 0; i < p; ++i) state[i * step] = fma(b[(g * count + at) * p + i], value, state[i * step]);
    }
    const float scale = what & DIVIDE ? scale_of(scale_bits(largest_size(of_row, p))) : 1.0f;
    float sum = 0;
    for (uint i = 0; i < p; ++i) sum = fma(of_row[i] * scale, state[i * step], sum);
    ROW_OF_Y(h, row)[column] = sum;
  }
}

__kernel void divide(__global const float* restrict a, __global const uint* restrict seen, __global float* restrict y,
                     const uint n, const uint p, const uint w, const ulong rows, const ulong columns,
                     const ulong column_chunk) {
  if (get_global_id(0) * column_chunk >= columns) return;
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    __global float* to = y + row * (w + 1);
    const uint any = seen[row - row / n * n] > 0;
    const float z = to[w];
    for (uint i = 0; i < w; ++i) to[i] = !any ? 0.0f : z == 0 ? NAN : to[i] / z;
    to[w] = any ? unscaled(z, scale_bits(largest_size(a + row * p, p))) : 0.0f;
  }
}

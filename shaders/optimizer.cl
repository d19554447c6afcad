// A step of learning, number by number: running moments of gradients, parameters that move by them, and a number that
// counts. Formulas: core/operations/optimizer.h. Shapes: a parameter and its gradient as one row of `columns` numbers, its
// moments two such rows, m and then v. What is made may lie where it is made from. Grid: that of elementwise.cl. Includes
// lanes.cl.

#include "lanes.cl"

#pragma OPENCL FP_CONTRACT OFF

// OptimizerKind of core/operations/optimizer.h, in its order.
#define ADAM 0
#define ADAMW 1
#define SGD 2

__kernel void increment(__global const float* x, __global float* y, const ulong rows, const ulong columns,
                        const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1))
    for (ulong i = row * columns + first; i < row * columns + end; ++i) y[i] = x[i] + 1.0f;
}

// LANES numbers at a time, for what is made may lie where it is made from, and a compiler that does not know takes them one
// by one.
#define READ_LANES(FROM) LOAD(0, FROM)
#define READ_ONE(FROM) (*(FROM))
#define WRITE_LANES(X, TO) STORE(X, 0, TO)
#define WRITE_ONE(X, TO) *(TO) = (X)

// Moments that are about to become subnormal, which are slow to compute with, are 0.
#define LEAST 0x1p-120f

// `rest1`, `rest2`: 1 − β.
#define MOMENTS_OF(NUMBER, READ, WRITE)                                                                           \
  {                                                                                                               \
    const NUMBER grown = READ(g + i), of = decay == 0.0f ? grown : grown + decay * READ(p + i);                    \
    const NUMBER m = beta1 * READ(before + i) + rest1 * of;                                                        \
    const NUMBER v = beta2 * READ(before + columns + i) + rest2 * of * of;                                         \
    WRITE(fabs(m) < LEAST ? (NUMBER)(0) : m, y + i);                                                               \
    WRITE(v < LEAST ? (NUMBER)(0) : v, y + columns + i);                                                           \
  }

__kernel void moments(__global const float* before, __global const float* g, __global const float* p,
                      __global float* y, const float beta1, const float rest1, const float beta2, const float rest2,
                      const float decay, const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  ulong i = first;
  for (; i + LANES <= end; i += LANES) MOMENTS_OF(Lanes, READ_LANES, WRITE_LANES)
  for (; i < end; ++i) MOMENTS_OF(float, READ_ONE, WRITE_ONE)
}

// `log1`, `log2`: the logarithms of β, by which 1 − βᵗ keeps its digits where β is nearly 1. `by`: moments, or of SGD the
// gradient.
#define STEP_OF(NUMBER, READ, WRITE)                                                                              \
  WRITE(kept * READ(p + i) - scale * READ(by + i) / (sqrt(READ(by + columns + i) / left2) + epsilon), y + i);
#define SGD_OF(NUMBER, READ, WRITE) WRITE(READ(p + i) - of_rate * (READ(by + i) + decay * READ(p + i)), y + i);

__kernel void parameter_step(__global const float* p, __global const float* by, __global const float* step,
                             __global float* y, const uint kind, const float rate, const float warm_up,
                             const float log1, const float log2, const float epsilon, const float decay,
                             const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  const float t = step[0] + 1.0f, of_rate = warm_up > t ? rate * (t / warm_up) : rate;
  ulong i = first;
  if (kind == SGD) {
    for (; i + LANES <= end; i += LANES) SGD_OF(Lanes, READ_LANES, WRITE_LANES)
    for (; i < end; ++i) SGD_OF(float, READ_ONE, WRITE_ONE)
    return;
  }
  const float left1 = -expm1(t * log1), left2 = -expm1(t * log2);
  const float kept = kind == ADAMW ? 1.0f - of_rate * decay : 1.0f, scale = of_rate / left1;
  for (; i + LANES <= end; i += LANES) STEP_OF(Lanes, READ_LANES, WRITE_LANES)
  for (; i < end; ++i) STEP_OF(float, READ_ONE, WRITE_ONE)
}

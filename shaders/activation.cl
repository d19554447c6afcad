// Activations of a feed-forward network's inner numbers, and what flows back through them. Formulas:
// core/operations/activation.h. Includes activation_of.cl.
//
// Number by number (grid: that of elementwise.cl, over all numbers as one row): activation, activation_gradient.

#include "activation_of.cl"

// ActivationKind of core/operations/activation.h, in its order; SiLU is what is left.
#define OF_RELU 0
#define OF_GELU 1
#define OF_GELU_TANH 2

// GELU and its slope of LANES numbers at once, as activation_of.cl has them of one: without a branch, and with exponentials
// of vectors.
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define VECTOR JOIN(float, LANES)
#define LOAD JOIN(vload, LANES)

// Not vstore, which PoCL cuts into quarters.
typedef VECTOR Packed __attribute__((aligned(4)));
static inline void put(const VECTOR x, __global float* to) { *(__global Packed*)to = x; }

// Beyond ±15 that number; NaN stays NaN.
static inline VECTOR near_of(const VECTOR x) { return select(x, copysign((VECTOR)(15), x), fabs(x) > 15); }

static inline VECTOR normal_shares(const VECTOR x) {
  const VECTOR half_square = 0.5f * x * x, lost = fma(0.5f * x, x, -half_square);
  const VECTOR t = 1 / (1 + 0.35355339f * fabs(x));
  VECTOR p = (VECTOR)(0.17087277f);
  p = fma(p, t, (VECTOR)(-0.82215223f));
  p = fma(p, t, (VECTOR)(1.48851587f));
  p = fma(p, t, (VECTOR)(-1.13520398f));
  p = fma(p, t, (VECTOR)(0.27886807f));
  p = fma(p, t, (VECTOR)(-0.18628806f));
  p = fma(p, t, (VECTOR)(0.09678418f));
  p = fma(p, t, (VECTOR)(0.37409196f));
  p = fma(p, t, (VECTOR)(1.00002368f));
  p = fma(p, t, (VECTOR)(-1.26551223f)) - lost;
  const VECTOR beyond = 0.5f * t * exp(p) * exp(-half_square);
  return select(1 - beyond, beyond, x < 0);
}

static inline VECTOR gelus(const VECTOR x) {
  const VECTOR of = x * normal_shares(near_of(x));
  return select(select(of, (VECTOR)(0), x < -15), x, x > 15);
}

static inline VECTOR gelu_flows(const VECTOR x, const VECTOR g) {
  const VECTOR near = near_of(x);
  VECTOR slope = fma(near, exp(-0.5f * near * near) * 0.39894228f, normal_shares(near));
  slope = select(select(slope, (VECTOR)(0), x < -15), (VECTOR)(1), x > 15);
  return select(g * slope, (VECTOR)(0), g == 0 || slope == 0);
}

__kernel void activation(__global const float* x, __global float* y, const uint kind, const ulong rows,
                         const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  if (kind == OF_RELU)
    for (ulong i = first; i < end; ++i) y[i] = x[i] < 0 ? 0 : x[i];
  else if (kind == OF_GELU) {
    ulong i = first;
    for (; i + LANES <= end; i += LANES) put(gelus(LOAD(0, x + i)), y + i);
    for (; i < end; ++i) y[i] = gelu(x[i]);
  } else if (kind == OF_GELU_TANH)
    for (ulong i = first; i < end; ++i) y[i] = gelu_tanh(x[i]);
  else
    for (ulong i = first; i < end; ++i) y[i] = silu(x[i]);
}

static inline float flow_through(float g, float slope) { return g == 0 || slope == 0 ? 0 : g * slope; }

__kernel void activation_gradient(__global const float* x, __global const float* g, __global float* to,
                                  const uint kind, const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  if (kind == OF_RELU)
    for (ulong i = first; i < end; ++i) to[i] = flow_through(g[i], isnan(x[i]) ? x[i] : x[i] > 0 ? 1.0f : 0.0f);
  else if (kind == OF_GELU) {
    ulong i = first;
    for (; i + LANES <= end; i += LANES) put(gelu_flows(LOAD(0, x + i), LOAD(0, g + i)), to + i);
    for (; i < end; ++i) to[i] = flow_through(g[i], gelu_slope(x[i]));
  } else if (kind == OF_GELU_TANH)
    for (ulong i = first; i < end; ++i) to[i] = flow_through(g[i], gelu_tanh_slope(x[i]));
  else
    for (ulong i = first; i < end; ++i) to[i] = flow_through(g[i], silu_slope(x[i]));
}

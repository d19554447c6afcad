// Activations of a feed-forward network's inner numbers, and what flows back through them. Formulas:
// core/operations/activation.h. Includes activation_of.cl and lanes.cl.
//
// Number by number (grid: that of elementwise.cl, over all numbers as one row): activation, activation_gradient.

#include "activation_of.cl"
#include "lanes.cl"

// ActivationKind of core/operations/activation.h, in its order; SiLU is what is left.
#define OF_RELU 0
#define OF_GELU 1
#define OF_GELU_TANH 2

// GELU and its slope of LANES numbers at once, as activation_of.cl has them of one: without a branch, and with exponentials
// of vectors.

// Beyond ±15 that number; NaN stays NaN.
static inline Lanes near_of(const Lanes x) { return select(x, copysign((Lanes)(15), x), fabs(x) > 15); }

static inline Lanes normal_shares(const Lanes x) {
  const Lanes half_square = 0.5f * x * x, lost = fma(0.5f * x, x, -half_square);
  const Lanes t = 1 / (1 + 0.35355339f * fabs(x));
  Lanes p = (Lanes)(0.17087277f);
  p = fma(p, t, (Lanes)(-0.82215223f));
  p = fma(p, t, (Lanes)(1.48851587f));
  p = fma(p, t, (Lanes)(-1.13520398f));
  p = fma(p, t, (Lanes)(0.27886807f));
  p = fma(p, t, (Lanes)(-0.18628806f));
  p = fma(p, t, (Lanes)(0.09678418f));
  p = fma(p, t, (Lanes)(0.37409196f));
  p = fma(p, t, (Lanes)(1.00002368f));
  p = fma(p, t, (Lanes)(-1.26551223f)) - lost;
  const Lanes beyond = 0.5f * t * exp(p) * exp(-half_square);
  return select(1 - beyond, beyond, x < 0);
}

static inline Lanes gelus(const Lanes x) {
  const Lanes of = x * normal_shares(near_of(x));
  return select(select(of, (Lanes)(0), x < -15), x, x > 15);
}

static inline Lanes gelu_flows(const Lanes x, const Lanes g) {
  const Lanes near = near_of(x);
  Lanes slope = fma(near, exp(-0.5f * near * near) * 0.39894228f, normal_shares(near));
  slope = select(select(slope, (Lanes)(0), x < -15), (Lanes)(1), x > 15);
  return select(g * slope, (Lanes)(0), g == 0 || slope == 0);
}

__kernel void activation(__global const float* x, __global float* y, const uint kind, const ulong rows,
                         const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  if (kind == OF_RELU)
    for (ulong i = first; i < end; ++i) y[i] = x[i] < 0 ? 0 : x[i];
  else if (kind == OF_GELU) {
    ulong i = first;
    for (; i + LANES <= end; i += LANES) STORE(gelus(LOAD(0, x + i)), 0, y + i);
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
    for (; i + LANES <= end; i += LANES) STORE(gelu_flows(LOAD(0, x + i), LOAD(0, g + i)), 0, to + i);
    for (; i < end; ++i) to[i] = flow_through(g[i], gelu_slope(x[i]));
  } else if (kind == OF_GELU_TANH)
    for (ulong i = first; i < end; ++i) to[i] = flow_through(g[i], gelu_tanh_slope(x[i]));
  else
    for (ulong i = first; i < end; ++i) to[i] = flow_through(g[i], silu_slope(x[i]));
}

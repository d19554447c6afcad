// Activations of a feed-forward network's inner numbers, and what flows back through them. Formulas:
// core/operations/activation.h. Includes activation_of.cl.
//
// Number by number (grid: that of elementwise.cl, over all numbers as one row): activation, activation_gradient.

#include "activation_of.cl"

// ActivationKind of core/operations/activation.h, in its order; SiLU is what is left.
#define OF_RELU 0
#define OF_GELU 1
#define OF_GELU_TANH 2

__kernel void activation(__global const float* x, __global float* y, const uint kind, const ulong rows,
                         const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  if (kind == OF_RELU)
    for (ulong i = first; i < end; ++i) y[i] = x[i] < 0 ? 0 : x[i];
  else if (kind == OF_GELU)
    for (ulong i = first; i < end; ++i) y[i] = gelu(x[i]);
  else if (kind == OF_GELU_TANH)
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
  else if (kind == OF_GELU)
    for (ulong i = first; i < end; ++i) to[i] = flow_through(g[i], gelu_slope(x[i]));
  else if (kind == OF_GELU_TANH)
    for (ulong i = first; i < end; ++i) to[i] = flow_through(g[i], gelu_tanh_slope(x[i]));
  else
    for (ulong i = first; i < end; ++i) to[i] = flow_through(g[i], silu_slope(x[i]));
}

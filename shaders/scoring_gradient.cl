// What flows back through scores that are no products. Formulas: core/operations/scoring_gradient.h. Shapes: q h×n×d, k
// g×m×d, their gradients y the same; g, of scores, h×n×m, or of pairs h×(n·m)×a; v a. Includes row_items.cl.
//
// Grid: that of elementwise.cl over y, whose rows are those of queries or keys (distance_gradient, additive_gradient,
// pair_sum_gradient), h·n·m pairs (pair_flow), those of x (put_columns), or one (tanh_gradient).
// What flows to v is added up by runs of rows, one a work-group, of one item on processors and of 64 on GPUs, an item some
// of the features: additive_parts, over queries; weighed_parts, over pairs. vector_total: the runs added up, an item a
// feature.

#include "row_items.cl"

// The pairs of row `row`, one of queries or one of keys: `block` rows meet the same `count` rows of the other side, and
// pair i of the block's row r is number own_step·r + other_step·i of all their pairs.
#define PAIRS const ulong block, const uint count, const ulong own_step, const ulong other_step
#define FIRST_OTHER (row / block * count)
#define FIRST_PAIR (FIRST_OTHER * block + (row - row / block * block) * own_step)

// A term at the scale of plain_sum, which keeps products in the range of float.
static inline float plain_term(float a, float b) {
  const float down = 0x1p-80f;
  return isfinite(a) && isfinite(b) ? (a * down) * (b * down) : a * b;
}

// s + g·(a − b), with what the difference loses as a float (Knuth's two-sum): differences cancel, too.
static inline Sum sum_difference(const Sum s, float g, float a, float b) {
#if DOUBLE_SUMS
  return fma((double)g, (double)a - (double)b, s);
#else
  const float apart = a - b, part = apart - a, lost = (a - (apart - part)) - (b + part);
  const Sum sum = sum_product(s, g, apart);
  return sum_product(sum, g, lost);
#endif
}

// 1 − tanh(x)², from the exponential: where the tanh is near 1 a difference would have no digits.
static inline float tanh_slope(float x) {
  const float falls = exp(-2.0f * fabs(x)), whole = 1.0f + falls;
  return 4.0f * falls / (whole * whole);
}

// g·(1 − (x / cap)²), the cap in two floats: as (cap − |x|)·(cap + |x|) / cap², since at the cap little is left.
__kernel void tanh_gradient(__global const float* x, __global const float* g, __global float* y, const float cap,
                            const float rest, const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong i = first; i < end; ++i) {
    const float size = fabs(x[i]);
    y[i] = g[i] * ((((cap - size) + rest) / cap) * ((cap + size) / cap));
  }
}

__kernel void put_columns(__global const float* x, __global float* y, const ulong from, const ulong width,
                          const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1))
    for (ulong j = first; j < end; ++j)
      y[row * columns + j] = j < from || j - from >= width ? 0.0f : x[row * width + (j - from)];
}

// 2·Σ g·(own − other).
__kernel void distance_gradient(__global const float* own, __global const float* others, __global const float* g,
                                __global float* y, PAIRS, const ulong rows, const ulong columns,
                                const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    __global const float* other = others + FIRST_OTHER * columns;
    __global const float* flows = g + FIRST_PAIR;
    for (ulong t = first; t < end; ++t) {
      const float x = own[row * columns + t];
      Sum sum = sum_zero();
      for (uint i = 0; i < count; ++i) {
        const float flow = flows[i * other_step];
        if (flow != 0.0f) sum = sum_difference(sum, flow, x, other[i * columns + t]);
      }
      float value = sum_value(sum);
#if !DOUBLE_SUMS
      if (!isfinite(value)) {  // two floats turn ∞ into NaN
        value = 0.0f;
        for (uint i = 0; i < count; ++i) {
          const float flow = flows[i * other_step];
          if (flow != 0.0f) value += plain_term(flow, x - other[i * columns + t]);
        }
        value = ldexp(value, 160);
      }
#endif
      y[row * columns + t] = 2.0f * value;
    }
  }
}

__kernel void pair_sum_gradient(__global const float* g, __global float* y, PAIRS, const ulong rows,
                                const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1))
    for (ulong t = first; t < end; ++t) {
      __global const float* flows = g + FIRST_PAIR * columns + t;
      Sum sum = sum_zero();
      for (uint i = 0; i < count; ++i) sum = sum_product(sum, flows[i * other_step * columns], 1);
      float value = sum_value(sum);
#if !DOUBLE_SUMS
      if (!isfinite(value)) value = plain_sum(flows, other_step * columns, 0, 0, count);
#endif
      y[row * columns + t] = value;
    }
}

__kernel void pair_flow(__global const float* g, __global const float* v, __global float* y, const ulong rows,
                        const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const float flow = g[row];
    for (ulong t = first; t < end; ++t) y[row * columns + t] = flow == 0.0f ? 0.0f : flow * v[t];
  }
}

// Σ g·v·(1 − tanh(own + other)²).
__kernel void additive_gradient(__global const float* own, __global const float* others, __global const float* v,
                                __global const float* g, __global float* y, PAIRS, const ulong rows,
                                const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    __global const float* other = others + FIRST_OTHER * columns;
    __global const float* flows = g + FIRST_PAIR;
    for (ulong t = first; t < end; ++t) {
      const float x = own[row * columns + t], weight = v[t];
      Sum sum = sum_zero();
      for (uint i = 0; i < count; ++i) {
        const float flow = flows[i * other_step];
        if (flow != 0.0f) sum = sum_product(sum, flow, weight * tanh_slope(x + other[i * columns + t]));
      }
      float value = sum_value(sum);
#if !DOUBLE_SUMS
      if (!isfinite(value)) {
        value = 0.0f;
        for (uint i = 0; i < count; ++i) {
          const float flow = flows[i * other_step];
          if (flow != 0.0f) value += plain_term(flow, weight * tanh_slope(x + other[i * columns + t]));
        }
        value = ldexp(value, 160);
      }
#endif
      y[row * columns + t] = value;
    }
  }
}

// Σ g·tanh(q + k) of each run of queries.
__kernel void additive_parts(__global const float* q, __global const float* k, __global const float* g,
                             __global Sum* parts, const uint run, const ulong queries, const ulong keys,
                             const ulong group, const uint rows, const uint width) {
  const uint which = get_group_id(0), first = which * run, end = min(first + run, rows);
  for (uint t = get_local_id(0); t < width; t += get_local_size(0)) {
    Sum sum = sum_zero();
    for (ulong row = first; row < end; ++row) {
      __global const float* key = k + row / queries / group * keys * width;
      const float x = q[row * width + t];
      for (ulong j = 0; j < keys; ++j) {
        const float flow = g[row * keys + j];
        if (flow != 0.0f) sum = sum_product(sum, flow, tanh(x + key[j * width + t]));
      }
    }
    parts[(size_t)which * width + t] = sum;
  }
}

// Σ g·x of each run of pairs.
__kernel void weighed_parts(__global const float* x, __global const float* g, __global Sum* parts, const uint run,
                            const uint rows, const uint width) {
  const uint which = get_group_id(0), first = which * run, end = min(first + run, rows);
  for (uint t = get_local_id(0); t < width; t += get_local_size(0)) {
    Sum sum = sum_zero();
    for (uint pair = first; pair < end; ++pair) {
      const float flow = g[pair];
      if (flow != 0.0f) sum = sum_product(sum, flow, x[(size_t)pair * width + t]);
    }
    parts[(size_t)which * width + t] = sum;
  }
}

__kernel void vector_total(__global const Sum* parts, __global float* y, const uint runs, const uint width) {
  for (uint t = get_global_id(0); t < width; t += get_global_size(0)) {
    Sum sum = sum_zero();
    for (uint which = 0; which < runs; ++which) sum = sum_join(sum, parts[(size_t)which * width + t]);
    y[t] = sum_or_infinite(sum);
  }
}

// Feature maps of queries and keys and what flows back through them. Formulas: core/operations/features.h. Shapes: x
// S×n×d, already scaled, taken as rows of d numbers; directions d×r; features S×n×r. Includes row_items.cl.
//
// Number by number (grid: that of elementwise.cl over all features as one row; of random_flow over x): plain_features,
// plain_flow, random_flow. Of random features a row by an item, or by a work-group (core/opencl/by_row.h):
// random_features.

#include "row_items.cl"

// Registers of floats: nothing is summed.
#define MANY JOIN(float, LANES)
#define LOAD_MANY JOIN(vload, LANES)
#define STORE_MANY JOIN(vstore, LANES)

// max(0, x), or x + 1 above 0 and else exp(x). NaN stays.
INLINE MANY features_of(MANY x, uint relu) {
  return relu ? select(x, (MANY)(0), x < 0) : select(exp(x), x + 1, x > 0);
}
INLINE float feature_of(float x, uint relu) { return relu ? (x < 0 ? 0 : x) : x > 0 ? x + 1 : exp(x); }

__kernel void plain_features(__global const float* x, __global float* y, const uint relu, const ulong rows,
                             const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  ulong i = first;
  for (; i + LANES <= end; i += LANES) STORE_MANY(features_of(LOAD_MANY(0, x + i), relu), 0, y + i);
  for (; i < end; ++i) y[i] = feature_of(x[i], relu);
}

// A 0 of what flows in is a 0, whatever the feature is. Of x + 1 the slope is 1, of exp(x) the feature y itself.
INLINE MANY flows_of(MANY y, MANY g, uint relu) {
  const MANY bent = relu ? select((MANY)(0), (MANY)(1), y > 0) : select(y, (MANY)(1), y > 1);
  const MANY slope = select(bent, y, isnan(y));
  return select(g * slope, (MANY)(0), g == 0 || slope == 0);
}
INLINE float flow_of(float y, float g, uint relu) {
  const float slope = isnan(y) ? y : relu ? (y > 0 ? 1.0f : 0.0f) : y > 1 ? 1.0f : y;
  return g == 0 || slope == 0 ? 0 : g * slope;
}

__kernel void plain_flow(__global const float* y, __global const float* g, __global float* to, const uint relu,
                         const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  ulong i = first;
  for (; i + LANES <= end; i += LANES)
    STORE_MANY(flows_of(LOAD_MANY(0, y + i), LOAD_MANY(0, g + i), relu), 0, to + i);
  for (; i < end; ++i) to[i] = flow_of(y[i], g[i], relu);
}

#define RANDOM_ARGUMENTS                                                                                            \
  __global const float *x, __global const float *w, __global float *y, const float factor, const uint rows,         \
      const uint width, const uint count

// What the squares leave of a row: half their sum; or, where that is beyond the range of float, which no product of the
// row with a direction reaches, the feature of all directions: NaN where one is in the row, else 0.
typedef struct {
  Sum half_square;
  float beyond;
  uint finite;
} Squares;

INLINE void set_squares(Squares* of, const __global float* x, uint width, ITEMS) {
  const uint whole = width / WIDTH * WIDTH;
  Sums lanes = sums_zero();
  for (uint i = item * WIDTH; i < whole; i += items * WIDTH) {
    const FLOATS numbers_here = LOAD(0, x + i);
    lanes = sums_product(lanes, numbers_here * 0.5f, numbers_here);
  }
  of->half_square = sum_zero();
  add_lanes(&of->half_square, &lanes);
  for (uint i = whole + item; i < width; i += items) of->half_square = sum_product(of->half_square, x[i] * 0.5f, x[i]);
  join_sum(&of->half_square, item, items, sums, numbers);
  of->finite = isfinite(sum_value(of->half_square));
  of->beyond = 0;
  if (items == 1 && of->finite) return;  // in a group every item meets every barrier
  float nan = 0;
  for (uint i = item; i < width; i += items) nan = isnan(x[i]) ? x[i] : nan;
  of->beyond = joined_largest(nan, item, items, sums, numbers);
}

// w·x less half the square.
INLINE float exponent_of(const Sum along, const Squares* of) {
#if DOUBLE_SUMS
  return (float)(along - of->half_square);
#else
  const Sum less = {-of->half_square.value, -of->half_square.error};
  return sum_value(sum_join(along, less));
#endif
}

// Panels of directions side by side, whose sums are in registers; then vectors of them, then single ones.
#define PANEL 4

INLINE void features_of_panel(const Squares* of, const __global float* x, const __global float* w, __global float* y,
                              const float factor, uint width, uint count) {
  Sums along[PANEL];
  for (uint v = 0; v < PANEL; ++v) along[v] = sums_zero();
  for (uint i = 0; i < width; ++i) {
    const Terms number = AS_TERMS((FLOATS)(x[i]));
    for (uint v = 0; v < PANEL; ++v)
      along[v] = sums_terms(along[v], number, AS_TERMS(LOAD(0, w + (size_t)i * count + v * WIDTH)));
  }
  float exponents[PANEL * WIDTH];
  for (uint v = 0; v < PANEL; ++v)
    for (uint lane = 0; lane < WIDTH; ++lane)
      exponents[v * WIDTH + lane] = exponent_of(sums_lane(&along[v], lane), of);
  for (uint v = 0; v < PANEL; ++v) STORE(exp(LOAD(0, exponents + v * WIDTH)) * factor, 0, y + v * WIDTH);
}

INLINE void random_row(size_t row, RANDOM_ARGUMENTS, ITEMS) {
  const __global float* from = x + row * width;
  __global float* to = y + row * count;
  Squares of;
  set_squares(&of, from, width, item, items, sums, numbers);
  uint r = of.finite ? 0 : count;
  for (uint i = item; !of.finite && i < count; i += items) to[i] = of.beyond;
  if (items == 1)
    for (; r + PANEL * WIDTH <= count; r += PANEL * WIDTH)
      features_of_panel(&of, from, w + r, to + r, factor, width, count);
  for (r += item; r < count; r += items) {
    Sum along = sum_zero();
    for (uint i = 0; i < width; ++i) along = sum_product(along, from[i], w[(size_t)i * count + r]);
    to[r] = exp(exponent_of(along, &of)) * factor;
  }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void random_features(RANDOM_ARGUMENTS) {
  for (uint row = get_group_id(0); row < rows; row += get_num_groups(0))
    random_row(row, x, w, y, factor, rows, width, count, ALONE);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void random_features_group(RANDOM_ARGUMENTS) {
  LOCALS;
  for (uint row = get_group_id(0); row < rows; row += get_num_groups(0))
    random_row(row, x, w, y, factor, rows, width, count, TOGETHER);
}

// Σ over directions of g·y·(w − x), 0 where g or y is.
__kernel void random_flow(__global const float* x, __global const float* w, __global const float* y,
                          __global const float* g, __global float* to, const uint count, const ulong rows,
                          const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  const uint whole = count / WIDTH * WIDTH;
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const __global float *features = y + row * count, *flows = g + row * count;
    for (ulong i = first; i < end; ++i) {
      const float number = x[row * columns + i];
      const __global float* direction = w + i * count;
      Sums lanes = sums_zero();
      for (uint r = 0; r < whole; r += WIDTH) {
        const FLOATS feature = LOAD(0, features + r), flow = LOAD(0, flows + r), away = LOAD(0, direction + r) - number;
        const FLOATS passed = select(flow * feature, (FLOATS)(0), flow == 0 || feature == 0);
        lanes = sums_product(lanes, passed, select(away, (FLOATS)(0), passed == 0));
      }
      Sum sum = sum_zero();
      add_lanes(&sum, &lanes);
      for (uint r = whole; r < count; ++r) {
        const float passed = flows[r] == 0 || features[r] == 0 ? 0 : flows[r] * features[r];
        if (passed != 0) sum = sum_product(sum, passed, direction[r] - number);
      }
      to[row * columns + i] = sum_or_infinite(sum);
    }
  }
}

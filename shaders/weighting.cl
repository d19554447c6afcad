// What turns rows of scores into weights besides the softmax's steps (softmax.cl). Formulas: core/operations/weighting.h.
// Shapes: x h×n×m, taken as h·n rows of m columns; numbers of rows one a row. Includes sum.cl and larger.cl.
//
// Number by number (grid: that of elementwise.cl over y): by_row. Row by row, one item a row, one dimension of at most
// 16384 items that stride over the rows (by_query in core/opencl/kernel.cpp): row_statistic, row_sum_with_one.

#include "sum.cl"
#include "larger.cl"

// In the order of core/operations/weighting.h.
#define LARGEST_OR_ZERO 0
#define KEYS_LEFT 1
#define THRESHOLD 2
#define ENTROPY 3
#define LARGEST_SHARE 4

#define MINUS_MAXIMUM 0
#define ABOVE 1
#define SIGMOID 2
#define RECTIFIED 3

// A register's lanes of columns at a time, then what is left.
static inline float largest_of(__global const float* x, uint columns, float largest) {
  FLOATS lanes = (FLOATS)(largest);
  uint j = 0;
  for (; j + WIDTH <= columns; j += WIDTH) {
    const FLOATS next = LOAD(0, x + j);
    lanes = next > lanes || isnan(next) ? next : lanes;  // as larger()
  }
  for (uint lane = 0; lane < WIDTH; ++lane) largest = larger(largest, ((const float*)&lanes)[lane]);
  for (; j < columns; ++j) largest = larger(largest, x[j]);
  return largest;
}

// Without sorting (Michelot 1986): the mean of what may be in the support leaves out what it exceeds, until nothing
// more goes. Scores are counted from the largest, which is in the support; none that is 1 below it can be.
static inline float threshold_of(__global const float* x, uint columns) {
  const float largest = largest_of(x, columns, -INFINITY);
  if (largest == -INFINITY) return 0.0f;
  if (!isfinite(largest)) return NAN;
  float threshold = -1.0f;
  uint before = 0;
  for (;;) {
    Sum sum = sum_zero();
    uint count = 0;
    for (uint j = 0; j < columns; ++j) {
      const float below = x[j] - largest;
      if (below <= threshold) continue;
      sum = sum_product(sum, below, 1.0f);
      ++count;
    }
    if (count == before) return largest + threshold;
    before = count;
    threshold = (sum_value(sum) - 1.0f) / (float)count;
  }
}

static inline float entropy_of(__global const float* x, uint columns) {
  Sums lanes = sums_zero();
  uint j = 0;
  for (; j + WIDTH <= columns; j += WIDTH) {
    const FLOATS next = LOAD(0, x + j);
    lanes = sums_product(lanes, -next, next == 0.0f ? (FLOATS)(0.0f) : log(next));
  }
  const Sum total = sums_total(lanes);  // see largest_share_of
  Sum sum = total;
  for (; j < columns; ++j)
    if (x[j] != 0.0f) sum = sum_product(sum, -x[j], log(x[j]));
  float value = sum_value(sum);
#if !DOUBLE_SUMS
  if (!isfinite(value)) {  // two floats turn ∞ into NaN
    value = 0.0f;
    for (j = 0; j < columns; ++j)
      if (x[j] != 0.0f) value -= x[j] * log(x[j]);
  }
#endif
  return value;
}

static inline float largest_share_of(__global const float* x, uint columns) {
  const float largest = largest_of(x, columns, -INFINITY);
  if (largest == -INFINITY) return 0.0f;
  Sums lanes = sums_zero();
  uint j = 0;
  for (; j + WIDTH <= columns; j += WIDTH)
    lanes = sums_product(lanes, exp(LOAD(0, x + j) - largest), (FLOATS)(1.0f));
  // A total made in the sum itself gets a hint from the compiler (noalias.scope.decl) that oclgrind does not know.
  const Sum total = sums_total(lanes);
  Sum sum = total;
  for (; j < columns; ++j) sum = sum_product(sum, exp(x[j] - largest), 1.0f);
  return 1.0f / sum_value(sum);
}

static inline float keys_left_of(__global const float* x, uint columns) {
  uint left = 0;
  for (uint j = 0; j < columns; ++j) left += x[j] == -INFINITY ? 0 : 1;
  return (float)left;
}

__kernel void row_statistic(__global const float* x, __global float* y, const uint figure, const uint rows,
                            const uint columns) {
  for (uint row = get_global_id(0); row < rows; row += get_global_size(0)) {
    const __global float* from = x + (size_t)row * columns;
    switch (figure) {
      case LARGEST_OR_ZERO:
        y[row] = largest_of(from, columns, 0.0f);
        break;
      case KEYS_LEFT:
        y[row] = keys_left_of(from, columns);
        break;
      case THRESHOLD:
        y[row] = threshold_of(from, columns);
        break;
      case ENTROPY:
        y[row] = entropy_of(from, columns);
        break;
      case LARGEST_SHARE:
        y[row] = largest_share_of(from, columns);
        break;
    }
  }
}

// by_row_value of core/operations/weighting.cpp.
static inline float ruled(const uint rule, const float x, const float r) {
  switch (rule) {
    case MINUS_MAXIMUM:
      return r == -INFINITY ? r : x - r;
    case ABOVE:
      return x == -INFINITY || x - r <= 0.0f ? 0.0f : x - r;
    case SIGMOID:
      if (x == -INFINITY) return 0.0f;
      return x > 0.0f ? 1.0f / (1.0f + r * exp(-x)) : exp(x) / (exp(x) + r);
    default:
      return x <= 0.0f ? 0.0f : x / r;
  }
}

__kernel void by_row(__global const float* x, __global const float* of_rows, __global float* y, const uint rule,
                     const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const float r = of_rows[row];
    for (ulong i = row * columns + first; i < row * columns + end; ++i) y[i] = ruled(rule, x[i], r);
  }
}

__kernel void row_sum_with_one(__global const float* x, __global const float* c, __global float* y, const uint rows,
                               const uint columns) {
  for (uint row = get_global_id(0); row < rows; row += get_global_size(0)) {
    const __global float* from = x + (size_t)row * columns;
    const float one = exp(-c[row]);
    Sum sum = sum_product(sum_zero(), one, 1.0f);
    for (uint j = 0; j < columns; ++j) sum = sum_product(sum, from[j], 1.0f);
    float value = sum_value(sum);
#if !DOUBLE_SUMS
    if (!isfinite(value)) value = plain_sum(from, 1, 0, 0, columns) + one;
#endif
    y[row] = value;
  }
}

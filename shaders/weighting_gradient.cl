// What flows back through rows of weights, and through a number of a row. Formulas: core/operations/weighting_gradient.h.
// Shapes: g, x and results S×n×m, taken as rows of `columns` numbers; a the same, or a row for `shared` of them; numbers
// of rows one a row. Row by row (core/opencl/by_row.h). Includes row_items.cl.

#include "row_items.cl"

// In the order of core/operations/weighting_gradient.h.
#define SOFTMAX 0
#define SPARSEMAX 1
#define SIGMOID 2
#define RECTIFIED 3

#define LARGEST 0
#define LARGEST_OR_ZERO 1
#define THRESHOLD 2

// What all numbers of a row lose, in two floats: Σ a·g, or the mean of g over the support. 0 where they lose nothing.
typedef struct {
  float high, low;
} WeightsLoss;

INLINE void set_loss(WeightsLoss* loss, uint rule, const __global float* a, const __global float* g, uint columns,
                     ITEMS) {
  loss->high = loss->low = 0;
  if (rule != SOFTMAX && rule != SPARSEMAX) return;
  const uint whole = columns / WIDTH * WIDTH;
  const FLOATS zero = (FLOATS)(0), one = (FLOATS)(1);
  Sums lanes = sums_zero(), support_lanes = sums_zero();
  for (uint j = item * WIDTH; j < whole; j += items * WIDTH) {
    const FLOATS weight = LOAD(0, a + j), share = rule == SOFTMAX ? weight : select(zero, one, weight > zero);
    lanes = sums_product(lanes, share, select(LOAD(0, g + j), zero, share == zero));
    support_lanes = sums_product(support_lanes, share, one);
  }
  Sum sum = sum_zero(), support = sum_zero();
  add_lanes(&sum, &lanes), add_lanes(&support, &support_lanes);
  for (uint j = whole + item; j < columns; j += items) {
    const float share = rule == SOFTMAX ? a[j] : a[j] > 0 ? 1.0f : 0.0f;
    if (share != 0) sum = sum_product(sum, share, g[j]), support = sum_product(support, share, 1);
  }
  join_sum(&sum, item, items, sums, numbers);
  if (rule == SPARSEMAX) join_sum(&support, item, items, sums, numbers);
  loss->high = sum_or_infinite(sum);
  if (isfinite(loss->high)) set_quotient(&loss->high, &loss->low, sum, rule == SOFTMAX ? 1 : (uint)sum_value(support));
}

// weights_flow of core/operations/weighting_gradient_row.h.
INLINE float flow(uint rule, const WeightsLoss* loss, float a, float g, float r) {
  if (a == 0) return 0;
  switch (rule) {
    case SOFTMAX:
      return a * (g - loss->high - loss->low);
    case SPARSEMAX:
      return a > 0 ? g - loss->high - loss->low : 0;
    case SIGMOID:
      return g * a * (1 - a);
    default:
      return a > 0 ? g / r : 0;
  }
}

#define WEIGHTS_ARGUMENTS                                                                                           \
  __global const float *a, __global const float *g, __global const float *divisors, const uint divided,             \
      __global float *y, const uint rule, const uint shared, const uint rows, const uint columns

INLINE void weights_at(uint row, WEIGHTS_ARGUMENTS, ITEMS) {
  const __global float *weights = a + (size_t)(row / shared) * columns, *flows = g + (size_t)row * columns;
  WeightsLoss loss;
  set_loss(&loss, rule, weights, flows, columns, item, items, sums, numbers);
  const float r = divided ? divisors[row] : 1.0f;
  for (uint j = item; j < columns; j += items) y[(size_t)row * columns + j] = flow(rule, &loss, weights[j], flows[j], r);
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void weights_gradient(WEIGHTS_ARGUMENTS) {
  for (uint row = get_group_id(0); row < rows; row += get_num_groups(0))
    weights_at(row, a, g, divisors, divided, y, rule, shared, rows, columns, ALONE);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void weights_gradient_group(WEIGHTS_ARGUMENTS) {
  LOCALS;
  for (uint row = get_group_id(0); row < rows; row += get_num_groups(0))
    weights_at(row, a, g, divisors, divided, y, rule, shared, rows, columns, TOGETHER);
}

// makes_figure of core/operations/weighting_gradient_row.h.
INLINE bool makes_figure(uint rule, float x, float figure) {
  switch (rule) {
    case LARGEST:
      return x == figure && figure != -INFINITY;
    case LARGEST_OR_ZERO:
      return x == figure && figure > 0;
    default:
      return x > figure;
  }
}

#define FIGURE_ARGUMENTS                                                                                            \
  __global const float *x, __global const float *figures, __global const float *g, __global float *y,               \
      const uint rule, const uint rows, const uint columns

INLINE void figure_at(uint row, FIGURE_ARGUMENTS, ITEMS) {
  const __global float* from = x + (size_t)row * columns;
  const float figure = figures[row];
  uint own = 0;
  for (uint j = item; j < columns; j += items) own += makes_figure(rule, from[j], figure) ? 1 : 0;
  Sum makers = sum_product(sum_zero(), (float)own, 1);
  join_sum(&makers, item, items, sums, numbers);
  const float each = g[row] / sum_value(makers);  // read where there is one
  for (uint j = item; j < columns; j += items)
    y[(size_t)row * columns + j] = makes_figure(rule, from[j], figure) ? each : 0;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void figure_gradient(FIGURE_ARGUMENTS) {
  for (uint row = get_group_id(0); row < rows; row += get_num_groups(0))
    figure_at(row, x, figures, g, y, rule, rows, columns, ALONE);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void figure_gradient_group(FIGURE_ARGUMENTS) {
  LOCALS;
  for (uint row = get_group_id(0); row < rows; row += get_num_groups(0))
    figure_at(row, x, figures, g, y, rule, rows, columns, TOGETHER);
}

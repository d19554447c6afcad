// Softmax with cross-entropy and its gradient. Formulas: core/operations/cross_entropy.h. Shapes: z and its gradient
// S×n×V, taken as rows of `columns` scores; answers and losses a number a row. Includes row_items.cl.
//
// Row by row (core/opencl/by_row.h): cross_entropy, cross_entropy_scores. One work-group alone, of one item on processors
// and of 64 on GPUs: cross_entropy_mean, of losses; rows_asked, their count, at least 1.

#include "row_items.cl"

// Matches asked_of in core/operations/cross_entropy_row.h. A row that asks neither is NaN.
static inline bool asks_nothing(float answer) { return answer < 0; }
static inline bool asks_column(float answer, uint columns) {
  return answer >= 0 && answer < (float)columns && answer == floor(answer);
}

INLINE float largest_score(const __global float* z, uint columns, ITEMS) {
  const uint whole = columns / WIDTH * WIDTH;
  FLOATS lanes = (FLOATS)(-INFINITY);
  for (uint j = item * WIDTH; j < whole; j += items * WIDTH) {
    const FLOATS next = LOAD(0, z + j);
    lanes = select(lanes, next, next > lanes || isnan(next));
  }
  float largest = -INFINITY;
  for (uint lane = 0; lane < WIDTH; ++lane) largest = larger(largest, ((const float*)&lanes)[lane]);
  for (uint j = whole + item; j < columns; j += items) largest = larger(largest, z[j]);
  return joined_largest(largest, item, items, sums, numbers);
}

// Adds this item's part of the exponentials below `largest` of z[from … to).
INLINE void add_exponentials(Sum* to_part, const __global float* z, uint from, uint to, float largest, const uint item,
                             const uint items) {
  const uint whole = from + (to - from) / WIDTH * WIDTH;
  Sums lanes = sums_zero();
  for (uint j = from + item * WIDTH; j < whole; j += items * WIDTH)
    lanes = sums_product(lanes, exp(LOAD(0, z + j) - largest), (FLOATS)(1));
  Sum part = *to_part;
  add_lanes(&part, &lanes);
  for (uint j = whole + item; j < to; j += items) part = sum_product(part, exp(z[j] - largest), 1);
  *to_part = part;
}

// Of a row: its largest score, the exponentials below that of all but the right answer, and of that.
typedef struct {
  float largest, others, right;
} Answered;

INLINE void set_answered(Answered* row, const __global float* z, uint columns, uint right, ITEMS) {
  row->largest = largest_score(z, columns, item, items, sums, numbers);
  row->others = row->right = NAN;
  if (!isfinite(row->largest)) return;
  Sum others = sum_zero();
  add_exponentials(&others, z, 0, right, row->largest, item, items);
  add_exponentials(&others, z, right + 1, columns, row->largest, item, items);
  join_sum(&others, item, items, sums, numbers);
  row->others = sum_value(others);
  row->right = exp(z[right] - row->largest);
}

// Where the right answer is the largest score the loss may be near 0, and keeps its digits.
INLINE float loss_of_row(const __global float* z, float answer, uint columns, ITEMS) {
  if (asks_nothing(answer)) return 0;
  if (!asks_column(answer, columns)) return NAN;
  const uint right = (uint)answer;
  Answered row;
  set_answered(&row, z, columns, right, item, items, sums, numbers);
  return z[right] == row.largest ? log1p(row.others) : row.largest - z[right] + log(row.others + row.right);
}

#define LOSS_ARGUMENTS                                                                                              \
  __global const float *z, __global const float *answers, __global float *y, const uint rows, const uint columns

INLINE void loss_at(uint row, LOSS_ARGUMENTS, ITEMS) {
  const float loss = loss_of_row(z + (size_t)row * columns, answers[row], columns, item, items, sums, numbers);
  if (item == 0) y[row] = loss;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void cross_entropy(LOSS_ARGUMENTS) {
  for (uint row = get_group_id(0); row < rows; row += get_num_groups(0))
    loss_at(row, z, answers, y, rows, columns, ALONE);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void cross_entropy_group(LOSS_ARGUMENTS) {
  LOCALS;
  for (uint row = get_group_id(0); row < rows; row += get_num_groups(0))
    loss_at(row, z, answers, y, rows, columns, TOGETHER);
}

// How many rows are asked.
INLINE float asked(const __global float* answers, uint rows, ITEMS) {
  Sum part = sum_zero();
  for (uint row = item; row < rows; row += items) part = sum_product(part, asks_nothing(answers[row]) ? 0 : 1, 1);
  join_sum(&part, item, items, sums, numbers);
  return sum_value(part);
}

#define MEAN_ARGUMENTS __global const float *losses, __global const float *answers, __global float *y, const uint rows

INLINE void mean_loss(MEAN_ARGUMENTS, ITEMS) {
  const float count = asked(answers, rows, item, items, sums, numbers);
  Sum part = sum_zero();
  for (uint row = item; row < rows; row += items) part = sum_product(part, losses[row], 1);
  join_sum(&part, item, items, sums, numbers);
  const float loss = sum_or_infinite(part);
  if (item == 0) y[0] = count == 0 ? 0 : loss / count;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void cross_entropy_mean(MEAN_ARGUMENTS) {
  mean_loss(losses, answers, y, rows, ALONE);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void cross_entropy_mean_group(MEAN_ARGUMENTS) {
  LOCALS;
  mean_loss(losses, answers, y, rows, TOGETHER);
}

#define COUNT_ARGUMENTS __global const float *answers, __global float *y, const uint rows

INLINE void count_rows(COUNT_ARGUMENTS, ITEMS) {
  const float count = asked(answers, rows, item, items, sums, numbers);
  if (item == 0) y[0] = max(count, 1.0f);
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void rows_asked(COUNT_ARGUMENTS) {
  count_rows(answers, y, rows, ALONE);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void rows_asked_group(COUNT_ARGUMENTS) {
  LOCALS;
  count_rows(answers, y, rows, TOGETHER);
}

// g: one for each row, or, of the `mean`, one for all, to be divided by `count`, the rows asked.
#define SCORES_ARGUMENTS                                                                                            \
  __global const float *z, __global const float *answers, __global const float *g, __global const float *count,     \
      const uint mean, __global float *y, const uint rows, const uint columns

INLINE void fill_row(__global float* y, float value, uint columns, const uint item, const uint items) {
  for (uint j = item; j < columns; j += items) y[j] = value;
}

INLINE void scores_at(uint row, SCORES_ARGUMENTS, ITEMS) {
  const __global float* from = z + (size_t)row * columns;
  __global float* to = y + (size_t)row * columns;
  const float answer = answers[row];
  if (!asks_column(answer, columns)) {
    fill_row(to, asks_nothing(answer) ? 0 : NAN, columns, item, items);
    return;
  }
  const uint right = (uint)answer, whole = columns / WIDTH * WIDTH;
  Answered of;
  set_answered(&of, from, columns, right, item, items, sums, numbers);
  const float sum = of.others + of.right, flows = mean ? g[0] / count[0] : g[row];
  for (uint j = item * WIDTH; j < whole; j += items * WIDTH)
    STORE(exp(LOAD(0, from + j) - of.largest) / sum * flows, 0, to + j);
  for (uint j = whole + item; j < columns; j += items) to[j] = exp(from[j] - of.largest) / sum * flows;
  if (items > 1) barrier(CLK_GLOBAL_MEM_FENCE);  // another item has written there
  if (item == 0) to[right] = -of.others / sum * flows;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void cross_entropy_scores(SCORES_ARGUMENTS) {
  for (uint row = get_group_id(0); row < rows; row += get_num_groups(0))
    scores_at(row, z, answers, g, count, mean, y, rows, columns, ALONE);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void cross_entropy_scores_group(SCORES_ARGUMENTS) {
  LOCALS;
  for (uint row = get_group_id(0); row < rows; row += get_num_groups(0))
    scores_at(row, z, answers, g, count, mean, y, rows, columns, TOGETHER);
}

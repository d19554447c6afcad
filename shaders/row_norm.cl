// Normalised rows, their gradients and sums of columns. Formulas: core/operations/row_norm.h. Shapes: x, g, y S×n×d,
// taken as rows of `columns` numbers; gain and bias `columns` numbers, `given` of the two there. Includes
// row_scale.cl, cache_lines.cl.
//
// One dimension of work-groups that stride over the rows (core/opencl/row_norm.cpp): of one item on processors, of 64 on
// GPUs (…_group), which join their parts in local memory. A row's passes after the first find it in a cache.
//   row_norm, row_norm_rows        forward; what flows back to the rows
//   row_norm_gain, column_parts    of a run of rows, what flows back to the gain, and the sum of columns: a row of sums,
//                                  laid in vectors; of the columns' there may be several matrices, `runs` of each
//   column_total                   each matrix's rows of sums added up, one item a vector of columns

#include "row_scale.cl"
#include "cache_lines.cl"

#define NORM_ARGUMENTS const uint centred, const float epsilon, const int least, const uint rows, const uint columns

// Registers of floats: nothing is summed any more.
#define MANY JOIN(float, LANES)
#define LOAD_MANY JOIN(vload, LANES)
#define STORE_MANY JOIN(vstore, LANES)
INLINE MANY normed_many(const RowScale* of, MANY x) {
  return (fma(x, (MANY)(of->down), (MANY)(-of->high)) - of->low) * of->inverse;
}

INLINE void norm_row(const RowScale* of, const __global float* x, const __global float* gain,
                     const __global float* bias, uint given, __global float* y, uint columns, size_t to_next, ITEMS) {
  const uint whole = columns / LANES * LANES, step = items * LANES;
  for (uint j = item * LANES; j < whole; j += step) {
    if (items == 1 && j % LINE == 0) {  // on processors, who take one row after the other
      ASK_FOR(x + to_next + j);
      ASK_TO_WRITE(y + to_next + j);
    }
    const MANY value = normed_many(of, LOAD_MANY(0, x + j));
    if (given > 1)
      STORE_MANY(fma(value, LOAD_MANY(0, gain + j), LOAD_MANY(0, bias + j)), 0, y + j);
    else
      STORE_MANY(given > 0 ? value * LOAD_MANY(0, gain + j) : value, 0, y + j);
  }
  for (uint j = whole + item; j < columns; j += items) {
    const float value = normed(of, x[j]);
    y[j] = given > 1 ? fma(value, gain[j], bias[j]) : given > 0 ? value * gain[j] : value;
  }
}

#define FORWARD_ARGUMENTS                                                                                           \
  __global const float *x, __global const float *gain, __global const float *bias, const uint given,                \
      __global float *y, NORM_ARGUMENTS

INLINE void forward_row(size_t row, FORWARD_ARGUMENTS, ITEMS) {
  const __global float* from = x + row * columns;
  RowScale of;
  set_scale(&of, from, columns, centred, epsilon, least, item, items, sums, numbers);
  norm_row(&of, from, gain, bias, given, y + row * columns, columns, row + 1 < rows ? columns : 0, item, items, sums,
           numbers);
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void row_norm(FORWARD_ARGUMENTS) {
  for (uint row = get_group_id(0); row < rows; row += get_num_groups(0))
    forward_row(row, x, gain, bias, given, y, centred, epsilon, least, rows, columns, ALONE);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void row_norm_group(FORWARD_ARGUMENTS) {
  LOCALS;
  for (uint row = get_group_id(0); row < rows; row += get_num_groups(0))
    forward_row(row, x, gain, bias, given, y, centred, epsilon, least, rows, columns, TOGETHER);
}

// What flows into a number, its gain taken.
INLINE float flow(const __global float* g, const __global float* gain, uint given, uint j) {
  return given > 0 ? g[j] * gain[j] : g[j];
}
INLINE FLOATS flow_vector(const __global float* g, const __global float* gain, uint given, uint j) {
  const FLOATS flows = LOAD(0, g + j);
  return given > 0 ? flows * LOAD(0, gain + j) : flows;
}

// What all numbers of a row lose: mean ĝ, and x̂ times mean ĝ·x̂.
typedef struct {
  float mean, along;
} RowLoss;

INLINE void set_loss(RowLoss* loss, const RowScale* of, const __global float* x, const __global float* g,
                     const __global float* gain, uint given, uint centred, uint columns, ITEMS) {
  const uint whole = columns / WIDTH * WIDTH, step = items * WIDTH;
  Sums flows_lanes = sums_zero(), along_lanes = sums_zero(), odd_flows = sums_zero(), odd_along = sums_zero();
  uint j = item * WIDTH;
  for (; j + step < whole; j += 2 * step) {
    const FLOATS here = flow_vector(g, gain, given, j), there = flow_vector(g, gain, given, j + step);
    flows_lanes = sums_product(flows_lanes, here, (FLOATS)(1)), odd_flows = sums_product(odd_flows, there, (FLOATS)(1));
    along_lanes = sums_product(along_lanes, here, normed_vector(of, LOAD(0, x + j)));
    odd_along = sums_product(odd_along, there, normed_vector(of, LOAD(0, x + j + step)));
  }
  if (j < whole) {
    const FLOATS here = flow_vector(g, gain, given, j);
    flows_lanes = sums_product(flows_lanes, here, (FLOATS)(1));
    along_lanes = sums_product(along_lanes, here, normed_vector(of, LOAD(0, x + j)));
  }
  add_sums(&flows_lanes, &odd_flows), add_sums(&along_lanes, &odd_along);
  Sum flows_part = sum_zero(), along_part = sum_zero();
  add_lanes(&flows_part, &flows_lanes), add_lanes(&along_part, &along_lanes);
  for (j = whole + item; j < columns; j += items) {
    const float here = flow(g, gain, given, j);
    flows_part = sum_product(flows_part, here, 1);
    along_part = sum_product(along_part, here, normed(of, x[j]));
  }
  join_sum(&along_part, item, items, sums, numbers);
  loss->along = sum_or_infinite(along_part) / (float)columns;
  loss->mean = 0;
  if (!centred) return;
  join_sum(&flows_part, item, items, sums, numbers);
  loss->mean = sum_or_infinite(flows_part) / (float)columns;
}

#define BACK_ARGUMENTS                                                                                              \
  __global const float *x, __global const float *g, __global const float *gain, const uint given,                   \
      __global float *y, NORM_ARGUMENTS

INLINE void back_row(size_t row, BACK_ARGUMENTS, ITEMS) {
  const __global float *from = x + row * columns, *flows = g + row * columns;
  __global float* to = y + row * columns;
  RowScale of;
  set_scale(&of, from, columns, centred, epsilon, least, item, items, sums, numbers);
  RowLoss loss;
  set_loss(&loss, &of, from, flows, gain, given, centred, columns, item, items, sums, numbers);
  const uint whole = columns / WIDTH * WIDTH;
  for (uint j = item * WIDTH; j < whole; j += items * WIDTH) {
    const FLOATS kept = flow_vector(flows, gain, given, j) - loss.mean;
    STORE((kept - normed_vector(&of, LOAD(0, from + j)) * loss.along) * of.back, 0, to + j);
  }
  for (uint j = whole + item; j < columns; j += items)
    to[j] = (flow(flows, gain, given, j) - loss.mean - normed(&of, from[j]) * loss.along) * of.back;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void row_norm_rows(BACK_ARGUMENTS) {
  for (uint row = get_group_id(0); row < rows; row += get_num_groups(0))
    back_row(row, x, g, gain, given, y, centred, epsilon, least, rows, columns, ALONE);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void row_norm_rows_group(BACK_ARGUMENTS) {
  LOCALS;
  for (uint row = get_group_id(0); row < rows; row += get_num_groups(0))
    back_row(row, x, g, gain, given, y, centred, epsilon, least, rows, columns, TOGETHER);
}

// A vector of columns, zeros beyond the last.
INLINE FLOATS columns_from(const __global float* x, uint first, uint columns) {
  return columns - first >= WIDTH ? LOAD(0, x + first) : load_some(x, first, columns);
}

#define GAIN_ARGUMENTS __global const float *x, __global const float *g, __global Sums *parts, const uint run, NORM_ARGUMENTS

// An item has the same columns of each row: nobody else adds to their sums.
INLINE void gain_of_run(uint which, GAIN_ARGUMENTS, ITEMS) {
  const uint vectors = (columns + WIDTH - 1) / WIDTH, end = min(run, rows - which * run);
  __global Sums* to = parts + (size_t)which * vectors;
  for (uint v = item; v < vectors; v += items) to[v] = sums_zero();
  for (uint i = 0; i < end; ++i) {
    const size_t first = ((size_t)which * run + i) * columns;
    RowScale of;
    set_scale(&of, x + first, columns, centred, epsilon, least, item, items, sums, numbers);
    for (uint v = item; v < vectors; v += items)
      to[v] = sums_product(to[v], columns_from(g + first, v * WIDTH, columns),
                           normed_vector(&of, columns_from(x + first, v * WIDTH, columns)));
  }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void row_norm_gain(GAIN_ARGUMENTS) {
  gain_of_run(get_group_id(0), x, g, parts, run, centred, epsilon, least, rows, columns, ALONE);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void row_norm_gain_group(GAIN_ARGUMENTS) {
  LOCALS;
  gain_of_run(get_group_id(0), x, g, parts, run, centred, epsilon, least, rows, columns, TOGETHER);
}

__kernel void column_parts(__global const float* x, __global Sums* parts, const uint run, const uint runs,
                           const uint matrices, const uint rows, const uint columns) {
  const uint vectors = (columns + WIDTH - 1) / WIDTH;
  for (uint which = get_group_id(0); which < matrices * runs; which += get_num_groups(0)) {
    const uint matrix = which / runs, first = (which - matrix * runs) * run, end = min(run, rows - first);
    __global Sums* to = parts + (size_t)which * vectors;
    for (uint v = get_local_id(0); v < vectors; v += get_local_size(0)) to[v] = sums_zero();
    for (uint i = first; i < first + end; ++i) {
      const __global float* from = x + ((size_t)matrix * rows + i) * columns;
      for (uint v = get_local_id(0); v < vectors; v += get_local_size(0))
        to[v] = sums_product(to[v], columns_from(from, v * WIDTH, columns), (FLOATS)(1));
    }
  }
}

__kernel void column_total(__global const Sums* parts, __global float* y, const uint runs, const uint matrices,
                           const uint columns) {
  const uint vectors = (columns + WIDTH - 1) / WIDTH;
  for (uint i = get_global_id(0); i < matrices * vectors; i += get_global_size(0)) {
    const uint matrix = i / vectors, v = i - matrix * vectors;
    Sums all = sums_zero();
    for (uint which = matrix * runs; which < (matrix + 1) * runs; ++which) {
      const Sums of_run = parts[(size_t)which * vectors + v];
      add_sums(&all, &of_run);
    }
    for (uint lane = 0; lane < min((uint)WIDTH, columns - v * WIDTH); ++lane) {
      Sum sum = sum_zero();
      add_lane(&sum, &all, lane);
      y[(size_t)matrix * columns + v * WIDTH + lane] = sum_or_infinite(sum);
    }
  }
}

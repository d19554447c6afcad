// A mean square distance to a target and its gradient. Formulas: core/operations/mean_square.h. Shapes: x, t and the
// gradient `numbers` numbers, cut into `runs` runs of `run`, the last one maybe shorter. Includes row_items.cl.
//
// Run by run (core/opencl/by_row.h): mean_square_parts, which leaves a sum for each, that totals of sums.cl adds up: how
// many are asked, or with that count the sum of the squares ÷ it. Number by number: mean_square_gradient.

#include "row_items.cl"

#define PART_ARGUMENTS                                                                                              \
  __global const float *x, __global const float *t, __global const float *asked, const uint squares,                \
      __global Sum *parts, const uint run, const uint runs, const ulong numbers_in_all

// Each square is divided by itself: it leaves the range of float where the mean does. Where nothing is asked none is
// more than 0.
INLINE void part_at(uint which, PART_ARGUMENTS, ITEMS) {
  const ulong first = (ulong)which * run;
  const uint length = (uint)min((ulong)run, numbers_in_all - first), whole = length / WIDTH * WIDTH;
  const __global float *from = x + first, *target = t + first;
  const float count = squares ? max(asked[0], 1.0f) : 1.0f;
  const FLOATS zero = (FLOATS)(0), one = (FLOATS)(1);
  Sums lanes = sums_zero();
  for (uint j = item * WIDTH; j < whole; j += items * WIDTH) {
    const FLOATS to = LOAD(0, target + j);
    const FLOATS distance = squares ? LOAD(0, from + j) - to : one, kept = select(distance, zero, isnan(to));
    lanes = sums_product(lanes, kept, kept / count);
  }
  Sum part = sum_zero();
  add_lanes(&part, &lanes);
  for (uint j = whole + item; j < length; j += items) {
    const float kept = isnan(target[j]) ? 0.0f : squares ? from[j] - target[j] : 1.0f;
    part = sum_product(part, kept, kept / count);
  }
  join_sum(&part, item, items, sums, numbers);
  if (item == 0) parts[which] = part;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void mean_square_parts(PART_ARGUMENTS) {
  for (uint which = get_group_id(0); which < runs; which += get_num_groups(0))
    part_at(which, x, t, asked, squares, parts, run, runs, numbers_in_all, ALONE);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void mean_square_parts_group(PART_ARGUMENTS) {
  LOCALS;
  for (uint which = get_group_id(0); which < runs; which += get_num_groups(0))
    part_at(which, x, t, asked, squares, parts, run, runs, numbers_in_all, TOGETHER);
}

// Grid: that of elementwise.cl, all numbers as one row.
__kernel void mean_square_gradient(__global const float* x, __global const float* t, __global const float* g,
                                   __global const float* asked, __global float* y, const ulong rows,
                                   const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  const float flow = 2 * g[0] / max(asked[0], 1.0f);
  for (ulong i = first; i < end; ++i) y[i] = isnan(t[i]) ? 0.0f : (x[i] - t[i]) * flow;
}

// Products of two matrices added up. Formulas: core/operations/sums.h. Shapes: x and y `count` numbers, cut into `runs`
// runs of `run` numbers, the last one maybe shorter: rows, where each has its own sum. Includes row_items.cl.
//
// Run by run (core/opencl/by_row.h): product_parts, which leaves a sum for each; in two floats another one behind them all,
// at a scale where nothing leaves the range of float. One item a result: totals, which adds up `each` of such sums.

#include "row_items.cl"

#define DOWN 0x1p-80f  // of each factor: the largest product, 2^256, becomes 2^96

// A pair with a 0 in it adds 0.
INLINE void add_products(Sum* to_part, const __global float* x, const __global float* y, uint count, const uint item,
                         const uint items) {
  const uint whole = count / WIDTH * WIDTH;
  const FLOATS zero = (FLOATS)(0);
  Sums lanes = sums_zero();
  for (uint j = item * WIDTH; j < whole; j += items * WIDTH) {
    const FLOATS a = LOAD(0, x + j), b = LOAD(0, y + j);
    lanes = sums_product(lanes, select(a, zero, b == zero), select(b, zero, a == zero));
  }
  Sum part = *to_part;
  add_lanes(&part, &lanes);
  for (uint j = whole + item; j < count; j += items)
    if (x[j] != 0 && y[j] != 0) part = sum_product(part, x[j], y[j]);
  *to_part = part;
}

#if !DOUBLE_SUMS
// The same at the scale DOWN²; what is not finite stays that.
INLINE void add_scaled(Sum* to_part, const __global float* x, const __global float* y, uint count, const uint item,
                       const uint items) {
  Sum part = *to_part;
  for (uint j = item; j < count; j += items) {
    const float a = x[j], b = y[j], by = isfinite(a) && isfinite(b) ? DOWN : 1.0f;
    if (a != 0 && b != 0) part = sum_product(part, a * by, b * by);
  }
  *to_part = part;
}
#endif

#define PART_ARGUMENTS                                                                                              \
  __global const float *x, __global const float *y, __global Sum *parts, const uint run, const uint runs,           \
      const ulong count

INLINE void part_at(uint which, PART_ARGUMENTS, ITEMS) {
  const ulong first = (ulong)which * run;
  const uint length = (uint)min((ulong)run, count - first);
  Sum part = sum_zero();
  add_products(&part, x + first, y + first, length, item, items);
  join_sum(&part, item, items, sums, numbers);
  if (item == 0) parts[which] = part;
#if !DOUBLE_SUMS
  Sum scaled = {part.value * DOWN * DOWN, part.error * DOWN * DOWN};
  if (!isfinite(sum_value(part))) {
    scaled.value = scaled.error = 0;
    add_scaled(&scaled, x + first, y + first, length, item, items);
    join_sum(&scaled, item, items, sums, numbers);
  }
  if (item == 0) parts[runs + which] = scaled;
#endif
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void product_parts(PART_ARGUMENTS) {
  for (uint which = get_group_id(0); which < runs; which += get_num_groups(0))
    part_at(which, x, y, parts, run, runs, count, ALONE);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void product_parts_group(PART_ARGUMENTS) {
  LOCALS;
  for (uint which = get_group_id(0); which < runs; which += get_num_groups(0))
    part_at(which, x, y, parts, run, runs, count, TOGETHER);
}

INLINE void add_parts(Sum* to_part, const __global Sum* parts, uint each) {
  Sum part = *to_part;
  for (uint k = 0; k < each; ++k) {
    const Sum more = parts[k];
    part = sum_join(part, more);
  }
  *to_part = part;
}

// `scaled`: whether there are also sums at a scale, in two floats.
__kernel void totals(__global const Sum* parts, __global float* y, const uint each, const uint scaled,
                     const uint results) {
  for (uint i = get_global_id(0); i < results; i += get_global_size(0)) {
    Sum total = sum_zero();
    add_parts(&total, parts + (size_t)i * each, each);
    float value = sum_or_infinite(total);
#if !DOUBLE_SUMS
    if (scaled && !isfinite(value)) {
      Sum down = sum_zero();
      add_parts(&down, parts + ((size_t)results + i) * each, each);
      value = ldexp(sum_or_infinite(down), 160);
    }
#endif
    y[i] = value;
  }
}

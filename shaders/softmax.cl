// The softmax over the keys of each row in its four steps: maximum, exponentials, sum, division. Formulas:
// core/operations/softmax.h. Shapes: x h×n×m, taken as h·n rows of m columns; maxima and sums a number a row.
// Includes sum.cl and larger.cl.
//
// Number by number (grid: that of elementwise.cl over x): exponential, normalize_rows.
// Row by row, one dimension of at most 16384 work-groups that stride over the rows (core/opencl/softmax.cpp):
//   processors, a work-group of one item, which reads vectors: row_maximum, row_sum
//   GPUs, a work-group of 64 items, which join their parts in local memory: row_maximum_group, row_sum_group

#include "sum.cl"
#include "larger.cl"

#define GROUP 64

// Matches exponential_value in core/operations/softmax.cpp. A row whose maximum is −∞ becomes `empty`.
__kernel void exponential(__global const float* x, __global const float* maxima, __global float* y,
                          const uint hard, const float empty, const ulong rows, const ulong columns,
                          const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const float maximum = maxima[row];
    const __global float* from = x + row * columns;
    __global float* to = y + row * columns;
    if (maximum == -INFINITY)
      for (ulong j = first; j < end; ++j) to[j] = empty;
    else if (hard)
      for (ulong j = first; j < end; ++j) to[j] = isnan(maximum) ? maximum : (from[j] == maximum ? 1.0f : 0.0f);
    else
      for (ulong j = first; j < end; ++j) to[j] = exp(from[j] - maximum);
  }
}

// A row whose sum is 0 becomes `empty`.
__kernel void normalize_rows(__global const float* x, __global const float* sums, __global float* y, const float empty,
                             const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const float sum = sums[row];
    for (ulong i = row * columns + first; i < row * columns + end; ++i) y[i] = sum == 0.0f ? empty : x[i] / sum;
  }
}

// The sum as one float. Two floats turn ∞ into NaN (∞ − ∞ in the error): the plain sum tells them apart.
static inline float finished(const Sum sum, const __global float* row, uint columns) {
  float value = sum_value(sum);
#if !DOUBLE_SUMS
  if (!isfinite(value)) value = plain_sum(row, 1, 0, 0, columns);
#endif
  return value;
}

__kernel void row_maximum(__global const float* x, __global float* y, const uint rows, const uint columns) {
  for (uint row = get_global_id(0); row < rows; row += get_global_size(0)) {
    const __global float* from = x + (size_t)row * columns;
    FLOATS lanes = (FLOATS)(-INFINITY);
    uint j = 0;
    for (; columns - j >= WIDTH; j += WIDTH) {
      const FLOATS next = LOAD(0, from + j);
      lanes = select(lanes, next, next > lanes || isnan(next));
    }
    float maximum = -INFINITY;
    for (uint lane = 0; lane < WIDTH; ++lane) maximum = larger(maximum, ((const float*)&lanes)[lane]);
    for (; j < columns; ++j) maximum = larger(maximum, from[j]);
    y[row] = maximum;
  }
}

__kernel void row_sum(__global const float* x, __global float* y, const uint rows, const uint columns) {
  for (uint row = get_global_id(0); row < rows; row += get_global_size(0)) {
    const __global float* from = x + (size_t)row * columns;
    Sums lanes = sums_zero();
    uint j = 0;
    for (; columns - j >= WIDTH; j += WIDTH) lanes = sums_product(lanes, LOAD(0, from + j), (FLOATS)(1));
    Sum sum = sums_total(lanes);
    for (; j < columns; ++j) sum = sum_product(sum, from[j], 1);
    y[row] = finished(sum, from, columns);
  }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void row_maximum_group(__global const float* x,
                                                                                  __global float* y,
                                                                                  const uint rows,
                                                                                  const uint columns) {
  __local float parts[GROUP];
  const uint item = get_local_id(0);
  for (uint row = get_group_id(0); row < rows; row += get_num_groups(0)) {
    const __global float* from = x + (size_t)row * columns;
    float part = -INFINITY;
    for (uint j = item; j < columns; j += GROUP) part = larger(part, from[j]);
    parts[item] = part;
    for (uint half_group = GROUP / 2; half_group > 0; half_group /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (item < half_group) parts[item] = larger(parts[item], parts[item + half_group]);
    }
    if (item == 0) y[row] = parts[0];
    barrier(CLK_LOCAL_MEM_FENCE);  // nobody writes the next row's parts before this is read
  }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void row_sum_group(__global const float* x,
                                                                              __global float* y, const uint rows,
                                                                              const uint columns) {
  __local Sum parts[GROUP];
  const uint item = get_local_id(0);
  for (uint row = get_group_id(0); row < rows; row += get_num_groups(0)) {
    const __global float* from = x + (size_t)row * columns;
    Sum part = sum_zero();
    for (uint j = item; j < columns; j += GROUP) part = sum_product(part, from[j], 1);
    parts[item] = part;
    for (uint half_group = GROUP / 2; half_group > 0; half_group /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (item < half_group) parts[item] = sum_join(parts[item], parts[item + half_group]);
    }
    if (item == 0) y[row] = finished(parts[0], from, columns);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

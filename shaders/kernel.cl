// Kernels of regression over queries q (n numbers) and keys k (m): distances, what they count, exponents. Formulas:
// core/operations/kernel.h. Includes sum.cl and kappa.cl.
//
// The width of a pair stands at widths[query·by_query + key·by_key]; a stride of 0 is one for all.
// Number by number (grid: that of elementwise.cl over y): kernel_distance, kernel_value, kernel_exponent.
// Row by row, one item a query, one dimension of at most 16384 items that stride over the queries
// (core/opencl/kernel.cpp): kernel_largest, neighbour_width.

#include "sum.cl"
#include "kappa.cl"

__kernel void kernel_distance(__global const float* q, __global const float* k, __global const float* widths,
                              __global float* y, const ulong by_query, const ulong by_key, const ulong rows,
                              const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1))
    for (ulong j = first; j < end; ++j)
      y[row * columns + j] = distance_of(q[row], k[j], widths[row * by_query + j * by_key]);
}

__kernel void kernel_value(__global const float* u, __global float* y, const uint kind, const ulong rows,
                           const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1))
    for (ulong i = row * columns + first; i < row * columns + end; ++i) y[i] = kappa(kind, u[i]);
}

// KernelRow::exponent of core/operations/kernel_row.h: of key k, whose width is s, less that of another, the largest.
static inline REAL exponent_of(const uint kind, const uint one_width, const float query, const float key, const float s,
                               const float other, const float t) {
  const REAL q = query, k = key, than = other;
  if (kind == DOT) return q * (k - than);
  if (one_width) {
    const REAL r = 1 / fmax((REAL)s, (REAL)TINY), apart = than - k;
    return -(REAL)0.5 * (apart * r) * (((q - k) + (q - than)) * r);
  }
  const REAL a = fabs(q - k) / fmax((REAL)s, (REAL)TINY), b = fabs(q - than) / fmax((REAL)t, (REAL)TINY);
  return a == b ? 0 : -(a - b) * (a + b) / 2;
}

// The first key of the largest exponent.
__kernel void kernel_largest(__global const float* q, __global const float* k, __global const float* widths,
                             __global uint* largest, const uint kind, const ulong by_query, const ulong by_key,
                             const uint rows, const uint keys) {
  for (uint row = get_global_id(0); row < rows; row += get_global_size(0)) {
    const __global float* w = widths + row * by_query;
    uint best = 0;
    for (uint j = 1; j < keys; ++j)
      if (exponent_of(kind, by_key == 0, q[row], k[j], w[j * by_key], k[best], w[best * by_key]) > 0) best = j;
    largest[row] = best;
  }
}

__kernel void kernel_exponent(__global const float* q, __global const float* k, __global const float* widths,
                              __global const uint* largest, __global float* y, const uint kind, const ulong by_query,
                              const ulong by_key, const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const __global float* w = widths + row * by_query;
    const uint best = largest[row];
    for (ulong j = first; j < end; ++j)
      y[row * columns + j] =
          (float)exponent_of(kind, by_key == 0, q[row], k[j], w[j * by_key], k[best], w[best * by_key]);
  }
}

// Floats that are not negative are in the order of their bits: the smallest that `count` distances do not exceed.
__kernel void neighbour_width(__global const float* q, __global const float* k, __global float* y, const uint count,
                              const uint rows, const uint keys) {
  for (uint row = get_global_id(0); row < rows; row += get_global_size(0)) {
    const float query = q[row];
    uint low = 0, high = 0x7f800000;
    while (low < high) {
      const uint middle = low + (high - low) / 2;
      uint within = 0;
      for (uint j = 0; j < keys; ++j) within += as_uint(fabs(query - k[j])) <= middle ? 1 : 0;
      if (within >= count)
        high = middle;
      else
        low = middle + 1;
    }
    y[row] = as_float(low);
  }
}

// Numbers as fewer bits hold them: core/operations/precision.h. By their bits, since not every device has the types,
// and so that all agree. Shapes: round_to takes its tensor as one row (grid: that of elementwise.cl); format_sum
// x h×n×m as h·n rows of m columns, one item a row, one dimension of at most 16384 items that stride over the rows
// (by_query in core/opencl/kernel.cpp). Includes nothing.

// In the order of core/operations/precision.h.
#define FLOAT16 1
#define BFLOAT16 2
#define PAIRS 1

// A sum fused with a product before it would not be rounded to the format.
#pragma OPENCL FP_CONTRACT OFF

// To nearest, ties to even, of bits that stand for a number: the lowest `dropped` bits go.
static inline uint nearest_even(uint bits, uint dropped) {
  const uint half_of_it = (1u << (dropped - 1)) - 1;
  return (bits + half_of_it + ((bits >> dropped) & 1)) & ~((1u << dropped) - 1);
}

static inline float in_format(const uint format, const float x) {
  const uint bits = as_uint(x), sign = bits & 0x80000000u, size = bits ^ sign;
  if (size >= 0x7f800000u) return x;
  if (format == BFLOAT16) return as_float(sign | nearest_even(size, 16));
  if (format != FLOAT16) return x;
  if (size >= 0x477ff000u) return as_float(sign | 0x7f800000u);  // 65520: half way to the next, which is ∞
  if (size >= 0x38800000u) return as_float(sign | nearest_even(size, 13));
  // Below 2^-14 its numbers are 2^-24 apart.
  return as_float(sign | as_uint(rint(as_float(size) * 0x1p24f) * 0x1p-24f));
}

__kernel void round_to(__global const float* x, __global float* y, const uint format, const ulong rows,
                       const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1))
    for (ulong i = row * columns + first; i < row * columns + end; ++i) y[i] = in_format(format, x[i]);
}

// A float sum rounds once more, which changes nothing: a float has more than twice the digits of the other formats.
static inline float by_pairs(__global const float* x, uint columns, const uint format) {
  float sums[32];  // of 2^level numbers each, where that bit of the count is set
  uint held = 0;   // how many sums
  for (uint j = 0; j < columns; ++j) {
    float sum = x[j];
    for (uint bits = j; bits & 1; bits >>= 1) sum = in_format(format, sums[--held] + sum);
    sums[held++] = sum;
  }
  float sum = held > 0 ? sums[--held] : 0.0f;
  while (held > 0) sum = in_format(format, sums[--held] + sum);
  return sum;
}

static inline float in_order(__global const float* x, uint columns, const uint format) {
  float sum = columns > 0 ? x[0] : 0.0f;
  for (uint j = 1; j < columns; ++j) sum = in_format(format, sum + x[j]);
  return sum;
}

__kernel void format_sum(__global const float* x, __global float* y, const uint format, const uint order,
                         const uint rows, const uint columns) {
  for (uint row = get_global_id(0); row < rows; row += get_global_size(0)) {
    const __global float* from = x + (size_t)row * columns;
    y[row] = order == PAIRS ? by_pairs(from, columns, format) : in_order(from, columns, format);
  }
}

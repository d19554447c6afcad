// Weights of several heads at once. Formulas: core/operations/head_maps.h. Shapes: x h×n×m; patterns p×n×m;
// projections (h·c)×d. Includes sum.cl and larger.cl.
//
// Number by number (grid: that of elementwise.cl over y): across_heads over n rows; head_difference over h·n
// rows. One item a result, one dimension of at most 16384 items that stride over the rest (by_query in
// core/opencl/kernel.cpp): pattern_share, over h·n rows; head_size, over h; head_cosine and head_overlap, over
// the pairs r ≤ s of heads, whose mirror is the other half; part_length, over h·⌈n/TOKENS⌉.

#include "larger.cl"
#include "sum.cl"

// In the order of core/operations/head_maps.h.
#define MEAN 0
#define MAXIMUM 1

// Of part_length; core/opencl/head_maps.cpp repeats it.
#define TOKENS 4

__kernel void pattern_share(__global const float* x, __global const float* patterns, __global float* y,
                            const uint matrix_rows, const uint count, const uint rows, const uint columns) {
  for (uint row = get_global_id(0); row < rows; row += get_global_size(0)) {
    const __global float* from = x + (size_t)row * columns;
    for (uint pattern = 0; pattern < count; ++pattern) {
      const __global float* mask = patterns + ((size_t)pattern * matrix_rows + row % matrix_rows) * columns;
      Sum sum = sum_zero();
      for (uint j = 0; j < columns; ++j) sum = sum_product(sum, from[j], mask[j]);
      const float value = sum_value(sum);
      y[(size_t)row * count + pattern] = isfinite(value) ? value : plain_sum(from, 1, mask, 1, columns);
    }
  }
}

// Spread: at the scale of the largest number, so that no square leaves the range of float.
__kernel void across_heads(__global const float* x, __global float* y, const uint figure, const uint heads,
                           const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  const size_t step = (size_t)rows * columns;
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1))
    for (ulong i = row * columns + first; i < row * columns + end; ++i) {
      float most = x[i], size = fabs(x[i]);
      for (uint r = 1; r < heads; ++r) {
        most = larger(most, x[r * step + i]);
        size = larger(size, fabs(x[r * step + i]));
      }
      if (figure == MAXIMUM) {
        y[i] = most;
        continue;
      }
      const int power = figure == MEAN || size == 0.0f || !isfinite(size) ? 0 : clamp(ilogb(size), -120, 127);
      Sum sum = sum_zero();
      for (uint r = 0; r < heads; ++r) sum = sum_product(sum, ldexp(x[r * step + i], -power), 1.0f);
      float total = sum_value(sum);
      if (!isfinite(total)) total = plain_sum(x + i, step, 0, 0, heads);
      const float mean = total / (float)heads;
      if (figure == MEAN) {
        y[i] = mean;
        continue;
      }
      Sum squares = sum_zero();
      for (uint r = 0; r < heads; ++r) {
        const float off = ldexp(x[r * step + i], -power) - mean;
        squares = sum_product(squares, off, off);
      }
      y[i] = isfinite(size) ? ldexp(sqrt(sum_value(squares) / (float)heads), power) : NAN;
    }
}

__kernel void head_difference(__global const float* x, __global float* y, const uint head,
                              const ulong matrix_rows, const ulong rows, const ulong columns,
                              const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const size_t from = row * columns, other = (head * matrix_rows + row % matrix_rows) * columns;
    for (ulong j = first; j < end; ++j) y[from + j] = x[from + j] - x[other + j];
  }
}

// Of each head a factor that brings its largest number near 1, and its length as so scaled; NaN of what is
// not finite.
__kernel void head_size(__global const float* x, __global float* sizes, const uint heads, const uint count) {
  for (uint r = get_global_id(0); r < heads; r += get_global_size(0)) {
    const __global float* from = x + (size_t)r * count;
    float largest = 0.0f;
    for (uint i = 0; i < count; ++i) largest = larger(largest, fabs(from[i]));
    const float scale =
        largest == 0.0f || !isfinite(largest) ? 1.0f : ldexp(1.0f, -clamp(ilogb(largest), -120, 120));
    Sum sum = sum_zero();
    for (uint i = 0; i < count; ++i) sum = sum_product(sum, from[i] * scale, from[i] * scale);
    sizes[2 * r] = scale;
    sizes[2 * r + 1] = isfinite(largest) ? sqrt(sum_value(sum)) : NAN;
  }
}

__kernel void head_cosine(__global const float* x, __global const float* sizes, __global const uint* pairs,
                          __global float* y, const uint heads, const uint pair_count, const uint count) {
  for (uint pair = get_global_id(0); pair < pair_count; pair += get_global_size(0)) {
    const uint r = pairs[2 * pair], s = pairs[2 * pair + 1];
    const __global float *a = x + (size_t)r * count, *b = x + (size_t)s * count;
    const float of_a = sizes[2 * r], of_b = sizes[2 * s], length_a = sizes[2 * r + 1],
                length_b = sizes[2 * s + 1];
    Sums lanes = sums_zero();
    uint i = 0;
    for (; i + WIDTH <= count; i += WIDTH)
      lanes = sums_product(lanes, LOAD(0, a + i) * of_a, LOAD(0, b + i) * of_b);
    Sum sum = sum_zero();
    for (uint lane = 0; lane < WIDTH; ++lane) sum = sum_join(sum, sums_lane(&lanes, lane));
    for (; i < count; ++i) sum = sum_product(sum, a[i] * of_a, b[i] * of_b);
    const bool none = length_a == 0.0f || length_b == 0.0f;
    const float value = none ? 0.0f : sum_value(sum) / length_a / length_b;
    y[r * heads + s] = value;
    if (s > r) y[s * heads + r] = value;
  }
}

__kernel void head_overlap(__global const float* x, __global const uint* pairs, __global float* y,
                           const uint heads, const uint pair_count, const uint count) {
  for (uint pair = get_global_id(0); pair < pair_count; pair += get_global_size(0)) {
    const uint r = pairs[2 * pair], s = pairs[2 * pair + 1];
    const __global float *a = x + (size_t)r * count, *b = x + (size_t)s * count;
    Sum both = sum_zero(), either = sum_zero();
    float plain_both = 0.0f, plain_either = 0.0f;
    for (uint i = 0; i < count; ++i) {
      const float most = larger(a[i], b[i]), least = -larger(-a[i], -b[i]);
      both = sum_product(both, least, 1.0f), either = sum_product(either, most, 1.0f);
      plain_both += least, plain_either += most;
    }
    float shared = sum_value(both), all = sum_value(either);
    if (!isfinite(shared)) shared = plain_both;
    if (!isfinite(all)) all = plain_either;
    const float value = all == 0.0f ? 0.0f : shared / all;
    y[r * heads + s] = value;
    if (s > r) y[s * heads + r] = value;
  }
}

// Squares are added up in three ranges, each at a scale where none leaves that of float (Blue 1978).
static inline float length_of(float most, float usual, float least) {
  if (most > 0.0f) return sqrt(most + ldexp(usual, -140)) * 0x1p70f;
  if (usual > 0.0f) return sqrt(usual + ldexp(least, -180));
  return sqrt(least) * 0x1p-90f;
}

// Columns are made a register's lanes at a time, for TOKENS rows of a head together, which read the same of W.
// Nearly always all of a register are in the middle range.
__kernel void part_length(__global const float* x, __global const float* w, __global float* y,
                          const uint rows, const uint width, const uint heads, const uint columns) {
  const uint tiles = (rows + TOKENS - 1) / TOKENS;
  for (uint tile = get_global_id(0); tile < heads * tiles; tile += get_global_size(0)) {
    const uint head = tile / tiles, row = (tile - head * tiles) * TOKENS;
    const __global float* to = w + (size_t)head * width * columns;
    const __global float* from[TOKENS];
    Sum large[TOKENS], middle[TOKENS], small[TOKENS];
    float odd[TOKENS];  // of what is not finite
    // Rows beyond the edge are computed from the last one and not stored.
#pragma unroll
    for (uint t = 0; t < TOKENS; ++t) {
      from[t] = x + ((size_t)head * rows + min(row + t, rows - 1)) * width;
      large[t] = sum_zero(), middle[t] = sum_zero(), small[t] = sum_zero();
      odd[t] = 0.0f;
    }
    for (uint j = 0; j < columns; j += WIDTH) {
      Sums lanes[TOKENS];
#pragma unroll
      for (uint t = 0; t < TOKENS; ++t) lanes[t] = sums_zero();
      for (uint k = 0; k < width; ++k) {
        const __global float* at = to + (size_t)k * columns;
        const FLOATS weights = j + WIDTH <= columns ? LOAD(0, at + j) : load_some(at, j, columns);
#pragma unroll
        for (uint t = 0; t < TOKENS; ++t) lanes[t] = sums_product(lanes[t], (FLOATS)(from[t][k]), weights);
      }
#pragma unroll
      for (uint t = 0; t < TOKENS; ++t) {
        const FLOATS parts = sums_value(lanes[t]), sizes = fabs(parts);
        // Not in vectors: they bring a hint (noalias.scope.decl) that oclgrind does not know.
        if (j + WIDTH <= columns && all(sizes <= 0x1p50f && (sizes >= 0x1p-50f || sizes == 0.0f))) {
          for (uint lane = 0; lane < WIDTH; ++lane) {
            const float part = ((const float*)&parts)[lane];
            middle[t] = sum_product(middle[t], part, part);
          }
          continue;
        }
        for (uint lane = 0; lane < WIDTH && j + lane < columns; ++lane) {
          float part = sum_value(sums_lane(&lanes[t], lane));
          if (!isfinite(part)) part = plain_sum(from[t], 1, to + j + lane, columns, width);
          const float size = fabs(part);
          if (!isfinite(size))
            odd[t] += size;
          else if (size > 0x1p50f)
            large[t] = sum_product(large[t], part * 0x1p-70f, part * 0x1p-70f);
          else if (size >= 0x1p-50f)
            middle[t] = sum_product(middle[t], part, part);
          else
            small[t] = sum_product(small[t], part * 0x1p90f, part * 0x1p90f);
        }
      }
    }
#pragma unroll
    for (uint t = 0; t < TOKENS; ++t) {
      const float length = length_of(sum_value(large[t]), sum_value(middle[t]), sum_value(small[t]));
      if (row + t < rows)
        y[(size_t)head * rows + row + t] = isfinite(odd[t]) && odd[t] == 0.0f ? length : odd[t];
    }
  }
}

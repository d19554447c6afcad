// What the shapes of flash attention's way back share (flash_gradient.cl, flash_gradient_group.cl,
// flash_gradient_lists.cl): arguments, and what the forward pass left of each query. Formulas:
// core/operations/flash_gradient.h. Includes flash_row.cl.
//
// Both passes are one: rows of one side stay with an item or group, lanes of the other go by, and what passes between
// them is summed for the rows. Rows are queries and their dO, and lanes keys and values, or the other way round.
//
// Of a query the base-2 logarithm of the sum of its exponentials, the mean of what passes to its weights, and the run of
// keys that it sees, which is empty where no key is left to it: `ends` holds all heads' logarithms and, behind them,
// means; `runs` the first keys and, behind, the ends. A head has `padded` of each, zeros from n on.
//   query_ends    grid: that of elementwise.cl over h×padded

#include "flash_row.cl"

#define TO_POWER 1.44269504f  // exp(x) = 2^(x·TO_POWER)
// Scores come as powers of two, but where something is done to them.
#define DRESSED (CAPPED | BY_OFFSET | BIASED)

#define GRADIENT_ARGUMENTS                                                                                           \
  __global float *restrict y, __global const float *restrict ends, __global const int *restrict runs,               \
      __global const float *restrict by_offset, __global const float *restrict bias,                                 \
      __global const float *restrict mask, const uint heads, const uint n, const uint m, const uint d, const uint c, \
      const uint padded, const uint group, const uint bias_group, const uint mask_group, const float scale,          \
      const float cap, const uint what, const uint of_keys

// Of a head's queries, and what is done to their scores.
typedef struct {
  const __global float *log_sum, *mean, *by_offset, *bias, *mask;
  const __global int *from, *to;
  uint n, m, what;
  float cap;
} Queries;

#define QUERIES_OF_HEAD                                                                               \
  {                                                                                                   \
    ends + (size_t)h * padded, ends + (size_t)(heads + h) * padded, OFFSETS_OF_HEAD, BIAS_OF_HEAD,    \
        MASK_OF_HEAD, runs + (size_t)h * padded, runs + (size_t)(heads + h) * padded, n, m, what, cap \
  }

// The heads that rows of matrix `t` meet: its own, or those that share it.
#define HEADS_FIRST(t) (of_keys ? (t) * group : (t))
#define HEADS_LAST(t) (of_keys ? ((t) + 1) * group : (t) + 1)

__kernel void query_ends(__global const float* restrict result, __global const float* restrict gradient,
                         __global const uint2* restrict seen, __global float* restrict ends, __global int* restrict runs,
                         const uint n, const uint c, const uint width, const ulong rows, const ulong columns,
                         const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong h = get_global_id(1); h < rows; h += get_global_size(1))
    for (ulong i = first; i < end; ++i) {
      const ulong place = h * columns + i, behind = rows * columns + place;
      ends[place] = ends[behind] = 0, runs[place] = runs[behind] = 0;
      if (i >= n) continue;
      const __global float *o = result + (h * n + i) * width, *g = gradient + (h * n + i) * c;
      if (o[c] == -INFINITY) continue;
      // Not by a vector of sums, at whose lanes, added up, Oclgrind 21.10 crashes.
      float mean = 0;
      uint e = 0;
      for (; e + 4 <= c; e += 4) mean += dot(vload4(0, o + e), vload4(0, g + e));
      for (; e < c; ++e) mean = fma(o[e], g[e], mean);
      ends[place] = o[c] * TO_POWER, ends[behind] = mean;
      runs[place] = (int)seen[i].x, runs[behind] = (int)seen[i].y;
    }
}

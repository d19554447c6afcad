// What kernels share that work row by row in both shapes: a row is one item's on processors, which reads vectors, and on
// GPUs that of a work-group of 64 items, which join their parts in local memory. Functions without kernels or grid of
// their own, for row_scale.cl, heads.cl and all that by_row.h starts. Includes sum.cl and larger.cl.

#include "sum.cl"
#include "larger.cl"

// Always inline: with one literal a row is one item's, and no local memory is touched. They return no struct, which
// Oclgrind 21.10 does not run where it is inlined.
#define GROUP 64
#define INLINE static inline __attribute__((always_inline))

// The items that share a row: which this is, of how many, and where they leave their parts.
#define ITEMS const uint item, const uint items, __local Sum *sums, __local float *numbers
#define ALONE 0, 1, (__local Sum*)0, (__local float*)0
#define TOGETHER (uint)get_local_id(0), GROUP, sums, numbers
#define LOCALS               \
  __local Sum sums[GROUP];   \
  __local float numbers[GROUP]

// A sum with an infinity in it is that: its error would make it NaN.
static inline float sum_or_infinite(const Sum s) {
#if DOUBLE_SUMS
  return (float)s;
#else
  const float sum = s.value + s.error;
  return isfinite(sum) ? sum : s.value;
#endif
}

// A sum ÷ count in two floats: what is taken off numbers that may nearly equal it.
INLINE void set_quotient(float* high, float* low, const Sum sum, uint count) {
#if DOUBLE_SUMS
  const double quotient = sum / count;
  *high = (float)quotient;
  *low = (float)(quotient - *high);
#else
  const float by = (float)count, value = sum.value + sum.error, lost = (sum.value - value) + sum.error;
  *high = value / by;
  *low = (fma(-*high, by, value) + lost) / by;
#endif
}

INLINE void add_sums(Sums* to, const Sums* more) {
#if DOUBLE_SUMS
  *to += *more;
#else
  const Sums sum = sums_product(*to, more->value, (FLOATS)(1));
  to->value = sum.value, to->error = sum.error + more->error;
#endif
}

INLINE void add_lane(Sum* to, const Sums* of, uint lane) {
#if DOUBLE_SUMS
  *to += ((const double*)of)[lane];
#else
  const Sum one = {((const float*)&of->value)[lane], ((const float*)&of->error)[lane]};
  *to = sum_join(*to, one);
#endif
}

INLINE void add_lanes(Sum* to, const Sums* of) {
  for (uint lane = 0; lane < WIDTH; ++lane) add_lane(to, of, lane);
}

// Of this item's part all items' together, for all of them.
INLINE void join_sum(Sum* part, ITEMS) {
  if (items == 1) return;
  barrier(CLK_LOCAL_MEM_FENCE);  // nobody reads what was joined before any more
  sums[item] = *part;
  for (uint half_group = items / 2; half_group > 0; half_group /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_group) sums[item] = sum_join(sums[item], sums[item + half_group]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  *part = sums[0];
}

INLINE float joined_largest(float part, ITEMS) {
  if (items == 1) return part;
  barrier(CLK_LOCAL_MEM_FENCE);
  numbers[item] = part;
  for (uint half_group = items / 2; half_group > 0; half_group /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_group) numbers[item] = larger(numbers[item], numbers[item + half_group]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return numbers[0];
}

// Mean and length of a row, by which it is normed. Functions of the items that share a row, without kernels or grid of
// their own, for row_norm.cl. Formulas: core/operations/row_norm.h. Includes row_items.cl.

#include "row_items.cl"

// Of a row: x̂ = (x·down − high − low)·inverse, with the mean in two floats; back: 1 ÷ s.
typedef struct {
  float down, high, low, inverse, back;
} RowScale;

INLINE float from_mean(const RowScale* of, float x) { return fma(x, of->down, -of->high) - of->low; }
INLINE FLOATS from_mean_vector(const RowScale* of, FLOATS x) {
  return fma(x, (FLOATS)(of->down), (FLOATS)(-of->high)) - of->low;
}
INLINE float normed(const RowScale* of, float x) { return from_mean(of, x) * of->inverse; }
INLINE FLOATS normed_vector(const RowScale* of, FLOATS x) { return from_mean_vector(of, x) * of->inverse; }

// Sizes as their bits: in the order of the numbers, NaN above ∞.
#define SIZES JOIN(uint, WIDTH)
#define SIZE_BITS 0x7fffffffu
INLINE SIZES sizes_of(FLOATS x) { return JOIN(as_uint, WIDTH)(x) & SIZE_BITS; }

// The largest size of a row, and the sum of its numbers times `down`. Two vectors at a time, for a sum waits for itself.
typedef struct {
  float largest;
  Sum sum;
} FirstLook;

INLINE void look_at_row(FirstLook* look, const __global float* x, float down, uint columns, ITEMS) {
  const uint whole = columns / WIDTH * WIDTH, step = items * WIDTH;
  SIZES sizes = (SIZES)(0), odd_sizes = (SIZES)(0);
  Sums even = sums_zero(), odd = sums_zero();
  uint j = item * WIDTH;
  for (; j + step < whole; j += 2 * step) {
    const FLOATS here = LOAD(0, x + j), there = LOAD(0, x + j + step);
    sizes = max(sizes, sizes_of(here)), odd_sizes = max(odd_sizes, sizes_of(there));
    even = sums_product(even, here * down, (FLOATS)(1)), odd = sums_product(odd, there * down, (FLOATS)(1));
  }
  if (j < whole) {
    const FLOATS here = LOAD(0, x + j);
    sizes = max(sizes, sizes_of(here)), even = sums_product(even, here * down, (FLOATS)(1));
  }
  sizes = max(sizes, odd_sizes);
  uint largest = 0;
  for (uint lane = 0; lane < WIDTH; ++lane) largest = max(largest, ((const uint*)&sizes)[lane]);
  add_sums(&even, &odd);
  Sum part = sum_zero();
  add_lanes(&part, &even);
  for (j = whole + item; j < columns; j += items) {
    largest = max(largest, as_uint(x[j]) & SIZE_BITS);
    part = sum_product(part, x[j] * down, 1);
  }
  join_sum(&part, item, items, sums, numbers);
  look->largest = joined_largest(as_float(largest), item, items, sums, numbers);
  look->sum = part;
}

INLINE void set_mean(RowScale* of, const Sum sum, uint columns) {
#if DOUBLE_SUMS
  const double mean = sum / columns;
  of->high = (float)mean;
  of->low = (float)(mean - of->high);
#else
  const float count = (float)columns, value = sum.value + sum.error, lost = (sum.value - value) + sum.error;
  of->high = value / count;
  of->low = (fma(-of->high, count, value) + lost) / count;
#endif
}

// The mean square of x·down less its mean.
INLINE float spread_of(const RowScale* of, const __global float* x, uint columns, ITEMS) {
  const uint whole = columns / WIDTH * WIDTH, step = items * WIDTH;
  Sums even = sums_zero(), odd = sums_zero();
  uint j = item * WIDTH;
  for (; j + step < whole; j += 2 * step) {
    const FLOATS here = from_mean_vector(of, LOAD(0, x + j)), there = from_mean_vector(of, LOAD(0, x + j + step));
    even = sums_product(even, here, here), odd = sums_product(odd, there, there);
  }
  if (j < whole) {
    const FLOATS here = from_mean_vector(of, LOAD(0, x + j));
    even = sums_product(even, here, here);
  }
  add_sums(&even, &odd);
  Sum part = sum_zero();
  add_lanes(&part, &even);
  for (j = whole + item; j < columns; j += items) {
    const float here = from_mean(of, x[j]);
    part = sum_product(part, here, here);
  }
  join_sum(&part, item, items, sums, numbers);
  return sum_value(part) / (float)columns;
}

// Where no square can leave the range of float numbers are taken as they are; elsewhere at the scale of the row's
// largest, and looked at once more. `least`: the smallest power of two of that, for ε has to stay within the range along
// with them. Beside numbers so large that ε vanishes it still is the length of a row without spread.
#define ORDINARY 40
INLINE void set_scale(RowScale* of, const __global float* x, uint columns, uint centred, float epsilon, int least,
                      ITEMS) {
  FirstLook look;
  of->down = 1, of->high = of->low = 0;
  for (bool again = true; again;) {  // one place that looks: inlined twice, compilers took twice as long
    look_at_row(&look, x, of->down, columns, item, items, sums, numbers);
    if (!isfinite(look.largest)) {
      of->inverse = of->back = centred ? NAN : 1 / look.largest;
      return;
    }
    const int power = look.largest == 0 ? 0 : clamp(ilogb(look.largest), least, 126);
    again = of->down == 1 && abs(power) > ORDINARY;
    if (again) of->down = ldexp(1.0f, -power);
  }
  if (centred) set_mean(of, look.sum, columns);
  const float spread = spread_of(of, x, columns, item, items, sums, numbers);
  if (spread > 0) {
    of->inverse = 1 / sqrt(spread + epsilon * of->down * of->down);
    of->back = of->inverse * of->down;
  } else {
    of->inverse = of->back = 1 / sqrt(epsilon);
  }
}

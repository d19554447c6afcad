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

INLINE uint largest_lane(const SIZES* sizes) {
  uint largest = 0;
  for (uint lane = 0; lane < WIDTH; ++lane) largest = max(largest, ((const uint*)sizes)[lane]);
  return largest;
}

// What a row shows, in one look: its largest size and, of what it takes to norm it, sums. Two vectors at a time, for a sum
// waits for itself.
//
// Numbers are taken as they are where no square can leave the range of float, else at the scale of the row's largest.
// `least`: the smallest power of two of that, for ε has to stay within the range along with them. Beside numbers so large
// that ε vanishes it still is the length of a row without spread.
#define ORDINARY 40
INLINE float scale_of(float largest, int least) {
  const int power = largest == 0 ? 0 : clamp(ilogb(largest), least, 126);
  return abs(power) > ORDINARY ? ldexp(1.0f, -power) : 1.0f;
}

#if DOUBLE_SUMS

// The sums of the numbers less the row's first, and of their squares. As the first is one of them, the square of its
// distance to the mean is at most `columns` variances: so many roundings of double are what the variance loses.
typedef struct {
  float largest;
  Sum sum, squares;
} Look;

INLINE void look_at_row(Look* look, const __global float* x, float first, uint columns, ITEMS) {
  const uint whole = columns / WIDTH * WIDTH, step = items * WIDTH;
  const Terms origin = (Terms)((Term)first);
  SIZES sizes = (SIZES)(0), odd_sizes = (SIZES)(0);
  Sums even = sums_zero(), odd = sums_zero(), even_squares = sums_zero(), odd_squares = sums_zero();
  uint j = item * WIDTH;
  for (; j + step < whole; j += 2 * step) {
    const FLOATS near = LOAD(0, x + j), far = LOAD(0, x + j + step);
    const Terms here = AS_TERMS(near) - origin, there = AS_TERMS(far) - origin;
    sizes = max(sizes, sizes_of(near)), odd_sizes = max(odd_sizes, sizes_of(far));
    even += here, odd += there;
    even_squares = sums_terms(even_squares, here, here), odd_squares = sums_terms(odd_squares, there, there);
  }
  if (j < whole) {
    const FLOATS near = LOAD(0, x + j);
    const Terms here = AS_TERMS(near) - origin;
    sizes = max(sizes, sizes_of(near));
    even += here, even_squares = sums_terms(even_squares, here, here);
  }
  add_sums(&even, &odd), add_sums(&even_squares, &odd_squares);
  sizes = max(sizes, odd_sizes);
  uint largest = largest_lane(&sizes);
  Sum sum = sum_zero(), squares = sum_zero();
  add_lanes(&sum, &even), add_lanes(&squares, &even_squares);
  for (j = whole + item; j < columns; j += items) {
    const Term here = (Term)x[j] - first;
    largest = max(largest, as_uint(x[j]) & SIZE_BITS);
    sum += here, squares = fma(here, here, squares);
  }
  join_sum(&sum, item, items, sums, numbers);
  join_sum(&squares, item, items, sums, numbers);
  look->largest = joined_largest(as_float(largest), item, items, sums, numbers);
  look->sum = sum, look->squares = squares;
}

// The mean, and the mean square of x·down less it.
INLINE float spread_of_row(RowScale* of, Look* look, const __global float* x, uint columns, uint centred, int least,
                           ITEMS) {
  const float first = centred ? x[0] : 0.0f;
  look_at_row(look, x, first, columns, item, items, sums, numbers);
  of->down = scale_of(look->largest, least);
  const double beyond = look->sum / columns, square = look->squares / columns;
  if (!centred) return (float)(square * of->down * of->down);
  const double mean = (first + beyond) * of->down;
  of->high = (float)mean, of->low = (float)(mean - of->high);
  return (float)((square - beyond * beyond) * of->down * of->down);
}

#else

// The sum of the numbers times `down`. What they are less their mean takes another pass: a difference of floats is rounded.
typedef struct {
  float largest;
  Sum sum;
} Look;

INLINE void look_at_row(Look* look, const __global float* x, float down, uint columns, ITEMS) {
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
  uint largest = largest_lane(&sizes);
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

INLINE float spread_of_row(RowScale* of, Look* look, const __global float* x, uint columns, uint centred, int least,
                           ITEMS) {
  of->down = 1;
  for (bool again = true; again;) {  // one place that looks: inlined twice, compilers took twice as long
    look_at_row(look, x, of->down, columns, item, items, sums, numbers);
    const float down = scale_of(look->largest, least);
    again = isfinite(look->largest) && down != of->down;
    of->down = down;
  }
  if (centred) set_quotient(&of->high, &of->low, look->sum, columns);
  return spread_of(of, x, columns, item, items, sums, numbers);
}

#endif

// Of a row with an infinity in it nothing is left but zeros, or NaN.
INLINE void set_scale(RowScale* of, const __global float* x, uint columns, uint centred, float epsilon, int least,
                      ITEMS) {
  Look look;
  of->high = of->low = 0;
  const float spread = spread_of_row(of, &look, x, columns, centred, least, item, items, sums, numbers);
  if (!isfinite(look.largest)) {
    of->down = 1, of->high = of->low = 0;
    of->inverse = of->back = centred ? NAN : 1 / look.largest;
  } else if (spread > 0) {
    of->inverse = 1 / sqrt(spread + epsilon * of->down * of->down);
    of->back = of->inverse * of->down;
  } else {
    of->inverse = of->back = 1 / sqrt(epsilon);
  }
}

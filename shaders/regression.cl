// Regression over the points at once, an item a query that reads vectors of keys. Formulas:
// core/operations/regression.h. Shapes: q n numbers, k m, v m×c. The width of a pair is found as in kernel.cl. Grid of
// all kernels: one dimension of at most 16384 items that stride over their queries (core/opencl/kernel.cpp):
// linear_weights an item a row, kernel_estimate a query and column, leave_one_out a candidate width and key. Includes
// sum.cl and kappa.cl.

#include "sum.cl"
#include "kappa.cl"

#if DOUBLE_SUMS
#define REALS DOUBLES
#define REALS_OF WIDEN
#else
#define REALS FLOATS
#define REALS_OF(x) (x)
#endif
// The floats in a register that holds half as many doubles.
#if DOUBLE_SUMS && WIDTH == 8
#define WIDE 16
#elif DOUBLE_SUMS && WIDTH == 4
#define WIDE 8
#elif DOUBLE_SUMS && WIDTH == 2
#define WIDE 4
#endif
#define FLOATS_OF JOIN(convert_float, WIDTH)
#define INTS JOIN(int, WIDTH)

__constant int kLanes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

typedef struct {
  __global const float *keys, *widths, *values;
  ulong by_key, columns;
  uint kind;
  float query;
} Points;

// What the exponents are taken less: the nearest key where all have one width, else the least |u|.
typedef struct {
  float below, above;  // the largest key up to the query and the smallest from it on; of the dot product: of all
  REAL least;
} Nearest;

static inline FLOATS widths_at(const Points p, uint j, uint end) {
  return p.by_key ? load_some(p.widths, j, end) : (FLOATS)(p.widths[0]);
}

static inline REALS in_widths(const Points p, FLOATS keys, FLOATS widths) {
  return fabs((REALS)(p.query) - REALS_OF(keys)) / fmax(REALS_OF(widths), (REALS)(TINY));
}

// Over the keys from j to end.
static inline Nearest nearest_of(const Nearest before, const Points p, uint j, uint end) {
  FLOATS below = (FLOATS)(before.below), above = (FLOATS)(before.above);
  REALS least = (REALS)(before.least);
  const INTS all = (INTS)(p.kind == DOT ? -1 : 0), lanes = JOIN(vload, WIDTH)(0, kLanes);
  for (; j < end; j += WIDTH) {
    const FLOATS keys = end - j >= WIDTH ? LOAD(0, p.keys + j) : load_some(p.keys, j, end);
    const INTS there = lanes < (INTS)((int)min(end - j, (uint)WIDTH));
    below = fmax(below, select((FLOATS)(-INFINITY), keys, there & (all | (keys <= p.query))));
    above = fmin(above, select((FLOATS)(INFINITY), keys, there & (all | (keys >= p.query))));
    if (p.by_key) {
      const FLOATS widths = select((FLOATS)(0), widths_at(p, j, end), there);
      least = fmin(least, in_widths(p, select((FLOATS)(INFINITY), keys, there), widths));
    }
  }
  Nearest found = {before.below, before.above, before.least};
  for (uint lane = 0; lane < WIDTH; ++lane) {
    found.below = fmax(found.below, ((const float*)&below)[lane]);
    found.above = fmin(found.above, ((const float*)&above)[lane]);
    found.least = fmin(found.least, ((const REAL*)&least)[lane]);
  }
  return found;
}

// (query − key) ÷ width as distance_of has it.
static inline FLOATS distances_of(const float query, const FLOATS keys, const FLOATS widths) {
#if DOUBLE_SUMS
  return FLOATS_OF(((REALS)(query) - REALS_OF(keys)) / fmax(REALS_OF(widths), (REALS)(TINY)));
#else
  const FLOATS distance = query - keys, part = query - distance;
  const FLOATS lost = (query - (distance + part)) + (part - keys);
  const FLOATS width = fmax(widths, (FLOATS)(TINY)), quotient = distance / width;
  const FLOATS whole = quotient + (fma(-quotient, width, distance) + lost) / width;
  return select(quotient, whole, isfinite(quotient) & (distance != 0.0f));
#endif
}

// exp(−(u² − u*²)/2) where all keys have one width: −(k* − k)(2q − k* − k)/2σ², whose first factor and 2q − k*, kept
// in two floats, lose nothing that the query's distance would hide. No double, which would take twice as long.
static inline FLOATS gaussians_of(const Points p, const float than, const FLOATS keys) {
  const float twice = 2 * p.query, ahead = twice - than, part = ahead - twice;
  const float lost = (twice - (ahead - part)) - (than + part);
  const float r = 1 / fmax(p.widths[0], 1e-18f);
  return exp(-0.5f * ((than - keys) * r) * (((ahead - keys) + lost) * r));
}

// Of exponentials relative to the largest.
static inline FLOATS kernels_of(const Points p, const Nearest nearest, const FLOATS keys, const FLOATS widths) {
  if (p.kind != GAUSSIAN && p.kind != DOT) return kappas(p.kind, distances_of(p.query, keys, widths));
  if (p.kind == DOT) return exp(p.query * (keys - (p.query >= 0 ? nearest.below : nearest.above)));
  if (!p.by_key) {
    const bool down = p.query - nearest.below <= nearest.above - p.query;
    return gaussians_of(p, down ? nearest.below : nearest.above, keys);
  }
  const REALS a = in_widths(p, keys, widths);
  return exp(FLOATS_OF((REAL)-0.5 * (a - nearest.least) * (a + nearest.least)));
}

static inline FLOATS values_at(const Points p, uint j, uint end, uint column) {
  if (p.columns == 1) return end - j >= WIDTH ? LOAD(0, p.values + j) : load_some(p.values, j, end);
  float lanes[WIDTH];
  for (uint lane = 0; lane < WIDTH; ++lane)
    lanes[lane] = j + lane < end ? p.values[(j + lane) * p.columns + column] : 0.0f;
  return LOAD(0, lanes);
}

// Where a plain Gaussian is as large, the exponents that count are small, and so is what rounding makes of them: they
// need not be taken relative to the largest.
__constant float kNear = 0.25f;

typedef struct {
  Sums kernels, weighted;
  INTS near;  // where a kernel was above kNear; asked of plain Gaussians
} Shares;

static inline Shares add_some(const Shares shares, const Points p, const FLOATS kernels, uint column, uint j,
                              uint end) {
  // What is out of reach does not count, whatever its value.
  const FLOATS values = select((FLOATS)(0), values_at(p, j, end, column), kernels != 0.0f);
  const Shares more = {sums_product(shares.kernels, kernels, (FLOATS)(1)),
                       sums_product(shares.weighted, kernels, values), shares.near | (kernels > kNear)};
  return more;
}

static inline Shares add_shares(const Shares before, const Points p, const Nearest nearest, uint column, uint j,
                                uint end) {
  Shares shares = {before.kernels, before.weighted, before.near};
  const INTS lanes = JOIN(vload, WIDTH)(0, kLanes);
  for (; j < end; j += WIDTH) {
    const FLOATS keys = end - j >= WIDTH ? LOAD(0, p.keys + j) : load_some(p.keys, j, end);
    const INTS there = lanes < (INTS)((int)min(end - j, (uint)WIDTH));
    const FLOATS kernels = select((FLOATS)(0), kernels_of(p, nearest, keys, widths_at(p, j, end)), there);
    shares = add_some(shares, p, kernels, column, j, end);
  }
  return shares;
}

// exp(x) of x ≤ 0 to two units in the last place, NaN of NaN, in a third of the steps of the built-in one, which
// takes any x: x = n·ln 2 + f with ln 2 in two parts, the series of exp(f), |f| ≤ ln 2 ÷ 2, up to f⁷ (the next term
// is below 6e−9), times 2ⁿ in two factors, so that results below 2⁻¹²⁶ keep what digits they can have. At
// 1.5·2²³ a float has no digits behind the point: the sum rounds, and its bits count n.
#define ROUNDS 12582912.0f
#define EXPONENTIAL(NUMBERS, WHOLES, BITS_OF, NUMBERS_OF_BITS, NAME)                                 \
  static inline NUMBERS NAME(const NUMBERS x) {                                                      \
    const NUMBERS in = x < -110.0f ? (NUMBERS)(-110) : x;                                            \
    const NUMBERS sum = in * 0x1.715476p+0f + ROUNDS, n = sum - ROUNDS;                              \
    const NUMBERS f = fma(n, (NUMBERS)(-0x1.7f7d1cp-20f), fma(n, (NUMBERS)(-0x1.62e4p-1f), in));     \
    /* In pairs of terms, which do not wait for each other. */                                       \
    const NUMBERS f2 = f * f, low = fma(f2, fma(f, (NUMBERS)(1 / 6.0f), (NUMBERS)(0.5f)), f + 1.0f); \
    const NUMBERS high = fma(f, (NUMBERS)(1 / 120.0f), (NUMBERS)(1 / 24.0f));                        \
    const NUMBERS top = fma(f, (NUMBERS)(1 / 5040.0f), (NUMBERS)(1 / 720.0f));                       \
    const NUMBERS y = fma(f2 * f2, fma(f2, top, high), low);                                         \
    const WHOLES all = BITS_OF(sum) - as_int(ROUNDS), some = all >> 1;                               \
    return y * NUMBERS_OF_BITS((some + 127) << 23) * NUMBERS_OF_BITS((all - some + 127) << 23);      \
  }

#ifdef WIDE
EXPONENTIAL(JOIN(float, WIDE), JOIN(int, WIDE), JOIN(as_int, WIDE), JOIN(as_float, WIDE), wide_exponential)
#endif
EXPONENTIAL(FLOATS, INTS, JOIN(as_int, WIDTH), JOIN(as_float, WIDTH), exponential)

// Gaussians as they are, exp(−u²/2), of one width.
static inline Shares add_plain(const Shares before, const Points p, const float r, uint column, uint j, uint end) {
  Shares shares = {before.kernels, before.weighted, before.near};
#ifdef WIDE
  for (; j + WIDE <= end; j += WIDE) {
    const JOIN(float, WIDE) u = (p.query - JOIN(vload, WIDE)(0, p.keys + j)) * r;
    const JOIN(float, WIDE) kernels = wide_exponential(-0.5f * u * u);
    shares = add_some(shares, p, kernels.lo, column, j, end);
    shares = add_some(shares, p, kernels.hi, column, j + WIDTH, end);
  }
#endif
  const INTS lanes = JOIN(vload, WIDTH)(0, kLanes);
  for (; j < end; j += WIDTH) {
    const FLOATS u = (p.query - (end - j >= WIDTH ? LOAD(0, p.keys + j) : load_some(p.keys, j, end))) * r;
    const INTS there = lanes < (INTS)((int)min(end - j, (uint)WIDTH));
    const FLOATS kernels = select((FLOATS)(0), exponential(-0.5f * u * u), there);
    shares = add_some(shares, p, kernels, column, j, end);
  }
  return shares;
}

static inline float quotient_of(const Shares shares) {
  const Sum kernels = sums_total(shares.kernels), weighted = sums_total(shares.weighted);
#if DOUBLE_SUMS
  return kernels == 0 ? NAN : (float)(weighted / kernels);
#else
  const float all = sum_value(kernels);
  return all == 0.0f ? NAN : sum_value(weighted) / all;
#endif
}

// From all keys but `skip`; from all m where that is m. NaN where none is in reach.
static inline float estimate_of(const Points p, uint column, uint skip, uint m) {
  const Shares none = {sums_zero(), sums_zero(), (INTS)(0)};
  const uint after = min(skip + 1, m);
  if (p.kind == GAUSSIAN && !p.by_key) {
    const float r = 1 / fmax(p.widths[0], 1e-18f);
    const Shares plain = add_plain(add_plain(none, p, r, column, 0, skip), p, r, column, after, m);
    if (any(plain.near)) return quotient_of(plain);
  }
  Nearest nearest = {-INFINITY, INFINITY, INFINITY};
  if (p.kind == GAUSSIAN || p.kind == DOT) nearest = nearest_of(nearest_of(nearest, p, 0, skip), p, after, m);
  return quotient_of(add_shares(add_shares(none, p, nearest, column, 0, skip), p, nearest, column, after, m));
}

__kernel void kernel_estimate(__global const float* q, __global const float* k, __global const float* v,
                              __global const float* widths, __global float* y, const uint kind, const ulong by_query,
                              const ulong by_key, const uint columns, const uint count, const uint m) {
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {
    const uint row = i / columns, column = i - row * columns;
    const Points p = {k, widths + row * by_query, v, by_key, columns, kind, q[row]};
    y[i] = estimate_of(p, column, m, m);
  }
}

__kernel void leave_one_out(__global const float* k, __global const float* v, __global const float* widths,
                            __global float* y, const uint kind, const ulong by_candidate, const ulong by_query,
                            const ulong by_key, const uint columns, const uint count, const uint m) {
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {
    const uint candidate = i / m, row = i - candidate * m;
    const Points p = {k, widths + candidate * by_candidate + row * by_query, v, by_key, columns, kind, k[row]};
    float sum = 0;
    for (uint column = 0; column < columns; ++column) {
      const float off = v[row * columns + column] - estimate_of(p, column, row, m);
      sum = fma(off, off, sum);
    }
    y[i] = sum;
  }
}

// place_of and linear_weight of core/operations/regression_row.h.
__kernel void linear_weights(__global const float* w, __global const float* q, __global const float* k,
                             __global float* y, const float least, const uint rows, const uint keys) {
  for (uint row = get_global_id(0); row < rows; row += get_global_size(0)) {
    const __global float* from = w + (size_t)row * keys;
    float heaviest = 0;
    REAL origin = 0, sum = 0, mean = 0, spread = 0;
    for (uint j = 0; j < keys; ++j)
      if (from[j] > heaviest) heaviest = from[j], origin = k[j];
    for (uint j = 0; j < keys; ++j)
      if (from[j] >= least) sum += from[j], mean += from[j] * (k[j] - origin);
    mean /= sum;
    for (uint j = 0; j < keys; ++j) {
      const REAL apart = k[j] - origin - mean;
      if (from[j] >= least) spread += from[j] * apart * apart;
    }
    const REAL ahead = q[row] - origin - mean;
    for (uint j = 0; j < keys; ++j) {
      const REAL factor = spread > 0 ? 1 + ahead * (k[j] - origin - mean) / spread : 1;
      y[(size_t)row * keys + j] = from[j] < least ? 0.0f : (float)(from[j] * factor);
    }
  }
}

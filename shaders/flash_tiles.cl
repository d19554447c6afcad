// Vectors and tiles of flash attention on processors (flash.cl): functions of one item, without kernels or grid of their
// own. A tile is ROWS rows of A with a panel of B's columns, whose sums stay in registers. Scores lie in rows of
// MOST_KEYS numbers.

// LANES: floats in a register.
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define Lanes JOIN(float, LANES)
#define Ints JOIN(int, LANES)
#define LOAD JOIN(vload, LANES)
#define STORE JOIN(vstore, LANES)
#define AS_FLOATS JOIN(as_float, LANES)
#define AS_INTS JOIN(as_int, LANES)

// 24 of 32 vector registers hold sums, or 12 of 16. core/opencl/flash.cpp repeats these.
#define ROWS 6
#if LANES == 16
#define WIDE 4
#else
#define WIDE 2
#endif
#define PANEL (WIDE * LANES)
#define MOST_TALL 48
#define MOST_KEYS 384

// exp of a number up to 0: 2^n·exp(r) with r = x − n·ln 2 in two parts and exp(r) by the polynomial of Cephes'
// expf, off by less than 2^-22 of it. Of 0 it is 1, of NaN NaN, of numbers below −87 it is 0.
static inline Lanes exp_below(const Lanes x) {
  const float whole = 12582912.0f;  // 1.5·2^23: added to it, a number is rounded to a whole one in its last bits
  const Lanes t = fma(x, (Lanes)(1.44269504f), (Lanes)(whole)), n = t - whole;
  const Lanes r = fma(n, (Lanes)(2.12194440e-4f), fma(n, (Lanes)(-0.693359375f), x));
  Lanes p = (Lanes)(1.9875691500e-4f);
  p = fma(p, r, (Lanes)(1.3981999507e-3f));
  p = fma(p, r, (Lanes)(8.3334519073e-3f));
  p = fma(p, r, (Lanes)(4.1665795894e-2f));
  p = fma(p, r, (Lanes)(1.6666665459e-1f));
  p = fma(p, r, (Lanes)(5.0000001201e-1f));
  p = fma(p, r * r, r) + 1.0f;
  const Lanes power = AS_FLOATS((AS_INTS(t) << 23) + 0x3f800000);
  return select(p * power, (Lanes)(0), x < (Lanes)(-87.0f));
}

// All lanes as one, by halves. Not by .lo and .hi, at which Oclgrind 21.10 crashes.
static inline float largest_of(const Lanes v) {
  float lanes[LANES];
  STORE(v, 0, lanes);
#pragma unroll
  for (uint width = LANES / 2; width > 0; width /= 2)
#pragma unroll
    for (uint i = 0; i < width; ++i) lanes[i] = fmax(lanes[i], lanes[i + width]);
  return lanes[0];
}

static inline float total_of(const Lanes v) {
  float lanes[LANES];
  STORE(v, 0, lanes);
#pragma unroll
  for (uint width = LANES / 2; width > 0; width /= 2)
#pragma unroll
    for (uint i = 0; i < width; ++i) lanes[i] += lanes[i + width];
  return lanes[0];
}

// Adds to ROWS × `wide` vectors of sums `count` products: a number of A, which lie a_step apart and those of its rows
// a_row, with vectors of B, which lie b_step apart.
static inline __attribute__((always_inline)) void add_products(Lanes sums[ROWS][WIDE], const float* a, const uint a_row,
                                                              const uint a_step, const __global float* b,
                                                              const size_t b_step, const uint count, const uint wide) {
  for (uint i = 0; i < count; ++i) {
    Lanes vectors[WIDE];
#pragma unroll
    for (uint w = 0; w < wide; ++w) vectors[w] = LOAD(w, b + i * b_step);
#pragma unroll
    for (uint r = 0; r < ROWS; ++r)
#pragma unroll
      for (uint w = 0; w < wide; ++w) sums[r][w] = fma((Lanes)(a[r * a_row + i * a_step]), vectors[w], sums[r][w]);
  }
}

// Stores sums in rows that lie `step` apart.
static inline __attribute__((always_inline)) void store_rows(Lanes sums[ROWS][WIDE], float* to, const uint step,
                                                            const uint wide) {
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    for (uint w = 0; w < wide; ++w) STORE(sums[r][w], w, to + r * step);
}

// Scores of ROWS rows and a panel of keys, to `s`.
static inline void score_tile(const float* q, const __global float* keys, float* s, uint d) {
  Lanes sums[ROWS][WIDE];
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    for (uint w = 0; w < WIDE; ++w) sums[r][w] = (Lanes)(0);
  add_products(sums, q, 1, ROWS, keys, PANEL, d, WIDE);
  store_rows(sums, s, MOST_KEYS, WIDE);
}

// o ← factor·o + p·V of ROWS rows, `count` keys of a panel and `wide` vectors of columns.
static inline __attribute__((always_inline)) void value_tile(const float* p, const __global float* values, float* o,
                                                            const float* factor, uint padded, uint count,
                                                            const uint wide) {
  Lanes sums[ROWS][WIDE];
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    for (uint w = 0; w < wide; ++w) sums[r][w] = LOAD(w, o + r * padded) * factor[r];
  add_products(sums, p, MOST_KEYS, 1, values, padded, count, wide);
  store_rows(sums, o, padded, wide);
}

// The same where V is not finite, without hidden keys.
static inline void value_tile_special(const float* p, const __global float* values, float* o, const float* factor,
                                      uint padded) {
  for (uint r = 0; r < ROWS; ++r)
    for (uint i = 0; i < padded; i += LANES) {
      Lanes sum = LOAD(0, o + r * padded + i) * factor[r];
      for (uint j = 0; j < PANEL; ++j)
        if (!IS_HIDDEN(p[r * MOST_KEYS + j]))
          sum = fma((Lanes)(p[r * MOST_KEYS + j]), LOAD(0, values + (size_t)j * padded + i), sum);
      STORE(sum, 0, o + r * padded + i);
    }
}

static inline void value_tiles(const float* p, const __global float* values, float* o, const float* factor,
                               uint padded, uint count) {
  uint i = 0;
  for (; i + WIDE * LANES <= padded; i += WIDE * LANES) value_tile(p, values + i, o + i, factor, padded, count, WIDE);
  for (; i + 2 * LANES <= padded; i += 2 * LANES) value_tile(p, values + i, o + i, factor, padded, count, 2);
  for (; i < padded; i += LANES) value_tile(p, values + i, o + i, factor, padded, count, 1);
}

// A vector from x[first] on, with zeros from x[count] on.
static inline Lanes load_some(const __global float* x, uint first, uint count) {
  if (first + LANES <= count) return LOAD(0, x + first);
  float lanes[LANES];
  for (uint i = 0; i < LANES; ++i) lanes[i] = first + i < count ? x[first + i] : 0.0f;
  return LOAD(0, lanes);
}

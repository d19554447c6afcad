// Vectors and tiles of flash attention on processors (flash.cl), of that by lists, and of linear attention: functions of
// one item, without kernels or grid of their own. A tile is ROWS rows of A with a panel of B's columns, whose sums stay
// in registers. Includes lanes.cl, tile.cl.

#include "lanes.cl"
#include "tile.cl"

#define Ints JOIN(int, LANES)
#define AS_FLOATS JOIN(as_float, LANES)
#define AS_INTS JOIN(as_int, LANES)

// core/opencl/flash.cpp and flash_gradient.cpp repeat PANEL, flash_gradient.cpp MOST_TALL too, flash_tiles.h the most
// rows and keys.
#define PANEL (WIDE * LANES)
#define MOST_TALL 48
#define MOST_KEYS 384
#define QUERY_STEP (MOST + 16)  // between rows; not a power of two, at which all would meet in few sets of a cache

// exp of a number up to 0: 2^n·exp(r) with r = x − n·ln 2, and for exp(r) the polynomial that is 1 at 0 and of those
// least off on |r| ≤ ln 2 ÷ 2, by 2^-23.4 of it. With all roundings off by less than 2^-22.4 of it from −8 on, by less
// than 2^-21.3 anywhere. Of 0 it is 1, of NaN NaN, of numbers below −87 it is 0.
static inline Lanes exp_below(const Lanes x) {
  const float whole = 12583039.0f;  // 1.5·2^23 + 127: added to it, a number is whole, the last bits its exponent
  const Lanes t = fma(x, (Lanes)(1.44269504f), (Lanes)(whole)), n = t - whole;
  const Lanes r = fma(n, (Lanes)(-0.69314718f), x);
  Lanes p = (Lanes)(8.2902722061e-3f);
  p = fma(p, r, (Lanes)(4.1898161173e-2f));
  p = fma(p, r, (Lanes)(1.6667638719e-1f));
  p = fma(p, r, (Lanes)(4.9999147654e-1f));
  p = fma(p, r, (Lanes)(9.9999970198e-1f));
  p = fma(p, r, (Lanes)(1.0f));
  return select(p * AS_FLOATS(AS_INTS(t) << 23), (Lanes)(0), x < (Lanes)(-87.0f));
}

// The larger of two, b where a is NaN: one instruction, unlike fmax.
static inline Lanes larger_of(const Lanes a, const Lanes b) { return select(b, a, a > b); }

// 2^x of a number up to about 0: 2^n·2^r, 2^r by a polynomial that is off by less than 2^-23 of it. Of NaN it is NaN, of
// numbers below −126 it is about 0.
static inline Lanes power_below(const Lanes x) {
  const float whole = 12583039.0f;  // 1.5·2^23 + 127: added to it, a number is whole, the last bits its exponent
  const Lanes low = larger_of((Lanes)(-127.0f), x), t = low + whole, r = low - (t - whole);
  Lanes p = (Lanes)(1.326472731e-3f);
  p = fma(p, r, (Lanes)(9.671512991e-3f));
  p = fma(p, r, (Lanes)(5.550733581e-2f));
  p = fma(p, r, (Lanes)(2.402224243e-1f));
  p = fma(p, r, (Lanes)(6.931470037e-1f));
  p = fma(p, r, (Lanes)(1));
  return p * AS_FLOATS(AS_INTS(t) << 23);
}

// All lanes as one, by halves. Not by .lo and .hi, at which Oclgrind 21.10 crashes.
static inline float largest_of(const Lanes v) {
  float lanes[LANES];
  STORE(v, 0, lanes);
#pragma unroll
  for (uint width = LANES / 2; width > 0; width /= 2)
#pragma unroll
    for (uint i = 0; i < width; ++i) lanes[i] = lanes[i] > lanes[i + width] ? lanes[i] : lanes[i + width];
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

// The same of a vector in registers, at whose lanes, added up, Oclgrind 21.10 crashes.
static inline float sum_of(const Lanes v) {
  float lanes[LANES < 4 ? 4 : LANES] = {0};
  STORE(v, 0, lanes);
  float4 sum = vload4(0, lanes);
#pragma unroll
  for (uint i = 4; i < LANES; i += 4) sum += vload4(0, lanes + i);
  return dot(sum, (float4)(1));
}

// Adds to ROWS × `wide` vectors of sums the products of a number of A, those of its rows a_row apart, with vectors of B.
static inline __attribute__((always_inline)) void add_product(Lanes sums[ROWS][WIDE], const float* a,
                                                           const size_t a_row, const __global float* b,
                                                           const uint wide) {
  Lanes vectors[WIDE];
#pragma unroll
  OF_TILE(w, wide) vectors[w] = LOAD(w, b);
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    OF_TILE(w, wide) sums[r][w] = fma((Lanes)(a[r * a_row]), vectors[w], sums[r][w]);
}

// … `count` of them, which lie a_step and b_step apart. By fours: what a loop does besides would cost a tenth.
static inline __attribute__((always_inline)) void add_products(Lanes sums[ROWS][WIDE], const float* a,
                                                            const size_t a_row, const size_t a_step,
                                                            const __global float* b, const size_t b_step,
                                                            const uint count, const uint wide) {
  uint i = 0;
  for (; i + 4 <= count; i += 4)
#pragma unroll
    for (uint u = 0; u < 4; ++u, a += a_step, b += b_step) add_product(sums, a, a_row, b, wide);
  for (; i < count; ++i, a += a_step, b += b_step) add_product(sums, a, a_row, b, wide);
}

// Stores sums in rows that lie `step` apart.
static inline __attribute__((always_inline)) void store_rows(Lanes sums[ROWS][WIDE], float* to, const uint step,
                                                            const uint wide) {
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    OF_TILE(w, wide) STORE(sums[r][w], w, to + r * step);
}

// Scores of ROWS rows and `wide` vectors of a panel's keys, to `s`.
static inline __attribute__((always_inline)) void score_tile(const float* q, const __global float* keys, float* s,
                                                            uint d, const uint wide) {
  Lanes sums[ROWS][WIDE];
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    OF_TILE(w, wide) sums[r][w] = (Lanes)(0);
  add_products(sums, q, QUERY_STEP, 1, keys, PANEL, d, wide);
  store_rows(sums, s, MOST_KEYS, wide);
}

// Of a panel's keys the first `vectors` vectors.
static inline void score_tiles(const float* q, const __global float* keys, float* s, uint d, uint vectors) {
  if (vectors >= WIDE) return score_tile(q, keys, s, d, WIDE);
  uint i = 0;
  for (; i + 2 <= vectors; i += 2) score_tile(q, keys + i * LANES, s + i * LANES, d, 2);
  for (; i < vectors; ++i) score_tile(q, keys + i * LANES, s + i * LANES, d, 1);
}

// o ← f·o + p·X of ROWS rows, which lie `step` apart in p, `count` rows of X and `wide` vectors of a panel of its columns.
// f: a factor for each row; 1 without.
static inline __attribute__((always_inline)) void mix_tile(const float* p, const uint step, const __global float* x,
                                                            float* o, const float* f, uint padded, uint count,
                                                            const uint wide) {
  Lanes sums[ROWS][WIDE];
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    OF_TILE(w, wide) sums[r][w] = f ? LOAD(w, o + r * padded) * f[r] : LOAD(w, o + r * padded);
  add_products(sums, p, step, 1, x, PANEL, count, wide);
  store_rows(sums, o, padded, wide);
}

// Of a panel's columns the first `vectors` vectors.
static inline __attribute__((always_inline)) void mix_tiles(const float* p, const uint step, const __global float* x,
                                                             float* o, const float* f, uint padded, uint count,
                                                             uint vectors) {
  if (vectors >= WIDE) return mix_tile(p, step, x, o, f, padded, count, WIDE);
  uint i = 0;
  for (; i + 2 <= vectors; i += 2) mix_tile(p, step, x + i * LANES, o + i * LANES, f, padded, count, 2);
  for (; i < vectors; ++i) mix_tile(p, step, x + i * LANES, o + i * LANES, f, padded, count, 1);
}

// The same where X is not finite, without what has a hidden weight.
static inline void mix_tiles_special(const float* weights, const float* p, const uint step, const __global float* x,
                                       float* o, const float* f, uint padded, uint count, uint vectors) {
  for (uint r = 0; r < ROWS; ++r)
    for (uint i = 0; i < vectors * LANES; i += LANES) {
      Lanes sum = LOAD(0, o + r * padded + i) * (f ? f[r] : 1.0f);
      for (uint j = 0; j < count; ++j)
        if (!IS_HIDDEN(weights[r * step + j]))
          sum = fma((Lanes)(p[r * step + j]), LOAD(0, x + j * PANEL + i), sum);
      STORE(sum, 0, o + r * padded + i);
    }
}

// o ← f·o + p·X of `tall` rows and all columns, whose panels lie `apart`. `special`: X is not finite, and pairs whose
// weights are hidden are left out.
static inline __attribute__((always_inline)) void mix_panels(const float* weights, const float* p, const uint step,
                                                          const __global float* x, size_t apart, float* o,
                                                          const float* f, uint tall, uint padded, uint count,
                                                          bool special) {
  for (uint i = 0; i < padded; i += PANEL, x += apart) {
    const uint vectors = min(padded - i, (uint)PANEL) / LANES;
    for (uint r = 0; r < tall; r += ROWS) {
      const float* f_r = f ? f + r : 0;
      float* o_r = o + r * padded + i;
      if (special)
        mix_tiles_special(weights + r * step, p + r * step, step, x, o_r, f_r, padded, count, vectors);
      else
        mix_tiles(p + r * step, step, x, o_r, f_r, padded, count, vectors);
    }
  }
}

// A vector from x[first] on, with zeros from x[count] on.
static inline Lanes load_some(const __global float* x, uint first, uint count) {
  if (first + LANES <= count) return LOAD(0, x + first);
  float lanes[LANES];
  for (uint i = 0; i < LANES; ++i) lanes[i] = first + i < count ? x[first + i] : 0.0f;
  return LOAD(0, lanes);
}

// `used` rows of a panel, feature by feature, four rows at a time.
static inline void pack_panel(const __global float* from, __global float* to, uint used, uint width) {
  uint j = 0;
  for (; j + 4 <= used; j += 4, from += 4 * width)
    for (uint i = 0; i < width; ++i)
      vstore4((float4)(from[i], from[width + i], from[2 * width + i], from[3 * width + i]), 0, to + i * PANEL + j);
  for (; j < PANEL; ++j, from += width)
    for (uint i = 0; i < width; ++i) to[i * PANEL + j] = j < used ? from[i] : 0.0f;
}

#define PANELS_OF(columns) (((columns) + PANEL - 1) / PANEL)

// `used` rows from the `first` on in panels of PANEL columns, row by row, so that a tile reads on and on; a panel has
// `laid` rows. Whether all are finite.
static inline bool pack_columns(const __global float* from, __global float* to, uint first, uint used, uint width,
                                size_t laid) {
  Ints finite = (Ints)(-1);
  for (uint j = 0; j < used; ++j)
    for (uint i = 0; i < width; i += LANES) {
      const Lanes x = load_some(from + (size_t)j * width, i, width);
      finite &= isfinite(x);
      STORE(x, 0, to + (i / PANEL * laid + first + j) * PANEL + i % PANEL);
    }
  return all(finite);
}

// Flash attention on processors: softmax(scale·Q·Kᵀ + bias, masked)·V tile by tile, with a running maximum and sum of
// each row, and no score that outlives its tile (Milakov, Gimelshein 2018; Dao et al. 2022). Formula:
// core/operations/flash.h. Shapes: Q h×n×d, K g×m×d, V g×m×c, result h×n×(c + 1), last the log-sum-exp of each row.
// Includes flash_row.cl.
//
// Of a tile: m' = max(m, its largest score), f = exp(m − m'), l' = f·l + Σ exp(s − m'), o' = f·o + Σ exp(s − m')·v;
// at the end o ÷ l. All sums are in float, scores too: they are less exact than those of matmul.cl.
//
// A work-group is one item; ROWS rows × WIDE vectors stay in registers.
//   pack     K in panels of PANEL keys, feature by feature, and V padded, with a mark where it is not finite; grid:
//            panels × g
//   flash    an item computes up to TALL rows of a head; grid: blocks of rows × h

#include "flash_row.cl"

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
#define TALL 24
#define KEYS 192

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

__kernel void pack(__global const float* restrict k, __global const float* restrict v, __global float* restrict keys,
                   __global float* restrict values, __global uint* restrict special, const uint m, const uint d,
                   const uint c, const uint padded) {
  const uint panel = get_global_id(0), panels = get_global_size(0), g = get_global_id(1);
  const uint first = panel * PANEL;
  const __global float* from = k + (size_t)g * m * d;
  __global float* to = keys + ((size_t)g * panels + panel) * PANEL * d;
  for (uint i = 0; i < d; ++i)
    for (uint j = 0; j < PANEL; ++j) to[i * PANEL + j] = first + j < m ? from[(size_t)(first + j) * d + i] : 0.0f;
  from = v + (size_t)g * m * c;
  to = values + ((size_t)g * panels + panel) * PANEL * padded;
  uint any = 0;
  for (uint j = 0; j < PANEL; ++j)
    for (uint i = 0; i < padded; ++i) {
      const float x = first + j < m && i < c ? from[(size_t)(first + j) * c + i] : 0.0f;
      any |= !isfinite(x);
      to[j * padded + i] = x;
    }
  special[g * panels + panel] = any;
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
  store_rows(sums, s, KEYS, WIDE);
}

// o ← factor·o + p·V of ROWS rows, a panel of keys and `wide` vectors of columns.
static inline __attribute__((always_inline)) void value_tile(const float* p, const __global float* values, float* o,
                                                            const float* factor, uint padded, const uint wide) {
  Lanes sums[ROWS][WIDE];
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    for (uint w = 0; w < wide; ++w) sums[r][w] = LOAD(w, o + r * padded) * factor[r];
  add_products(sums, p, KEYS, 1, values, padded, PANEL, wide);
  store_rows(sums, o, padded, wide);
}

// The same where V is not finite, without hidden keys.
static inline void value_tile_special(const float* p, const __global float* values, float* o, const float* factor,
                                      uint padded) {
  for (uint r = 0; r < ROWS; ++r)
    for (uint i = 0; i < padded; i += LANES) {
      Lanes sum = LOAD(0, o + r * padded + i) * factor[r];
      for (uint j = 0; j < PANEL; ++j)
        if (!IS_HIDDEN(p[r * KEYS + j]))
          sum = fma((Lanes)(p[r * KEYS + j]), LOAD(0, values + (size_t)j * padded + i), sum);
      STORE(sum, 0, o + r * padded + i);
    }
}

static inline void value_tiles(const float* p, const __global float* values, float* o, const float* factor,
                               uint padded) {
  uint i = 0;
  for (; i + WIDE * LANES <= padded; i += WIDE * LANES) value_tile(p, values + i, o + i, factor, padded, WIDE);
  for (; i + 2 * LANES <= padded; i += 2 * LANES) value_tile(p, values + i, o + i, factor, padded, 2);
  for (; i < padded; i += LANES) value_tile(p, values + i, o + i, factor, padded, 1);
}

// A vector from x[first] on, with zeros from x[count] on.
static inline Lanes load_some(const __global float* x, uint first, uint count) {
  if (first + LANES <= count) return LOAD(0, x + first);
  float lanes[LANES];
  for (uint i = 0; i < LANES; ++i) lanes[i] = first + i < count ? x[first + i] : 0.0f;
  return LOAD(0, lanes);
}

// What the softmax reads of LANES scores from `key` on; −∞ where `hidden` is set.
static inline Lanes dressed(Lanes s, Ints* hidden, uint key, uint m, const uint2 run, const float cap,
                            const __global float* by_offset, const __global float* bias, const __global float* mask,
                            uint what) {
  int numbers[LANES];
  for (uint i = 0; i < LANES; ++i) numbers[i] = (int)(key + i);
  const Ints number = LOAD(0, numbers);
  if (what & CAPPED) s = cap * tanh(s / cap);
  if (what & BY_OFFSET) s += LOAD(0, by_offset + key);
  if (what & BIASED) s += load_some(bias, key, m);
  *hidden = (number < (Ints)((int)run.x)) | (number >= (Ints)((int)run.y));
  if (what & MASKED) *hidden |= load_some(mask, key, m) != (Lanes)(0);
  return select(s, (Lanes)(-INFINITY), *hidden);
}

// Whether the mask leaves one of these rows one of these keys.
static inline bool leaves_any(const __global float* mask, uint row, uint rows, uint key, uint keys, uint m) {
  for (uint r = row; r < rows; ++r)
    for (uint j = key; j < keys; ++j)
      if (mask[(size_t)r * m + j] == 0) return true;
  return false;
}

// A head's share of the arguments.
typedef struct {
  const __global float *keys, *values, *by_offset, *bias, *mask;
  const __global uint* special;
  uint n, m, d, padded, what;
  float cap;
} Head;

// The rows of an item: their keys, and what is known of them so far.
typedef struct {
  uint first, used, tall;  // the first of them, how many there are, and with those that fill a tile
  uint from, to;           // keys that one of them sees
  uint all_from, all_to;   // … and that all do
  uint2 run[TALL];
  float largest[TALL], sum[TALL], factor[TALL];
} Rows;

// Rows beyond the last are computed from it and not stored.
static inline uint row_of(const Head* a, const Rows* rows, uint r) { return min(rows->first + r, a->n - 1); }

static inline void begin_rows(const Head* a, Rows* rows, const __global float* q, const __global uint2* runs,
                              const float scale, float* x, float* o) {
  rows->from = a->m, rows->to = 0, rows->all_from = 0, rows->all_to = a->m;
  for (uint r = 0; r < rows->tall; r += ROWS)
    for (uint k = 0; k < ROWS; ++k) {
      const __global float* from = q + (size_t)row_of(a, rows, r + k) * a->d;
      for (uint i = 0; i < a->d; ++i) x[r * a->d + i * ROWS + k] = from[i] * scale;
    }
  for (uint r = 0; r < rows->tall; ++r) {
    for (uint i = 0; i < a->padded; ++i) o[r * a->padded + i] = 0;
    const uint2 run = runs[row_of(a, rows, r)];
    rows->largest[r] = -INFINITY, rows->sum[r] = 0, rows->run[r] = run;
    if (run.x < run.y) rows->from = min(rows->from, run.x), rows->to = max(rows->to, run.y);
    rows->all_from = max(rows->all_from, run.x), rows->all_to = min(rows->all_to, run.y);
  }
}

// Scores become exponentials; the row's maximum and sum, and the factor of what was mixed before, follow.
static inline void weigh_row(const Head* a, Rows* rows, uint r, float* s, uint key, uint vectors, bool plain) {
  const size_t row = row_of(a, rows, r);
  Ints hidden[KEYS / LANES];
  Lanes most = (Lanes)(rows->largest[r]);
  for (uint j = 0; j < vectors; ++j) {
    Lanes score = LOAD(j, s);
    if (!plain) {
      score = dressed(score, &hidden[j], key + j * LANES, a->m, rows->run[r], a->cap, a->by_offset + (a->n - 1 - row),
                      a->bias + row * a->m, a->mask + row * a->m, a->what);
      STORE(score, j, s);
    }
    most = fmax(most, score);
  }
  const float top = largest_of(most), shift = shift_of(top);
  Lanes total = (Lanes)(0);
  for (uint j = 0; j < vectors; ++j) {
    Lanes e = exp_below(LOAD(j, s) - shift);
    if (!plain) e = select(e, (Lanes)(HIDDEN), hidden[j]);
    STORE(e, j, s);
    total += e;
  }
  rows->factor[r] = rows->largest[r] == -INFINITY ? 0.0f : exp(rows->largest[r] - shift);
  rows->sum[r] = rows->sum[r] * rows->factor[r] + total_of(total);
  rows->largest[r] = top;
}

static inline void mix_panel(const Head* a, Rows* rows, const float* s, float* o, uint panel) {
  const __global float* values = a->values + (size_t)panel * PANEL * a->padded;
  for (uint r = 0; r < rows->tall; r += ROWS)
    if (a->special[panel])
      value_tile_special(s + r * KEYS, values, o + r * a->padded, rows->factor + r, a->padded);
    else
      value_tiles(s + r * KEYS, values, o + r * a->padded, rows->factor + r, a->padded);
  for (uint r = 0; r < rows->tall; ++r) rows->factor[r] = 1;
}

__kernel void flash(__global const float* restrict q, __global const float* restrict keys,
                    __global const float* restrict values, __global const uint* restrict special,
                    __global const float* restrict v, __global float* restrict y, FLASH_ARGUMENTS, const uint panels,
                    const uint padded) {
  const uint h = get_global_id(1), g = h / group;
  const Head a = {keys + (size_t)g * panels * PANEL * d, values + (size_t)g * panels * PANEL * padded, OFFSETS_OF_HEAD,
                  BIAS_OF_HEAD, MASK_OF_HEAD, special + g * panels, n, m, d, padded, what, cap};
  float x[TALL * MOST], s[TALL * KEYS], o[TALL * MOST];
  Rows rows;
  rows.first = get_global_id(0) * TALL;
  rows.used = min(n - rows.first, (uint)TALL), rows.tall = (rows.used + ROWS - 1) / ROWS * ROWS;
  begin_rows(&a, &rows, q + (size_t)h * n * d, runs, scale, x, o);
  for (uint key = rows.from / PANEL * PANEL; key < rows.to; key += KEYS) {
    const uint count = min((rows.to - key + PANEL - 1) / PANEL, (uint)(KEYS / PANEL)), end = key + count * PANEL;
    if (what & MASKED && !leaves_any(a.mask, rows.first, rows.first + rows.used, key, min(end, rows.to), m)) continue;
    for (uint p = 0; p < count; ++p)
      for (uint r = 0; r < rows.tall; r += ROWS)
        score_tile(x + r * d, a.keys + (size_t)(key / PANEL + p) * PANEL * d, s + r * KEYS + p * PANEL, d);
    const bool plain =
        !(what & (CAPPED | BY_OFFSET | BIASED | MASKED)) && key >= rows.all_from && end <= rows.all_to;
    for (uint r = 0; r < rows.tall; ++r) weigh_row(&a, &rows, r, s + r * KEYS, key, count * WIDE, plain);
    for (uint p = 0; p < count; ++p) mix_panel(&a, &rows, s + p * PANEL, o, key / PANEL + p);
  }
  for (uint r = 0; r < rows.used; ++r) {
    const RowEnd end = row_end(rows.largest[r], rows.sum[r], what, empty);
    __global float* y_r = y + ((size_t)h * n + rows.first + r) * (c + 1);
    for (uint i = 0; i < c; ++i) y_r[i] = output_of(end, o[r * padded + i], v + (size_t)g * m * c + i, m, c);
    y_r[c] = end.log_sum;
  }
}

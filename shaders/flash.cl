// Flash attention on processors: softmax(scale·Q·Kᵀ + bias, masked)·V tile by tile, with a running maximum and sum of
// each row, and no score that outlives its tile (Milakov, Gimelshein 2018; Dao et al. 2022). Formula:
// core/operations/flash.h. Shapes: Q h×n×d, K g×m×d, V g×m×c, result h×n×(c + 1), behind the outputs the log-sum-exp of
// each row; with WEIGHTS h×n×(c + 1 + m), the weights last. Includes flash_row.cl, flash_tiles.cl.
//
// Of a tile: m' = max(m, its largest score), f = exp(m − m'), l' = f·l + Σ exp(s − m'), o' = f·o + Σ exp(s − m')·v;
// at the end o ÷ l. All sums are in float, scores too: they are less exact than those of matmul.cl.
//
// Weights are kept as exp(s − m') of their tile, and m' beside them; the row's end multiplies them by exp(m' − m) ÷ l.
//
// A work-group is one item; ROWS rows × WIDE vectors stay in registers.
//   pack     K in panels of PANEL keys, feature by feature, and V in panels of PANEL columns, key by key, so that a tile
//            reads on and on; with a mark for each panel of keys where V is not finite; grid: panels of keys × g
//   flash    an item computes up to `tall` rows of a head, in blocks of `block` keys; grid: blocks of rows × h

#include "flash_row.cl"
#include "flash_tiles.cl"

__kernel void pack(__global const float* restrict k, __global const float* restrict v, __global float* restrict keys,
                   __global float* restrict values, __global uint* restrict special, const uint m, const uint d,
                   const uint c) {
  const uint panel = get_global_id(0), panels = get_global_size(0), g = get_global_id(1);
  const uint first = panel * PANEL, used = first < m ? min(m - first, (uint)PANEL) : 0;
  const size_t laid = (size_t)panels * PANEL, row = (size_t)g * m + first;
  pack_panel(k + row * d, keys + (g * laid + first) * d, used, d);
  special[g * panels + panel] =
      !pack_columns(v + row * c, values + g * laid * PANELS_OF(c) * PANEL, first, used, c, laid);
}

// Where the block that begins with a key ends: blocks behind the first begin with a panel.
static inline uint block_end(uint key, uint block) { return key / PANEL * PANEL + block; }

// Which of LANES keys from `key` on are hidden from a row.
static inline Ints hidden_from(uint key, uint m, const uint2 run, const __global float* mask, uint what) {
  int numbers[LANES];
  for (uint i = 0; i < LANES; ++i) numbers[i] = (int)(key + i);
  const Ints number = LOAD(0, numbers);
  const Ints hidden = (number < (Ints)((int)run.x)) | (number >= (Ints)((int)run.y));
  return what & MASKED ? hidden | (load_some(mask, key, m) != (Lanes)(0)) : hidden;
}

// What the softmax reads of LANES scores from `key` on, where nothing is hidden.
static inline Lanes dressed(Lanes s, uint key, uint m, const float cap, const __global float* by_offset,
                            const __global float* bias, uint what) {
  if (what & CAPPED) s = cap * tanh(s / cap);
  if (what & BY_OFFSET) s += LOAD(0, by_offset + key);
  if (what & BIASED) s += load_some(bias, key, m);
  return s;
}

// A head's share of the arguments.
typedef struct {
  const __global float *keys, *values, *by_offset, *bias, *mask;
  const __global uint* special;
  size_t laid;  // keys of all panels
  uint n, m, d, padded, what;
  float cap;
} Head;

// The rows of an item: their keys, and what is known of them so far.
typedef struct {
  uint first, used, tall;  // the first of them, how many there are, and with those that fill a tile
  uint from, to;           // keys that one of them sees
  uint all_from, all_to;   // … and that all do
  uint2 run[MOST_TALL];
  // Largest scores, before the tile and with it, and what its scores are subtracted by.
  float largest[MOST_TALL], top[MOST_TALL], shift[MOST_TALL], factor[MOST_TALL];
  Lanes sum[MOST_TALL];
} Rows;

// Rows beyond the last are computed from it and not stored.
static inline uint row_of(const Head* a, const Rows* rows, uint r) { return min(rows->first + r, a->n - 1); }

static inline void begin_rows(const Head* a, Rows* rows, const __global float* q, const __global uint2* runs,
                              const float scale, float* x, float* o) {
  rows->from = a->m, rows->to = 0, rows->all_from = 0, rows->all_to = a->m;
  for (uint r = 0; r < MOST_TALL; ++r) rows->largest[r] = rows->top[r] = -INFINITY, rows->sum[r] = (Lanes)(0);
  for (uint r = 0; r < rows->tall; ++r) {
    const __global float* from = q + (size_t)row_of(a, rows, r) * a->d;
    for (uint i = 0; i < a->d; ++i) x[r * QUERY_STEP + i] = from[i] * scale;
  }
  for (uint r = 0; r < rows->tall; ++r) {
    for (uint i = 0; i < a->padded; ++i) o[r * a->padded + i] = 0;
    const uint2 run = runs[row_of(a, rows, r)];
    rows->run[r] = run;
    if (run.x < run.y) rows->from = min(rows->from, run.x), rows->to = max(rows->to, run.y);
    rows->all_from = max(rows->all_from, run.x), rows->all_to = min(rows->all_to, run.y);
  }
}

// A row's scores become what the softmax reads; the largest of them and of those before. None of the vectors from
// seen.x to seen.y has a hidden key.
static inline float dress_row(const Head* a, const Rows* rows, uint r, Lanes* s, uint key, uint vectors, uint2 seen) {
  const size_t row = row_of(a, rows, r);
  const bool plain = !(a->what & (CAPPED | BY_OFFSET | BIASED));
  Lanes most = (Lanes)(rows->largest[r]);
  for (uint j = 0; j < vectors; ++j) {
    for (; plain && j >= seen.x && j < seen.y; ++j) most = larger_of(s[j], most);
    if (j == vectors) break;
    const uint at = key + j * LANES;
    if (!plain)
      s[j] = dressed(s[j], at, a->m, a->cap, a->by_offset + (a->n - 1 - row), a->bias + row * a->m, a->what);
    if (j < seen.x || j >= seen.y)
      s[j] = select(s[j], (Lanes)(-INFINITY), hidden_from(at, a->m, rows->run[r], a->mask + row * a->m, a->what));
    most = larger_of(s[j], most);
  }
  return largest_of(most);
}

// The scores become exponentials, and the row's sum, still by lanes, follows.
static inline void weigh_row(const Head* a, Rows* rows, uint r, Lanes* s, uint key, uint vectors, uint2 seen) {
  const Lanes shift = (Lanes)(rows->shift[r]);
  const __global float* mask = a->mask + (size_t)row_of(a, rows, r) * a->m;
  Lanes sum = rows->sum[r] * rows->factor[r];
  for (uint j = 0; j < vectors; ++j) {
    for (; j >= seen.x && j < seen.y; ++j) {
      const Lanes e = exp_below(s[j] - shift);
      s[j] = e;
      sum += e;
    }
    if (j == vectors) break;
    const Ints hidden = hidden_from(key + j * LANES, a->m, rows->run[r], mask, a->what);
    s[j] = select(exp_below(s[j] - shift), (Lanes)(HIDDEN), hidden);
    sum += s[j];
  }
  rows->sum[r] = sum;
}

static inline void weigh_rows(const Head* a, Rows* rows, float* s, uint key, uint vectors, uint2 seen) {
  for (uint r = 0; r < rows->tall; ++r)
    rows->top[r] = dress_row(a, rows, r, (Lanes*)(s + r * MOST_KEYS), key, vectors, seen);
  for (uint r = 0; r < rows->tall; r += LANES) {
    const Lanes top = LOAD(0, rows->top + r), shift = select(top, (Lanes)(0), top == (Lanes)(-INFINITY));
    STORE(exp_below(LOAD(0, rows->largest + r) - shift), 0, rows->factor + r);
    STORE(top, 0, rows->largest + r);
    STORE(shift, 0, rows->shift + r);
  }
  for (uint r = 0; r < rows->tall; ++r) weigh_row(a, rows, r, (Lanes*)(s + r * MOST_KEYS), key, vectors, seen);
}

// Scores of `count` keys from `key` on, panel by panel, the first from the vector of `key` on.
static inline void score_block(const Head* a, const Rows* rows, const float* x, float* s, uint key, uint count) {
  const uint end = key + count;
  for (uint panel = key / PANEL * PANEL; panel < end; panel += PANEL) {
    const uint from = max(panel, key), vectors = (min(panel + PANEL, end) - from + LANES - 1) / LANES;
    const __global float* keys = a->keys + (size_t)panel * a->d + (from - panel);
    for (uint r = 0; r < rows->tall; r += ROWS)
      score_tiles(x + r * QUERY_STEP, keys, s + r * MOST_KEYS + (from - key), a->d, vectors);
  }
}

// o ← factor·o + p·V of `count` keys from `key` on.
static inline void mix_keys(const Head* a, const Rows* rows, const float* s, float* o, uint key, uint count) {
  uint special = 0;
  for (uint p = key / PANEL; p * PANEL < key + count; ++p) special |= a->special[p];
  mix_panels(s, s, MOST_KEYS, a->values + (size_t)key * PANEL, a->laid * PANEL, o, rows->factor, rows->tall, a->padded,
           count, special);
}

// Which of the vectors of keys from `key` on hold nothing that is hidden from one of the rows; behind them, if none.
static inline uint2 seen_vectors(const Head* a, const Rows* rows, uint key, uint vectors) {
  if (a->what & MASKED) return (uint2)(vectors);
  const uint first = rows->all_from > key ? (rows->all_from - key + LANES - 1) / LANES : 0,
             last = rows->all_to > key ? min((rows->all_to - key) / LANES, vectors) : 0;
  return first < last ? (uint2)(first, last) : (uint2)(vectors);
}

// The exponentials of `count` keys, to where the rows' weights will be, which lie `width` apart, and the largest scores
// so far to `tops`.
static inline void keep_block(const Rows* rows, const float* s, __global float* weights, size_t width, uint count,
                              __global float* tops, uint blocks) {
  for (uint r = 0; r < rows->used; ++r) {
    uint j = 0;
    for (; j + LANES <= count; j += LANES) STORE(LOAD(0, s + r * MOST_KEYS + j), 0, weights + r * width + j);
    for (; j < count; ++j) weights[r * width + j] = s[r * MOST_KEYS + j];
    tops[r * blocks] = rows->largest[r];
  }
}

static inline void keep_hidden(const Rows* rows, __global float* weights, size_t width, uint count,
                               __global float* tops, uint blocks) {
  for (uint r = 0; r < rows->used; ++r) {
    for (uint j = 0; j < count; ++j) weights[r * width + j] = HIDDEN;
    tops[r * blocks] = rows->largest[r];
  }
}

// What was kept of a row's exponentials becomes its weights.
static inline void finish_weights(const Head* a, const Rows* rows, uint r, const RowEnd end, __global float* weights,
                                  const __global float* tops, uint block) {
  const float other = unseen_weight(end, a->m);
  uint key = end.empty ? a->m : min(rows->from / LANES * LANES, a->m), j = 0;
  for (; j < key; ++j) weights[j] = other;
  for (; key < rows->to; key = block_end(key, block)) {
    const float factor = weight_factor(end, *tops++, rows->largest[r]);
    const uint last = min(block_end(key, block), rows->to);
    for (; j + LANES <= last; j += LANES) {
      const Lanes e = LOAD(0, weights + j);
      STORE(select(e * factor, (Lanes)(0), AS_INTS(e) == AS_INTS((Lanes)(HIDDEN))), 0, weights + j);
    }
    for (; j < last; ++j) weights[j] = IS_HIDDEN(weights[j]) ? 0 : weights[j] * factor;
  }
  for (; j < a->m; ++j) weights[j] = other;
}

__kernel void flash(__global const float* restrict q, __global const float* restrict keys,
                    __global const float* restrict values, __global const uint* restrict special,
                    __global const float* restrict v, __global float* restrict y, FLASH_ARGUMENTS, const uint panels,
                    const uint padded, const uint tall, const uint block) {
  const uint h = get_global_id(1), g = h / group;
  const size_t laid = (size_t)panels * PANEL;
  const Head a = {keys + g * laid * d, values + g * laid * PANELS_OF(c) * PANEL, OFFSETS_OF_HEAD, BIAS_OF_HEAD,
                  MASK_OF_HEAD, special + g * panels, laid, n, m, d, padded, what, cap};
  const uint blocks = (m + block - 1) / block;
  const size_t width = RESULT_WIDTH;
  __attribute__((aligned(64))) float x[MOST_TALL * QUERY_STEP], s[MOST_TALL * MOST_KEYS], o[MOST_TALL * MOST];
  Rows rows;
  rows.first = get_global_id(0) * tall;
  rows.used = min(n - rows.first, tall), rows.tall = (rows.used + ROWS - 1) / ROWS * ROWS;
  begin_rows(&a, &rows, q + (size_t)h * n * d, runs, scale, x, o);
  y += ((size_t)h * n + rows.first) * width, tops += ((size_t)h * n + rows.first) * blocks;
  for (uint key = rows.from / LANES * LANES, b = 0; key < rows.to; key = block_end(key, block), ++b) {
    const uint count = min(block_end(key, block), rows.to) - key, vectors = (count + LANES - 1) / LANES;
    if (what & MASKED && !leaves_any(a.mask, rows.first, rows.first + rows.used, key, key + count, m)) {
      if (what & WEIGHTS) keep_hidden(&rows, y + c + 1 + key, width, count, tops + b, blocks);
      continue;
    }
    score_block(&a, &rows, x, s, key, count);
    weigh_rows(&a, &rows, s, key, vectors, seen_vectors(&a, &rows, key, vectors));
    if (what & WEIGHTS) keep_block(&rows, s, y + c + 1 + key, width, count, tops + b, blocks);
    mix_keys(&a, &rows, s, o, key, count);
  }
  for (uint r = 0; r < rows.used; ++r) {
    const RowEnd end = row_end(rows.largest[r], total_of(rows.sum[r]), what, empty);
    __global float* y_r = y + r * width;
    uint i = 0;
    for (; !end.empty && i + LANES <= c; i += LANES) STORE(LOAD(0, o + r * padded + i) * end.scale, 0, y_r + i);
    for (; i < c; ++i) y_r[i] = output_of(end, o[r * padded + i], v + (size_t)g * m * c + i, m, c);
    y_r[c] = end.log_sum;
    if (what & WEIGHTS) finish_weights(&a, &rows, r, end, y_r + c + 1, tops + r * blocks, block);
  }
}

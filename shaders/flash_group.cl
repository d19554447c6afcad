// Flash attention on GPUs (formula and shapes: flash.cl). Includes flash_row.cl.
//
// A work-group of GROUP items computes TILE_ROWS rows of a head. K is read through local memory; an item owns a key of
// the tile, then up to MOST ÷ GROUP columns of V. 25 KiB of local memory.
//   flash_group    grid: GROUP·blocks of rows × h

#include "flash_row.cl"

// core/opencl/flash.cpp repeats these two.
#define GROUP 64
#define TILE_ROWS 16
#define DEPTH 16  // features of K that are read at once

typedef struct {
  float largest[TILE_ROWS], sum[TILE_ROWS], factor[TILE_ROWS];
  uint2 run[TILE_ROWS];
  uint seen;  // one of the rows sees one of the tile's keys
} Rows;

// The rows that do not see an item's key, a bit each. Sets rows->seen where one of the rows sees one of the tile's keys.
// All items of the group come here together.
static inline uint hidden_rows(__local Rows* rows, const __global float* mask, uint key, uint first, uint n, uint m,
                               uint what) {
  uint hidden = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) rows->seen = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint r = 0; r < TILE_ROWS; ++r) {
    const size_t pair = (size_t)min(first + r, n - 1) * m + key;
    if (key >= rows->run[r].x && key < rows->run[r].y && !(what & MASKED && mask[pair] != 0))
      rows->seen = 1;
    else
      hidden |= 1u << r;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return hidden;
}

// The scores of an item's key. All items of the group come here together.
static inline void score_key(const __global float* keys, __local const float (*x)[MOST],
                             __local float (*tile)[DEPTH + 1], float* score, uint key, uint m, uint d) {
  const uint me = get_local_id(0);
  for (uint r = 0; r < TILE_ROWS; ++r) score[r] = 0;
  for (uint i = 0; i < d; i += DEPTH) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint t = me; t < GROUP * DEPTH; t += GROUP) {
      const uint j = t / DEPTH, e = i + t % DEPTH;
      tile[j][t % DEPTH] = key + j < m && e < d ? keys[(size_t)(key + j) * d + e] : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint e = 0; e < min(d - i, (uint)DEPTH); ++e)
      for (uint r = 0; r < TILE_ROWS; ++r) score[r] = fma(x[r][i + e], tile[me][e], score[r]);
  }
}

// The maxima and factors of the tile's rows, then their exponentials in place of the scores, then the sums. All items
// of the group come here together.
static inline void weigh_rows(__local Rows* rows, __local float (*s)[GROUP], const float* score, uint hidden) {
  const uint me = get_local_id(0);
  if (me < TILE_ROWS) {
    float top = rows->largest[me];
    for (uint j = 0; j < GROUP; ++j) top = fmax(top, s[me][j]);
    rows->factor[me] = rows->largest[me] == -INFINITY ? 0.0f : exp(rows->largest[me] - shift_of(top));
    rows->largest[me] = top;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint r = 0; r < TILE_ROWS; ++r)
    s[r][me] = hidden >> r & 1 ? HIDDEN : exp(score[r] - shift_of(rows->largest[r]));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me < TILE_ROWS) {
    float total = 0;
    for (uint j = 0; j < GROUP; ++j) total += s[me][j];
    rows->sum[me] = rows->sum[me] * rows->factor[me] + total;
  }
}

static inline void mix_column(__local const Rows* rows, __local const float (*s)[GROUP], const __global float* values,
                              float* o, uint count, uint c) {
  for (uint r = 0; r < TILE_ROWS; ++r) o[r] *= rows->factor[r];
  for (uint j = 0; j < count; ++j) {
    const float value = values[(size_t)j * c];
    for (uint r = 0; r < TILE_ROWS; ++r) {
      const float p = s[r][j];
      o[r] = IS_HIDDEN(p) ? o[r] : fma(p, value, o[r]);
    }
  }
}

// An item's exponentials of a tile, to where the rows' weights will be, and the largest scores so far to `tops`.
static inline void keep_key(__local const Rows* rows, __local const float (*s)[GROUP], __global float* weights,
                            size_t width, uint key, uint m, uint used, __global float* tops, uint blocks) {
  const uint me = get_local_id(0);
  for (uint r = 0; r < used && key < m; ++r) weights[r * width + key] = rows->seen ? s[r][me] : HIDDEN;
  if (me < used) tops[me * blocks] = rows->largest[me];
}

// What an item kept of a row's exponentials becomes its weights. All items of the group see `tops`.
static inline void finish_weights(const RowEnd end, __global float* weights, const __global float* tops, float largest,
                                  uint from, uint to, uint m) {
  const float other = unseen_weight(end, m);
  const uint me = get_local_id(0), first = end.empty ? m : min(from, m);
  for (uint j = me; j < first; j += GROUP) weights[j] = other;
  uint j = first + me;
  for (; j < m && j - me < to; j += GROUP) {
    const float e = weights[j];
    weights[j] = IS_HIDDEN(e) ? 0 : e * weight_factor(end, tops[(j - first) / GROUP], largest);
  }
  for (; j < m; j += GROUP) weights[j] = other;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void flash_group(
    __global const float* restrict q, __global const float* restrict k, __global const float* restrict v,
    __global float* restrict y, FLASH_ARGUMENTS) {
  __local float x[TILE_ROWS][MOST], s[TILE_ROWS][GROUP], tile[GROUP][DEPTH + 1];
  __local Rows rows;
  const uint blocks = (m + GROUP - 1) / GROUP;
  const size_t width = RESULT_WIDTH;
  const uint h = get_global_id(1), g = h / group, first = get_group_id(0) * TILE_ROWS, me = get_local_id(0);
  const __global float *bias_h = BIAS_OF_HEAD, *mask_h = MASK_OF_HEAD, *offset_h = OFFSETS_OF_HEAD;
  const __global float* v_g = v + (size_t)g * m * c;
  for (uint r = 0; r < TILE_ROWS; ++r)
    for (uint i = me; i < d; i += GROUP) x[r][i] = q[((size_t)h * n + min(first + r, n - 1)) * d + i] * scale;
  if (me < TILE_ROWS) rows.largest[me] = -INFINITY, rows.sum[me] = 0, rows.run[me] = runs[min(first + me, n - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint from = m, to = 0;
  for (uint r = 0; r < TILE_ROWS; ++r)
    if (rows.run[r].x < rows.run[r].y) from = min(from, rows.run[r].x), to = max(to, rows.run[r].y);
  float o[MOST / GROUP][TILE_ROWS];
  for (uint w = 0; w < MOST / GROUP; ++w)
    for (uint r = 0; r < TILE_ROWS; ++r) o[w][r] = 0;
  y += ((size_t)h * n + first) * width, tops += ((size_t)h * n + first) * blocks;
  const uint used = min(n - first, (uint)TILE_ROWS);
  for (uint key = from, b = 0; key < to; key += GROUP, ++b) {
    const uint mine = key + me, hidden = hidden_rows(&rows, mask_h, mine, first, n, m, what);
    if (!rows.seen) {
      if (what & WEIGHTS) keep_key(&rows, s, y + c + 1, width, mine, m, used, tops + b, blocks);
      continue;
    }
    float score[TILE_ROWS];
    score_key(k + (size_t)g * m * d, x, tile, score, key, m, d);
    for (uint r = 0; r < TILE_ROWS; ++r) {
      const size_t row = min(first + r, n - 1), pair = row * m + mine;
      const bool seen = !(hidden >> r & 1);
      if (what & CAPPED) score[r] = cap * tanh(score[r] / cap);
      if (seen && what & BY_OFFSET) score[r] += offset_h[n - 1 - row + mine];
      if (seen && what & BIASED) score[r] += bias_h[pair];
      if (!seen) score[r] = -INFINITY;
      s[r][me] = score[r];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    weigh_rows(&rows, s, score, hidden);
    if (what & WEIGHTS) keep_key(&rows, s, y + c + 1, width, mine, m, used, tops + b, blocks);
    for (uint w = 0; w < MOST / GROUP && me + w * GROUP < c; ++w)
      mix_column(&rows, s, v_g + (size_t)key * c + me + w * GROUP, o[w], min(m - key, (uint)GROUP), c);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (uint r = 0; r < used; ++r) {
    const RowEnd end = row_end(rows.largest[r], rows.sum[r], what, empty);
    __global float* y_r = y + r * width;
    for (uint i = me, w = 0; i < c; i += GROUP, ++w)
      y_r[i] = output_of(end, o[w][r], v_g + i, m, c);
    if (me == 0) y_r[c] = end.log_sum;
    if (what & WEIGHTS) finish_weights(end, y_r + c + 1, tops + r * blocks, rows.largest[r], from, to, m);
  }
}

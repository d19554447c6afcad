// The way back through flash attention on GPUs (formulas and shapes: flash_gradient.cl). Includes flash_gradient_row.cl.
//
// A work-group of GROUP items computes TILE_ROWS rows of a matrix. Lanes are read through local memory; an item owns a
// lane of the tile, then up to MOST ÷ GROUP columns of the sums. 25 KiB of local memory.
//   flash_back_group    grid: GROUP·blocks of rows × matrices

#include "flash_gradient_row.cl"

// core/opencl/flash_gradient.cpp repeats these two.
#define GROUP 64
#define TILE_ROWS 8
#define DEPTH 16  // features that are read at once

// always_inline: of a function that is not, and is called with the same local array twice, PoCL 3.1 makes the array one
// for all groups.

// The products of the rows with an item's lane. All items of the group come here together.
static inline __attribute__((always_inline)) void multiply_lane(const __global float* lanes,
                                                               __local const float (*x)[MOST],
                                                               __local float (*tile)[DEPTH + 1], float* products,
                                                               uint lane, uint count, uint depth) {
  const uint me = get_local_id(0);
  float sums[TILE_ROWS] = {0};
  for (uint i = 0; i < depth; i += DEPTH) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint t = me; t < GROUP * DEPTH; t += GROUP) {
      const uint j = t / DEPTH, e = i + t % DEPTH;
      tile[j][t % DEPTH] = lane + j < count && e < depth ? lanes[(size_t)(lane + j) * depth + e] : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint e = 0; e < min(depth - i, (uint)DEPTH); ++e)
      for (uint r = 0; r < TILE_ROWS; ++r) sums[r] = fma(x[r][i + e], tile[me][e], sums[r]);
  }
  for (uint r = 0; r < TILE_ROWS; ++r) products[r] = sums[r];
}

// Adds to an item's column of the sums what `count` lanes pass to it, but those whose weights are hidden.
static inline __attribute__((always_inline)) void add_column(__local const float (*weights)[GROUP],
                                                            __local const float (*p)[GROUP],
                                                            const __global float* lanes, float* sums, uint count,
                                                            uint width) {
  for (uint j = 0; j < count; ++j) {
    const float number = lanes[(size_t)j * width];
    for (uint r = 0; r < TILE_ROWS; ++r)
      sums[r] = IS_HIDDEN(weights[r][j]) ? sums[r] : fma(p[r][j], number, sums[r]);
  }
}

static inline bool sees(const Queries* a, uint query, uint key) {
  return query < a->n && (int)key >= a->from[query] && (int)key < a->to[query] &&
         !(a->what & MASKED && a->mask[(size_t)query * a->m + key] != 0);
}

// In place of a score and of what passes to its weight: the weight, and what passes to the score.
static inline void weigh_pair(const Queries* a, float* s, float* g, uint query, uint key) {
  float score = *s, slope = 1;
  if (a->what & CAPPED) {
    const float part = tanh(score / a->cap);
    score = a->cap * part, slope = 1 - part * part;
  }
  if (a->what & BY_OFFSET) score += a->by_offset[a->n - 1 - query + key];
  if (a->what & BIASED) score += a->bias[(size_t)query * a->m + key];
  *s = exp2(score * TO_POWER - a->log_sum[query]);
  *g = *s * (*g - a->mean[query]) * slope;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void flash_back_group(
    __global const float* restrict x, __global const float* restrict z, __global const float* restrict x_lanes,
    __global const float* restrict z_lanes, GRADIENT_ARGUMENTS) {
  __local float x_rows[TILE_ROWS][MOST], z_rows[TILE_ROWS][MOST], tile[GROUP][DEPTH + 1];
  __local float s[TILE_ROWS][GROUP], g[TILE_ROWS][GROUP];
  __local uint seen;
  const uint t = get_global_id(1), me = get_local_id(0), first = get_group_id(0) * TILE_ROWS;
  const uint rows = of_keys ? m : n, lanes = of_keys ? n : m, width = of_keys ? d + c : d;
  float x_sums[MOST / GROUP][TILE_ROWS], z_sums[MOST / GROUP][TILE_ROWS];
  for (uint r = 0; r < TILE_ROWS; ++r) {
    const size_t row = (size_t)t * rows + min(first + r, rows - 1);
    for (uint i = me; i < d; i += GROUP) x_rows[r][i] = x[row * d + i] * scale;
    for (uint i = me; i < c; i += GROUP) z_rows[r][i] = z[row * c + i];
    for (uint w = 0; w < MOST / GROUP; ++w) x_sums[w][r] = z_sums[w][r] = 0;
  }
  for (uint h = HEADS_FIRST(t); h < HEADS_LAST(t); ++h) {
    const Queries a = QUERIES_OF_HEAD;
    const size_t matrix = (size_t)(of_keys ? h : h / group) * lanes;
    for (uint from = 0; from < lanes; from += GROUP) {
      const uint lane = from + me, count = min(lanes - from, (uint)GROUP);
      uint hidden = 0;  // a bit a row
      barrier(CLK_LOCAL_MEM_FENCE);
      if (me == 0) seen = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint r = 0; r < TILE_ROWS; ++r) {
        const uint row = min(first + r, rows - 1);
        if (lane < lanes && (of_keys ? sees(&a, lane, row) : sees(&a, row, lane)))
          seen = 1;
        else
          hidden |= 1u << r;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (!seen) continue;
      float products[2][TILE_ROWS];  // scores, and what passes to weights
      for (uint side = 0; side < 2; ++side)  // one place that multiplies: inlined twice, compilers took twice as long
        multiply_lane(side ? z_lanes + matrix * c : x_lanes + matrix * d, side ? z_rows : x_rows, tile, products[side],
                      from, lanes, side ? c : d);
      float *scores = products[0], *back = products[1];
      for (uint r = 0; r < TILE_ROWS; ++r) {
        const uint row = min(first + r, rows - 1);
        if (hidden >> r & 1)
          scores[r] = HIDDEN, back[r] = 0;
        else
          weigh_pair(&a, &scores[r], &back[r], of_keys ? lane : row, of_keys ? row : lane);
        s[r][me] = scores[r], g[r][me] = back[r];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint w = 0, i = me; i < d; ++w, i += GROUP)
        add_column(s, g, x_lanes + (matrix + from) * d + i, x_sums[w], count, d);
      for (uint w = 0, i = me; of_keys && i < c; ++w, i += GROUP)
        add_column(s, s, z_lanes + (matrix + from) * c + i, z_sums[w], count, c);
    }
  }
  for (uint r = 0; r < min(rows - first, (uint)TILE_ROWS); ++r) {
    __global float* y_r = y + ((size_t)t * rows + first + r) * width;
    for (uint w = 0, i = me; i < d; ++w, i += GROUP) y_r[i] = x_sums[w][r] * scale;
    for (uint w = 0, i = me; of_keys && i < c; ++w, i += GROUP) y_r[d + i] = z_sums[w][r];
  }
}

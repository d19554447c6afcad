// The way back through flash attention where a mask's rules leave a query keys apart, on processors and GPUs (formulas
// and shapes: flash_gradient.cl): of each row, a query or a key, the others that it meets are listed. Includes
// flash_gradient_row.cl, flash_tiles.cl, flash_list_row.cl.
//
//   flash_back_lists    an item computes a row of a matrix; grid: rows, or as many as groups of items hold, × matrices

#include "flash_gradient_row.cl"
#include "flash_tiles.cl"
#include "flash_list_row.cl"

// Others of a row that it meets, and what passes between them.
typedef struct {
  uint row, of_keys, count;
  uint others[CHUNK];
  float s[CHUNK], g[CHUNK];                           // scores, then weights; what passes to those, then to scores
  float log_sum[CHUNK], mean[CHUNK], slope[CHUNK];
} Chunk;

static inline uint query_of(const Chunk* chunk, uint other) { return chunk->of_keys ? other : chunk->row; }
static inline uint key_of(const Chunk* chunk, uint other) { return chunk->of_keys ? chunk->row : other; }

// The next others of a list that the mask leaves, and whose query sees a key at all.
static inline void take_others(const Queries* a, Chunk* chunk, const __global uint** list, const __global uint* end) {
  chunk->count = 0;
  for (; *list < end && chunk->count < CHUNK; ++*list) {
    const uint i = query_of(chunk, **list), j = key_of(chunk, **list);
    if (a->from[i] < a->to[i] && !(a->what & MASKED && a->mask[(size_t)i * a->m + j] != 0))
      chunk->others[chunk->count++] = **list;
  }
}

// Products become what the softmax reads, as powers of two; what it needs of their queries is collected.
static inline void dress_others(const Queries* a, Chunk* chunk) {
  for (uint e = 0; e < CHUNK; ++e) {
    if (e >= chunk->count) chunk->s[e] = chunk->g[e] = 0;
    const uint i = e < chunk->count ? query_of(chunk, chunk->others[e]) : 0;
    chunk->log_sum[e] = a->log_sum[i], chunk->mean[e] = a->mean[i], chunk->slope[e] = 1;
  }
  for (uint e = 0; a->what & CAPPED && e < chunk->count; e += LANES) {
    const Lanes part = tanh(LOAD(0, chunk->s + e) / a->cap);
    STORE(a->cap * part, 0, chunk->s + e);
    STORE(1 - part * part, 0, chunk->slope + e);
  }
  for (uint e = 0; a->what & DRESSED && e < chunk->count; ++e) {
    const uint i = query_of(chunk, chunk->others[e]), j = key_of(chunk, chunk->others[e]);
    if (a->what & BY_OFFSET) chunk->s[e] += a->by_offset[a->n - 1 - i + j];
    if (a->what & BIASED) chunk->s[e] += a->bias[(size_t)i * a->m + j];
    chunk->s[e] *= TO_POWER;
  }
}

static inline void weigh_others(Chunk* chunk) {
  for (uint e = 0; e < chunk->count; e += LANES) {
    const Lanes weight = power_below(LOAD(0, chunk->s + e) - LOAD(0, chunk->log_sum + e));
    STORE(weight, 0, chunk->s + e);
    STORE(weight * (LOAD(0, chunk->g + e) - LOAD(0, chunk->mean + e)) * LOAD(0, chunk->slope + e), 0, chunk->g + e);
  }
}

__kernel void flash_back_lists(__global const float* restrict x, __global const float* restrict z,
                               __global const float* restrict x_others, __global const float* restrict z_others,
                               __global const uint* restrict rows_at, __global const uint* restrict lists,
                               GRADIENT_ARGUMENTS, const uint d_wide, const uint c_wide) {
  const uint rows = of_keys ? m : n, others = of_keys ? n : m, width = of_keys ? d + c : d, t = get_global_id(1);
  if (get_global_id(0) >= rows) return;
  const uint row = ROW_OF_ITEM(rows_at, rows);
  __attribute__((aligned(64))) float x_row[MOST], z_row[MOST], x_sums[MOST], z_sums[MOST];
  Chunk chunk;
  chunk.row = row, chunk.of_keys = of_keys;
  take_row(x + ((size_t)t * rows + row) * d, x_row, d, d_wide, what & DRESSED ? scale : scale * TO_POWER);
  take_row(z + ((size_t)t * rows + row) * c, z_row, c, c_wide, 1);
  for (uint i = 0; i < d_wide; ++i) x_sums[i] = 0;
  for (uint i = 0; i < c_wide; ++i) z_sums[i] = 0;
  for (uint h = HEADS_FIRST(t); h < HEADS_LAST(t); ++h) {
    const Queries a = QUERIES_OF_HEAD;
    const size_t matrix = of_keys ? h : h / group;
    const __global float *x_h = x_others + matrix * others * d_wide, *z_h = z_others + matrix * others * c_wide;
    const __global uint *list = lists + rows_at[row], *end = lists + rows_at[row + 1];
    while (list < end) {
      take_others(&a, &chunk, &list, end);
      dot_rows(x_row, x_h, chunk.others, chunk.count, d_wide, chunk.s);
      dot_rows(z_row, z_h, chunk.others, chunk.count, c_wide, chunk.g);
      dress_others(&a, &chunk);
      weigh_others(&chunk);
      mix_rows(chunk.g, x_h, chunk.others, chunk.count, d_wide, x_sums, 1);
      if (of_keys) mix_rows(chunk.s, z_h, chunk.others, chunk.count, c_wide, z_sums, 1);
    }
  }
  __global float* y_r = y + ((size_t)t * rows + row) * width;
  for (uint i = 0; i < d; ++i) y_r[i] = x_sums[i] * scale;
  for (uint i = 0; of_keys && i < c; ++i) y_r[d + i] = z_sums[i];
}

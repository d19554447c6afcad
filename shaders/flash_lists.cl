// Flash attention where a mask's rules leave a query keys apart, on processors and GPUs (formula and shapes: flash.cl):
// of each query the keys that it keeps are listed, and no other is read. Includes flash_row.cl, flash_tiles.cl,
// flash_list_row.cl.
//
// The keys come in chunks, each of which is what a tile is in flash.cl. Weights are kept as scores until the row's
// largest and sum are known.
//
//   flash_lists    an item computes a row; grid: n, or as many as groups of items hold, × h

#include "flash_row.cl"
#include "flash_tiles.cl"
#include "flash_list_row.cl"

// A row's share of the arguments.
typedef struct {
  const __global float *by_offset, *bias, *mask;  // from the row's first key on
  uint what;
  float cap;
} Row;

// The next keys of a list that the mask leaves, and how many they are.
static inline uint take_keys(const Row* a, const __global uint** list, const __global uint* end, uint* keys) {
  uint count = 0;
  for (; *list < end && count < CHUNK; ++*list)
    if (!(a->what & MASKED && a->mask[**list] != 0)) keys[count++] = **list;
  return count;
}

// Products become what the softmax reads; whole vectors are filled with scores of −∞.
static inline void dress_keys(const Row* a, float* s, const uint* keys, uint count) {
  for (uint j = count; a->what & CAPPED && j < CHUNK; ++j) s[j] = 0;
  for (uint j = 0; a->what & CAPPED && j < count; j += LANES) STORE(a->cap * tanh(LOAD(0, s + j) / a->cap), 0, s + j);
  for (uint j = 0; a->what & BY_OFFSET && j < count; ++j) s[j] += a->by_offset[keys[j]];
  for (uint j = 0; a->what & BIASED && j < count; ++j) s[j] += a->bias[keys[j]];
  for (uint j = count; j < CHUNK; ++j) s[j] = -INFINITY;
}

static inline float top_of(const float* s, uint count, float largest) {
  Lanes most = (Lanes)(largest);
  for (uint j = 0; j < count; j += LANES) most = larger_of(LOAD(0, s + j), most);
  return largest_of(most);
}

// The scores become exponentials, which are added to the row's sum.
static inline Lanes weigh_keys(float* s, uint count, float shift, Lanes sum) {
  for (uint j = 0; j < count; j += LANES) {
    const Lanes e = exp_below(LOAD(0, s + j) - shift);
    STORE(e, 0, s + j);
    sum += e;
  }
  return sum;
}

// The kept scores of a row become its weights.
static inline void finish_weights(const Row* a, const RowEnd end, float largest, const __global uint* list,
                                  const __global uint* list_end, __global float* weights, uint m) {
  for (uint j = 0; end.empty && j < m; ++j) weights[j] = unseen_weight(end, m);
  for (; !end.empty && list < list_end; ++list)
    if (!(a->what & MASKED && a->mask[*list] != 0))
      weights[*list] = exp(weights[*list] - shift_of(largest)) * end.scale;
}

__kernel void flash_lists(__global const float* restrict q, __global const float* restrict keys,
                          __global const float* restrict values, __global const float* restrict v,
                          __global float* restrict y, __global const uint* restrict rows_at,
                          __global const uint* restrict lists, FLASH_ARGUMENTS, const uint d_wide, const uint c_wide) {
  if (get_global_id(0) >= n) return;
  const uint row = ROW_OF_ITEM(rows_at, n), h = get_global_id(1), g = h / group;
  const __global uint *first = lists + rows_at[row], *end = lists + rows_at[row + 1];
  const __global float *bias_h = BIAS_OF_HEAD, *mask_h = MASK_OF_HEAD, *offset_h = OFFSETS_OF_HEAD;
  const Row a = {offset_h + (n - 1 - row), bias_h + (size_t)row * m, mask_h + (size_t)row * m, what, cap};
  const __global float *keys_g = keys + (size_t)g * m * d_wide, *values_g = values + (size_t)g * m * c_wide;
  __global float *y_r = y + ((size_t)h * n + row) * RESULT_WIDTH, *weights = y_r + c + 1;
  __attribute__((aligned(64))) float x[MOST], o[MOST], s[CHUNK];
  uint chunk[CHUNK];
  take_row(q + ((size_t)h * n + row) * d, x, d, d_wide, scale);
  for (uint i = 0; i < c_wide; ++i) o[i] = 0;
  for (uint j = 0; what & WEIGHTS && j < m; ++j) weights[j] = 0;
  float largest = -INFINITY;
  Lanes sum = (Lanes)(0);
  for (const __global uint* list = first; list < end;) {
    const uint count = take_keys(&a, &list, end, chunk);
    dot_rows(x, keys_g, chunk, count, d_wide, s);
    dress_keys(&a, s, chunk, count);
    for (uint j = 0; what & WEIGHTS && j < count; ++j) weights[chunk[j]] = s[j];
    const float top = top_of(s, count, largest), shift = shift_of(top), factor = exp(largest - shift);
    sum = weigh_keys(s, count, shift, sum * factor);
    mix_rows(s, values_g, chunk, count, c_wide, o, factor);
    largest = top;
  }
  STORE(sum, 0, s);
  const RowEnd row_is = row_end(largest, total_at(s), what, empty);
  for (uint i = 0; i < c; ++i) y_r[i] = output_of(row_is, o[i], v + (size_t)g * m * c + i, m, c);
  y_r[c] = row_is.log_sum;
  if (what & WEIGHTS) finish_weights(&a, row_is, largest, first, end, weights, m);
}

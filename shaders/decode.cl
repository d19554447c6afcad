// Decoding on processors: one query's attention to a cache, a share of the keys an item. Formulas and shapes:
// decode_row.cl. Includes decode_row.cl, flash_tiles.cl, cache_lines.cl.
//
// A work-group is one item. Keys are read once for all heads that share them, block by block; what a head has so far lies
// in its part.
//   attend_part    an item takes one of the splits of a matrix of keys; grid: splits × g

#include "decode_row.cl"
#include "flash_tiles.cl"
#include "cache_lines.cl"

#define BLOCK 64  // keys between one look at the largest score and the next
#define FOUR 4    // keys whose scores are summed side by side

// The products of a query with `count` keys. Their values, which are mixed next, come meanwhile: `c` columns of them; 0
// where they are there already.
static inline void score_block(const float* x, const __global float* keys, const __global float* values, float* s,
                               uint count, uint d, uint c) {
  const uint whole = d / LANES * LANES;
  for (uint j = 0; j < count; j += FOUR) {
    Lanes sums[FOUR];
    const __global float* rows[FOUR];
#pragma unroll
    for (uint r = 0; r < FOUR; ++r) {
      const size_t row = min(j + r, count - 1);
      sums[r] = (Lanes)(0), rows[r] = keys + row * d;
      for (uint i = 0; i < c; i += LINE) ASK_FOR(values + row * c + i);
    }
    for (uint i = 0; i < whole; i += LANES)
#pragma unroll
      for (uint r = 0; r < FOUR; ++r) sums[r] = fma(LOAD(0, x + i), LOAD(0, rows[r] + i), sums[r]);
#pragma unroll
    for (uint r = 0; r < FOUR; ++r) {
      float sum = sum_of(sums[r]);
      for (uint i = whole; i < d; ++i) sum = fma(x[i], rows[r][i], sum);
      s[j + r] = sum;
    }
  }
}

// What the softmax reads of them, −∞ behind the last; `behind`: how far the query is behind the first.
static inline void dress_block(float* s, uint count, float behind, float slope, float cap, uint what) {
  if (what & CAPPED)
    for (uint j = 0; j < count; j += LANES) STORE(cap * tanh(LOAD(0, s + j) / cap), 0, s + j);
  if (what & BY_OFFSET)
    for (uint j = 0; j < count; ++j) s[j] -= slope * (behind - j);
  for (uint j = count; j < BLOCK; ++j) s[j] = -INFINITY;
}

// o ← factor·o + p·V of `count` keys and `wide` vectors of columns.
static inline __attribute__((always_inline)) void mix_block(const float* p, const __global float* values,
                                                           __global float* o, float factor, uint count, uint c,
                                                           const uint wide) {
  Lanes sums[WIDE];
#pragma unroll
  OF_TILE(w, wide) sums[w] = LOAD(w, o) * factor;
  for (uint j = 0; j < count; ++j, values += c)
#pragma unroll
    OF_TILE(w, wide) sums[w] = fma((Lanes)(p[j]), LOAD(w, values), sums[w]);
#pragma unroll
  OF_TILE(w, wide) STORE(sums[w], w, o);
}

static inline void mix_blocks(const float* p, const __global float* values, __global float* o, float factor, uint count,
                              uint c) {
  uint i = 0;
  for (; i + WIDE * LANES <= c; i += WIDE * LANES) mix_block(p, values + i, o + i, factor, count, c, WIDE);
  for (; i + LANES <= c; i += LANES) mix_block(p, values + i, o + i, factor, count, c, 1);
  for (; i < c; ++i) {
    float sum = o[i] * factor;
    for (uint j = 0; j < count; ++j) sum = fma(p[j], values[(size_t)j * c + i], sum);
    o[i] = sum;
  }
}

__kernel void attend_part(CACHED_ARGUMENTS) {
  const uint split = get_global_id(0), splits = get_global_size(0), g = get_global_id(1);
  const uint2 seen = keys_seen(place, m, window), share = share_of(seen, split, splits);
  __attribute__((aligned(64))) float x[MOST], s[BLOCK];
  for (uint j = 0; j < BLOCK; ++j) s[j] = 0;
  for (uint h = g * group; h < (g + 1) * group; ++h) {
    __global float* part = parts + ((size_t)h * splits + split) * (c + 2);
    for (uint i = 0; i < c; ++i) part[i] = 0;
    part[c] = -INFINITY, part[c + 1] = 0;
  }
  for (uint key = share.x; key < share.y; key += BLOCK) {
    const uint count = min(share.y - key, (uint)BLOCK);
    const size_t first = (size_t)g * m + key;
    for (uint h = g * group; h < (g + 1) * group; ++h) {
      __global float* part = parts + ((size_t)h * splits + split) * (c + 2);
      for (uint i = 0; i < d; ++i) x[i] = q[(size_t)h * d + i] * scale;
      score_block(x, k + first * d, v + first * c, s, count, d, h == g * group ? c : 0);
      dress_block(s, count, seen.y - 1 - key, slopes[h], cap, what);
      Lanes most = (Lanes)(part[c]), total = (Lanes)(0);
      for (uint j = 0; j < BLOCK; j += LANES) most = larger_of(LOAD(0, s + j), most);
      const float top = largest_of(most), shift = shift_of(top), factor = exp(part[c] - shift);
      for (uint j = 0; j < BLOCK; j += LANES) {
        const Lanes e = exp_below(LOAD(0, s + j) - shift);
        STORE(e, 0, s + j);
        total += e;
      }
      part[c] = top, part[c + 1] = part[c + 1] * factor + sum_of(total);
      mix_blocks(s, v + first * c, part, factor, count, c);
    }
  }
}

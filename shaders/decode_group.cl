// Decoding on GPUs: one query's attention to a cache, a share of a head's keys a work-group. Formulas and shapes:
// decode_row.cl. Includes decode_row.cl.
//
// K is read through local memory; an item owns a key of the block, then up to MOST ÷ GROUP columns of V.
//   attend_part_group    grid: GROUP·splits × h

#include "decode_row.cl"

#define GROUP 64  // core/opencl/decode.cpp repeats it
#define DEPTH 16  // features of K that are read at once

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void attend_part_group(CACHED_ARGUMENTS) {
  __local float x[MOST], s[GROUP], tile[GROUP][DEPTH + 1];
  const uint split = get_group_id(0), splits = get_num_groups(0), h = get_global_id(1), me = get_local_id(0);
  const uint2 seen = keys_seen(place, m, window), share = share_of(seen, split, splits);
  const size_t first = (size_t)(h / group) * m;
  for (uint i = me; i < d; i += GROUP) x[i] = q[(size_t)h * d + i] * scale;
  float o[MOST / GROUP], largest = -INFINITY, sum = 0;
  for (uint w = 0; w < MOST / GROUP; ++w) o[w] = 0;
  for (uint key = share.x; key < share.y; key += GROUP) {
    const uint count = min(share.y - key, (uint)GROUP);
    float score = 0;
    for (uint i = 0; i < d; i += DEPTH) {
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint t = me; t < GROUP * DEPTH; t += GROUP) {
        const uint j = t / DEPTH, e = i + t % DEPTH;
        tile[j][t % DEPTH] = j < count && e < d ? k[(first + key + j) * d + e] : 0.0f;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint e = 0; e < min(d - i, (uint)DEPTH); ++e) score = fma(x[i + e], tile[me][e], score);
    }
    if (what & CAPPED) score = cap * tanh(score / cap);
    if (what & BY_OFFSET) score -= slopes[h] * (float)(seen.y - 1 - key - min(me, count - 1));
    barrier(CLK_LOCAL_MEM_FENCE);
    s[me] = score;
    barrier(CLK_LOCAL_MEM_FENCE);
    float top = largest, total = 0;
    for (uint j = 0; j < count; ++j) top = fmax(top, s[j]);
    const float shift = shift_of(top), factor = exp(largest - shift);
    barrier(CLK_LOCAL_MEM_FENCE);
    s[me] = exp(score - shift);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < count; ++j) total += s[j];
    largest = top, sum = sum * factor + total;
    for (uint w = 0, i = me; i < c; ++w, i += GROUP) {
      o[w] *= factor;
      for (uint j = 0; j < count; ++j) o[w] = fma(s[j], v[(first + key + j) * c + i], o[w]);
    }
  }
  __global float* part = parts + ((size_t)h * splits + split) * (c + 2);
  for (uint w = 0, i = me; i < c; ++w, i += GROUP) part[i] = o[w];
  if (me == 0) part[c] = largest, part[c + 1] = sum;
}

// What the two shapes of decoding share (decode.cl, decode_group.cl): rows put into a cache, the keys that a query sees,
// and parts of its keys joined. Formulas: core/operations/decode.h. Shapes: cache g×m×d, rows g×count×d, Q h×d, K g×m×d,
// V g×m×c, place 1, result h×(c + 1); parts h×splits×(c + 2): of some keys the output so far, their largest score and
// the sum of their exponentials. Includes flash_row.cl.
//
//   put_rows      grid: that of elementwise.cl over (g·count)×d
//   join_parts    grid: that of elementwise.cl over h×(c + 1)

#include "flash_row.cl"

// A place that is no number, below 0, or behind the cache, is nowhere.
__kernel void put_rows(__global const float* restrict x, __global const float* restrict place, __global float* restrict y,
                       const uint m, const uint count, const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  const float at = *place;
  if (!(at >= 0 && at < m)) return;
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const ulong matrix = row / count, to = (ulong)at + (row - matrix * count);
    for (ulong i = first; to < m && i < end; ++i) y[(matrix * m + to) * columns + i] = x[row * columns + i];
  }
}

#define CACHED_ARGUMENTS                                                                                             \
  __global const float *restrict q, __global const float *restrict k, __global const float *restrict v,              \
      __global const float *restrict place, __global const float *restrict slopes, __global float *restrict parts,   \
      const uint m, const uint d, const uint c, const uint group, const uint window, const float scale,            \
      const float cap, const uint what

// The first key that the query sees, and the one behind its own place.
static inline uint2 keys_seen(const __global float* place, uint m, uint window) {
  const float at = *place;
  const uint end = !(at >= 0) ? 0 : at < m ? (uint)at + 1 : m;
  return (uint2)(end - min(end, window), end);
}

// Of those the share of one of `splits`.
static inline uint2 share_of(const uint2 seen, uint split, uint splits) {
  const uint share = (seen.y - seen.x + splits - 1) / splits, first = min(seen.x + split * share, seen.y);
  return (uint2)(first, min(first + share, seen.y));
}

// A part's largest score tells by how much less it counts.
__kernel void join_parts(__global const float* restrict parts, __global float* restrict y, const uint splits,
                         const uint what, const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns), c = columns - 1;
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const __global float* part = parts + row * splits * (c + 2);
    __global float* to = y + row * columns;
    float largest = -INFINITY, sum = 0;
    for (uint split = 0; split < splits; ++split) largest = fmax(largest, part[split * (c + 2) + c]);
    for (ulong i = first; i < end; ++i) to[i] = 0;
    for (uint split = 0; split < splits; ++split, part += c + 2) {
      const float factor = exp(part[c] - shift_of(largest));
      sum += factor * part[c + 1];
      for (ulong i = first; i < min(end, c); ++i) to[i] += factor * part[i];
    }
    const RowEnd last = row_end(largest, sum, what, 0);
    for (ulong i = first; i < end; ++i)
      to[i] = i == c ? last.log_sum : last.empty ? last.fill : to[i] * last.scale;
  }
}

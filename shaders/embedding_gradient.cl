// What flows back to a table of embeddings. Formula: core/operations/embedding.h. Shapes: g and ids `count` tokens; to
// `rows` rows of the table, from `start` on. Includes row_items.cl.
//
// The tokens of an id are a chain: earliest[row] is the first one, next[token] the one behind it, NONE ends it. So no row
// of the table looks through all tokens, and they are added up in their order, whatever the device does first.
// Number by number (grid: that of elementwise.cl): no_tokens, over the rows of the table, and chain_tokens, over the
// tokens, each as one row; embedding_gradient, over the result.

#include "row_items.cl"

#define NONE 0xffffffffu

__kernel void no_tokens(__global uint* earliest, const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = first; row < end; ++row) earliest[row] = NONE;
}

__kernel void chain_tokens(__global const float* ids, __global uint* earliest, __global uint* next, const uint start,
                           const uint of_table, const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong token = first; token < end; ++token) {
    const float id = ids[token];
    ulong behind = token + 1, before = 0;
    while (behind < columns && ids[behind] != id) ++behind;
    next[token] = behind < columns ? (uint)behind : NONE;
    while (before < token && ids[before] != id) ++before;
    const bool named = id >= (float)start && id == floor(id) && id < (float)(start + of_table);
    if (before == token && named) earliest[(uint)id - start] = (uint)token;
  }
}

__kernel void embedding_gradient(__global const float* g, __global const uint* earliest, __global const uint* next,
                                 __global float* to, const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1))
    for (ulong i = first; i < end; ++i) {
      Sum sum = sum_zero();
      for (uint token = earliest[row]; token != NONE; token = next[token])
        sum = sum_product(sum, g[token * columns + i], 1);
      to[row * columns + i] = sum_or_infinite(sum);
    }
}

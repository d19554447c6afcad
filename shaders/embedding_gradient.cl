// What flows back to a table of embeddings. Formula: core/operations/embedding.h. Shapes: g and ids `count` tokens; to
// `rows` rows of the table, from `start` on. Includes row_items.cl.
//
// The tokens of an id are a chain: earliest[row] is the first one, next[token] the one behind it, NONE ends it. So no row
// of the table looks through all tokens, and they are added up in their order, whatever the device does first.
// Number by number (grid: that of elementwise.cl): no_tokens, over the rows of the table, and chain_tokens, over the
// tokens, each as one row; embedding_gradient, over the result. Where the table is small an item of a processor looks through
// all tokens for one of its rows, of at most MOST_COLUMNS numbers: embedding_gathered, grid: rows of the table.

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

#define MOST_COLUMNS 512
#define FOUND 256  // tokens that are looked through before their rows are added up

__kernel void embedding_gathered(__global const float* g, __global const float* ids, __global float* to, const uint start,
                                 const uint tokens, const uint columns) {
  const float id = (float)(start + (uint)get_global_id(0));
  __global float* row = to + get_global_id(0) * columns;
  const uint whole = columns / WIDTH * WIDTH;
  Sums sums[MOST_COLUMNS / WIDTH];
  Sum rest[WIDTH];
  for (uint v = 0; v < whole / WIDTH; ++v) sums[v] = sums_zero();
  for (uint j = whole; j < columns; ++j) rest[j - whole] = sum_zero();
  for (uint first = 0; first < tokens; first += FOUND) {
    uint found[FOUND], count = 0;
    const uint end = min(tokens - first, (uint)FOUND);
    for (uint i = 0; i < end; ++i) {
      found[count] = first + i;
      count += ids[first + i] == id;
    }
    for (uint v = 0; v < whole / WIDTH; ++v) {
      Sums sum = sums[v];
      for (uint i = 0; i < count; ++i)
        sum = sums_product(sum, LOAD(v, g + (size_t)found[i] * columns), (FLOATS)(1));
      sums[v] = sum;
    }
    for (uint j = whole; j < columns; ++j)
      for (uint i = 0; i < count; ++i)
        rest[j - whole] = sum_product(rest[j - whole], g[(size_t)found[i] * columns + j], 1);
  }
  for (uint j = 0; j < whole; ++j) row[j] = sum_or_infinite(sums_lane(&sums[j / WIDTH], j % WIDTH));
  for (uint j = whole; j < columns; ++j) row[j] = sum_or_infinite(rest[j - whole]);
}

// What depends on a key's offset from its query: y[s,i,j] = x[s,i,index(j − i)], and the sums that go the other way.
// Formulas: core/operations/offset.h. Shapes: by_offset x S×n×c (or S×1×c), y S×n×m; sum_by_offset the reverse.
// `index` holds the index of each offset from that of the last query and key 0 on, made on the host. Grid: that of elementwise.cl over y, a
// row for each query of each matrix. Includes sum.cl.

#include "sum.cl"

// `shared`: one row of x for all queries of a matrix.
__kernel void by_offset(__global const float* x, __global const uint* index, __global float* y, const ulong queries,
                        const ulong width, const uint shared, const ulong rows, const ulong columns,
                        const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const ulong matrix = row / queries, query = row - matrix * queries;
    __global const float* from = x + (shared ? matrix : row) * width;
    __global const uint* place = index + (queries - 1 - query);
    for (ulong j = first; j < end; ++j) y[row * columns + j] = from[place[j]];
  }
}

// Column o sums the keys whose distance from the query's row lies in ranges[2·o] … ranges[2·o+1], half-open.
__kernel void sum_by_offset(__global const float* x, __global const long* ranges, __global float* y,
                            const ulong queries, const ulong keys, const ulong rows, const ulong columns,
                            const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const long query = (long)(row % queries);
    for (ulong o = first; o < end; ++o) {
      const long from = clamp(query + ranges[2 * o], 0L, (long)keys);
      const long to = clamp(query + ranges[2 * o + 1], from, (long)keys);
      __global const float* part = x + row * keys + (ulong)from;
      Sum sum = sum_zero();
      for (long j = 0; j < to - from; ++j) sum = sum_product(sum, part[j], 1);
      float value = sum_value(sum);
#if !DOUBLE_SUMS
      if (!isfinite(value)) value = plain_sum(part, 1, 0, 0, (uint)(to - from));
#endif
      y[row * columns + o] = value;
    }
  }
}

// The biases by distance that flash attention adds (flash_row.cl): −slope·|offset| and a number by index, of the
// offsets from `from` on.
__kernel void offset_table(__global const float* by_index, __global const uint* indices, __global const float* slopes,
                           __global float* table, const uint has_rule, const uint group, const uint count,
                           const long from, const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong h = get_global_id(1); h < rows; h += get_global_size(1))
    for (ulong t = first; t < end; ++t) {
      float bias = -slopes[h] * (float)abs(from + (long)t);
      if (has_rule) bias += by_index[h / group * count + indices[t]];
      table[h * columns + t] = bias;
    }
}

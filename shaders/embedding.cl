// Rows of a table by their numbers. Formula: core/operations/embedding.h. Shapes: table `count` rows, ids a number a row
// of the result.
//
// Number by number (grid: that of elementwise.cl, over the result): embedding.

__kernel void embedding(__global const float* table, __global const float* ids, __global float* y, const uint count,
                        const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const float id = ids[row];
    const bool named = id >= 0 && id < (float)count && id == floor(id);  // as embedded_row
    const ulong from = named ? (ulong)id * columns : 0;
    for (ulong i = first; i < end; ++i) y[row * columns + i] = named ? table[from + i] : NAN;
  }
}

// Masks, and what masked scores become. Grid as in elementwise.cl.

// 1 where a rule masks the key away. Rows are those of the whole stack, `queries` to a matrix. `lengths`: none, one,
// or one for each query. `user` (has_user): nonzero = masked.
__kernel void mask(__global const float* user, const uint has_user, __global const ulong* lengths,
                   const uint length_count, const uint causal, const long causal_offset, __global float* y,
                   const ulong queries, const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const ulong query = row % queries;
    const ulong length = length_count == 0 ? columns : lengths[length_count == 1 ? 0 : query];
    const long last = causal ? (long)query + causal_offset : (long)columns;
    for (ulong j = first; j < end; ++j) {
      bool masked = j >= length || (long)j > last;
      if (has_user) masked = masked || user[row * columns + j] != 0.0f;
      y[row * columns + j] = masked ? 1.0f : 0.0f;
    }
  }
}

// Selects, never multiplies: 0·NaN and 0·∞ would poison what is masked away. Matrix s of X takes mask s / group.
__kernel void mask_fill(__global const float* x, __global const float* mask, __global float* y, const float fill,
                        const uint adds, const ulong group, const ulong rows, const ulong columns,
                        const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong s = get_global_id(1); s < rows; s += get_global_size(1))
    for (ulong i = first; i < end; ++i) {
      const float value = x[s * columns + i];
      const bool masked = mask[s / group * columns + i] != 0.0f;
      y[s * columns + i] = masked ? (adds ? value + fill : fill) : value;
    }
}

// Masks, and what masked scores become. Formulas: core/operations/mask.h and .cpp. Includes nothing.
// Grid: that of elementwise.cl. mask: a row for each query of each matrix, a column for each key, so that the
// number of a rule is looked up once a row. mask_fill: a row for each matrix, its numbers as columns.
// Shapes: y and `user` S×n×m (S = 1 without a user's mask); x h×n×m with a mask of h / group matrices.

// A rule is three numbers: its kind, its number, and where its numbers for each query begin in `lengths` (−1: one
// number for all queries). As encode() in core/opencl/mask.cpp writes them.
#define RULE 3
#define CAUSAL 0
#define PADDING 1

// masks() of core/operations/mask.h.
static inline bool rule_masks(const long kind, const long number, const long query, const long key) {
  switch (kind) {
    case CAUSAL:
      return key > query + number;
    case PADDING:
      return key >= number;
  }
  return false;
}

// 1 where a rule masks the key away. Rows are those of the whole stack, `queries` to a matrix. `user` (has_user),
// of the result's shape: nonzero = masked.
__kernel void mask(__global const float* user, const uint has_user, __global const long* rules,
                   const ulong rule_count, __global const long* lengths, __global float* y, const ulong queries,
                   const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const ulong query = row % queries;
    __global float* to = y + row * columns;
    for (ulong j = first; j < end; ++j) to[j] = has_user && user[row * columns + j] != 0.0f ? 1.0f : 0.0f;
    for (ulong r = 0; r < rule_count; ++r) {
      __global const long* rule = rules + RULE * r;
      const long kind = rule[0], number = rule[2] < 0 ? rule[1] : lengths[(ulong)rule[2] + query];
      for (ulong j = first; j < end; ++j)
        if (rule_masks(kind, number, (long)query, (long)j)) to[j] = 1.0f;
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

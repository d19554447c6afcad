// C[s] = A[s / a_group]·B[s / b_group] + bias: matrix products of two stacks, and projections, whose heads are the
// column blocks of one matrix (a "stack" whose matrices lie b_matrix = c columns apart). Formulas:
// core/operations/matmul.h. Shapes: A S_a×rows×depth, B S_b×depth×columns or its transpose, C S×rows×columns,
// bias `columns` numbers for each matrix of C. Includes sum.cl.
//
// Processors: a work-group is one item, which computes up to TALL rows of a panel of columns, ROWS rows × up to WIDE
// vectors of sums at a time in registers: no local memory, no barrier. The panel's rows of B, DEPTH of them at a time,
// and then ROWS rows of A are first laid side by side as terms of the sums (sum.cl), whichever way they lie. Grid: row
// blocks × panels × stack.
//   matmul_panels    both products
// GPUs: a work-group of 16×16 items computes 16×16 cells, one each, from tiles in local memory (2 KiB).
//   matmul_tiles     both products; grid: columns × rows × stack, rounded up to 16

#include "sum.cl"

// Of 32 vector registers 24 hold sums, or 12 of 16. core/opencl/matmul.cpp repeats these.
#define ROWS 6
#if WIDTH >= 8
#define WIDE 4
#else
#define WIDE 2
#endif
#define PANEL (WIDE * WIDTH)
#define TALL 252
#define DEPTH 128
#define TILE 16

typedef struct {
  uint rows, columns, depth, a_group, b_group;
  ulong a_matrix, b_matrix, b_row;  // numbers from one matrix to the next, and from one row of B to the next
} Product;

static inline Product product(uint rows, uint columns, uint depth, uint a_group, uint b_group, ulong a_matrix,
                              ulong b_matrix, ulong b_row) {
  const Product p = {rows, columns, depth, a_group, b_group, a_matrix, b_matrix, b_row};
  return p;
}

#define PRODUCT_ARGUMENTS                                                                                     \
  const uint rows, const uint columns, const uint depth, const uint a_group, const uint b_group,             \
      const ulong a_matrix, const ulong b_matrix, const ulong b_row
#define PRODUCT product(rows, columns, depth, a_group, b_group, a_matrix, b_matrix, b_row)

// One finished cell. `a` is its row of A, `b` the first number of its column of B.
static inline float cell(const Sum terms, const __global float* a, const __global float* b, ulong b_step,
                         uint depth, const __global float* bias, uint has_bias) {
  const Sum sum = has_bias ? sum_product(terms, bias[0], 1) : terms;
  float value = sum_value(sum);
#if !DOUBLE_SUMS
  if (!isfinite(value)) value = plain_sum(a, 1, b, b_step, depth) + (has_bias ? bias[0] : 0.0f);
#endif
  return value;
}

// Where the cells of an item lie, and what they are made from.
typedef struct {
  const __global float *a, *b, *bias;  // of the item's first row and column
  __global float* c;
  ulong b_step, b_column;  // from one row, one column of B to the next
  uint columns, depth, left, used, has_bias;  // left, used: columns and rows that are there
} Cells;

// `wide` vectors of columns of `count` rows of B from `k` on, with zeros beyond the last column.
static inline void lay_panel(const Cells* at, Term* panel, uint k, uint count, uint wide) {
  for (uint i = 0; i < count; ++i)
    for (uint j = 0; j < wide * WIDTH; ++j)
      panel[i * PANEL + j] = j < at->left ? (Term)at->b[(k + i) * at->b_step + j * at->b_column] : (Term)0;
}

// ROWS rows of A from `row` on. Those beyond the last are computed from it and not stored: no branch in the inner loop.
static inline void lay_rows(const Cells* at, Term* terms, uint row, uint k, uint count) {
  for (uint r = 0; r < ROWS; ++r) {
    const __global float* from = at->a + (size_t)min(row + r, at->used - 1) * at->depth + k;
    uint i = 0;
    for (; i + WIDTH <= count; i += WIDTH) STORE(AS_TERMS(LOAD(0, from + i)), 0, terms + r * DEPTH + i);
    for (; i < count; ++i) terms[r * DEPTH + i] = (Term)from[i];
  }
}

// A vector of finished cells. Terms beyond the range of float are summed once more.
static inline void store_cells(const Sums terms, const Cells* at, uint row, uint column) {
  __global float* c = at->c + (size_t)row * at->columns + column;
  const __global float* bias = at->bias + column;
  if (column + WIDTH <= at->left) {
    const FLOATS values = sums_value(at->has_bias ? sums_product(terms, LOAD(0, bias), (FLOATS)(1)) : terms);
    if (DOUBLE_SUMS || all(isfinite(values))) {
      STORE(values, 0, c);
      return;
    }
  }
  const Sums lanes = terms;
  for (uint j = 0; j < WIDTH && column + j < at->left; ++j)
    c[j] = cell(sums_lane(&lanes, j), at->a + (size_t)row * at->depth, at->b + (column + j) * at->b_column, at->b_step,
                at->depth, bias + j, at->has_bias);
}

// `count` products in ROWS × `wide` cells, added to those of the rows of B before, which are `kept`; the last ones are
// stored.
static inline __attribute__((always_inline)) void row_tile(const Term* a, const Term* panel, Sums* kept, uint count,
                                                          const Cells* at, uint row, bool first, bool last,
                                                          const uint wide) {
  Sums sums[ROWS][WIDE];
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    for (uint w = 0; w < wide; ++w) sums[r][w] = first ? sums_zero() : kept[r * WIDE + w];
  for (uint i = 0; i < count; ++i) {
    Terms b[WIDE];
#pragma unroll
    for (uint w = 0; w < wide; ++w) b[w] = LOAD(w, panel + i * PANEL);
#pragma unroll
    for (uint r = 0; r < ROWS; ++r)
#pragma unroll
      for (uint w = 0; w < wide; ++w) sums[r][w] = sums_terms(sums[r][w], (Terms)(a[r * DEPTH + i]), b[w]);
  }
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    for (uint w = 0; w < wide; ++w) {
      if (!last)
        kept[r * WIDE + w] = sums[r][w];
      else if (row + r < at->used)
        store_cells(sums[r][w], at, row + r, w * WIDTH);
    }
}

__kernel void matmul_panels(__global const float* a, __global const float* b,
                            __global const float* bias, const uint has_bias, __global float* c,
                            PRODUCT_ARGUMENTS, const uint transposed, const uint tall) {
  const uint s = get_global_id(2), column = get_global_id(1) * PANEL, first = get_global_id(0) * tall;
  const ulong b_step = transposed ? 1 : b_row, b_column = transposed ? b_row : 1;
  const Cells at = {a + (size_t)(s / a_group) * a_matrix + (size_t)first * depth,
                    b + (size_t)(s / b_group) * b_matrix + column * b_column,
                    bias + (has_bias ? (size_t)s * columns + column : 0),
                    c + ((size_t)s * rows + first) * columns + column,
                    b_step, b_column, columns, depth, min(columns - column, (uint)PANEL), min(rows - first, tall),
                    has_bias};
  const uint wide = at.left > 2 * WIDTH ? WIDE : at.left > WIDTH ? 2 : 1;  // vectors that are laid and computed
  Term panel[DEPTH * PANEL], terms[ROWS * DEPTH];
  Sums kept[TALL * WIDE];
  uint k = 0;
  do {
    const uint count = min(depth - k, (uint)DEPTH);
    const bool last = depth - k <= DEPTH;
    lay_panel(&at, panel, k, count, wide);
    for (uint r = 0; r < at.used; r += ROWS) {
      lay_rows(&at, terms, r, k, count);
      // With a literal each call is compiled by itself.
      if (wide == 1)
        row_tile(terms, panel, kept + r * WIDE, count, &at, r, k == 0, last, 1);
      else if (wide == 2)
        row_tile(terms, panel, kept + r * WIDE, count, &at, r, k == 0, last, 2);
      else
        row_tile(terms, panel, kept + r * WIDE, count, &at, r, k == 0, last, WIDE);
    }
    k += DEPTH;
  } while (k < depth);
}

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void matmul_tiles(
    __global const float* a, __global const float* b, __global const float* bias, const uint has_bias,
    __global float* c, PRODUCT_ARGUMENTS, const uint transposed) {
  __local float a_tile[TILE][TILE + 1], b_tile[TILE][TILE + 1];  // + 1: columns fall into different banks
  const uint s = get_group_id(2), x = get_local_id(0), y = get_local_id(1);
  const uint first_row = get_group_id(1) * TILE, first_column = get_group_id(0) * TILE;
  const uint row = first_row + y, column = first_column + x;
  const __global float* a_matrix_s = a + (size_t)(s / a_group) * a_matrix;
  const __global float* b_matrix_s = b + (size_t)(s / b_group) * b_matrix;
  const ulong b_step = transposed ? 1 : b_row, b_column = transposed ? b_row : 1;
  // Neighbouring items read neighbouring numbers of B in either layout.
  const uint b_k = transposed ? x : y, b_j = transposed ? y : x;
  Sum sum = sum_zero();
  for (uint k = 0; k < depth; k += TILE) {
    const bool a_inside = row < rows && k + x < depth;
    const bool b_inside = first_column + b_j < columns && k + b_k < depth;
    a_tile[y][x] = a_inside ? a_matrix_s[(size_t)row * depth + k + x] : 0.0f;
    b_tile[b_k][b_j] = b_inside ? b_matrix_s[(k + b_k) * b_step + (first_column + b_j) * b_column] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    // No further than the depth: a product of the padding, 0·0, is harmless, but 0·∞ would be NaN.
    const uint terms = min(depth - k, (uint)TILE);
    for (uint t = 0; t < terms; ++t) sum = sum_product(sum, a_tile[y][t], b_tile[t][x]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row >= rows || column >= columns) return;
  const __global float* bias_s = bias + (has_bias ? (size_t)s * columns + column : 0);
  c[((size_t)s * rows + row) * columns + column] =
      cell(sum, a_matrix_s + (size_t)row * depth, b_matrix_s + column * b_column, b_step, depth, bias_s, has_bias);
}

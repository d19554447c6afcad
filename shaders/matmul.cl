// C[s] = A[s / a_group]·B[s / b_group] + bias: matrix products of two stacks, and projections, whose heads are the
// column blocks of one matrix (a "stack" whose matrices lie b_matrix = c columns apart). Formulas:
// core/operations/matmul.h. Shapes: A S_a×rows×depth, B S_b×depth×columns or its transpose, C S×rows×columns,
// bias `columns` numbers for each matrix of C. Includes sum.cl.
//
// Processors: a work-group is one item, which keeps a tile of results in vector registers: no local memory, no
// barrier. Grid: row tiles × column tiles × stack; each item strides over the row tiles that the grid leaves over.
//   matmul_rows      C = A·B:  ROWS rows × 2 vectors of columns; B's rows are read as vectors, A's numbers broadcast;
//                    an item with several row tiles keeps its columns of B next to each other
//   matmul_columns   C = A·Bᵀ: 4×4 cells, the vectors run along the depth of both
// GPUs: a work-group of 16×16 items computes 16×16 cells, one each, from tiles in local memory (2 KiB).
//   matmul_tiles     both products; grid: columns × rows × stack, rounded up to 16

#include "sum.cl"

// With sums in double 6 rows × 2 vectors of sums, 2 of B and 1 broadcast number of A are 15 of the 16 vector
// registers of x86-64 without AVX-512. core/opencl/matmul.cpp repeats these three.
#define ROWS 6
#define CELLS 4
#define TILE 16
#define PANEL 512  // rows of B that an item keeps: numbers of a column lie as far apart as B is wide

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

// ROWS × 2·WIDTH cells from (row, column) on. `kept`: the tile's columns of B are in the panel, with zeros beyond the
// edge. `full`: no column of the tile is beyond it.
static inline __attribute__((always_inline)) void row_tile(const __global float* a, const __global float* b, const float* panel,
                            const __global float* bias, uint has_bias, __global float* c, const Product p, uint row,
                            uint column, const bool kept, const bool full) {
  const uint left = min(p.columns - column, (uint)(2 * WIDTH));
  const __global float* a_rows[ROWS];
  // Rows beyond the edge are computed from the last one and not stored: no branch in the inner loop.
#pragma unroll
  for (uint r = 0; r < ROWS; ++r) a_rows[r] = a + (size_t)min(row + r, p.rows - 1) * p.depth;
  Sums sums[ROWS][2];
#pragma unroll
  for (uint r = 0; r < ROWS; ++r) sums[r][0] = sums[r][1] = sums_zero();
  const __global float* b_row = b + column;
  for (uint k = 0; k < p.depth; ++k, b_row += p.b_row) {
    const FLOATS first = kept ? LOAD(2 * k, panel) : full ? LOAD(0, b_row) : load_some(b_row, 0, left);
    const FLOATS next = kept ? LOAD(2 * k + 1, panel) : full ? LOAD(1, b_row) : load_some(b_row, WIDTH, left);
#pragma unroll
    for (uint r = 0; r < ROWS; ++r) {
      const FLOATS x = (FLOATS)(a_rows[r][k]);
      sums[r][0] = sums_product(sums[r][0], x, first);
      sums[r][1] = sums_product(sums[r][1], x, next);
    }
  }
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
    for (uint j = 0; row + r < p.rows && j < left; ++j)
      c[(size_t)(row + r) * p.columns + column + j] =
          cell(sums_lane(&sums[r][j / WIDTH], j % WIDTH), a_rows[r], b + column + j, p.b_row, p.depth,
               bias + column + j, has_bias);
}

__kernel void matmul_rows(__global const float* a, __global const float* b, __global const float* bias,
                          const uint has_bias, __global float* c, PRODUCT_ARGUMENTS) {
  const Product p = PRODUCT;
  const uint s = get_global_id(2), column = get_global_id(1) * 2 * WIDTH;
  if (column >= columns) return;
  const __global float* a_matrix_s = a + (size_t)(s / a_group) * a_matrix;
  const __global float* b_matrix_s = b + (size_t)(s / b_group) * b_matrix;
  const __global float* bias_s = bias + (has_bias ? (size_t)s * columns : 0);
  __global float* c_matrix_s = c + (size_t)s * rows * columns;
  const bool full = columns - column >= 2 * WIDTH;
  const uint step = get_global_size(0) * ROWS;
  const bool kept = depth <= PANEL && rows > step;
  float panel[PANEL * 2 * WIDTH];
  for (uint k = 0; kept && k < depth; ++k)
    for (uint j = 0; j < 2 * WIDTH; ++j)
      panel[k * 2 * WIDTH + j] = column + j < columns ? b_matrix_s[k * b_row + column + j] : 0.0f;
  // With a literal each call is compiled by itself: the usual ones load whole vectors without a question.
  for (uint row = get_global_id(0) * ROWS; row < rows; row += step) {
    if (kept)
      row_tile(a_matrix_s, b_matrix_s, panel, bias_s, has_bias, c_matrix_s, p, row, column, true, true);
    else if (full)
      row_tile(a_matrix_s, b_matrix_s, panel, bias_s, has_bias, c_matrix_s, p, row, column, false, true);
    else
      row_tile(a_matrix_s, b_matrix_s, panel, bias_s, has_bias, c_matrix_s, p, row, column, false, false);
  }
}

static inline void cell_tile(const __global float* a, const __global float* b, __global float* c, const Product p,
                             uint row, uint column) {
  const __global float* a_rows[CELLS];
  const __global float* b_rows[CELLS];
  Sums sums[CELLS][CELLS];
#pragma unroll
  for (uint i = 0; i < CELLS; ++i) {
    a_rows[i] = a + (size_t)min(row + i, p.rows - 1) * p.depth;
    b_rows[i] = b + (size_t)min(column + i, p.columns - 1) * p.b_row;
#pragma unroll
    for (uint j = 0; j < CELLS; ++j) sums[i][j] = sums_zero();
  }
  for (uint k = 0; k < p.depth; k += WIDTH) {
    const bool full = p.depth - k >= WIDTH;
    FLOATS x[CELLS], w[CELLS];
#pragma unroll
    for (uint i = 0; i < CELLS; ++i) {
      x[i] = full ? LOAD(0, a_rows[i] + k) : load_some(a_rows[i], k, p.depth);
      w[i] = full ? LOAD(0, b_rows[i] + k) : load_some(b_rows[i], k, p.depth);
    }
#pragma unroll
    for (uint i = 0; i < CELLS; ++i)
#pragma unroll
      for (uint j = 0; j < CELLS; ++j) sums[i][j] = sums_product(sums[i][j], x[i], w[j]);
  }
#pragma unroll
  for (uint i = 0; i < CELLS; ++i)
#pragma unroll
    for (uint j = 0; j < CELLS; ++j)
      if (row + i < p.rows && column + j < p.columns)
        c[(size_t)(row + i) * p.columns + column + j] =
            cell(sums_total(sums[i][j]), a_rows[i], b_rows[j], 1, p.depth, a, 0);
}

__kernel void matmul_columns(__global const float* a, __global const float* b, __global float* c,
                             PRODUCT_ARGUMENTS) {
  const Product p = PRODUCT;
  const uint s = get_global_id(2), column = get_global_id(1) * CELLS;
  if (column >= columns) return;
  const __global float* a_matrix_s = a + (size_t)(s / a_group) * a_matrix;
  const __global float* b_matrix_s = b + (size_t)(s / b_group) * b_matrix;
  __global float* c_matrix_s = c + (size_t)s * rows * columns;
  for (uint row = get_global_id(0) * CELLS; row < rows; row += get_global_size(0) * CELLS)
    cell_tile(a_matrix_s, b_matrix_s, c_matrix_s, p, row, column);
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

// C[s] = A[s / a_group]·B[s / b_group] + bias: matrix products of two stacks, and projections, whose result is split into
// heads of so many columns; and what becomes of them. Formulas: core/operations/matmul.h. Shapes: A S_a×rows×depth, B
// S_b×depth×columns, or their transposes, C and residual S×rows×columns or heads×rows×split, bias `columns` numbers. Sums
// are in double or two floats (sum.cl). Includes product.cl, tile.cl, cache_lines.cl.
//
// Processors: a work-group is one item, which computes up to TALL rows of a panel of columns, ROWS rows × up to WIDE
// vectors of sums at a time in registers: no local memory, no barrier. The panel's rows of B, DEPTH of them at a time,
// are first laid side by side as terms of the sums, whichever way they lie, and so are the ROWS rows of A: in the inner
// loop nothing is widened. Where a sum has few terms, and no bias to
// begin with, an item takes as many panels as fit there: its rows of C are longer. Grid: panels × row blocks × stack.
//   matmul_panels    both products
//   matmul_row       products of a single row with a matrix that does not lie transposed, whose rows are shared among the
//                    items; grid: shares × 1 × stack
//   join_row         what the shares are together; grid: JOIN_WIDE vectors of columns × 1 × stack
// GPUs: a work-group of 16×16 items computes 16×16 cells, one each, from tiles in local memory (2 KiB).
//   matmul_tiles     products with few rows or columns (others: matmul_tiles.cl), sums `in_blocks` of 16 terms in float
//                    where wanted; grid: columns × rows × stack, rounded up to 16

#include "product.cl"

#define WIDE (WIDTH >= 8 ? 4 : 2)
#include "tile.cl"
#include "cache_lines.cl"

// core/opencl/matmul.cpp repeats these.
#define PANEL (WIDE * WIDTH)
#define TALL 252
#define DEPTH 128
#define TILE 16
#define ROW_WIDE 128  // vectors of sums of a single row that stay in the first cache
#define JOIN_WIDE 16
#define FOUR 4  // rows of B that are added between a load of their sum and its store

// `wide` vectors of columns, from `column` on, of `count` rows of B from `k` on, with zeros beyond the last column.
static inline __attribute__((always_inline)) void lay_panel(const Cells* at, Term* panel, uint column, uint k,
                                                           uint count, uint wide) {
  const __global float* from = at->b + column * at->b_column + k * at->b_step;
  const uint columns = min(at->left - column, wide * WIDTH);
  if (at->b_column == 1)
    for (uint i = 0; i < count; ++i)
      for (uint j = 0; j < columns; ++j) panel[i * PANEL + j] = (Term)from[i * at->b_step + j];
  else
    for (uint j = 0; j < columns; ++j)
      for (uint i = 0; i < count; ++i) panel[i * PANEL + j] = (Term)from[j * at->b_column + i];
  for (uint j = columns; j < wide * WIDTH; ++j)
    for (uint i = 0; i < count; ++i) panel[i * PANEL + j] = 0;
}

// `count` columns of A from `k` on, of ROWS rows; those beyond the last are the last.
static inline __attribute__((always_inline)) void lay_rows(const Cells* at, Term* laid, uint row, uint k, uint count) {
  for (uint r = 0; r < ROWS; ++r) {
    const __global float* a = at->a + min(row + r, at->used - 1) * at->a_row + k * at->a_step;
    if (at->a_step == 1)
      for (uint i = 0; i < count; ++i) laid[r * DEPTH + i] = (Term)a[i];
    else
      for (uint i = 0; i < count; ++i) laid[r * DEPTH + i] = (Term)a[i * at->a_step];
  }
}

// `count` products of what is laid of A and B in ROWS × `wide` cells, added to those that are `kept`, unless they are the first;
// they are kept again, or stored. Rows beyond the last are computed from it and not stored: no branch in the inner loop.
static inline __attribute__((always_inline)) void row_tile(const Term* a, const Term* panel, Sums* kept, uint count,
                                                          const Cells* at, uint row, uint column, bool fresh,
                                                          bool store, const uint wide) {
  size_t places[WIDE];
#pragma unroll
  OF_TILE(w, wide) places[w] = place_of(at, 0, column + w * WIDTH);
  Sums sums[ROWS][WIDE];
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    OF_TILE(w, wide) sums[r][w] = fresh ? sums_zero() : kept[r * WIDE + w];
  for (uint i = 0; i < count; ++i) {
    Terms b[WIDE];
#pragma unroll
    OF_TILE(w, wide) b[w] = LOAD(w, panel + i * PANEL);
#pragma unroll
    for (uint r = 0; r < ROWS; ++r)
#pragma unroll
      OF_TILE(w, wide) sums[r][w] = sums_terms(sums[r][w], (Terms)(a[r * DEPTH + i]), b[w]);
  }
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    OF_TILE(w, wide) {
      if (!store)
        kept[r * WIDE + w] = sums[r][w];
      else if (row + r < at->used)
        STORE(sums_value(sums[r][w]), 0, at->c + places[w] + (size_t)(row + r) * at->split);
    }
}

// Vectors that are laid and computed of the panel from `column` on.
static inline uint vectors_of(const Cells* at, uint column) { return at->left > column + WIDTH ? WIDE : 1; }

__kernel void matmul_panels(PRODUCT_ARGUMENTS, const uint tall, const uint panels) {
  const uint s = get_global_id(2), from = get_global_id(0) * panels * PANEL, first = get_global_id(1) * tall;
  const Cells at = CELLS(s, first, from, tall, panels * PANEL);
  Term laid[DEPTH * PANEL], rows_laid[DEPTH * ROWS];
  Sums kept[TALL * WIDE];
  if (has_bias) begin_rows(&at, kept, ROWS, WIDE);
  uint k = 0;
  do {
    const uint count = min(depth - k, (uint)DEPTH);
    const bool fresh = k == 0 && !has_bias, last = depth - k <= DEPTH;
    for (uint column = 0; column < at.left; column += PANEL)
      lay_panel(&at, laid + column * count, column, k, count, vectors_of(&at, column));
    for (uint r = 0; r < at.used; r += ROWS) {
      Sums* of_rows = kept + r * WIDE;
      lay_rows(&at, rows_laid, r, k, count);
      for (uint column = 0; column < at.left; column += PANEL) {
        const uint wide = vectors_of(&at, column);
        const bool store = last && DOUBLE_SUMS & !at.straddles & (at.left - column >= wide * WIDTH);
        // With a literal each call is compiled by itself.
        if (wide == 1)
          row_tile(rows_laid, laid + column * count, of_rows, count, &at, r, column, fresh, store, 1);
        else
          row_tile(rows_laid, laid + column * count, of_rows, count, &at, r, column, fresh, store, WIDE);
        if (last && !store) finish_rows(&at, of_rows, r, ROWS, column, WIDE, false);
      }
      for (uint i = r; last && i < min(r + ROWS, at.used); ++i) follow_row(&at, i);
    }
    k += DEPTH;
  } while (k < depth);
}

// `count` rows of B from `b` on, at most FOUR, each times its number of A, added to the sums of `columns` columns. Asks for
// as many rows after them, where there are `more`.
static inline __attribute__((always_inline)) void add_rows(const Cells* at, const __global float* b, Sums* sums, uint k,
                                                          uint columns, const uint count, bool more) {
  const uint whole = columns / WIDTH;
  FLOATS x[FOUR];
  for (uint r = 0; r < count; ++r) x[r] = (FLOATS)(at->a[(k + r) * at->a_step]);
  for (uint v = 0; v < whole; ++v) {
    Sums sum = sums[v];
#pragma unroll
    for (uint r = 0; r < count; ++r) sum = sums_product(sum, x[r], LOAD(v, b + r * at->b_step));
    sums[v] = sum;
    if (more && v % (LINE / WIDTH) == 0)
      for (uint r = 0; r < count; ++r) ASK_FOR(b + (count + r) * at->b_step + v * WIDTH);
  }
  if (whole * WIDTH == columns) return;
  for (uint r = 0; r < count; ++r)
    sums[whole] = sums_product(sums[whole], x[r], load_some(b + r * at->b_step, whole * WIDTH, columns));
}

// One row: memory gives B no faster than it is read from one end to the other, so an item reads whole rows of it.
__kernel void matmul_row(PRODUCT_ARGUMENTS, __global Sums* parts) {
  const uint share = get_global_id(0), shares = get_global_size(0), s = get_global_id(2);
  const Cells at = CELLS(s, 0, 0, 1, columns);
  const uint vectors = (columns + WIDTH - 1) / WIDTH, each = (depth + shares - 1) / shares;
  const uint begin = min(share * each, depth), end = min(begin + each, depth);
  for (uint first = 0; first < vectors; first += ROW_WIDE) {
    const uint here = min(columns - first * WIDTH, (uint)(ROW_WIDE * WIDTH)), used = min(vectors - first, (uint)ROW_WIDE);
    Sums sums[ROW_WIDE];
    for (uint v = 0; v < used; ++v) sums[v] = sums_zero();
    const __global float* b = at.b + first * WIDTH;
    uint k = begin;
    for (; k + FOUR <= end; k += FOUR)
      add_rows(&at, b + k * at.b_step, sums, k, here, FOUR, k + 2 * FOUR <= end);
    for (; k < end; ++k) add_rows(&at, b + k * at.b_step, sums, k, here, 1, false);
    __global Sums* part = parts + ((size_t)s * shares + share) * vectors + first;
    for (uint v = 0; v < used; ++v) part[v] = sums[v];
  }
}

__kernel void join_row(PRODUCT_ARGUMENTS, const __global Sums* parts, const uint shares) {
  const uint s = get_global_id(2), vectors = (columns + WIDTH - 1) / WIDTH, first = get_global_id(0) * JOIN_WIDE;
  const Cells at = CELLS(s, 0, first * WIDTH, 1, JOIN_WIDE * WIDTH);
  Sums sums[JOIN_WIDE];
  begin_rows(&at, sums, 1, JOIN_WIDE);
  for (uint share = 0; share < shares; ++share)
    for (uint v = 0; v < JOIN_WIDE && first + v < vectors; ++v)
      sums[v] = sums_join(sums[v], parts[((size_t)s * shares + share) * vectors + first + v]);
  finish_rows(&at, sums, 0, 1, 0, JOIN_WIDE, false);
  follow_row(&at, 0);
}

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void matmul_tiles(PRODUCT_ARGUMENTS,
                                                                               const uint in_blocks) {
  __local float a_tile[TILE][TILE + 1], b_tile[TILE][TILE + 1];  // + 1: columns fall into different banks
  const uint s = get_group_id(2), x = get_local_id(0), y = get_local_id(1);
  const uint first_row = get_group_id(1) * TILE, first_column = get_group_id(0) * TILE;
  const uint row = first_row + y, column = first_column + x;
  const __global float* a_matrix_s = a + (size_t)(s / a_group) * a_matrix;
  const __global float* b_matrix_s = b + (size_t)(s / b_group) * b_matrix;
  const ulong b_step = transposed ? 1 : b_row, b_column = transposed ? b_row : 1;
  // Neighbouring items read neighbouring numbers of A and B in either layout.
  const uint a_k = left_transposed ? y : x, a_i = left_transposed ? x : y;
  const ulong a_step = left_transposed ? a_row : 1, a_next = left_transposed ? 1 : a_row;
  const uint b_k = transposed ? x : y, b_j = transposed ? y : x;
  Sum sum = has_bias && column < columns ? sum_product(sum_zero(), bias[column], 1) : sum_zero();
  for (uint k = 0; k < depth; k += TILE) {
    const bool a_inside = first_row + a_i < rows && k + a_k < depth;
    const bool b_inside = first_column + b_j < columns && k + b_k < depth;
    a_tile[a_i][a_k] = a_inside ? a_matrix_s[(first_row + a_i) * a_next + (k + a_k) * a_step] : 0.0f;
    b_tile[b_k][b_j] = b_inside ? b_matrix_s[(k + b_k) * b_step + (first_column + b_j) * b_column] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    // No further than the depth: a product of the padding, 0·0, is harmless, but 0·∞ would be NaN.
    const uint terms = min(depth - k, (uint)TILE);
    if (in_blocks) {
      float block = 0;
      for (uint t = 0; t < terms; ++t) block = fma(a_tile[y][t], b_tile[t][x], block);
      sum = sum_product(sum, block, 1);
    } else
      for (uint t = 0; t < terms; ++t) sum = sum_product(sum, a_tile[y][t], b_tile[t][x]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row >= rows || column >= columns) return;
  const Cells at = CELLS(s, row, column, 1, 1);
  float value = sum_value(sum);
  if (!isfinite(value) && in_blocks) value = careful_cell(&at, 0, 0);
#if !DOUBLE_SUMS
  if (!isfinite(value)) value = plain_cell(&at, 0, 0);
#endif
  const size_t place = place_of(&at, 0, 0);
  at.c[place] = after_product(value, after, at.residual + (after == RESIDUAL ? place : 0));
}

// Matrix products on GPUs whose result has more than 32 rows and columns: tiles of 64×64 cells, 16 of them an item's
// (register_tiles.cl). Formula, shapes and smaller products: matmul.cl. Includes product.cl.
//
// Grid of both, in work-groups of 16×16: 16·(columns ÷ 64) × 16·(rows ÷ 64) × stack, each rounded up.
//   matmul_wide_tiles          sums as sum.cl takes them, of terms that are widened once, on their way to local memory
//                              (two tiles, 16.5 KiB)
//   matmul_wide_tiles_blocks   sums in float by blocks of BLOCK terms, which are then added up like the others (8.5 KiB)

#include "product.cl"

#include "register_tiles.cl"

#define BLOCK 64

// Terms of one line fall into different banks, and an item's four lie where two are read at once.
#define TERM_PITCH (TILE + 16 / sizeof(Term))

typedef struct {
  Term lines[4];
} ALIGNED FourTerms;

#define A_OF_TILE                                                                                                      \
  {                                                                                                                    \
    a + (size_t)(get_group_id(2) / a_group) * a_matrix + first_row * (left_transposed ? 1 : a_row),                    \
        left_transposed ? 1 : (uint)a_row, left_transposed ? (uint)a_row : 1, rows - first_row                         \
  }
#define B_OF_TILE                                                                                                      \
  {                                                                                                                    \
    b + (size_t)(get_group_id(2) / b_group) * b_matrix + first_column * (transposed ? b_row : 1),                      \
        transposed ? (uint)b_row : 1, transposed ? 1 : (uint)b_row, columns - first_column                             \
  }

// An item's cells before their first term.
static inline __attribute__((always_inline)) void begin_cells(Sum sums[4][4], const __global float* bias, uint has_bias,
                                                             uint column, uint columns) {
#pragma unroll
  for (uint j = 0; j < 4; ++j) {
    const float start = has_bias && column + j < columns ? bias[column + j] : 0.0f;
#pragma unroll
    for (uint i = 0; i < 4; ++i) sums[i][j] = sum_product(sum_zero(), start, 1);
  }
}

// The cells are stored, four at once where they lie together, and then become what follows the product; those that are
// not finite are summed once more.
static inline __attribute__((always_inline)) void finish_cells(const Cells* at, Sum sums[4][4], const bool in_blocks) {
  const bool looked_at = in_blocks || !DOUBLE_SUMS;
  const bool together = at->left == 4 && place_in(at, 0).column + 4 <= at->split;
  uint again = 0;
#pragma unroll
  for (uint i = 0; i < 4; ++i) {
    float values[4];
#pragma unroll
    for (uint j = 0; j < 4; ++j) {
      values[j] = sum_value(sums[i][j]);
      if (looked_at && !isfinite(values[j])) again |= 1u << (4 * i + j);
    }
    if (i >= at->used) continue;
    const size_t place = place_of(at, i, 0);
    if (together && place % 4 == 0)
      *(__global float4*)(at->c + place) = vload4(0, values);
    else
#pragma unroll
      for (uint j = 0; j < 4; ++j)
        if (j < at->left) at->c[place_of(at, i, j)] = values[j];
  }
  if (!again && !at->after) return;
  for (uint i = 0; i < at->used; ++i)
    for (uint j = 0; j < at->left; ++j) {
      const size_t place = place_of(at, i, j);
      float value = at->c[place];
      if (again >> (4 * i + j) & 1) value = in_blocks ? careful_cell(at, i, j) : plain_cell(at, i, j);
      at->c[place] = after_product(value, at->after, at->residual + (at->after == RESIDUAL ? place : 0));
    }
}

__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void matmul_wide_tiles(PRODUCT_ARGUMENTS) {
  __local Term a_tile[STEP * TERM_PITCH] ALIGNED, b_tile[STEP * TERM_PITCH] ALIGNED;
  const uint first_row = get_group_id(1) * TILE, first_column = get_group_id(0) * TILE;
  const uint y = 4 * get_local_id(1), x = 4 * get_local_id(0), row = first_row + y, column = first_column + x;
  const Factor of_a = A_OF_TILE, of_b = B_OF_TILE;
  float a_taken[TAKEN], b_taken[TAKEN];
  Sum sums[4][4];
  begin_cells(sums, bias, has_bias, column, columns);
  take_terms(&of_a, a_taken, 0, depth), take_terms(&of_b, b_taken, 0, depth);
  for (uint k = 0; k < depth; k += STEP) {
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint i = 0; i < TAKEN; ++i) {
      a_tile[laid_at(&of_a, i, TERM_PITCH)] = (Term)a_taken[i];
      b_tile[laid_at(&of_b, i, TERM_PITCH)] = (Term)b_taken[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    take_terms(&of_a, a_taken, k + STEP, depth), take_terms(&of_b, b_taken, k + STEP, depth);
    // Beyond the depth both factors are 0, and so is what is added.
#pragma unroll
    for (uint t = 0; t < STEP; ++t) {
      const FourTerms l = *(__local const FourTerms*)(a_tile + t * TERM_PITCH + y);
      const FourTerms m = *(__local const FourTerms*)(b_tile + t * TERM_PITCH + x);
#pragma unroll
      for (uint i = 0; i < 4; ++i)
#pragma unroll
        for (uint j = 0; j < 4; ++j) sums[i][j] = sum_terms(sums[i][j], l.lines[i], m.lines[j]);
    }
  }
  if (row >= rows || column >= columns) return;
  const Cells at = CELLS(get_group_id(2), row, column, 4, 4);
  finish_cells(&at, sums, false);
}

__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void matmul_wide_tiles_blocks(PRODUCT_ARGUMENTS) {
  __local float a_tile[STEP * PITCH] ALIGNED, b_tile[STEP * PITCH] ALIGNED;
  const uint first_row = get_group_id(1) * TILE, first_column = get_group_id(0) * TILE;
  const uint y = 4 * get_local_id(1), x = 4 * get_local_id(0), row = first_row + y, column = first_column + x;
  const Factor of_a = A_OF_TILE, of_b = B_OF_TILE;
  float a_taken[TAKEN], b_taken[TAKEN];
  Sum sums[4][4];
  float4 block[4] = {(float4)(0), (float4)(0), (float4)(0), (float4)(0)};
  begin_cells(sums, bias, has_bias, column, columns);
  take_terms(&of_a, a_taken, 0, depth), take_terms(&of_b, b_taken, 0, depth);
  for (uint k = 0; k < depth; k += STEP) {
    barrier(CLK_LOCAL_MEM_FENCE);
    lay_terms(&of_a, a_taken, a_tile), lay_terms(&of_b, b_taken, b_tile);
    barrier(CLK_LOCAL_MEM_FENCE);
    take_terms(&of_a, a_taken, k + STEP, depth), take_terms(&of_b, b_taken, k + STEP, depth);
    multiply_terms(a_tile, b_tile, block, y, x, STEP);
    if ((k + STEP) % BLOCK != 0 && k + STEP < depth) continue;
#pragma unroll
    for (uint i = 0; i < 4; ++i) {
      const float of_row[4] = {block[i].s0, block[i].s1, block[i].s2, block[i].s3};
#pragma unroll
      for (uint j = 0; j < 4; ++j) sums[i][j] = sum_product(sums[i][j], of_row[j], 1);
      block[i] = (float4)(0);
    }
  }
  if (row >= rows || column >= columns) return;
  const Cells at = CELLS(get_group_id(2), row, column, 4, 4);
  finish_cells(&at, sums, true);
}

// C[s] = A[s / a_group]·B[s / b_group] + bias as in matmul.cl, with sums in float alone, BLOCK terms at a time, for models
// that learn (MatMul::in_float). Formulas: core/operations/matmul.h. Shapes: as in matmul.cl, B not transposed, columns a
// multiple of LANES. Includes product.cl, tile.cl.
//
// Processors: a work-group is one item.
//   matmul_floats    up to `tall` rows of a panel of WIDE vectors, read as they lie, ROWS rows of sums in registers; grid:
//                    panels × row blocks × stack
//   lay_transposed   B to be read so, where it lies transposed; grid: groups of LANES columns × its matrices

#include "product.cl"

#include "tile.cl"

#define BLOCK 64
#define VECTOR JOIN(float, LANES)
#define VECTOR_LOAD JOIN(vload, LANES)
#define EACH_SUM for (uint r = 0; r < ROWS; ++r) OF_TILE(w, wide)

// Not vstore, which PoCL cuts into quarters.
typedef VECTOR Packed __attribute__((aligned(4)));

// ROWS rows of `wide` vectors of columns, `row` and `column` the item's. Rows beyond the last are computed from it.
static inline __attribute__((always_inline)) void float_tile(const Cells* at, uint row, uint column, uint columns,
                                                             const uint wide) {
  const __global float* a[ROWS];
#pragma unroll
  for (uint r = 0; r < ROWS; ++r) a[r] = at->a + min(row + r, at->used - 1) * at->a_row;
  const __global float* b = at->b + column;
  VECTOR sums[ROWS][WIDE];
  float totals[ROWS * WIDE * LANES];
#pragma unroll
  EACH_SUM sums[r][w] = at->has_bias ? VECTOR_LOAD(w, at->bias + column) : (VECTOR)(0);
  for (uint k = 0;;) {
    const uint end = min(at->depth, k + BLOCK);
    for (uint i = k; i < end; ++i) {
      VECTOR terms[WIDE];
#pragma unroll
      OF_TILE(w, wide) terms[w] = VECTOR_LOAD(w, b + i * at->b_step);
#pragma unroll
      for (uint r = 0; r < ROWS; ++r) {
        const VECTOR factor = (VECTOR)(a[r][i * at->a_step]);
#pragma unroll
        OF_TILE(w, wide) sums[r][w] = fma(factor, terms[w], sums[r][w]);
      }
    }
    const bool first = k == 0;
    k = end;
    if (first && end == at->depth) break;
#pragma unroll
    EACH_SUM {
      float* total = totals + (r * WIDE + w) * LANES;
      if (!first) sums[r][w] += VECTOR_LOAD(0, total);
      *(Packed*)total = sums[r][w];
    }
    if (end == at->depth) break;
#pragma unroll
    EACH_SUM sums[r][w] = (VECTOR)(0);
  }
#pragma unroll
  for (uint r = 0; r < ROWS; ++r) {
    if (row + r >= at->used) break;
    const size_t place = (size_t)(row + r) * columns + at->from + column;
#pragma unroll
    OF_TILE(w, wide) {
      VECTOR value = sums[r][w];
      if (at->after == RESIDUAL) value += VECTOR_LOAD(w, at->residual + place);
      ((__global Packed*)(at->c + place))[w] = value;
    }
  }
}

__kernel void matmul_floats(PRODUCT_ARGUMENTS, const uint tall) {
  const uint s = get_global_id(2), from = get_global_id(0) * WIDE * LANES, first = get_global_id(1) * tall;
  const Cells at = CELLS(s, first, from, tall, WIDE * LANES);
  for (uint r = 0; r < at.used; r += ROWS) {
    uint j = 0;
    if (at.left == WIDE * LANES) {  // with a literal each call is compiled by itself
      float_tile(&at, r, 0, columns, WIDE);
      continue;
    }
    for (; j + 2 * LANES <= at.left; j += 2 * LANES) float_tile(&at, r, j, columns, 2);
    if (j < at.left) float_tile(&at, r, j, columns, 1);
  }
}

__kernel void lay_transposed(__global const float* b, __global float* to, const uint depth, const uint columns) {
  const uint first = get_global_id(0) * LANES;
  const __global float* from = b + ((size_t)get_global_id(1) * columns + first) * depth;
  __global float* laid = to + (size_t)get_global_id(1) * columns * depth + first;
  for (uint k = 0; k < depth; ++k)
    for (uint lane = 0; lane < LANES; ++lane) laid[(size_t)k * columns + lane] = from[(size_t)lane * depth + k];
}

// C[s] = A[s / a_group]·B[s / b_group] + bias as in matmul.cl, with sums in float of a block of terms at a time, which are
// then added up in double or two floats: for products whose terms are many and small (MatMul::in_blocks). Formulas:
// core/operations/matmul.h. Shapes: as in matmul.cl. Includes product.cl, tile.cl.
//
// Processors: a work-group is one item, which computes up to TALL rows of a panel of columns. Rows of B are laid side by
// side, whichever way they lie. Grid: row blocks × panels × stack: items that read the same columns of B follow each other.
//   matmul_blocks    panels of WIDE registers of floats, WIDE_BLOCK rows of B at a time
//   matmul_narrow    a B of no more columns than a vector of NARROW_LANES, NARROW_DEPTH rows of it at a time, in
//                    blocks of NARROW_BLOCK

#include "product.cl"

#include "tile.cl"

// Of core/opencl/matmul.cpp too.
#define TALL 96
#define WIDE_BLOCK 128
#define NARROW_BLOCK 64
#if LANES > 8 && WIDTH <= 8
#define NARROW_LANES 8
#else
#define NARROW_LANES LANES
#endif
#define NARROW_DEPTH 512
#define NARROW_FLOATS JOIN(float, NARROW_LANES)
#define NARROW_LOAD JOIN(vload, NARROW_LANES)
#define WIDE_FLOATS JOIN(float, LANES)
#define WIDE_LOAD JOIN(vload, LANES)

// Not vstore, which PoCL cuts into quarters: they are read at once again.
typedef WIDE_FLOATS WidePacked __attribute__((aligned(4)));
typedef NARROW_FLOATS NarrowPacked __attribute__((aligned(4)));

// `used` of `width` columns of `count` rows of B from `k` on, with zeros beyond the last column.
static inline void lay_block(const Cells* at, float* panel, uint k, uint count, uint used, const uint width) {
  for (uint i = 0; i < count; ++i) {
    const __global float* from = at->b + (k + i) * at->b_step;
    if (at->left == width && at->b_column == 1)
      for (uint j = 0; j < width; ++j) panel[i * width + j] = from[j];
    else
      for (uint j = 0; j < used; ++j) panel[i * width + j] = j < at->left ? from[j * at->b_column] : 0.0f;
  }
}

// A finished block of a vector of columns.
static inline __attribute__((always_inline)) void add_block(Sums* sums, const float* block, const uint lanes) {
#pragma unroll
  for (uint p = 0; p < lanes / WIDTH; ++p) sums[p] = sums_product(sums[p], LOAD(p, block), (FLOATS)(1));
}

// Adds the products of the numbers of ROWS rows of A at `at` with a row of a panel, in `wide` vectors.
static inline __attribute__((always_inline)) void add_row(WIDE_FLOATS sums[ROWS][WIDE], const __global float* a[ROWS],
                                                         size_t at, const float* panel, const uint wide) {
  WIDE_FLOATS b[WIDE];
#pragma unroll
  OF_TILE(w, wide) b[w] = WIDE_LOAD(w, panel);
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    OF_TILE(w, wide) sums[r][w] = fma((WIDE_FLOATS)(a[r][at]), b[w], sums[r][w]);
}

// Adds a block of `count` products from row `k` of B on to ROWS rows of sums that are `kept`, in `wide` vectors. Rows
// beyond the last are computed from it.
static inline __attribute__((always_inline)) void block_tile(const Cells* at, const float* panel, Sums* kept, uint row,
                                                            uint k, uint count, const uint wide) {
  const __global float* a[ROWS];
#pragma unroll
  for (uint r = 0; r < ROWS; ++r) a[r] = at->a + min(row + r, at->used - 1) * at->a_row + k * at->a_step;
  WIDE_FLOATS sums[ROWS][WIDE];
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    OF_TILE(w, wide) sums[r][w] = (WIDE_FLOATS)(0);
  uint i = 0;
  for (; i + 4 <= count; i += 4)
#pragma unroll
    for (uint u = i; u < i + 4; ++u) add_row(sums, a, u * at->a_step, panel + u * WIDE * LANES, wide);
  for (; i < count; ++i) add_row(sums, a, i * at->a_step, panel + i * WIDE * LANES, wide);
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    OF_TILE(w, wide) {
      float block[LANES];
      *(WidePacked*)block = sums[r][w];
      add_block(kept + ((row + r) * WIDE + w) * (LANES / WIDTH), block, LANES);
    }
}

// The same of a B of one vector, block by block. Rows of B take turns in two sums, for one would wait for itself.
static inline void narrow_tile(const Cells* at, const float* panel, Sums* kept, uint row, uint k, uint count) {
  const __global float* a[ROWS];
#pragma unroll
  for (uint r = 0; r < ROWS; ++r) a[r] = at->a + min(row + r, at->used - 1) * at->a_row + k * at->a_step;
  for (uint from = 0; from < count; from += NARROW_BLOCK) {
    const uint to = min(from + NARROW_BLOCK, count);
    NARROW_FLOATS even[ROWS], odd[ROWS];
#pragma unroll
    for (uint r = 0; r < ROWS; ++r) even[r] = odd[r] = (NARROW_FLOATS)(0);
    uint i = from;
    for (; i + 2 <= to; i += 2) {
      const NARROW_FLOATS b0 = NARROW_LOAD(i, panel), b1 = NARROW_LOAD(i + 1, panel);
#pragma unroll
      for (uint r = 0; r < ROWS; ++r) {
        even[r] = fma((NARROW_FLOATS)(a[r][i * at->a_step]), b0, even[r]);
        odd[r] = fma((NARROW_FLOATS)(a[r][(i + 1) * at->a_step]), b1, odd[r]);
      }
    }
    if (i < to)
#pragma unroll
      for (uint r = 0; r < ROWS; ++r)
        even[r] = fma((NARROW_FLOATS)(a[r][i * at->a_step]), NARROW_LOAD(i, panel), even[r]);
#pragma unroll
    for (uint r = 0; r < ROWS; ++r) {
      float block[NARROW_LANES];
      *(NarrowPacked*)block = even[r] + odd[r];
      add_block(kept + (row + r) * (NARROW_LANES / WIDTH), block, NARROW_LANES);
    }
  }
}

__kernel void matmul_blocks(PRODUCT_ARGUMENTS, const uint tall) {
  const uint s = get_global_id(2), column = get_global_id(1) * WIDE * LANES, first = get_global_id(0) * tall;
  const Cells at = CELLS(s, first, column, tall, WIDE * LANES);
  const uint wide = at.left > 2 * LANES ? WIDE : at.left > LANES ? 2 : 1;
  float panel[WIDE_BLOCK * WIDE * LANES];
  Sums kept[TALL * WIDE * (LANES / WIDTH)];
  begin_rows(&at, kept, ROWS, WIDE * LANES / WIDTH);
  for (uint k = 0; k < depth; k += WIDE_BLOCK) {
    const uint count = min(depth - k, (uint)WIDE_BLOCK);
    lay_block(&at, panel, k, count, wide * LANES, WIDE * LANES);
    for (uint r = 0; r < at.used; r += ROWS)  // with a literal each call is compiled by itself
      if (wide == 1)
        block_tile(&at, panel, kept, r, k, count, 1);
      else if (wide == 2)
        block_tile(&at, panel, kept, r, k, count, 2);
      else
        block_tile(&at, panel, kept, r, k, count, WIDE);
  }
  finish_rows(&at, kept, 0, at.used, 0, WIDE * LANES / WIDTH, true);
  for (uint r = 0; r < at.used; ++r) follow_row(&at, r);
}

__kernel void matmul_narrow(PRODUCT_ARGUMENTS, const uint tall) {
  const uint s = get_global_id(2), first = get_global_id(0) * tall;
  const Cells at = CELLS(s, first, 0, tall, NARROW_LANES);
  float panel[NARROW_DEPTH * NARROW_LANES];
  Sums kept[TALL * (NARROW_LANES / WIDTH)];
  begin_rows(&at, kept, ROWS, NARROW_LANES / WIDTH);
  for (uint k = 0; k < depth; k += NARROW_DEPTH) {
    const uint count = min(depth - k, (uint)NARROW_DEPTH);
    lay_block(&at, panel, k, count, NARROW_LANES, NARROW_LANES);
    for (uint r = 0; r < at.used; r += ROWS) narrow_tile(&at, panel, kept, r, k, count);
  }
  finish_rows(&at, kept, 0, at.used, 0, NARROW_LANES / WIDTH, true);
  for (uint r = 0; r < at.used; ++r) follow_row(&at, r);
}

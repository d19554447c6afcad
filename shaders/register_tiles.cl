// What the kernels of GPUs share that multiply two matrices by tiles: a work-group of SIDE×SIDE items, of which each has
// 4×4 cells of a tile of TILE×TILE in registers, and STEP terms of both factors at a time in local memory. Functions of
// one group, without kernels or grid of their own, for matmul_tiles.cl.
//
// A factor's lines (rows of A, columns of B) lie side by side there, term below term: what 16 items read of them, four
// numbers each, comes at once, and each number that is read is used four times.

#define SIDE 16
#define TILE (4 * SIDE)
#define STEP 16
#define PITCH (TILE + 4)                      // of floats: terms of one line fall into different banks
#define ALIGNED __attribute__((aligned(16)))  // so that four floats or two doubles are read at once
#define TAKEN (TILE * STEP / (SIDE * SIDE))  // numbers of a factor that an item brings

// A factor as a tile reads it, from its first line on. Within a tile numbers are counted in 32 bits.
typedef struct {
  const __global float* from;
  uint line, term;  // from one line, one term to the next
  uint lines;       // there are
} Factor;

// The item's share of the STEP terms from `term` on; zeros where the factor ends. Neighbouring items read neighbouring
// numbers, whichever way they lie.
static inline __attribute__((always_inline)) void take_terms(const Factor* of, float* taken, uint term, uint terms) {
  const uint x = get_local_id(0), y = get_local_id(1);
  const __global float* from = of->from + (size_t)term * of->term;
#pragma unroll
  for (uint i = 0; i < TAKEN; ++i) {
    const uint line = of->term == 1 ? y + SIDE * i : x + SIDE * (y & 3), t = of->term == 1 ? x : (y >> 2) + 4 * i;
    taken[i] = line < of->lines && term + t < terms ? from[line * of->line + t * of->term] : 0.0f;
  }
}

// Where the i-th number that take_terms took is laid in a tile whose terms lie `pitch` apart.
static inline __attribute__((always_inline)) uint laid_at(const Factor* of, uint i, const uint pitch) {
  const uint x = get_local_id(0), y = get_local_id(1);
  return of->term == 1 ? x * pitch + y + SIDE * i : ((y >> 2) + 4 * i) * pitch + x + SIDE * (y & 3);
}

static inline __attribute__((always_inline)) void lay_terms(const Factor* of, const float* taken, __local float* tile) {
#pragma unroll
  for (uint i = 0; i < TAKEN; ++i) tile[laid_at(of, i, PITCH)] = taken[i];
}

// Four numbers side by side in it, from a multiple of four on.
#define FOUR_AT(tile, place) (*(__local float4*)((tile) + (place)))

// What `terms` terms in local memory add to an item's cells, each a row of four: lines of A from `row` on times lines of
// B from `column` on.
static inline __attribute__((always_inline)) void multiply_terms(__local float* a, __local float* b,
                                                                float4* cells, uint row, uint column,
                                                                const uint terms) {
#pragma unroll 2
  for (uint t = 0; t < terms; ++t) {
    const float4 of_a = FOUR_AT(a, t * PITCH + row), of_b = FOUR_AT(b, t * PITCH + column);
    cells[0] = fma((float4)(of_a.s0), of_b, cells[0]);
    cells[1] = fma((float4)(of_a.s1), of_b, cells[1]);
    cells[2] = fma((float4)(of_a.s2), of_b, cells[2]);
    cells[3] = fma((float4)(of_a.s3), of_b, cells[3]);
  }
}

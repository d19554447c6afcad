// A tile of sums that stays in registers: ROWS rows of up to WIDE vectors of LANES floats; a file whose vectors are others
// says WIDE first (matmul.cl). No kernel and no grid of its own.

// 24 of 32 vector registers hold sums, or 12 of 16; no more rows than a cache has ways, for those of a matrix may lie a
// multiple of its size apart. core/opencl repeats both: tile_vectors() of context.cpp, and
// flash.cpp, flash_gradient.cpp, linear_attention.cpp and matmul.cpp the ROWS.
#define ROWS 6
#ifndef WIDE
#define WIDE (LANES == 16 ? 4 : 2)
#endif

// The first `wide` of at most MOST vectors. The loop's end does not hang on `wide`: only so are all sums kept in registers.
#define OF_FIRST(w, wide, MOST) \
  for (uint w = 0; w < (MOST); ++w) \
    if (w < (wide))
#define OF_TILE(w, wide) OF_FIRST(w, wide, WIDE)

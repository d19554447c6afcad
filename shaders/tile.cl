// A tile of sums that stays in registers: ROWS rows of up to WIDE vectors, which have LANES floats unless WIDE is there
// already. No kernel and no grid of its own.

// 24 of 32 vector registers hold sums, or 12 of 16; no more rows than a cache has ways, for those of a matrix may lie a
// multiple of its size apart. core/opencl/flash.cpp and matmul.cpp repeat ROWS.
#define ROWS 6
#ifndef WIDE
#define WIDE (LANES == 16 ? 4 : 2)
#endif

// The first `wide` of at most MOST vectors. The loop's end does not hang on `wide`: only so are all sums kept in registers.
#define OF_FIRST(w, wide, MOST) \
  for (uint w = 0; w < (MOST); ++w) \
    if (w < (wide))
#define OF_TILE(w, wide) OF_FIRST(w, wide, WIDE)

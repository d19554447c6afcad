// A tile of sums that stays in registers: ROWS rows of up to WIDE vectors of LANES floats. No kernel and no grid of its
// own.

// 24 of 32 vector registers hold sums, or 12 of 16; no more rows than a cache has ways, for those of a matrix may lie a
// multiple of its size apart. core/opencl/flash.cpp and matmul.cpp repeat ROWS.
#define ROWS 6
#if LANES == 16
#define WIDE 4
#else
#define WIDE 2
#endif

// The first `wide` of a row's vectors. The loop's end does not hang on `wide`: only so are all sums kept in registers.
#define OF_TILE(w, wide) \
  for (uint w = 0; w < WIDE; ++w) \
    if (w < (wide))

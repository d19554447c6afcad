// What blocks of 16×16 numbers hold. Figures: core/operations/block_summary.h. Includes nothing. Grid: that of
// elementwise.cl, a row for each row of blocks of each matrix, a column for each block of it.
// Shapes: x S×x_rows×x_columns, of which `width` columns from `before` on are read; a mask of S / group matrices of
// these (masked: there is one, nonzero = masked); y, of each row of blocks the figures one behind the other, `columns` of
// each.

#define SIDE 16
#define FIGURES 4
#define NOT_FINITE 1u
#define NOT_WHOLE 2u
#define ALL_MASKED 4u
#define MOST_WHOLE 1000.0f

// Rows of a block lie far from each other, those of its neighbours side by side: so many blocks are seen at once, so
// many rows of each.
#define ABREAST (JOINS_ITEMS ? 1 : 32)
#define DEEP 4

#if JOINS_ITEMS  // compilers that make vectors of items took a minute for sixteen numbers in each
#define AT_ONCE 1  // columns of a row
typedef float Floats;
typedef int Ints;
typedef uint Uints;
#define BITS_OF as_uint
#define PUT(NUMBER, INDEX, TO) (TO)[INDEX] = (NUMBER)
#define BEHIND(COUNT) 0
#else
#define AT_ONCE SIDE
typedef float16 Floats;
typedef int16 Ints;
typedef uint16 Uints;
#define BITS_OF as_uint16
#define PUT vstore16
#define BEHIND(COUNT) ((int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) >= (int)min(COUNT, (ulong)SIDE))
#endif

#define INFINITY_BITS 0x7f800000u
#define NAN_BITS 0x7fc00000u

// Magnitudes order as their bits do: finite, infinite, NaN, all NaN as one; with the sign behind the magnitude the
// largest is a maximum. 0 is left for what is masked.
static inline Uints ranks(const Uints bits) {
  const Uints magnitude = bits & 0x7fffffffu;
  return rotate(select(bits, (Uints)NAN_BITS, magnitude > INFINITY_BITS), (Uints)1u) + 2u;
}

// The figures of AT_ONCE columns of a block as far as its rows have been seen.
typedef struct {
  Uints ranks;
  Floats least, most;
  Ints not_finite, not_whole;
} Seen;

static inline void see(Seen* seen, const Floats x, const Ints hidden) {
  const Uints bits = BITS_OF(x);
  const Ints finite = (bits & 0x7fffffffu) < INFINITY_BITS;
  seen->ranks = max(seen->ranks, select(ranks(bits), (Uints)0u, hidden));
  const Floats number = select((Floats)0.0f, x, finite);
  seen->least = min(seen->least, number), seen->most = max(seen->most, number);
  seen->not_finite |= !finite;
  seen->not_whole |= !(isless(fabs(number), (Floats)MOST_WHOLE) & isequal(number, rint(number)));
}

// Behind the last column there are zeros.
static inline Floats some_of(__global const float* x, const ulong count) {
#if AT_ONCE == 1
  return *x;
#else
  if (count >= SIDE) return vload16(0, x);
  float some[SIDE];
  for (uint j = 0; j < SIDE; ++j) some[j] = j < count ? x[j] : 0.0f;
  return vload16(0, some);
#endif
}

static inline void write_block(const Seen* seen, __global float* y, const ulong columns) {
  uint top[AT_ONCE], broken[AT_ONCE], uneven[AT_ONCE];
  float least[AT_ONCE], most[AT_ONCE];
  PUT(seen->ranks, 0, top);
  PUT(BITS_OF(seen->not_finite), 0, broken), PUT(BITS_OF(seen->not_whole), 0, uneven);
  PUT(seen->least, 0, least), PUT(seen->most, 0, most);
  for (uint j = 1; j < AT_ONCE; ++j) {
    top[0] = max(top[0], top[j]);
    broken[0] |= broken[j], uneven[0] |= uneven[j];
    least[0] = min(least[0], least[j]), most[0] = max(most[0], most[j]);
  }
  y[0] = top[0] == 0u ? 0.0f : as_float(rotate(top[0] - 2u, 31u));
  y[columns] = least[0], y[2 * columns] = most[0];
  y[3 * columns] = (float)((broken[0] ? NOT_FINITE : 0u) | (uneven[0] ? NOT_WHOLE : 0u) | (top[0] ? 0u : ALL_MASKED));
}

// A row of a block, where its columns begin; of the matrix there are `count` left, one at least.
static inline void see_row(Seen* seen, __global const float* x, __global const float* mask, const uint masked,
                           const ulong count) {
  for (ulong j = 0; j < min(count, (ulong)SIDE); j += AT_ONCE) {
    const Ints hidden = masked ? some_of(mask + j, count - j) != 0.0f : (Ints)0;
    see(seen, some_of(x + j, count - j), BEHIND(count) | hidden);
  }
}

__kernel void block_summary(__global const float* x, __global const float* mask, const uint masked, const ulong group,
                            __global float* y, const ulong x_rows, const ulong x_columns, const ulong before,
                            const ulong width, const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  const ulong down = (x_rows + SIDE - 1) / SIDE;
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const ulong matrix = row / down, top = (row - matrix * down) * SIDE, bottom = min(top + SIDE, x_rows);
    __global const float *of = x + matrix * x_rows * x_columns + before, *hides = mask + matrix / group * x_rows * width;
    for (ulong from = first; from < end; from += ABREAST) {
      const ulong blocks = min(end - from, (ulong)ABREAST);
      Seen seen[ABREAST];
      for (ulong b = 0; b < blocks; ++b) seen[b] = (Seen){(Uints)0u, (Floats)0.0f, (Floats)0.0f, (Ints)0, (Ints)0};
      for (ulong some = top; some < bottom; some += DEEP)
        for (ulong b = 0; b < blocks; ++b) {
          const ulong left = (from + b) * SIDE;
          Seen block = seen[b];
          for (ulong i = some; i < min(some + DEEP, bottom); ++i)
            see_row(&block, of + i * x_columns + left, hides + i * width + left, masked, width - left);
          seen[b] = block;
        }
      for (ulong b = 0; b < blocks; ++b) write_block(&seen[b], y + row * FIGURES * columns + from + b, columns);
    }
  }
}

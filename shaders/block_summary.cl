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
#define ABREAST (LANES > 1 ? 32 : 1)
#define DEEP 4

#define INFINITY_BITS 0x7f800000u
#define NAN_BITS 0x7fc00000u

// Magnitudes order as their bits do: finite, infinite, NaN, all NaN as one; with the sign behind the magnitude the
// largest is a maximum. 0 is left for what is masked.
static inline uint16 ranks(const uint16 bits) {
  const uint16 magnitude = bits & 0x7fffffffu;
  return rotate(select(bits, (uint16)NAN_BITS, magnitude > INFINITY_BITS), (uint16)1u) + 2u;
}

// The figures of 16 columns of a block as far as its rows have been seen.
typedef struct {
  uint16 ranks;
  float16 least, most;
  int16 not_finite, not_whole;
} Seen;

static inline void see(Seen* seen, const float16 x, const int16 hidden) {
  const uint16 bits = as_uint16(x);
  const int16 finite = (bits & 0x7fffffffu) < INFINITY_BITS;
  seen->ranks = max(seen->ranks, select(ranks(bits), (uint16)0u, hidden));
  const float16 number = select((float16)0.0f, x, finite);
  seen->least = min(seen->least, number), seen->most = max(seen->most, number);
  seen->not_finite |= ~finite;
  seen->not_whole |= ~(isless(fabs(number), (float16)MOST_WHOLE) & isequal(number, rint(number)));
}

// Behind the last column there are zeros.
static inline float16 row_of(__global const float* x, const ulong count) {
  if (count >= SIDE) return vload16(0, x);
  float some[SIDE];
  for (uint j = 0; j < SIDE; ++j) some[j] = j < count ? x[j] : 0.0f;
  return vload16(0, some);
}

static inline void write_block(const Seen* seen, __global float* y, const ulong columns) {
  uint top[SIDE], broken[SIDE], uneven[SIDE];
  float least[SIDE], most[SIDE];
  vstore16(seen->ranks, 0, top);
  vstore16(as_uint16(seen->not_finite), 0, broken), vstore16(as_uint16(seen->not_whole), 0, uneven);
  vstore16(seen->least, 0, least), vstore16(seen->most, 0, most);
  for (uint j = 1; j < SIDE; ++j) {
    top[0] = max(top[0], top[j]);
    broken[0] |= broken[j], uneven[0] |= uneven[j];
    least[0] = min(least[0], least[j]), most[0] = max(most[0], most[j]);
  }
  y[0] = top[0] == 0u ? 0.0f : as_float(rotate(top[0] - 2u, 31u));
  y[columns] = least[0], y[2 * columns] = most[0];
  y[3 * columns] = (float)((broken[0] ? NOT_FINITE : 0u) | (uneven[0] ? NOT_WHOLE : 0u) | (top[0] ? 0u : ALL_MASKED));
}

// A row of a block, where its columns begin.
static inline void see_row(Seen* seen, __global const float* x, __global const float* mask, const uint masked,
                           const ulong count) {
  const int16 lanes = (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const int16 outside = lanes >= (int)min(count, (ulong)SIDE);
  const int16 hidden = masked ? row_of(mask, count) != 0.0f : (int16)0;
  see(seen, row_of(x, count), outside | hidden);
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
      for (ulong b = 0; b < blocks; ++b) seen[b] = (Seen){(uint16)0u, (float16)0.0f, (float16)0.0f, (int16)0, (int16)0};
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

// What blocks of 16×16 numbers hold. Figures: core/operations/block_summary.h. Includes nothing. Grid: that of
// elementwise.cl, a row for each row of blocks of each matrix, a column for each block of it.
// Shapes: x S×x_rows×x_columns; a mask of S / group matrices alike (masked: there is one, nonzero = masked); y, of each
// row of blocks the figures one behind the other, `columns` of each.

#define SIDE 16
#define FIGURES 4
#define NOT_FINITE 1u
#define NOT_WHOLE 2u
#define ALL_MASKED 4u
#define MOST_WHOLE 1000.0f

#define INFINITY_BITS 0x7f800000u
#define NAN_BITS 0x7fc00000u

// Magnitudes order as their bits do: finite, infinite, NaN, all NaN as one; with the sign behind the magnitude the
// largest is a maximum. 0 is left for what is masked.
static inline uint rank_of(const uint bits) {
  return rotate((bits & 0x7fffffffu) > INFINITY_BITS ? NAN_BITS : bits, 1u) + 2u;
}

// The figures of each column of a block, as far as its rows have been seen: loops over columns, without a branch,
// become vectors.
typedef struct {
  uint ranks[SIDE], kinds[SIDE];
  float least[SIDE], most[SIDE];
} Seen;

static inline void see(Seen* seen, const uint j, const float x, const bool masked) {
  const uint bits = as_uint(x), rank = masked ? 0u : rank_of(bits);
  const bool finite = (bits & 0x7fffffffu) < INFINITY_BITS;
  const float number = finite ? x : 0.0f;
  seen->ranks[j] = rank > seen->ranks[j] ? rank : seen->ranks[j];
  seen->least[j] = number < seen->least[j] ? number : seen->least[j];
  seen->most[j] = number > seen->most[j] ? number : seen->most[j];
  const bool whole = fabs(number) < MOST_WHOLE && number == rint(number);
  seen->kinds[j] |= (finite ? 0u : NOT_FINITE) | (whole ? 0u : NOT_WHOLE);
}

static inline void write_block(const Seen* seen, __global float* y, const ulong columns) {
  uint top = 0u, kinds = 0u;
  float least = 0.0f, most = 0.0f;
  for (uint j = 0; j < SIDE; ++j) {
    top = max(top, seen->ranks[j]);
    kinds |= seen->kinds[j];
    least = min(least, seen->least[j]), most = max(most, seen->most[j]);
  }
  y[0] = top == 0u ? 0.0f : as_float(rotate(top - 2u, 31u));
  y[columns] = least, y[2 * columns] = most;
  y[3 * columns] = (float)(kinds | (top == 0u ? ALL_MASKED : 0u));
}

__kernel void block_summary(__global const float* x, __global const float* mask, const uint masked, const ulong group,
                            __global float* y, const ulong x_rows, const ulong x_columns, const ulong rows,
                            const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  const ulong down = (x_rows + SIDE - 1) / SIDE;
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const ulong matrix = row / down, top = (row - matrix * down) * SIDE, bottom = min(top + SIDE, x_rows);
    for (ulong block = first; block < end; ++block) {
      const ulong left = block * SIDE;
      const uint count = (uint)min(x_columns - left, (ulong)SIDE);
      Seen seen;
      for (uint j = 0; j < SIDE; ++j) {
        seen.ranks[j] = seen.kinds[j] = 0u;
        seen.least[j] = seen.most[j] = 0.0f;
      }
      for (ulong i = top; i < bottom; ++i) {
        __global const float* from = x + (matrix * x_rows + i) * x_columns + left;
        __global const float* hides = mask + (matrix / group * x_rows + i) * x_columns + left;
        if (count == SIDE && !masked)
          for (uint j = 0; j < SIDE; ++j) see(&seen, j, from[j], false);
        else
          for (uint j = 0; j < count; ++j) see(&seen, j, from[j], masked && hides[j] != 0.0f);
      }
      write_block(&seen, y + row * FIGURES * columns + block, columns);
    }
  }
}

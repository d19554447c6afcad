// What flash attention by lists shares, there and back (flash_lists.cl, flash_gradient_lists.cl): functions of one item,
// which computes a row and reads CHUNK others of its list at a time, in vectors along their features. Rows of matrices
// that lists name are `wide` numbers, whole vectors, with zeros behind. Comes behind flash_tiles.cl.
//
// `rows_at`: of each row the start of its list, and the last one's end; behind them the rows in the order of items.

#define CHUNK (4 * LANES)
// Vectors of columns whose sums stay in registers.
#if LANES == 16
#define MIXED 4
#else
#define MIXED 8
#endif

#define ROW_OF_ITEM(rows_at, rows) ((rows_at)[(rows) + 1 + get_global_id(0)])

// `width` numbers of a row times a factor, with zeros up to `wide`.
static inline void take_row(const __global float* from, float* x, uint width, uint wide, float factor) {
  for (uint i = 0; i < width; ++i) x[i] = from[i] * factor;
  for (uint i = width; i < wide; ++i) x[i] = 0;
}

// LANES numbers added up. Few are as soon added one by one; Oclgrind 21.10, whose vectors are of four, would crash at
// their lanes in registers.
static inline float total_at(const float* lanes) {
#if LANES > 4
  return total_of(LOAD(0, lanes));
#else
  float total = 0;
  for (uint i = 0; i < LANES; ++i) total += lanes[i];
  return total;
#endif
}

// s[j] ← x · row rows[j] of the matrix.
static inline void dot_rows(const float* x, const __global float* matrix, const uint* rows, uint count, uint wide,
                            float* s) {
  __attribute__((aligned(64))) float parts[CHUNK * LANES];
  uint j = 0;
  for (; j + 4 <= count; j += 4) {
    const __global float *a = matrix + (size_t)rows[j] * wide, *b = matrix + (size_t)rows[j + 1] * wide,
                         *c = matrix + (size_t)rows[j + 2] * wide, *d = matrix + (size_t)rows[j + 3] * wide;
    Lanes a_sum = (Lanes)(0), b_sum = (Lanes)(0), c_sum = (Lanes)(0), d_sum = (Lanes)(0);
    for (uint i = 0; i < wide; i += LANES) {
      const Lanes numbers = LOAD(0, x + i);
      a_sum = fma(numbers, LOAD(0, a + i), a_sum), b_sum = fma(numbers, LOAD(0, b + i), b_sum);
      c_sum = fma(numbers, LOAD(0, c + i), c_sum), d_sum = fma(numbers, LOAD(0, d + i), d_sum);
    }
    STORE(a_sum, j, parts), STORE(b_sum, j + 1, parts), STORE(c_sum, j + 2, parts), STORE(d_sum, j + 3, parts);
  }
  for (; j < count; ++j) {
    const __global float* a = matrix + (size_t)rows[j] * wide;
    Lanes sum = (Lanes)(0);
    for (uint i = 0; i < wide; i += LANES) sum = fma(LOAD(0, x + i), LOAD(0, a + i), sum);
    STORE(sum, j, parts);
  }
  for (j = 0; j < count; ++j) s[j] = total_at(parts + j * LANES);
}

// o ← factor·o + Σ p[j] · row rows[j] of the matrix, of `vectors` vectors of columns.
static inline __attribute__((always_inline)) void mix_columns(const float* p, const __global float* matrix,
                                                             const uint* rows, uint count, uint wide, float* o,
                                                             float factor, const uint vectors) {
  Lanes sums[MIXED];
#pragma unroll
  OF_FIRST(w, vectors, MIXED) sums[w] = LOAD(w, o) * factor;
  for (uint j = 0; j < count; ++j) {
    const __global float* from = matrix + (size_t)rows[j] * wide;
    const Lanes part = (Lanes)(p[j]);
#pragma unroll
    OF_FIRST(w, vectors, MIXED) sums[w] = fma(part, LOAD(w, from), sums[w]);
  }
#pragma unroll
  OF_FIRST(w, vectors, MIXED) STORE(sums[w], w, o);
}

static inline void mix_rows(const float* p, const __global float* matrix, const uint* rows, uint count, uint wide,
                            float* o, float factor) {
  uint i = 0;
  for (; i + MIXED * LANES <= wide; i += MIXED * LANES)
    mix_columns(p, matrix + i, rows, count, wide, o + i, factor, MIXED);
  for (; i + 2 * LANES <= wide; i += 2 * LANES) mix_columns(p, matrix + i, rows, count, wide, o + i, factor, 2);
  for (; i < wide; i += LANES) mix_columns(p, matrix + i, rows, count, wide, o + i, factor, 1);
}

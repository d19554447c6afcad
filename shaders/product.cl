// What the kernels of matrix products share: their arguments, where an item's cells lie, how a cell is finished and
// what becomes of it. Functions of one item, without kernels or grid of their own, for matmul.cl and matmul_blocks.cl.
// Includes sum.cl and activation_of.cl.

#include "sum.cl"

#include "activation_of.cl"

// AfterProduct of core/operations/matmul.h, in its order.
#define RELU 1
#define GELU 2
#define GELU_TANH 3
#define RESIDUAL 4

// a_group, b_group: matrices of C that share one of A, of B. a_matrix, b_matrix, a_row, b_row: numbers from one matrix to
// the next, and from one row of A, of B, as it lies, to the next; left_transposed, transposed: A, B lies transposed. split:
// columns of C that lie together, for a projection's are its heads'.
#define PRODUCT_ARGUMENTS                                                                                            \
  __global const float *a, __global const float *b, __global const float *bias, const uint has_bias,                 \
      __global const float *residual, __global float *c, const uint rows, const uint columns, const uint depth,      \
      const uint split, const uint a_group, const uint b_group, const ulong a_matrix, const ulong b_matrix,          \
      const ulong a_row, const ulong b_row, const uint left_transposed, const uint transposed, const uint after

// Where the cells of an item lie, and what they are made from.
typedef struct {
  const __global float *a, *b, *bias;  // of the item's first row and column
  const __global float* residual;      // as c; not read unless it is added
  __global float* c;                   // of the item's first row in its matrix
  ulong a_row, a_step;                 // from one row, one column of A to the next
  ulong b_step, b_column, c_block;     // from one row, one column of B, one `split` of C to the next
  uint from, split, depth, left, used, has_bias, after;  // from: its first column; left, used: columns and rows there
  bool straddles;                                        // some vector of columns does not lie together
} Cells;

// Of the item whose first cell is [S, FIRST, COLUMN], with up to TALL rows and MOST columns.
#define CELLS(S, FIRST, COLUMN, TALL_, MOST)                                                                        \
  {a + (size_t)((S) / a_group) * a_matrix + (FIRST) * (left_transposed ? 1 : a_row),                                \
   b + (size_t)((S) / b_group) * b_matrix + (COLUMN) * (transposed ? b_row : 1),                                    \
   bias + (has_bias ? (COLUMN) : 0),                                                                                \
   residual + (after == RESIDUAL ? (size_t)(S) * rows * columns + (size_t)(FIRST) * split : 0),                     \
   c + (size_t)(S) * rows * columns + (size_t)(FIRST) * split,                                                      \
   left_transposed ? 1 : a_row, left_transposed ? a_row : 1,                                                        \
   transposed ? 1 : b_row, transposed ? b_row : 1, (ulong)rows * split, COLUMN, split, depth,                       \
   min(columns - (COLUMN), (uint)(MOST)), min(rows - (FIRST), (uint)(TALL_)), has_bias, after,                      \
   split % WIDTH != 0 && columns > split}

// Where a cell of an item lies in C: the head of its column, and its column there. Without a division, whose remainder
// Oclgrind 21.10 cannot watch.
typedef struct {
  uint head, column;
} Place;
static inline Place place_in(const Cells* at, uint column) {
  Place place = {0, at->from + column};
  for (; place.column >= at->split; place.column -= at->split) ++place.head;
  return place;
}

static inline size_t place_of(const Cells* at, uint row, uint column) {
  const Place place = place_in(at, column);
  return place.head * at->c_block + (size_t)row * at->split + place.column;
}

// Matches after_product in core/operations/matmul.cpp.
static inline float after_product(float x, uint after, const __global float* residual) {
  switch (after) {
    case RELU:
      return x < 0 ? 0 : x;
    case GELU:
      return gelu(x);
    case GELU_TANH:
      return gelu_tanh(x);
    case RESIDUAL:
      return x + residual[0];
  }
  return x;
}

// What becomes of the cells of a row.
static inline __attribute__((always_inline)) void follow_row(const Cells* at, uint row) {
  if (at->after == 0) return;
  for (uint first = 0, end; first < at->left; first = end) {  // cells that lie together
    end = min(at->left, first + at->split - place_in(at, first).column);
    const size_t place = place_of(at, row, first);
    __global float* c = at->c + place;
    if (at->after == RELU)
      for (uint j = 0; j < end - first; ++j) c[j] = c[j] < 0 ? 0 : c[j];
    else if (at->after == GELU)
      for (uint j = 0; j < end - first; ++j) c[j] = gelu(c[j]);
    else if (at->after == GELU_TANH)
      for (uint j = 0; j < end - first; ++j) c[j] = gelu_tanh(c[j]);
    else
      for (uint j = 0; j < end - first; ++j) c[j] += at->residual[place + j];
  }
}

// A cell whose terms are beyond the range of float, summed once more.
static inline float plain_cell(const Cells* at, uint row, uint column) {
  return plain_sum(at->a + row * at->a_row, at->a_step, at->b + column * at->b_column, at->b_step, at->depth) +
         (at->has_bias ? at->bias[column] : 0.0f);
}

// A cell whose blocks are not finite, term by term.
static inline float careful_cell(const Cells* at, uint row, uint column) {
  const __global float* from = at->a + row * at->a_row;
  const __global float* with = at->b + column * at->b_column;
  Sum sum = at->has_bias ? sum_product(sum_zero(), at->bias[column], 1) : sum_zero();
  for (uint k = 0; k < at->depth; ++k) sum = sum_product(sum, from[k * at->a_step], with[k * at->b_step]);
  float value = sum_value(sum);
#if !DOUBLE_SUMS
  if (!isfinite(value)) value = plain_cell(at, row, column);
#endif
  return value;
}

// The sums of rows, and of those beyond the last that fill a tile, before their first term: the bias.
static inline void begin_rows(const Cells* at, Sums* kept, uint of_tile, uint vectors) {
  for (uint r = 0; r < (at->used + of_tile - 1) / of_tile * of_tile; ++r)
    for (uint v = 0; v < vectors; ++v)
      kept[r * vectors + v] =
          at->has_bias ? sums_product(sums_zero(), load_some(at->bias, v * WIDTH, at->left), (FLOATS)(1)) : sums_zero();
}

// Finished rows from `row` on of `vectors` of WIDTH columns from `column` on, whose sums are `kept`. Sums that are not
// finite are summed once more: in blocks, and in two floats, where a term left the range of float.
static inline void finish_rows(const Cells* at, const Sums* kept, uint row, uint rows, uint column, uint vectors,
                               const bool in_blocks) {
  for (uint r = row; r < min(row + rows, at->used); ++r)
    for (uint v = 0; v < vectors; ++v) {
      const uint from = column + v * WIDTH, count = at->left > from ? min(at->left - from, (uint)WIDTH) : 0;
      const FLOATS values = sums_value(kept[(r - row) * vectors + v]);
      if (count == WIDTH && !at->straddles && all(isfinite(values))) {
        STORE(values, 0, at->c + place_of(at, r, from));
        continue;
      }
      float lanes[WIDTH];
      STORE(values, 0, lanes);
      for (uint j = 0; j < count; ++j) {
        if ((in_blocks || !DOUBLE_SUMS) & !isfinite(lanes[j]))
          lanes[j] = in_blocks ? careful_cell(at, r, from + j) : plain_cell(at, r, from + j);
        at->c[place_of(at, r, from + j)] = lanes[j];
      }
    }
}

// What the two shapes of linear attention share (linear_attention.cl, linear_attention_group.cl): arguments, states put
// together, and matrices laid for the way back. Formulas: core/operations/linear_attention.h. Functions of one item.
//
// There and back are one: Y[x] = Σ (a_x · b_y) c_y over the first rows y that row x sees, which never get fewer.
// Shapes: A matrices×rows×p, B and C of count rows, shared by `group` matrices of A each. `seen` says how many a row
// sees, `valid` how many the last one does. With DIVIDE the sums are divided by z = a·Σb, which stands behind them;
// without a y they are 0, and NaN where z is 0.
//
// A state, Σ b cᵀ and behind it Σ b, has `deep` rows of `wide` numbers and `deep` numbers. There are parts + 1 of them
// a matrix: before each part of `part` rows y, and behind the last.
//   run_up          sums of parts become states before them; grid: that of elementwise.cl over matrices × a state
//   take_state      the last state, as LinearState has it; grid: that of elementwise.cl over matrices·p × (w + 1)
//   lay_matrix      a matrix in other order and width; grid: that of elementwise.cl over its rows × 1
//   lay_gradient    [dO, −dO·O] ÷ z in the same way; grid: that of elementwise.cl over its rows × 1

#define DIVIDE 1     // core/opencl/linear_attention.cpp repeats these
#define BACKWARDS 2  // the last row first

#define MIX_ARGUMENTS                                                                                              \
  __global const float *restrict a, __global const float *restrict b, __global const float *restrict c,           \
      __global const uint *restrict seen, __global float *restrict states, __global float *restrict own,          \
      __global float *restrict y, const uint rows, const uint count, const uint p, const uint w, const uint deep, \
      const uint wide, const uint valid, const uint part, const uint parts, const uint tall, const uint group,    \
      const uint y_width, const uint y_first, const uint what

#define STATE_SIZE ((size_t)deep * (wide + 1))
#define STATE_OF(matrix, index) (states + ((matrix) * (size_t)(parts + 1) + (index)) * STATE_SIZE)
// Where row x of a matrix of A is written.
#define ROW_OF_Y(matrix, x) \
  (y + ((matrix) * (size_t)rows + (what & BACKWARDS ? rows - 1 - (x) : (x))) * y_width + y_first)

// The part before which all keys that so many are lie.
static inline uint part_before(uint sees, uint valid, uint part, uint parts) {
  return sees >= valid ? parts : sees / part;
}

// A row is multiplied by a power of two that makes its largest number about 1, so that no product leaves the range of
// float that need not: the bits of its inverse's exponent.
static inline uint scale_bits(float largest) { return clamp(as_uint(largest) >> 23, 1u, 253u); }
static inline float scale_of(uint bits) { return as_float((254 - bits) << 23); }
static inline float unscaled(float z, uint bits) { return z * as_float(bits << 23); }

__kernel void run_up(__global float* restrict states, const uint parts, const ulong rows, const ulong columns,
                     const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong s = get_global_id(1); s < rows; s += get_global_size(1))
    for (ulong i = first; i < end; ++i) {
      float sum = 0;
      for (ulong at = s * (parts + 1) * columns + i, t = 0; t <= parts; ++t, at += columns) {
        const float of_part = t < parts ? states[at] : 0;
        states[at] = sum;
        sum += of_part;
      }
    }
}

__kernel void take_state(__global const float* restrict states, __global float* restrict y, const uint p,
                         const uint deep, const uint wide, const uint parts, const ulong rows, const ulong columns,
                         const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const ulong s = row / p, i = row - s * p;
    const __global float* state = STATE_OF(s, parts);
    for (ulong e = first; e < end; ++e)
      y[row * columns + e] = e + 1 < columns ? state[i * wide + e] : state[(size_t)deep * wide + i];
  }
}

// Where row `row` of a matrix of n rows goes: `layers` matrices become one, whose rows take turns.
static inline ulong laid_row(ulong row, ulong n, ulong layers, uint what) {
  const ulong s = row / n, t = row - s * n, matrix = s / layers, layer = s - matrix * layers;
  return (matrix * n + (what & BACKWARDS ? n - 1 - t : t)) * layers + layer;
}

// What is not finite becomes 0: where it takes part, what passes back is NaN by itself. Behind the row's numbers comes
// `behind`, then zeros.
__kernel void lay_matrix(__global const float* restrict x, __global float* restrict to, const uint n,
                         const uint width, const uint wide, const float behind, const uint layers, const uint what,
                         const ulong rows, const ulong columns, const ulong column_chunk) {
  if (get_global_id(0) * column_chunk >= columns) return;
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const __global float* from = x + row * width;
    __global float* laid = to + laid_row(row, n, layers, what) * wide;
    for (uint i = 0; i < width; ++i) laid[i] = isfinite(from[i]) ? from[i] : 0.0f;
    for (uint i = width; i < wide; ++i) laid[i] = i == width ? behind : 0.0f;
  }
}

// Of a query without output 0; of one whose outputs or dO are not finite NaN. `seen`: by query.
__kernel void lay_gradient(__global const float* restrict result, __global const float* restrict gradient,
                           __global const uint* restrict seen, __global float* restrict to, const uint n, const uint c,
                           const uint wide, const uint layers, const uint what, const ulong rows, const ulong columns,
                           const ulong column_chunk) {
  if (get_global_id(0) * column_chunk >= columns) return;
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const __global float *o = result + row * (c + 1), *g = gradient + row * c;
    __global float* laid = to + laid_row(row, n, layers, what) * wide;
    const float z = o[c];
    const uint output = z != 0 && seen[row - row / n * n] > 0;
    uint finite = isfinite(z);
    float mean = 0;
    for (uint i = 0; i < c; ++i) {
      finite &= isfinite(o[i]) && isfinite(g[i]);
      mean = fma(o[i], g[i], mean);
    }
    for (uint i = 0; i < wide; ++i) {
      const float number = i < c ? g[i] / z : i == c ? -mean / z : 0.0f;
      laid[i] = !output ? 0.0f : finite ? number : NAN;
    }
  }
}

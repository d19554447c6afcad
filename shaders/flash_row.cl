// What the shapes of flash attention share (flash.cl, flash_group.cl, flash_lists.cl): arguments, and the end of a row.
// Functions of one item, without kernels or grid of their own.
//
// A hidden key has the exponential −0, which changes no sum and which exp never gives: where V is not finite, it is
// told by that from a key whose exponential came to 0, and left out (0·NaN would be NaN).

#define MOST 256  // of d and of c
#define BEHIND 64  // zeros behind a row of offsets, which vectors may read: a panel of keys

// What is done to a score. core/opencl/flash.cpp repeats these, and those of an empty row.
#define CAPPED 1
#define BY_OFFSET 2
#define BIASED 4
#define MASKED 8
#define WITH_ONE 16
#define WEIGHTS 32
// What becomes of a row without a key, besides zeros.
#define EMPTY_NAN 1
#define EMPTY_UNIFORM 2

#define HIDDEN -0.0f
#define IS_HIDDEN(p) (as_uint(p) == 0x80000000u)

#define FLASH_ARGUMENTS                                                                                      \
  __global const uint2 *restrict runs, __global const float *restrict by_offset,                             \
      __global const float *restrict bias, __global const float *restrict mask, __global float *restrict tops, \
      const uint n, const uint m, const uint d, const uint c, const uint group, const uint bias_group,       \
      const uint mask_group, const float scale, const float cap, const uint what, const uint empty

#define RESULT_WIDTH (c + 1 + (what & WEIGHTS ? m : 0))

// The mask, the biases and the offsets of a head.
#define OF_HEAD(matrices, bit, group, size) ((matrices) + (what & (bit) ? (size_t)(h / (group)) * (size) : 0))
#define BIAS_OF_HEAD OF_HEAD(bias, BIASED, bias_group, (size_t)n * m)
#define MASK_OF_HEAD OF_HEAD(mask, MASKED, mask_group, (size_t)n * m)
#define OFFSETS_OF_HEAD OF_HEAD(by_offset, BY_OFFSET, 1, n + m - 1 + BEHIND)

// A number that no score is subtracted from where there is none.
static inline float shift_of(float largest) { return largest == -INFINITY ? 0.0f : largest; }

// Whether the mask leaves one of these rows one of these keys.
static inline bool leaves_any(const __global float* mask, uint row, uint rows, uint key, uint keys, uint m) {
  for (uint r = row; r < rows; ++r)
    for (uint j = key; j < keys; ++j)
      if (mask[(size_t)r * m + j] == 0) return true;
  return false;
}

typedef struct {
  float scale, log_sum;  // a row's outputs are o·scale
  uint empty;            // … or, where no key is left, `fill`, or the mean of all values
  float fill;
  uint uniform;
} RowEnd;

// What remains to be done with o, of a row's largest score and sum.
static inline RowEnd row_end(float largest, float sum, uint what, uint empty) {
  if (what & WITH_ONE) {
    const float top = fmax(largest, 0.0f);
    const float factor = isnan(sum) ? NAN : exp(largest - top), all = sum * factor + exp(-top);
    const RowEnd end = {factor / all, top + log(all), 0, 0, 0};
    return end;
  }
  if (sum == 0) {
    const RowEnd none = {0, -INFINITY, 1, empty == EMPTY_NAN ? NAN : 0.0f, empty == EMPTY_UNIFORM};
    return none;
  }
  const RowEnd end = {1 / sum, largest + log(sum), 0, 0, 0};
  return end;
}

// What makes a weight of an exponential that was kept when the largest score was `top`.
static inline float weight_factor(const RowEnd end, float top, float largest) {
  return end.scale * (top == -INFINITY ? 0.0f : exp(top - largest));
}

// The weight of a key that nothing was kept of.
static inline float unseen_weight(const RowEnd end, uint keys) {
  return !end.empty ? 0.0f : end.uniform ? 1.0f / keys : end.fill;
}

// An output: of a row where something is mixed, o·scale. `v`: the values of its column.
static inline float output_of(const RowEnd end, float o, const __global float* v, uint keys, ulong step) {
  if (!end.empty) return o * end.scale;
  if (!end.uniform) return end.fill;
  float sum = 0;
  for (uint j = 0; j < keys; ++j) sum += v[j * step];
  return sum / keys;
}

// Linear attention on processors, there and back. What is computed: linear_attention_row.cl. Includes it, flash_row.cl,
// flash_tiles.cl.
//
// A work-group is one item; ROWS rows × WIDE vectors of sums stay in registers. `wide` is a multiple of LANES, and C
// has rows of it; `deep` one of ROWS. Sums are in float: of a part over blocks of BLOCK rows that are then added up.
//   sum_part    a part's state; grid: parts × matrices of B
//   mix_all     rows that all see the same; grid: blocks of `tall` rows × matrices of A
//   mix_run     rows with a state of their own that is carried from one to the next; grid: the same

#include "flash_row.cl"
#include "flash_tiles.cl"
#include "linear_attention_row.cl"

#define BLOCK 64
#define TALL 48  // features at a time, a multiple of ROWS and of LANES

// ROWS rows of a state and `wide_tile` vectors get the products of `count` rows.
static inline __attribute__((always_inline)) void add_outer(const float* x, const __global float* c,
                                                           __global float* state, uint wide, uint count,
                                                           const uint wide_tile) {
  Lanes sums[ROWS][WIDE];
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    OF_TILE(w, wide_tile) sums[r][w] = (Lanes)(0);
  add_products(sums, x, 1, TALL, c, wide, count, wide_tile);
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    OF_TILE(w, wide_tile)
      STORE(LOAD(w, state + (size_t)r * wide) + sums[r][w], w, state + (size_t)r * wide);
}

// `used` rows of `tall` of B's features from `first` on, with zeros behind the last; their sums are added to `sums`.
static inline void take_features(const __global float* b, float* x, __global float* sums, uint first, uint tall, uint p,
                                 uint used) {
  for (uint i = 0; i < tall; i += LANES) {
    Lanes sum = (Lanes)(0);
    for (uint j = 0; j < used; ++j) {
      const Lanes features = load_some(b + (size_t)j * p, first + i, p);
      STORE(features, 0, x + j * TALL + i);
      sum += features;
    }
    float lanes[LANES];
    STORE(sum, 0, lanes);
    for (uint e = 0; e < LANES && first + i + e < p; ++e) sums[i + e] += lanes[e];
  }
}

__kernel void sum_part(__global const float* restrict b, __global const float* restrict c,
                       __global float* restrict states, const uint count, const uint p, const uint deep,
                       const uint wide, const uint valid, const uint part, const uint parts) {
  const uint index = get_global_id(0), s = get_global_id(1), first = index * part, last = min(first + part, valid);
  __attribute__((aligned(64))) float x[BLOCK * TALL];
  __global float *state = STATE_OF(s, index), *sums = state + (size_t)deep * wide;
  for (size_t i = 0; i < STATE_SIZE; ++i) state[i] = 0;
  for (uint j = first; j < last; j += BLOCK) {
    const uint used = min(last - j, (uint)BLOCK);
    const __global float* of_block = c + (s * (size_t)count + j) * wide;
    for (uint f = 0; f < p; f += TALL) {
      const uint tall = min(deep - f, (uint)TALL);
      take_features(b + (s * (size_t)count + j) * p, x, sums + f, f, tall, p, used);
      for (uint r = 0; r < tall; r += ROWS) {
        __global float* to = state + (size_t)(f + r) * wide;
        uint i = 0;
        for (; i + WIDE * LANES <= wide; i += WIDE * LANES) add_outer(x + r, of_block + i, to + i, wide, used, WIDE);
        for (; i < wide; i += LANES) add_outer(x + r, of_block + i, to + i, wide, used, 1);
      }
    }
  }
}

// What a row's sums are divided by; 0: they are 0.
typedef struct {
  float z, inverse;
} Divisor;

// A vector of a row's sums from column `first` on, of w.
static inline __attribute__((always_inline)) void write_sums(Lanes sums, const Divisor* by, __global float* to,
                                                            uint first, uint w) {
  const Lanes divided = isfinite(by->inverse) ? sums * by->inverse : sums / by->z;
  const Lanes out = by->z == 0 ? (Lanes)(0) : divided;
  if (first + LANES <= w) {
    STORE(out, 0, to + first);
    return;
  }
  float lanes[LANES];
  STORE(out, 0, lanes);
  for (uint i = 0; first + i < w; ++i) to[first + i] = lanes[i];
}

static inline float largest_size(const __global float* a, uint count) {
  Lanes most = (Lanes)(0);
  uint i = 0;
  for (; i + LANES <= count; i += LANES) most = larger_of(fabs(LOAD(0, a + i)), most);
  float largest = largest_of(most);
  for (; i < count; ++i) largest = fmax(largest, fabs(a[i]));
  return largest;
}

// Σ a_i·x_i.
static inline float product_of(const __global float* a, const __global float* x, uint count, float scale) {
  Lanes sums = (Lanes)(0);
  uint i = 0;
  for (; i + LANES <= count; i += LANES) sums = fma(LOAD(0, a + i) * scale, LOAD(0, x + i), sums);
  float sum = sum_of(sums);
  for (; i < count; ++i) sum = fma(a[i] * scale, x[i], sum);
  return sum;
}

// The factors of `used` rows of A, and what their sums are divided by.
static inline void begin_rows(const __global float* a, const __global float* sums, uint used, uint p, uint w, uint sees,
                              uint what, float* scale, Divisor* by, __global float* const* to) {
  for (uint r = 0; r < used; ++r, a += p) {
    scale[r] = 1, by[r].z = by[r].inverse = 1;
    if (!(what & DIVIDE)) continue;
    const uint bits = scale_bits(largest_size(a, p));
    scale[r] = scale_of(bits);
    const float z = sees == 0 ? 0.0f : product_of(a, sums, p, scale[r]);
    to[r][w] = unscaled(z, bits);
    by[r].z = sees == 0 ? 0.0f : z == 0 ? NAN : z;
    by[r].inverse = 1 / by[r].z;
  }
}

// Up to ROWS rows of A, scaled, from feature `first` on, with zeros behind the last row.
static inline void take_rows(const __global float* a, float* x, const float* scale, uint used, uint p, uint first,
                             uint count) {
  for (uint r = 0; r < ROWS; ++r, x += QUERY_STEP)
    for (uint i = 0; i < count; i += LANES)
      STORE(r < used ? load_some(a + (size_t)r * p, first + i, p) * scale[r] : (Lanes)(0), 0, x + i);
}

// `wide_tile` vectors of columns of ROWS rows.
static inline __attribute__((always_inline)) void mix_state_tile(const __global float* a, float* x, const float* scale,
                                                          const __global float* state, const Divisor* by,
                                                          __global float* const* to, uint used, uint p, uint w,
                                                          uint wide, uint first, const uint wide_tile) {
  Lanes sums[ROWS][WIDE];
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    OF_TILE(i, wide_tile) sums[r][i] = (Lanes)(0);
  for (uint f = 0; f < p; f += MOST) {
    const uint count = min(p - f, (uint)MOST);
    if (first == 0 || p > MOST) take_rows(a, x, scale, used, p, f, count);
    add_products(sums, x, QUERY_STEP, 1, state + (size_t)f * wide + first, wide, count, wide_tile);
  }
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    OF_TILE(i, wide_tile)
      if (r < used) write_sums(sums[r][i], by + r, to[r], first + i * LANES, w);
}

__kernel void mix_all(MIX_ARGUMENTS) {
  const uint h = get_global_id(1), first = get_global_id(0) * tall, last = min(first + tall, rows);
  const __global float *state = STATE_OF(h / group, parts), *sums = state + (size_t)deep * wide;
  __attribute__((aligned(64))) float x[ROWS * QUERY_STEP];
  for (uint row = first; row < last; row += ROWS) {
    const uint used = min(last - row, (uint)ROWS);
    const __global float* of_rows = a + (h * (size_t)rows + row) * p;
    float scale[ROWS];
    Divisor by[ROWS];
    __global float* to[ROWS];
    for (uint r = 0; r < ROWS; ++r) to[r] = ROW_OF_Y(h, row + min(r, used - 1));
    begin_rows(of_rows, sums, used, p, w, valid, what, scale, by, to);
    uint i = 0;
    for (; i + WIDE * LANES <= wide; i += WIDE * LANES)
      mix_state_tile(of_rows, x, scale, state, by, to, used, p, w, wide, i, WIDE);
    for (; i < wide; i += LANES) mix_state_tile(of_rows, x, scale, state, by, to, used, p, w, wide, i, 1);
  }
}

// A state gets one more row of B and C.
static inline __attribute__((always_inline)) void add_row_tile(__global float* state, const __global float* b,
                                                              const __global float* c, uint p, uint wide,
                                                              const uint wide_tile) {
  Lanes values[WIDE];
#pragma unroll
  OF_TILE(w, wide_tile) values[w] = LOAD(w, c);
  for (uint i = 0; i < p; ++i, state += wide)
#pragma unroll
    OF_TILE(w, wide_tile) STORE(fma((Lanes)(b[i]), values[w], LOAD(w, state)), w, state);
}

static inline void add_row(__global float* state, __global float* sums, const __global float* b,
                           const __global float* c, uint p, uint wide) {
  uint i = 0;
  for (; i + WIDE * LANES <= wide; i += WIDE * LANES) add_row_tile(state + i, b, c + i, p, wide, WIDE);
  for (; i < wide; i += LANES) add_row_tile(state + i, b, c + i, p, wide, 1);
  for (i = 0; i + LANES <= p; i += LANES) STORE(LOAD(0, sums + i) + LOAD(0, b + i), 0, sums + i);
  for (; i < p; ++i) sums[i] += b[i];
}

static inline __attribute__((always_inline)) void mix_row_tile(const __global float* state, const __global float* a,
                                                              float scale, const Divisor* by, __global float* to,
                                                              uint p, uint w, uint wide, uint first,
                                                              const uint wide_tile) {
  Lanes sums[WIDE];
#pragma unroll
  OF_TILE(i, wide_tile) sums[i] = (Lanes)(0);
  state += first;
  for (uint f = 0; f < p; ++f, state += wide)
#pragma unroll
    OF_TILE(i, wide_tile) sums[i] = fma((Lanes)(a[f] * scale), LOAD(i, state), sums[i]);
#pragma unroll
  OF_TILE(i, wide_tile) write_sums(sums[i], by, to, first + i * LANES, w);
}

__kernel void mix_run(MIX_ARGUMENTS) {
  const uint h = get_global_id(1), first = get_global_id(0) * tall, last = min(first + tall, rows);
  const size_t g = h / group;
  const uint before = part_before(seen[first], valid, part, parts);
  const __global float* from = STATE_OF(g, before);
  __global float* state = own + (h * (size_t)get_global_size(0) + get_global_id(0)) * STATE_SIZE;
  __global float* sums = state + (size_t)deep * wide;
  for (size_t i = 0; i < STATE_SIZE; ++i) state[i] = from[i];
  uint at = before < parts ? before * part : valid;
  for (uint row = first; row < last; ++row) {
    const uint sees = seen[row];
    const __global float* of_row = a + (h * (size_t)rows + row) * p;
    __global float* to = ROW_OF_Y(h, row);
    for (; at < sees; ++at) add_row(state, sums, b + (g * count + at) * p, c + (g * count + at) * wide, p, wide);
    float scale;
    Divisor by;
    begin_rows(of_row, sums, 1, p, w, sees, what, &scale, &by, &to);
    uint i = 0;
    for (; i + WIDE * LANES <= wide; i += WIDE * LANES)
      mix_row_tile(state, of_row, scale, &by, to, p, w, wide, i, WIDE);
    for (; i < wide; i += LANES) mix_row_tile(state, of_row, scale, &by, to, p, w, wide, i, 1);
  }
}

// Products of random vectors: y[r, j] = Σ q_i·k_i, added to what the dimensions before came to. Formulas and counters:
// core/operations/random.h; the bits are those of philox in core/tensor/philox.cpp. Shapes: y rows×keys. Grid: one item a row,
// one dimension of at most 16384 items that stride over the rows (by_query in core/opencl/kernel.cpp). Includes sum.cl.

#include "sum.cl"

// Lanes of the random numbers: as wide as a register of them is, where sums in double fill one with half as many.
#if !DOUBLE_SUMS || WIDTH == 16
#define LANES WIDTH
#elif WIDTH == 8
#define LANES 16
#elif WIDTH == 4
#define LANES 8
#else
#define LANES 4
#endif

#define UINTS JOIN(uint, LANES)
#define UINTS_OF JOIN(convert_uint, LANES)
#define ULONGS JOIN(ulong, LANES)
#define ULONGS_OF JOIN(convert_ulong, LANES)
#define NUMBERS JOIN(float, LANES)
#define NUMBERS_OF JOIN(convert_float, LANES)

__constant uint kLanes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// Blocks of four dimensions that at most 64 dimensions lie in, filled up to vectors of at most 16.
#define MOST_BLOCKS 32

typedef struct {
  NUMBERS number[4];
} Normals;

static inline NUMBERS unit(UINTS bits) { return (NUMBERS_OF(bits >> 9) + 0.5f) * 0x1p-23f; }

// The normals of LANES blocks at once.
static inline Normals normals_of(UINTS block, UINTS row, UINTS vector, uint low, uint high) {
  UINTS c0 = block, c1 = row, c2 = vector, c3 = (UINTS)(0);
  for (uint round = 0; round < 10; ++round) {
    // In 64 bits: processors have that product of two vectors, and mul_hi in pieces alone.
    const ULONGS a = ULONGS_OF(c0) * 0xD2511F53ul, b = ULONGS_OF(c2) * 0xCD9E8D57ul;
    c0 = UINTS_OF(b >> 32) ^ c1 ^ low, c1 = UINTS_OF(b);
    c2 = UINTS_OF(a >> 32) ^ c3 ^ high, c3 = UINTS_OF(a);
    low += 0x9E3779B9u, high += 0xBB67AE85u;
  }
  const NUMBERS first = sqrt(-2.0f * log(unit(c0))), second = sqrt(-2.0f * log(unit(c2)));
  const NUMBERS one = 2.0f * unit(c1), other = 2.0f * unit(c3);  // half turns
  Normals n;
  n.number[0] = first * cospi(one), n.number[1] = first * sinpi(one);
  n.number[2] = second * cospi(other), n.number[3] = second * sinpi(other);
  return n;
}

__kernel void random_products(__global const float* before, __global float* y, const uint chained, const uint seed_low,
                              const uint seed_high, const uint first, const uint count, const uint rows,
                              const uint keys) {
  const UINTS lanes = JOIN(vload, LANES)(0, kLanes);
  const uint from = first / 4, blocks = (first + count + 3) / 4 - from;
  float q[4 * MOST_BLOCKS];
  for (uint row = get_global_id(0); row < rows; row += get_global_size(0)) {
    for (uint b = 0; b < blocks; b += LANES) {
      const Normals n = normals_of(from + b + lanes, (UINTS)(row), (UINTS)(0), seed_low, seed_high);
      for (uint lane = 0; lane < LANES; ++lane)
        for (uint i = 0; i < 4; ++i) {
          const uint d = 4 * (from + b + lane) + i;
          q[4 * (b + lane) + i] = d >= first && d < first + count ? ((const float*)&n.number[i])[lane] : 0.0f;
        }
    }
    for (uint j = 0; j < keys; j += LANES) {
      Sums sums[LANES / WIDTH];
      for (uint part = 0; part < LANES / WIDTH; ++part) sums[part] = sums_zero();
      for (uint b = 0; b < blocks; ++b) {
        const Normals n = normals_of((UINTS)(from + b), (UINTS)(row), 1 + j + lanes, seed_low, seed_high);
        for (uint i = 0; i < 4; ++i)
          for (uint part = 0; part < LANES / WIDTH; ++part)
            sums[part] =
                sums_product(sums[part], (FLOATS)(q[4 * b + i]), ((const FLOATS*)&n.number[i])[part]);
      }
      for (uint lane = 0; lane < LANES && j + lane < keys; ++lane) {
        const size_t at = (size_t)row * keys + j + lane;
        Sum sum = sums_lane(&sums[lane / WIDTH], lane % WIDTH);
        if (chained) sum = sum_product(sum, before[at], 1.0f);
        y[at] = sum_value(sum);
      }
    }
  }
}

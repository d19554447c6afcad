// Attention of a batch of short sequences, and what flows back through it, from projections that lie side by side.
// Formulas and shapes: core/operations/sequence_attention.h. Sums are in float. Includes flash_tiles.cl.
//
// A work-group is one item, on processors and GPUs: it takes a head of a sequence and goes through its queries QUERIES at a
// time, which lie side by side as lanes: a number of a key meets all of them, and no lanes are added up. Grid: heads ×
// sequences.

// Of flash_tiles.cl, whose tiles of longer rows are not used here.
#define MOST 64
#define IS_HIDDEN(p) false
#include "flash_tiles.cl"

// Of core/operations/sequence_attention.h.
#define MOST_TOKENS 256
#define MOST_HEAD 64
#define QUERIES (2 * LANES)
#define FEW 4    // keys, or numbers, whose sums are in registers
// Rows of keys whose sums are, at most QUERIES.
#if LANES < 4
#define MANY QUERIES
#else
#define MANY 8
#endif

// What is asked for of the way back.
#define OF_QUERIES 1u
#define OF_KEYS 2u
#define OF_ADDED 4u

// q, k, v: the first numbers of matrices whose rows lie q_row and k_row numbers apart. queries, keys: of a sequence; d: of
// a head; slopes: ALiBi's of each head, or 0; added: of each query and head what is added by offset, `offsets` numbers, 0
// where nothing is; index: which of them, by key - query + queries - 1.
#define SEQUENCE_ARGUMENTS                                                                                    \
  __global const float *q, __global const float *k, __global const float *v, __global const float *slopes,    \
      __global const float *added, __global const uint *index, const uint offsets, const uint queries,        \
      const uint keys, const uint d, const uint q_row, const uint k_row, const uint q_first,                  \
      const uint k_first, const uint v_first, const uint width, const float scale, const uint causal

// The item's rows of a matrix: `count` of them from sequence S on, at its head's columns from FIRST on.
#define ROWS_OF(X, S, COUNT, ROW, FIRST) ((X) + (size_t)(S) * (COUNT) * (ROW) + (FIRST) + get_global_id(0) * d)

static inline uint whole_lanes(uint count) { return (count + LANES - 1) / LANES * LANES; }

// Weights below e^-40 of the largest are 0: they are no part of any sum, and what is made of them would be subnormal.
static inline Lanes weight_below(const Lanes x) { return select(exp_below(x), (Lanes)(0), x < (Lanes)(-40.0f)); }

// Up to QUERIES rows from `first` on, zeros beyond the last, filled up with zeros to whole vectors.
static inline void take_rows(const __global float* from, uint row, uint first, uint count, uint d, uint across,
                             float* to) {
  for (uint l = 0; l < QUERIES; ++l, to += across) {
    const uint used = first + l < count ? d : 0;
    const __global float* x = from + (size_t)(first + l) * row;
    uint i = 0;
    for (; i + LANES <= used; i += LANES) STORE(LOAD(0, x + i), 0, to + i);
    for (; i < used; ++i) to[i] = x[i];
    for (; i < across; ++i) to[i] = 0;
  }
}

// The same numbers, those of one place side by side.
static inline void turn_rows(const float* rows, uint across, uint d, float* to) {
  for (uint l = 0; l < QUERIES; ++l)
    for (uint i = 0; i < d; ++i) to[i * QUERIES + l] = rows[l * across + i];
}

// Queries multiplied by `count` rows.
static inline void multiply_rows(const float* turned, const __global float* rows, uint row, uint d, uint count,
                                 float* to) {
  for (uint j = 0; j < count; j += FEW) {
    const __global float* of[FEW];
    Lanes sums[FEW][2];
#pragma unroll
    for (uint r = 0; r < FEW; ++r) {
      of[r] = rows + (size_t)min(j + r, count - 1) * row;
      sums[r][0] = sums[r][1] = (Lanes)(0);
    }
    for (uint i = 0; i < d; ++i) {
      const Lanes a = LOAD(0, turned + i * QUERIES), b = LOAD(1, turned + i * QUERIES);
#pragma unroll
      for (uint r = 0; r < FEW; ++r) {
        const Lanes x = (Lanes)(of[r][i]);
        sums[r][0] = fma(x, a, sums[r][0]), sums[r][1] = fma(x, b, sums[r][1]);
      }
    }
#pragma unroll
    for (uint r = 0; r < FEW; ++r) STORE(sums[r][0], 2 * (j + r), to), STORE(sums[r][1], 2 * (j + r) + 1, to);
  }
}

// What is added to scores by offset: `row` numbers from one query to the next, none where that is 0.
typedef struct {
  const __global float* numbers;  // of query 0 in the head
  const __global uint* index;
  uint row, queries;
} Added;
// A sequence's numbers for the item's head, in the array of all.
#define ADDED_OF(X, S) ((X) + ((size_t)(S) * queries * get_global_size(0) + get_global_id(0)) * offsets)

static inline Lanes added_to(const Added* by, uint first, uint j) {
  float numbers[LANES];
  for (uint l = 0; l < LANES; ++l) {
    const uint query = min(first + l, by->queries - 1);
    numbers[l] = by->numbers[(size_t)query * by->row + by->index[j + by->queries - 1 - query]];
  }
  return LOAD(0, numbers);
}

// Scores of LANES queries, from `first` on, with `count` keys become weights. A key's lie QUERIES apart.
static inline void weigh(float* s, uint first, uint count, float scale, float slope, const Added* by,
                         uint causal) {
  float places[LANES];
  for (uint l = 0; l < LANES; ++l) places[l] = first + l;
  const Lanes place = LOAD(0, places);
  Lanes top = (Lanes)(-INFINITY), total = (Lanes)(0);
  for (uint j = 0; j < count; ++j) {
    Lanes x = LOAD(0, s + j * QUERIES) * scale;
    if (by->row != 0) x += added_to(by, first, j);
    if (slope != 0) x -= slope * fabs(place - (Lanes)(j));
    if (causal) x = select(x, (Lanes)(-INFINITY), place < (Lanes)(j));
    STORE(x, 0, s + j * QUERIES);
    top = larger_of(x, top);
  }
  for (uint j = 0; j < count; ++j) {
    const Lanes e = weight_below(LOAD(0, s + j * QUERIES) - top);
    STORE(e, 0, s + j * QUERIES);
    total += e;
  }
  const Lanes left = 1.0f / total;
  for (uint j = 0; j < count; ++j) STORE(LOAD(0, s + j * QUERIES) * left, 0, s + j * QUERIES);
}

// Rows of keys or values as they are, filled up with zeros to whole vectors.
static inline void lay_rows(const __global float* from, uint row, uint count, uint d, uint across, float* to) {
  for (uint j = 0; j < count; ++j, to += across, from += row) {
    uint i = 0;
    for (; i + LANES <= d; i += LANES) STORE(LOAD(0, from + i), 0, to + i);
    for (; i < across; ++i) to[i] = i < d ? from[i] : 0.0f;
  }
}

// Σ of `count` rows times their factors, for each of `used` queries, to rows that lie `step` apart.
static inline void mix_rows(const float* factors, const float* rows, uint across, uint d, uint count, uint used,
                            __global float* to, uint step) {
  for (uint l = 0; l < used; l += MANY)
    for (uint i = 0; i < across; i += LANES) {
      Lanes sums[MANY];
#pragma unroll
      for (uint r = 0; r < MANY; ++r) sums[r] = (Lanes)(0);
      for (uint j = 0; j < count; ++j) {
        const Lanes x = LOAD(0, rows + j * across + i);
        const float* by = factors + j * QUERIES + l;
#pragma unroll
        for (uint r = 0; r < MANY; ++r) sums[r] = fma((Lanes)(by[r]), x, sums[r]);
      }
#pragma unroll
      for (uint r = 0; r < MANY; ++r) {
        if (l + r >= used) break;
        __global float* row = to + (size_t)(l + r) * step + i;
        if (i + LANES <= d) {
          STORE(sums[r], 0, row);
          continue;
        }
        float lanes[LANES];
        STORE(sums[r], 0, lanes);
        for (uint lane = 0; i + lane < d; ++lane) row[lane] = lanes[lane];
      }
    }
}

__kernel void sequence_attention(SEQUENCE_ARGUMENTS, __global float* y) {
  const uint s = get_global_id(1), across = whole_lanes(d);
  const float slope = slopes[get_global_id(0)];
  const Added by = {ADDED_OF(added, s), index, (uint)get_global_size(0) * offsets, queries};
  __attribute__((aligned(64))) float rows[QUERIES * MOST_HEAD], turned[QUERIES * MOST_HEAD],
      scores[QUERIES * (MOST_TOKENS + FEW)], v_rows[MOST_HEAD * MOST_TOKENS];
  const __global float* of_keys = ROWS_OF(k, s, keys, k_row, k_first);
  lay_rows(ROWS_OF(v, s, keys, k_row, v_first), k_row, keys, d, across, v_rows);
  const __global float* from = ROWS_OF(q, s, queries, q_row, q_first);
  __global float* to = ROWS_OF(y, s, queries, width, 0);
  for (uint first = 0; first < queries; first += QUERIES) {
    const uint seen = causal ? min(first + QUERIES, keys) : keys;
    take_rows(from, q_row, first, queries, d, across, rows);
    turn_rows(rows, across, d, turned);
    multiply_rows(turned, of_keys, k_row, d, seen, scores);
    weigh(scores, first, seen, scale, slope, &by, causal);
    weigh(scores + LANES, first + LANES, seen, scale, slope, &by, causal);
    mix_rows(scores, v_rows, across, d, seen, min(queries - first, (uint)QUERIES), to + (size_t)first * width, width);
  }
}

// Of LANES queries what flows to weights becomes what flows to the products of queries and keys.
static inline void flow_back(const float* p, float* flow, uint count, float scale) {
  Lanes mean = (Lanes)(0);
  for (uint j = 0; j < count; ++j) mean = fma(LOAD(0, p + j * QUERIES), LOAD(0, flow + j * QUERIES), mean);
  for (uint j = 0; j < count; ++j)
    STORE(LOAD(0, p + j * QUERIES) * (LOAD(0, flow + j * QUERIES) - mean) * scale, 0, flow + j * QUERIES);
}

// Adds to rows of keys what `used` queries give: their rows times their factors.
static inline void spread_rows(const float* factors, const float* rows, uint across, uint count, uint used, float* to) {
  for (uint j = 0; j < count; j += MANY)
    for (uint i = 0; i < across; i += LANES) {
      Lanes sums[MANY];
      const float* by[MANY];
#pragma unroll
      for (uint r = 0; r < MANY; ++r) {
        by[r] = factors + min(j + r, count - 1) * QUERIES;
        sums[r] = (Lanes)(0);
      }
      for (uint l = 0; l < used; ++l) {
        const Lanes x = LOAD(0, rows + l * across + i);
#pragma unroll
        for (uint r = 0; r < MANY; ++r) sums[r] = fma((Lanes)(by[r][l]), x, sums[r]);
      }
#pragma unroll
      for (uint r = 0; r < MANY; ++r)
        if (j + r < count) STORE(LOAD(0, to + (j + r) * across + i) + sums[r], 0, to + (j + r) * across + i);
    }
}

static inline void put_rows(const float* rows, uint across, uint count, uint d, __global float* to, uint step) {
  for (uint j = 0; j < count; ++j)
    for (uint i = 0; i < d; ++i) to[(size_t)j * step + i] = rows[j * across + i];
}

// What flows back to the numbers that are added: of `used` queries from `first` on.
static inline void gather_added(const float* flow, const Added* by, uint first, uint count, uint used, uint offsets,
                                __global float* to) {
  for (uint l = 0; l < used; ++l) {
    __global float* row = to + (size_t)(first + l) * by->row;
    for (uint o = 0; o < offsets; ++o) row[o] = 0;
    for (uint j = 0; j < count; ++j) row[by->index[j + by->queries - 1 - (first + l)]] += flow[j * QUERIES + l];
  }
}

// dq has the rows and columns of q, dk those of k and v, da those of what is added; `of`: which are made.
__kernel void sequence_back(SEQUENCE_ARGUMENTS, __global const float* g, __global float* dq, __global float* dk,
                            __global float* da, const uint of) {
  const uint s = get_global_id(1), across = whole_lanes(d);
  const float slope = slopes[get_global_id(0)];
  const Added by = {ADDED_OF(added, s), index, (uint)get_global_size(0) * offsets, queries};
  __attribute__((aligned(64))) float rows[QUERIES * MOST_HEAD], asked[QUERIES * MOST_HEAD], turned[QUERIES * MOST_HEAD],
      p[QUERIES * (MOST_TOKENS + FEW)], flow[QUERIES * (MOST_TOKENS + FEW)], k_rows[MOST_HEAD * MOST_TOKENS], dk_rows[MOST_HEAD * MOST_TOKENS],
      dv_rows[MOST_HEAD * MOST_TOKENS];
  const __global float* of_keys = ROWS_OF(k, s, keys, k_row, k_first);
  const __global float* of_values = ROWS_OF(v, s, keys, k_row, v_first);
  lay_rows(of_keys, k_row, keys, d, across, k_rows);
  for (uint i = 0; i < keys * across; i += LANES) STORE((Lanes)(0), 0, dk_rows + i), STORE((Lanes)(0), 0, dv_rows + i);
  for (uint first = 0; first < queries; first += QUERIES) {
    const uint seen = causal ? min(first + QUERIES, keys) : keys, used = min(queries - first, (uint)QUERIES);
    take_rows(ROWS_OF(q, s, queries, q_row, q_first), q_row, first, queries, d, across, rows);
    take_rows(ROWS_OF(g, s, queries, width, 0), width, first, queries, d, across, asked);
    turn_rows(rows, across, d, turned);
    multiply_rows(turned, of_keys, k_row, d, seen, p);
    turn_rows(asked, across, d, turned);
    multiply_rows(turned, of_values, k_row, d, seen, flow);
    for (uint lane = 0; lane < QUERIES; lane += LANES) {
      weigh(p + lane, first + lane, seen, scale, slope, &by, causal);
      flow_back(p + lane, flow + lane, seen, of & OF_ADDED ? 1.0f : scale);
    }
    if (of & OF_ADDED)
      gather_added(flow, &by, first, seen, used, offsets, ADDED_OF(da, s));
    if (of & OF_KEYS) {
      spread_rows(p, asked, across, seen, used, dv_rows);
      spread_rows(flow, rows, across, seen, used, dk_rows);
    }
    if (of & OF_QUERIES)
      mix_rows(flow, k_rows, across, d, seen, used, ROWS_OF(dq, s, queries, q_row, q_first) + (size_t)first * q_row,
               q_row);
  }
  if (of & OF_KEYS) {
    put_rows(dk_rows, across, keys, d, ROWS_OF(dk, s, keys, k_row, k_first), k_row);
    put_rows(dv_rows, across, keys, d, ROWS_OF(dk, s, keys, k_row, v_first), k_row);
  }
}

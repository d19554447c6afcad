// Rows of the tasks that models are trained on, drawn by counter; bit for bit what task_row of
// core/operations/task_rows.cpp draws. Shapes: y `rows` rows of `length` symbols, or, of the targets, of `answers`; table
// P rows of length + answers. Grid: one item a row, which strides over the rows (by_query in core/opencl/kernel.cpp).

// TaskKind of core/operations/task_rows.h, in its order.
#define COPY 0
#define REVERSE 1
#define SORT 2
#define RECALL 3
#define INDUCTION 4
#define DATES 5
#define TABLE 6
#define MOST_SYMBOLS 256
#define HELD_OUT 8388608u

// The words of a row. Those of the last block that was asked for are kept.
typedef struct {
  uint low, high, step, row, block, words[4];
} Words;

static inline uint word(Words* of, uint k) {
  if (k / 4 != of->block) {
    uint c0 = k / 4, c1 = of->row, c2 = of->step, c3 = 0, low = of->low, high = of->high;
    for (uint round = 0; round < 10; ++round) {
      const uint a_low = c0 * 0xD2511F53u, a_high = mul_hi(c0, 0xD2511F53u);
      const uint b_low = c2 * 0xCD9E8D57u, b_high = mul_hi(c2, 0xCD9E8D57u);
      c0 = b_high ^ c1 ^ low, c1 = b_low, c2 = a_high ^ c3 ^ high, c3 = a_low;
      low += 0x9E3779B9u, high += 0xBB67AE85u;
    }
    of->words[0] = c0, of->words[1] = c1, of->words[2] = c2, of->words[3] = c3;
    of->block = k / 4;
  }
  return of->words[k % 4];
}

static inline uint below(Words* of, uint k, uint n) { return mul_hi(word(of, k), n); }

// The first `count` of the numbers below `n` in an order that the words from `from` on draw.
static inline void draw_without(Words* of, uint from, uint count, uint n, uint* all) {
  for (uint i = 0; i < n; ++i) all[i] = i;
  for (uint i = 0; i < count; ++i) {
    const uint other = i + below(of, from + i, n - i), here = all[i];
    all[i] = all[other], all[other] = here;
  }
}

static inline void draw_symbols(Words* of, __global float* y, uint kind, uint target, uint length, uint symbols) {
  if (target && kind == SORT) {
    uint counts[MOST_SYMBOLS];
    for (uint s = 0; s < symbols; ++s) counts[s] = 0;
    for (uint i = 0; i < length; ++i) ++counts[below(of, i, symbols)];
    for (uint s = 0, at = 0; s < symbols; ++s)
      for (uint i = 0; i < counts[s]; ++i) y[at++] = s;
    return;
  }
  const bool turned = target && kind == REVERSE;
  for (uint i = 0; i < length; ++i) y[turned ? length - 1 - i : i] = below(of, i, symbols);
}

static inline void draw_recall(Words* of, __global float* y, uint target, uint length, uint symbols, uint pairs) {
  const uint keys = symbols / 2;
  uint drawn[MOST_SYMBOLS];
  draw_without(of, 0, pairs, keys, drawn);
  for (uint i = 0; i < pairs; ++i) {
    y[2 * i] = target ? -1.0f : (float)drawn[i];
    y[2 * i + 1] = target ? -1.0f : (float)(keys + below(of, pairs + i, symbols - keys));
  }
  for (uint i = 2 * pairs; i < length; ++i) {
    const uint pair = below(of, i, pairs);
    y[i] = target ? (float)(keys + below(of, pairs + pair, symbols - keys)) : (float)drawn[pair];
  }
}

static inline void draw_induction(Words* of, __global float* y, uint target, uint length, uint symbols, uint least,
                                  uint most) {
  const uint period = least + below(of, 0, most - least + 1);
  uint run[MOST_SYMBOLS];
  draw_without(of, 1, period, symbols, run);
  for (uint i = 0; i < length; ++i)
    y[i] = !target ? (float)run[i % period] : i >= period ? (float)run[(i + 1) % period] : -1.0f;
}

// A division beside its remainder brings an instruction (freeze) that oclgrind does not know.
static inline void put_number(__global float* y, uint value, uint digits) {
  for (uint i = digits; i > 0; --i) {
    const uint tenth = mul_hi(value, 0x1999999Au);  // value ÷ 10, of numbers below 2^28
    y[i - 1] = value - 10 * tenth;
    value = tenth;
  }
}

// Symbols of kDateLetters in core/operations/task_rows.h: janfebmaraprmayjunjulaugsepoctnovdec.
__constant uchar kMonths[36] = {19, 12, 22, 17, 16, 13, 21, 12, 25, 12, 24, 25, 21, 12, 30, 19, 28, 22,
                               19, 28, 20, 12, 28, 18, 26, 16, 24, 23, 14, 27, 22, 23, 29, 15, 16, 14};

// Places of day, month, year and what stands between them, of 12·mar·1987, mar·12·1987 and 1987·mar·12.
__constant uchar kPlaces[3][5] = {{0, 3, 7, 2, 6}, {4, 0, 7, 3, 6}, {9, 5, 0, 4, 8}};

static inline void draw_date(Words* of, __global float* y, uint target) {
  const uint year = 1000 + below(of, 0, 9000), month = 1 + below(of, 1, 12);
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  const uint days = month == 2 ? (leap ? 29 : 28) : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
  const uint day = 1 + below(of, 2, days), order = below(of, 3, 3);
  if (target) {
    put_number(y, year, 4), put_number(y + 5, month, 2), put_number(y + 8, day, 2);
    y[4] = y[7] = 10;
    return;
  }
  __constant uchar* places = kPlaces[order];
  put_number(y + places[0], day, 2), put_number(y + places[2], year, 4);
  for (uint i = 0; i < 3; ++i) y[places[1] + i] = kMonths[3 * (month - 1) + i];
  y[places[3]] = y[places[4]] = 11;
}

// `first`, `second`: of recall how many pairs, of induction the shortest and the longest run, of a table the rows that are
// trained on and all.
__kernel void task_rows(__global const float* step, __global const float* table, __global float* y, const uint kind,
                        const uint target, const uint seed_low, const uint seed_high, const uint rows,
                        const uint length, const uint answers, const uint symbols, const uint first,
                        const uint second) {
  const uint at = (uint)step[0], width = target ? answers : length;
  for (uint row = get_global_id(0); row < rows; row += get_global_size(0)) {
    Words words = {seed_low, seed_high, at, row, 0xffffffffu, {0, 0, 0, 0}};
    __global float* to = y + (size_t)row * width;
    switch (kind) {
      case RECALL:
        draw_recall(&words, to, target, length, symbols, first);
        break;
      case INDUCTION:
        draw_induction(&words, to, target, length, symbols, first, second);
        break;
      case DATES:
        draw_date(&words, to, target);
        break;
      case TABLE: {
        const bool others = at >= HELD_OUT && first < second;
        const uint drawn = others ? first + below(&words, 0, second - first) : below(&words, 0, first);
        const __global float* from = table + (size_t)drawn * (length + answers) + (target ? length : 0);
        for (uint i = 0; i < width; ++i) to[i] = from[i];
        break;
      }
      default:
        draw_symbols(&words, to, kind, target, length, symbols);
    }
  }
}

// Masks, and what masked scores become. Formulas: core/operations/mask_rules.h, mask.h and .cpp. Includes nothing.
// Grid: that of elementwise.cl. mask: a row for each query of each matrix, a column for each key. mask_fill: a row for
// each matrix, its numbers as columns.
// Shapes: y and `user` S×n×m (S = 1 without a user's mask); x h×n×m with a mask of h / group matrices.

// A rule is five numbers: its kind, its flags, two numbers, and where its numbers for each query begin in `tables`
// (−1: the first number is for all queries). As encode() in core/opencl/mask.cpp writes them.
#define RULE 5
#define CAUSAL 0
#define PADDING 1
#define WINDOW 2
#define STRIDED 3
#define RANDOM 4
#define PREFIX 5
#define BLOCKS 6

// Flags.
#define NEGATED 1
#define ALL 2     // joined by AND to what stands before it
#define YIELDS 4  // masks nothing in rows and columns of global tokens

// random_ranks of core/operations/mask_rules.h, where the bits of philox in core/tensor/philox.cpp become a rank.
static inline ulong random_rank(const ulong seed, const uint query, const uint key) {
  uint c0 = key / 4, c1 = query, c2 = 0, c3 = 1, low = (uint)seed, high = (uint)(seed >> 32);
  for (uint round = 0; round < 10; ++round) {
    const ulong a = (ulong)c0 * 0xD2511F53ul, b = (ulong)c2 * 0xCD9E8D57ul;
    c0 = (uint)(b >> 32) ^ c1 ^ low, c1 = (uint)b;
    c2 = (uint)(a >> 32) ^ c3 ^ high, c3 = (uint)a;
    low += 0x9E3779B9u, high += 0xBB67AE85u;
  }
  const uint lane = key % 4, word = lane < 2 ? (lane == 0 ? c0 : c1) : (lane == 2 ? c2 : c3);
  return (ulong)word << 32 | key;
}

// masks() of core/operations/mask_rules.h. `place`: of the query. `block`: of the key, for rules of blocks.
static inline bool rule_masks(const long kind, const long number, const long second, const long place, const long key,
                              const long block) {
  const long before = place - key;
  switch (kind) {
    case CAUSAL:
      return key > place + number;
    case PADDING:
      return key >= number;
    case WINDOW:
      return before > number || -before > number;
    case STRIDED:
      return !(before >= 0 && before <= number) && before % number != 0;
    case RANDOM:
      return random_rank((ulong)second, (uint)place, (uint)key) >= (ulong)number;
    case PREFIX:
      return key > place && key >= number;
    case BLOCKS:
      return block != number;
  }
  return false;
}

// The first of the keys that rules mask from the query, where each of them leaves it its first ones; −1: some do not.
static inline long keys_left(__global const long* rules, const ulong rule_count, __global const long* tables,
                             const ulong query, const long place, const ulong keys) {
  long left = (long)keys;
  for (ulong r = 0; r < rule_count; ++r) {
    __global const long* rule = rules + RULE * r;
    if (rule[0] > PADDING || (rule[1] & (NEGATED | ALL)) != 0) return -1;
    const long number = rule[4] < 0 ? rule[2] : tables[(ulong)rule[4] + query];
    left = min(left, max(0l, rule[0] == CAUSAL ? place + number + 1 : number));
  }
  return left;
}

// 1 where the list of rules masks the key away, or the user. Rows are those of the whole stack, `queries` to a matrix.
// `user` (has_user), of the result's shape: nonzero = masked. `tables` begins with 1 for each query and for each key
// that is a global token (has_global). `first_place`: of query 0.
__kernel void mask(__global const float* user, const uint has_user, __global const long* rules,
                   const ulong rule_count, __global const long* tables, const uint has_global, __global float* y,
                   const ulong queries, const long first_place, const ulong rows, const ulong columns,
                   const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const ulong query = row % queries;
    const long place = first_place + (long)query;
    __global float* to = y + row * columns;
    const long left = keys_left(rules, rule_count, tables, query, place, columns);
    for (ulong j = first; left >= 0 && j < end; ++j)
      to[j] = j >= (ulong)left || (has_user && user[row * columns + j] != 0.0f) ? 1.0f : 0.0f;
    for (ulong j = first; left < 0 && j < end; ++j) {
      bool masked = false;
      for (ulong r = 0; r < rule_count; ++r) {
        __global const long* rule = rules + RULE * r;
        const long kind = rule[0], second = rule[3];
        const long number = rule[4] < 0 ? rule[2] : tables[(ulong)rule[4] + query];
        const bool negated = (rule[1] & NEGATED) != 0, all = (rule[1] & ALL) != 0;
        const bool yields = has_global && (rule[1] & YIELDS) != 0;
        const bool exempt = yields && (tables[query] != 0 || tables[queries + j] != 0);
        const long block = kind == BLOCKS ? tables[(ulong)second + j] : 0;
        const bool value = !exempt && rule_masks(kind, number, second, place, (long)j, block) != negated;
        masked = all ? masked && value : masked || value;
      }
      to[j] = masked || (has_user && user[row * columns + j] != 0.0f) ? 1.0f : 0.0f;
    }
  }
}

// Selects, never multiplies: 0·NaN and 0·∞ would poison what is masked away. Matrix s of X takes mask s / group.
__kernel void mask_fill(__global const float* x, __global const float* mask, __global float* y, const float fill,
                        const uint adds, const ulong group, const ulong rows, const ulong columns,
                        const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong s = get_global_id(1); s < rows; s += get_global_size(1))
    for (ulong i = first; i < end; ++i) {
      const float value = x[s * columns + i];
      const bool masked = mask[s / group * columns + i] != 0.0f;
      y[s * columns + i] = masked ? (adds ? value + fill : fill) : value;
    }
}

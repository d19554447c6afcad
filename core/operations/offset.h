// What depends on a query's and a key's distance alone: biases of the scores, and learned numbers for
// offsets.
#pragma once

#include <variant>

#include "core/operations/traits.h"

namespace attn {

// Offsets j − i from the place i of a query to that of a key, clipped to −limit … limit (Shaw et al. 2018,
// section 3.2).
struct Clip {
  std::size_t limit = 4;
  bool operator==(const Clip&) const = default;
};

// T5's buckets (Raffel et al. 2020, section 2.1): near offsets one each, farther ones together,
// logarithmically up to `max_distance`. In both directions half of the buckets are for keys behind the query;
// causal: all are for keys up to the query.
struct Buckets {
  std::size_t count = 32, max_distance = 128;
  bool causal = false;
  bool operator==(const Buckets&) const = default;
};

// Which number of a row belongs to an offset: index(rule, j − i), of count(rule).
using OffsetRule = std::variant<Clip, Buckets>;
std::size_t index_count(const OffsetRule& rule);
std::size_t index_of(const OffsetRule& rule, std::ptrdiff_t offset);
// Throws Error unless there are enough buckets and distances for them.
void check_rule(const OffsetRule& rule);

// ALiBi (Press et al. 2022): Y[r,i,j] = −slope_r·|i−j|. No inputs; result heads×rows×columns.
struct DistanceBias {
  static constexpr const char* kName = "distance_bias";
  std::size_t heads = 1, rows = 0, columns = 0;
  std::ptrdiff_t first = 0;  // the place of query 0, here and below; keys stand at 0, 1, …
  bool operator==(const DistanceBias&) const = default;
};
// The slope of a head: 2^(−8(r+1)/h) for a power of two; for other h those of the power below, then every
// other slope of the power above.
double alibi_slope(std::size_t head, std::size_t heads);
// What a bias is made of that depends on distances alone: −of_heads[r]·|first + i − j|.
struct Slopes {
  std::vector<float> of_heads;
  std::ptrdiff_t first = 0;
};
Slopes slopes(const DistanceBias& op);

// Y[s,i,j] = X[s,i,index(j − i)], or X[s,0,index(j − i)] where X has one row for all queries. X: S×n×c or
// S×1×c, c = count(rule); result S×n×m.
struct ByOffset {
  static constexpr const char* kName = "by_offset";
  OffsetRule rule;
  std::size_t queries = 0, keys = 0;
  std::ptrdiff_t first = 0;
  bool operator==(const ByOffset&) const = default;
};

// The other way: Y[s,i,o] = Σ of X[s,i,j] over the keys j with index(j − i) = o. S×n×m to S×n×c.
struct SumByOffset {
  static constexpr const char* kName = "sum_by_offset";
  OffsetRule rule;
  std::ptrdiff_t first = 0;
  bool operator==(const SumByOffset&) const = default;
};

// Offsets j − i between so many queries, the first of them at a place, and keys: from … to, half-open.
struct Offsets {
  Offsets(std::size_t queries, std::size_t keys, std::ptrdiff_t first_place);
  std::ptrdiff_t from = 0, to = 0;
};

// Those with this index, and the keys that they are for a query; both half-open. They lie side by side, as
// the index grows with the offset, or falls, on each side of the query.
struct OffsetRange {
  std::ptrdiff_t first = 0, last = 0;
};
struct KeyRange {
  std::size_t first = 0, last = 0;
};
OffsetRange offsets_at(const OffsetRule& rule, std::size_t index, const Offsets& all);
KeyRange keys_at(OffsetRange offsets, std::ptrdiff_t place, std::size_t keys);

// The arithmetic of one number, in double.
double distance_bias(double slope, std::ptrdiff_t offset);

}  // namespace attn

// The keys that the rules of a mask leave a query, as runs of keys that lie side by side: found without
// asking each rule about each key, so that a sparse pattern costs what it keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/operations/mask_rules.h"
#include "core/operations/offset.h"

namespace attn {

// Ascending, apart from each other, none of them empty.
using KeyRuns = std::vector<KeyRange>;

std::size_t size_of(const KeyRuns& runs);
bool has(const KeyRuns& runs, std::size_t key);

// What a list of rules leaves the queries of a mask, the same as MaskRow says key by key: each rule as a set
// of runs, and the sets joined from left to right. Only random rules look at every key, for its rank.
class KeptKeys {
 public:
  // Keeps a reference to the rules. `first`: the place of query 0.
  KeptKeys(const std::vector<MaskTerm>& terms, std::size_t queries, std::size_t keys, std::ptrdiff_t first);

  // Until the next call.
  const KeyRuns& of(std::size_t query);

 private:
  void find_term(const MaskTerm& term, const MaskPlace& place, bool global_query);

  const std::vector<MaskTerm>& terms_;
  std::size_t queries_, keys_;
  std::ptrdiff_t first_;
  KeyRuns all_, global_;         // every key; the global tokens
  KeyRuns kept_, term_, other_;  // so far, by the present term, and for the next result
};

// Makes terms that say of `rows`, counted from the first of them, what they say of these among all queries;
// the place of query 0 moves with them. False: no causal rule can.
bool cut_masks(std::vector<MaskTerm>& terms, std::size_t queries, std::size_t keys, const RowRange& rows);

// Pairs that the rules leave, and whether they leave a query keys apart: more than one run.
struct KeptPairs {
  double count = 0;
  bool apart = false;
};
KeptPairs kept_pairs(const std::vector<MaskTerm>& terms, std::size_t queries, std::size_t keys,
                     std::ptrdiff_t first);
// What their list takes where they lie apart, here and on a device; else 0.
std::uint64_t listed_bytes(const KeptPairs& pairs);

}  // namespace attn

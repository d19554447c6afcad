// The rules that a mask is made of, what each of them masks, and how several become one. n queries, m keys;
// i is the place of a query, j that of a key. Keys stand at 0, 1, …; queries behind those that a cache holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace attn {

// Where the causal diagonal lies when there are more keys than queries.
enum class CausalAlign {
  lower_right,  // masked when j > row + (m − n) + offset + ahead: the last query sees every key
  top_left,     // masked when j > row + offset + ahead
};

// The offset is the number of keys that a cache holds before the first query, besides the m − n that lower
// right says of itself. `ahead` moves the diagonal alone, and no query's place: with 1 the mask is off by
// one.
struct CausalRule {
  CausalAlign align = CausalAlign::lower_right;
  std::size_t offset = 0;
  std::size_t ahead = 0;  // keys after its own place that a query sees
  bool operator==(const CausalRule&) const = default;
};

// Masked when j ≥ length: one for all queries, or one for each. Without lengths nothing is padding.
struct PaddingRule {
  std::vector<std::size_t> lengths = {};
  bool operator==(const PaddingRule&) const = default;
};

// Sliding window (Beltagy, Peters, Cohan 2020): masked when |i − j| > width.
struct WindowRule {
  std::size_t width = 1;
  bool operator==(const WindowRule&) const = default;
};

// Strided (Child et al. 2019): masked when neither 0 ≤ i − j ≤ stride nor i − j is a multiple of the stride.
struct StridedRule {
  std::size_t stride = 2;  // at least 1
  bool operator==(const StridedRule&) const = default;
};

// Masks nothing: what stands in the row or in the column of one of these tokens is not masked by any window,
// strided or random rule of the mask, negated or not, wherever in the list they stand.
struct GlobalRule {
  std::vector<std::size_t> tokens = {};
  bool operator==(const GlobalRule&) const = default;
};

// Keeps `keys` keys of each query, chosen by the seed: those of the lowest ranks (random_rank). All of them
// where there are no more.
struct RandomRule {
  std::size_t keys = 1;
  std::uint64_t seed = 0;
  bool operator==(const RandomRule&) const = default;
};

// A prefix that everyone sees before tokens that see no later one: masked when j > i and j ≥ length.
struct PrefixRule {
  std::size_t length = 1;
  bool operator==(const PrefixRule&) const = default;
};

// Documents one behind the other: masked when places i and j lie in different ones. What is behind the last
// length is one more.
struct BlocksRule {
  std::vector<std::size_t> lengths = {};
  bool operator==(const BlocksRule&) const = default;
};

// A new rule fails to compile in core/operations/mask_rules.cpp and mask_words.cpp, in the devices' encoding
// and in session files until each has it.
using MaskRule = std::variant<CausalRule, PaddingRule, WindowRule, StridedRule, GlobalRule, RandomRule,
                              PrefixRule, BlocksRule>;

// How a rule is joined to what stands before it.
enum class Join { any, all };  // OR: masked where either is; AND: where both are

// One rule of a mask's list. The list is evaluated from left to right: (((first) join second) join third)…,
// where a negated rule masks just what it would not. The join of the first has nothing to join. A global rule
// has no value of its own and is passed over; it is neither negated nor joined by AND.
struct MaskTerm {
  MaskRule rule = CausalRule{};
  bool negated = false;
  Join join = Join::any;
  bool operator==(const MaskTerm&) const = default;
};

// Numbers of rules are at most this: sums of two fit a device's arithmetic.
inline constexpr std::size_t kMostMaskNumber = std::size_t{1} << 30;

// Whether the rule by itself masks key j from query i.
struct MaskPlace {
  std::size_t queries = 0, keys = 0, query = 0, key = 0;
  std::ptrdiff_t first = 0;  // the place of query 0

  std::ptrdiff_t place() const { return first + static_cast<std::ptrdiff_t>(query); }  // of the query
};

bool masks(const MaskRule& rule, const MaskPlace& place);

// How many keys stand before the first query, as the first causal rule says: the place of query 0. Below 0
// where there are more queries than keys; 0 without a causal rule.
std::ptrdiff_t first_place(const std::vector<MaskTerm>& terms, std::size_t queries, std::size_t keys);

// The last key that a causal rule leaves to the query; −1: none.
long last_key(const CausalRule& rule, const MaskPlace& place);
// How many keys padding leaves to the query.
std::size_t valid_length(const PaddingRule& rule, const MaskPlace& place);
// Which of the documents a place lies in, from 0.
std::size_t block_of(const BlocksRule& rule, std::ptrdiff_t place);
// The same of `count` places from `first` on.
std::vector<std::size_t> blocks_of(const BlocksRule& rule, std::ptrdiff_t first, std::size_t count);

// The ranks of the keys for a query, no two keys' alike: word j mod 4 of Philox's block with the counter
// {j div 4, i, 0, 1} and the seed as key, and behind it, in the lower 32 bits, j.
std::vector<std::uint64_t> random_ranks(std::uint64_t seed, std::ptrdiff_t place, std::size_t keys);
// The lowest rank that a random rule masks, of a query whose keys have these: the largest number if none.
std::uint64_t random_limit(const RandomRule& rule, const std::vector<std::uint64_t>& ranks);

// Whether global tokens free window, strided and random rules from their row and column.
bool yields_to_global(const MaskRule& rule);
bool is_global(const std::vector<MaskTerm>& terms, std::ptrdiff_t place);

// What the terms say of one query, key by key. The one place that says so: the reference and the explanations
// call it, devices are compared with it.
class MaskRow {
 public:
  // The key of `place` is of no account. Keeps a reference to the terms.
  MaskRow(const std::vector<MaskTerm>& terms, const MaskPlace& place);

  bool is_exempt(std::size_t term, std::size_t key) const;  // through a global token
  std::vector<char> term(std::size_t term) const;           // negated and freed, before it is joined
  std::vector<char> masked() const;                         // all terms

 private:
  const std::vector<MaskTerm>& terms_;
  MaskPlace place_;
  bool global_query_;
  std::vector<char> global_keys_;  // by key; empty: none
};

// A new rule of each kind, in the order of MaskRule.
std::vector<MaskRule> new_mask_rules();

// "causal", "window": the word of the rule's kind.
const char* name(const MaskRule& rule);
// The same, of a causal one with how far it sees ahead: "causal + 1".
std::string title_of(const MaskRule& rule);

// What is wrong with a term whatever the layer: "has no length: give one"; empty: nothing.
std::string wrong_with(const MaskTerm& term);
// What does not fit so many queries, of which the first stands at `first`, and keys: "padding keeps 7 keys,
// but …"; empty: all fits.
std::string misfit_of(const MaskRule& rule, std::size_t queries, std::size_t keys, std::ptrdiff_t first);

}  // namespace attn

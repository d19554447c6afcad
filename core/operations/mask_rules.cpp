// What each rule of a mask masks, and the list of them from left to right.
#include "core/operations/mask_rules.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "core/philox.h"

namespace attn {
namespace {

long as_long(std::size_t n) {
  return static_cast<long>(n);
}

struct Masks {
  const MaskPlace& p;

  long distance() const { return p.place() - as_long(p.key); }
  bool operator()(const CausalRule& r) const { return as_long(p.key) > last_key(r, p); }
  bool operator()(const PaddingRule& r) const { return p.key >= valid_length(r, p); }
  bool operator()(const WindowRule& r) const { return std::abs(distance()) > as_long(r.width); }
  bool operator()(const StridedRule& r) const {
    const long stride = as_long(r.stride), before = distance();
    return !(before >= 0 && before <= stride) && before % stride != 0;
  }
  bool operator()(const GlobalRule&) const { return false; }
  bool operator()(const RandomRule& r) const {
    const std::vector<std::uint64_t> ranks = random_ranks(r.seed, p.place(), p.keys);
    return ranks[p.key] >= random_limit(r, ranks);
  }
  bool operator()(const PrefixRule& r) const { return as_long(p.key) > p.place() && p.key >= r.length; }
  bool operator()(const BlocksRule& r) const { return block_of(r, p.place()) != block_of(r, as_long(p.key)); }
};

// The same of every key of a row, where what they share is made once.
struct MasksRow {
  const MaskPlace& row;

  std::vector<char> operator()(const RandomRule& r) const {
    const std::vector<std::uint64_t> ranks = random_ranks(r.seed, row.place(), row.keys);
    return each([&, limit = random_limit(r, ranks)](std::size_t key) { return ranks[key] >= limit; });
  }
  std::vector<char> operator()(const BlocksRule& r) const {
    const std::vector<std::size_t> blocks = blocks_of(r, 0, row.keys);
    return each([&, mine = block_of(r, row.place())](std::size_t key) { return blocks[key] != mine; });
  }
  std::vector<char> operator()(const auto& r) const {
    MaskPlace p = row;
    return each([&](std::size_t key) {
      p.key = key;
      return Masks{p}(r);
    });
  }
  std::vector<char> each(const auto& masks) const {
    std::vector<char> values(row.keys);
    for (std::size_t key = 0; key < row.keys; ++key) values[key] = masks(key);
    return values;
  }
};

std::string all_at_most(const std::vector<std::size_t>& numbers, const std::string& what) {
  if (numbers.empty()) return "has no " + what + ": give at least one";
  for (const std::size_t n : numbers)
    if (n > kMostMaskNumber) return "has a " + what + " above " + std::to_string(kMostMaskNumber);
  return {};
}

struct Wrong {
  static std::string at_most(std::size_t number, const char* what) { return all_at_most({number}, what); }
  std::string operator()(const CausalRule& r) const { return at_most(r.offset, "causal offset"); }
  // A length beyond the keys is refused where the keys are known.
  std::string operator()(const PaddingRule& r) const {
    return r.lengths.empty() ? "has no length: give one, or one for each query" : "";
  }
  std::string operator()(const WindowRule& r) const { return at_most(r.width, "window"); }
  std::string operator()(const StridedRule& r) const {
    return r.stride == 0 ? "needs a stride of at least 1" : at_most(r.stride, "stride");
  }
  std::string operator()(const GlobalRule& r) const { return all_at_most(r.tokens, "token"); }
  std::string operator()(const RandomRule& r) const { return at_most(r.keys, "number of keys"); }
  std::string operator()(const PrefixRule& r) const { return at_most(r.length, "prefix"); }
  std::string operator()(const BlocksRule& r) const { return all_at_most(r.lengths, "length"); }
};

struct Misfit {
  std::size_t queries, keys;

  std::string too_long(const std::string& what, std::size_t length) const {
    if (length <= keys) return {};
    return what + " keeps " + std::to_string(length) + " keys, but there are only " + std::to_string(keys) +
           ": use a length from 0 to " + std::to_string(keys);
  }
  std::string operator()(const PaddingRule& r) const {
    const std::size_t lengths = r.lengths.size();
    if (lengths > 1 && lengths != queries)
      return "padding gives " + std::to_string(lengths) + " lengths for " + std::to_string(queries) +
             " queries: give one length, or one for each query";
    return lengths == 0 ? "" : too_long("padding", *std::ranges::max_element(r.lengths));
  }
  std::string operator()(const PrefixRule& r) const { return too_long("prefix", r.length); }
  std::string operator()(const GlobalRule& r) const {
    const std::size_t most = std::max(queries, keys);
    for (const std::size_t token : r.tokens)
      if (token >= most)
        return "global names token " + std::to_string(token) + ", but tokens count from 0 to " +
               std::to_string(most - 1);
    return {};
  }
  std::string operator()(const BlocksRule& r) const {
    const std::size_t most = std::max(queries, keys);
    std::size_t sum = 0;
    for (const std::size_t length : r.lengths) sum += length;
    if (sum <= most) return {};
    return "blocks hold " + std::to_string(sum) + " tokens, but there are only " + std::to_string(most) +
           ": use lengths that add up to at most " + std::to_string(most);
  }
  std::string operator()(const auto&) const { return {}; }
};

}  // namespace

long last_key(const CausalRule& rule, const MaskPlace& p) {
  const long first = as_long(p.query) + as_long(rule.offset);
  return rule.align == CausalAlign::top_left ? first : first + as_long(p.keys) - as_long(p.queries);
}

std::size_t valid_length(const PaddingRule& rule, const MaskPlace& p) {
  if (rule.lengths.empty()) return p.keys;
  return rule.lengths[rule.lengths.size() == 1 ? 0 : p.query];
}

std::ptrdiff_t first_place(const std::vector<MaskTerm>& terms, std::size_t queries, std::size_t keys) {
  for (const MaskTerm& term : terms)
    if (const auto* causal = std::get_if<CausalRule>(&term.rule)) return last_key(*causal, {queries, keys});
  return 0;
}

std::size_t block_of(const BlocksRule& rule, std::ptrdiff_t place) {
  return blocks_of(rule, place, 1)[0];
}

std::vector<std::size_t> blocks_of(const BlocksRule& rule, std::ptrdiff_t first, std::size_t count) {
  std::vector<std::size_t> blocks(count);
  std::size_t block = 0;
  std::ptrdiff_t begin = 0;  // of the block
  for (std::size_t i = 0; i < count; ++i) {
    while (block < rule.lengths.size() && first + as_long(i) >= begin + as_long(rule.lengths[block]))
      begin += as_long(rule.lengths[block++]);
    blocks[i] = block;
  }
  return blocks;
}

std::vector<std::uint64_t> random_ranks(std::uint64_t seed, std::ptrdiff_t place, std::size_t keys) {
  const auto low = [](std::uint64_t n) { return static_cast<std::uint32_t>(n); };
  std::vector<std::uint64_t> ranks(keys);
  for (std::size_t first = 0; first < keys; first += 4) {
    const auto words =
        philox({low(first / 4), low(static_cast<std::uint64_t>(place)), 0, 1}, {low(seed), low(seed >> 32)});
    for (std::size_t key = first; key < std::min(first + 4, keys); ++key)
      ranks[key] = std::uint64_t{words[key % 4]} << 32 | low(key);
  }
  return ranks;
}

// Ranks are uniform: of as many buckets as there are keys, the one that the first masked rank lies in holds
// few.
std::uint64_t random_limit(const RandomRule& rule, const std::vector<std::uint64_t>& ranks) {
  if (rule.keys >= ranks.size()) return std::numeric_limits<std::uint64_t>::max();
  const auto bucket_of = [&](std::uint64_t rank) { return (rank >> 32) * ranks.size() >> 32; };
  std::vector<std::uint32_t> counts(ranks.size());
  for (const std::uint64_t rank : ranks) ++counts[bucket_of(rank)];
  std::size_t bucket = 0, before = 0;
  while (before + counts[bucket] <= rule.keys) before += counts[bucket++];
  std::vector<std::uint64_t> near;
  std::ranges::copy_if(ranks, std::back_inserter(near),
                       [&](std::uint64_t rank) { return bucket_of(rank) == bucket; });
  const auto first_masked = near.begin() + as_long(rule.keys - before);
  std::ranges::nth_element(near, first_masked);
  return *first_masked;
}

bool masks(const MaskRule& rule, const MaskPlace& place) {
  return std::visit(Masks{place}, rule);
}

bool yields_to_global(const MaskRule& rule) {
  return std::holds_alternative<WindowRule>(rule) || std::holds_alternative<StridedRule>(rule) ||
         std::holds_alternative<RandomRule>(rule);
}

bool is_global(const std::vector<MaskTerm>& terms, std::ptrdiff_t place) {
  return std::ranges::any_of(terms, [&](const MaskTerm& term) {
    const auto* global = std::get_if<GlobalRule>(&term.rule);
    return global && place >= 0 && std::ranges::count(global->tokens, static_cast<std::size_t>(place)) > 0;
  });
}

MaskRow::MaskRow(const std::vector<MaskTerm>& terms, const MaskPlace& place)
    : terms_(terms), place_(place), global_query_(is_global(terms, place.place())) {
  for (const MaskTerm& term : terms)
    if (const auto* global = std::get_if<GlobalRule>(&term.rule)) {
      global_keys_.resize(place.keys);
      for (const std::size_t token : global->tokens)
        if (token < place.keys) global_keys_[token] = 1;
    }
}

bool MaskRow::is_exempt(std::size_t t, std::size_t key) const {
  return yields_to_global(terms_[t].rule) && (global_query_ || (!global_keys_.empty() && global_keys_[key]));
}

std::vector<char> MaskRow::term(std::size_t t) const {
  std::vector<char> values = std::visit(MasksRow{place_}, terms_[t].rule);
  for (std::size_t key = 0; key < values.size(); ++key)
    values[key] = !is_exempt(t, key) && (values[key] != 0) != terms_[t].negated;
  return values;
}

std::vector<char> MaskRow::masked() const {
  std::vector<char> masked(place_.keys);
  bool first = true;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    if (std::holds_alternative<GlobalRule>(terms_[t].rule)) continue;
    const std::vector<char> values = term(t);
    const bool all = !first && terms_[t].join == Join::all;
    for (std::size_t key = 0; key < masked.size(); ++key)
      masked[key] = all ? masked[key] & values[key] : masked[key] | values[key];
    first = false;
  }
  return masked;
}

const char* name(const MaskRule& rule) {
  constexpr std::array kNames{"causal", "padding", "window", "strided",
                              "global", "random",  "prefix", "blocks"};
  static_assert(kNames.size() == std::variant_size_v<MaskRule>);
  return kNames[rule.index()];
}

std::vector<MaskRule> new_mask_rules() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return std::vector<MaskRule>{MaskRule(std::in_place_index<I>)...};
  }
  (std::make_index_sequence<std::variant_size_v<MaskRule>>());
}

std::string wrong_with(const MaskTerm& term) {
  if (std::holds_alternative<GlobalRule>(term.rule) && (term.negated || term.join == Join::all))
    return "masks nothing, so that it can neither be negated nor joined by and";
  return std::visit(Wrong{}, term.rule);
}

std::string misfit_of(const MaskRule& rule, std::size_t queries, std::size_t keys) {
  return std::visit(Misfit{queries, keys}, rule);
}

}  // namespace attn

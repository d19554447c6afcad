// What each rule of a mask masks, and the list of them from left to right.
#include "core/operations/mask_rules.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "core/tensor/philox.h"

namespace attn {
namespace {

long as_long(std::size_t n) {
  return static_cast<long>(n);
}

// Which keys a rule masks for the query of a row. What the keys share is made once.
struct MaskedKeys {
  const MaskPlace& row;

  auto operator()(const CausalRule& r) const {
    return [last = last_key(r, row)](std::size_t key) { return as_long(key) > last; };
  }
  auto operator()(const PaddingRule& r) const {
    return [length = valid_length(r, row)](std::size_t key) { return key >= length; };
  }
  auto operator()(const WindowRule& r) const {
    return [width = as_long(r.width), place = row.place()](std::size_t key) {
      return std::abs(place - as_long(key)) > width;
    };
  }
  auto operator()(const StridedRule& r) const {
    return [stride = as_long(r.stride), place = row.place()](std::size_t key) {
      const long before = place - as_long(key);
      return !(before >= 0 && before <= stride) && before % stride != 0;
    };
  }
  auto operator()(const GlobalRule&) const {
    return [](std::size_t) { return false; };
  }
  auto operator()(const RandomRule& r) const {
    std::vector<std::uint64_t> ranks = random_ranks(r.seed, row.place(), row.keys);
    return [limit = random_limit(r, ranks), ranks = std::move(ranks)](std::size_t key) {
      return ranks[key] >= limit;
    };
  }
  auto operator()(const PrefixRule& r) const {
    return [length = r.length, place = row.place()](std::size_t key) {
      return as_long(key) > place && key >= length;
    };
  }
  auto operator()(const BlocksRule& r) const {
    return [blocks = blocks_of(r, 0, row.keys), own = block_of(r, row.place())](std::size_t key) {
      return blocks[key] != own;
    };
  }
};

std::string all_within(const std::vector<std::size_t>& numbers, const std::string& what,
                       std::size_t least = 0) {
  if (numbers.empty()) return "has no " + what + ": give at least one";
  for (const std::size_t n : numbers)
    if (n < least || n > kMostMaskNumber)
      return "has a " + what + " of " + std::to_string(n) + ": use a whole number from " +
             std::to_string(least) + " to " + std::to_string(kMostMaskNumber);
  return {};
}

struct RuleError {
  std::string operator()(const CausalRule& r) const {
    const std::string wrong = all_within({r.offset}, "causal offset");
    return wrong.empty() ? all_within({r.ahead}, "number of keys ahead") : wrong;
  }
  // A length beyond the keys is refused where the keys are known.
  std::string operator()(const PaddingRule& r) const {
    return r.lengths.empty() ? "has no length: give one, or one for each query" : "";
  }
  std::string operator()(const WindowRule& r) const { return all_within({r.width}, "width"); }
  std::string operator()(const StridedRule& r) const { return all_within({r.stride}, "stride", 1); }
  std::string operator()(const GlobalRule& r) const { return all_within(r.tokens, "token"); }
  std::string operator()(const RandomRule& r) const { return all_within({r.keys}, "number of keys"); }
  std::string operator()(const PrefixRule& r) const { return all_within({r.length}, "length"); }
  std::string operator()(const BlocksRule& r) const { return all_within(r.lengths, "length"); }
};

struct Misfit {
  std::size_t queries, keys;
  std::ptrdiff_t first;

  // Places that a query or a key has.
  std::size_t places() const {
    return std::max(keys, static_cast<std::size_t>(std::max(long{0}, first)) + queries);
  }
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
    const std::size_t most = places();
    for (const std::size_t token : r.tokens)
      if (token >= most)
        return "global names token " + std::to_string(token) + ", but tokens count from 0 to " +
               std::to_string(most - 1);
    return {};
  }
  std::string operator()(const BlocksRule& r) const {
    const std::size_t most = places();
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
  const long first = as_long(p.query) + as_long(rule.offset) + as_long(rule.ahead);
  return rule.align == CausalAlign::top_left ? first : first + as_long(p.keys) - as_long(p.queries);
}

std::size_t valid_length(const PaddingRule& rule, const MaskPlace& p) {
  if (rule.lengths.empty()) return p.keys;
  return rule.lengths[rule.lengths.size() == 1 ? 0 : p.query];
}

std::ptrdiff_t first_place(const std::vector<MaskTerm>& terms, std::size_t queries, std::size_t keys) {
  for (const MaskTerm& term : terms)
    if (const auto* causal = std::get_if<CausalRule>(&term.rule))
      return last_key(*causal, {queries, keys}) - as_long(causal->ahead);
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
  return std::visit([&](const auto& r) { return MaskedKeys{place}(r)(place.key); }, rule);
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
  std::vector<char> values(place_.keys);
  std::visit(
      [&](const auto& rule) {
        const auto masks = MaskedKeys{place_}(rule);
        for (std::size_t key = 0; key < values.size(); ++key)
          values[key] = !is_exempt(t, key) && masks(key) != terms_[t].negated;
      },
      terms_[t].rule);
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

std::string title_of(const MaskRule& rule) {
  const auto* causal = std::get_if<CausalRule>(&rule);
  const bool ahead = causal && causal->ahead > 0;
  return name(rule) + (ahead ? " + " + std::to_string(causal->ahead) : "");
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
  return std::visit(RuleError{}, term.rule);
}

std::string misfit_of(const MaskRule& rule, std::size_t queries, std::size_t keys, std::ptrdiff_t first) {
  return std::visit(Misfit{queries, keys, first}, rule);
}

}  // namespace attn

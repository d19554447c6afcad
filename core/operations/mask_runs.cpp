// Rules as sets of runs, and the union, intersection and complement of such sets.
#include "core/operations/mask_runs.h"

#include <algorithm>
#include <numeric>

namespace attn {
namespace {

std::size_t key_count(std::ptrdiff_t count, std::size_t keys) {
  return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(count, 0, static_cast<std::ptrdiff_t>(keys)));
}

// A run that begins no earlier than the last one.
void append(KeyRuns& runs, KeyRange run) {
  if (run.first >= run.last) return;
  if (!runs.empty() && run.first <= runs.back().last)
    runs.back().last = std::max(runs.back().last, run.last);
  else
    runs.push_back(run);
}

void complement(const KeyRuns& of, std::size_t keys, KeyRuns& result) {
  result.clear();
  std::size_t from = 0;
  for (const KeyRange& run : of) {
    append(result, {from, run.first});
    from = run.last;
  }
  append(result, {from, keys});
}

void intersect(const KeyRuns& a, const KeyRuns& b, KeyRuns& result) {
  result.clear();
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    append(result, {std::max(x->first, y->first), std::min(x->last, y->last)});
    x->last < y->last ? ++x : ++y;
  }
}

void unite(const KeyRuns& a, const KeyRuns& b, KeyRuns& result) {
  result.clear();
  for (auto x = a.begin(), y = b.begin(); x != a.end() || y != b.end();)
    append(result, y == b.end() || (x != a.end() && x->first < y->first) ? *x++ : *y++);
}

// The keys of the document that the query's place lies in.
KeyRange document_of(const BlocksRule& rule, const MaskPlace& place) {
  const std::size_t block = block_of(rule, place.place());
  const auto end = rule.lengths.begin() + static_cast<std::ptrdiff_t>(block);
  const std::size_t first = std::accumulate(rule.lengths.begin(), end, std::size_t{0});
  return {std::min(first, place.keys),
          end == rule.lengths.end() ? place.keys : std::min(first + *end, place.keys)};
}

// What a rule leaves the query of a place, to empty runs.
struct RunsOfRule {
  const MaskPlace& place;
  KeyRuns& runs;

  void add(std::ptrdiff_t first, std::ptrdiff_t last) const {
    append(runs, {key_count(first, place.keys), key_count(last, place.keys)});
  }

  void operator()(const CausalRule& rule) const { add(0, last_key(rule, place) + 1); }
  void operator()(const PaddingRule& rule) const { append(runs, {0, valid_length(rule, place)}); }
  void operator()(const WindowRule& rule) const {
    const auto width = static_cast<std::ptrdiff_t>(rule.width);
    add(place.place() - width, place.place() + width + 1);
  }
  // Those as far from the query as a multiple of the stride, and between the last two of them all.
  void operator()(const StridedRule& rule) const {
    const auto stride = static_cast<std::ptrdiff_t>(rule.stride),
               keys = static_cast<std::ptrdiff_t>(place.keys), own = place.place();
    std::ptrdiff_t key = (own % stride + stride) % stride;
    for (; key < std::min(own - stride, keys); key += stride) add(key, key + 1);
    add(own - stride, own + 1);
    for (key = std::max(key, own + stride); key < keys; key += stride) add(key, key + 1);
  }
  void operator()(const GlobalRule&) const { add(0, static_cast<std::ptrdiff_t>(place.keys)); }
  void operator()(const RandomRule& rule) const {
    const std::vector<std::uint64_t> ranks = random_ranks(rule.seed, place.place(), place.keys);
    const std::uint64_t limit = random_limit(rule, ranks);
    for (std::size_t key = 0; key < ranks.size(); ++key)
      if (ranks[key] < limit) append(runs, {key, key + 1});
  }
  void operator()(const PrefixRule& rule) const {
    add(0, std::max(place.place() + 1, static_cast<std::ptrdiff_t>(rule.length)));
  }
  void operator()(const BlocksRule& rule) const { append(runs, document_of(rule, place)); }
};

}  // namespace

std::size_t size_of(const KeyRuns& runs) {
  std::size_t size = 0;
  for (const KeyRange& run : runs) size += run.last - run.first;
  return size;
}

bool has(const KeyRuns& runs, std::size_t key) {
  const auto run = std::ranges::upper_bound(runs, key, {}, &KeyRange::last);
  return run != runs.end() && run->first <= key;
}

KeptKeys::KeptKeys(const std::vector<MaskTerm>& terms, std::size_t queries, std::size_t keys,
                   std::ptrdiff_t first)
    : terms_(terms), queries_(queries), keys_(keys), first_(first) {
  append(all_, {0, keys});
  std::vector<std::size_t> tokens;
  for (const MaskTerm& term : terms)
    if (const auto* global = std::get_if<GlobalRule>(&term.rule))
      std::ranges::copy_if(global->tokens, std::back_inserter(tokens),
                           [&](std::size_t token) { return token < keys; });
  std::ranges::sort(tokens);
  for (const std::size_t token : tokens) append(global_, {token, token + 1});
}

void KeptKeys::find_term(const MaskTerm& term, const MaskPlace& place, bool global_query) {
  term_.clear();
  std::visit(RunsOfRule{place, term_}, term.rule);
  if (term.negated) complement(term_, keys_, other_), term_.swap(other_);
  if (!yields_to_global(term.rule)) return;
  if (global_query)
    term_ = all_;
  else if (!global_.empty())
    unite(term_, global_, other_), term_.swap(other_);
}

const KeyRuns& KeptKeys::of(std::size_t query) {
  const MaskPlace place{queries_, keys_, query, 0, first_};
  const bool global_query = is_global(terms_, place.place());
  kept_ = all_;
  bool begun = false;
  for (const MaskTerm& term : terms_) {
    if (std::holds_alternative<GlobalRule>(term.rule)) continue;
    find_term(term, place, global_query);
    begun&& term.join == Join::all ? unite(kept_, term_, other_) : intersect(kept_, term_, other_);
    kept_.swap(other_);
    begun = true;
  }
  return kept_;
}

namespace {

// What a stride alone leaves the query of a place: the keys at most a stride before it and itself, and each
// stride-th of the others. By its formula, so that a million tokens cost no list of them.
std::size_t kept_by_stride(std::size_t stride, std::size_t place, std::size_t keys) {
  const auto multiples = [&](std::size_t end) {  // below `end`, as far from the place as some strides
    return end > place % stride ? (end - 1 - place % stride) / stride + 1 : 0;
  };
  const std::size_t from = place > stride ? std::min(place - stride, keys) : 0,
                    to = std::min(place + 1, keys);
  return to - from + multiples(from) + multiples(keys) - multiples(to);
}

// The stride of rules that are one and, besides, some that leave a query its first keys; none: they are
// others.
const StridedRule* lone_stride(const std::vector<MaskTerm>& terms) {
  const StridedRule* stride = nullptr;
  for (const MaskTerm& term : terms) {
    if (term.negated || (&term != &terms.front() && term.join == Join::all)) return nullptr;
    if (std::holds_alternative<CausalRule>(term.rule) || std::holds_alternative<PaddingRule>(term.rule))
      continue;
    if (stride || !(stride = std::get_if<StridedRule>(&term.rule))) return nullptr;
  }
  return stride;
}

// How many of the first keys those leave the query.
std::size_t first_keys(const std::vector<MaskTerm>& terms, const MaskPlace& place) {
  std::size_t count = place.keys;
  for (const MaskTerm& term : terms) {
    if (const auto* causal = std::get_if<CausalRule>(&term.rule))
      count = std::min(count, static_cast<std::size_t>(std::max(0L, last_key(*causal, place) + 1)));
    if (const auto* padding = std::get_if<PaddingRule>(&term.rule))
      count = std::min(count, valid_length(*padding, place));
  }
  return count;
}

KeptPairs pairs_of_stride(const std::vector<MaskTerm>& terms, const StridedRule& rule, const MaskPlace& all) {
  KeptPairs pairs;
  for (MaskPlace at = all; at.query < all.queries; ++at.query) {
    const std::size_t place = static_cast<std::size_t>(at.place()), keys = first_keys(terms, at);
    const std::size_t count = kept_by_stride(rule.stride, place, keys);
    const std::size_t from = place > rule.stride ? place - rule.stride : 0;
    // One run: the keys side by side around the query are all that there are.
    const std::size_t near = std::min(place + 1, keys) - std::min(from, keys);
    pairs.count += static_cast<double>(count);
    pairs.apart |= rule.stride > 1 && count > near && count > 1;
  }
  return pairs;
}

}  // namespace

bool cut_masks(std::vector<MaskTerm>& terms, std::size_t queries, std::size_t keys, const RowRange& rows) {
  for (MaskTerm& term : terms) {
    if (auto* causal = std::get_if<CausalRule>(&term.rule)) {
      const std::ptrdiff_t offset =
          last_key(*causal, {queries, keys, rows.first}) - static_cast<std::ptrdiff_t>(causal->ahead);
      if (offset < 0) return false;
      *causal = {CausalAlign::top_left, static_cast<std::size_t>(offset), causal->ahead};
    }
    if (auto* padding = std::get_if<PaddingRule>(&term.rule); padding && padding->lengths.size() > 1) {
      const auto first = padding->lengths.begin() + static_cast<std::ptrdiff_t>(rows.first);
      padding->lengths = {first, first + static_cast<std::ptrdiff_t>(rows.count)};
    }
  }
  return true;
}

KeptPairs kept_pairs(const std::vector<MaskTerm>& terms, std::size_t queries, std::size_t keys,
                     std::ptrdiff_t first) {
  if (const StridedRule* stride = lone_stride(terms); stride && first >= 0)
    return pairs_of_stride(terms, *stride, {.queries = queries, .keys = keys, .first = first});
  KeptPairs pairs;
  KeptKeys kept(terms, queries, keys, first);
  for (std::size_t query = 0; query < queries; ++query) {
    const KeyRuns& runs = kept.of(query);
    pairs.count += static_cast<double>(size_of(runs));
    pairs.apart |= runs.size() > 1;
  }
  return pairs;
}

std::uint64_t listed_bytes(const KeptPairs& pairs) {
  return pairs.apart ? 2 * sizeof(std::uint32_t) * static_cast<std::uint64_t>(pairs.count) : 0;
}

}  // namespace attn

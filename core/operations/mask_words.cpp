// Words of mask rules: read and written in one place.
#include "core/operations/mask_words.h"

#include <algorithm>
#include <charconv>

namespace attn {
namespace {

constexpr std::string_view kAnd = "and:", kNot = "not:";

bool take(std::string_view& word, std::string_view prefix) {
  if (!word.starts_with(prefix)) return false;
  word.remove_prefix(prefix.size());
  return true;
}

template <class Number>
std::optional<Number> read_whole(std::string_view text) {
  Number n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

// What stands behind the rule's name and colon; false where it is not what the rule takes.
struct Reader {
  std::string_view text;
  bool given;  // there was a colon

  bool operator()(CausalRule&) const { return !given; }
  bool operator()(PaddingRule& r) const { return list(r.lengths); }
  bool operator()(WindowRule& r) const { return one(r.width); }
  bool operator()(StridedRule& r) const { return one(r.stride); }
  bool operator()(GlobalRule& r) const { return list(r.tokens); }
  bool operator()(RandomRule& r) const {
    const std::size_t colon = text.find(':');
    if (colon != text.npos) {
      const auto seed = read_whole<std::uint64_t>(text.substr(colon + 1));
      if (!seed) return false;
      r.seed = *seed;
    }
    return Reader{text.substr(0, colon), given}.one(r.keys);
  }
  bool operator()(PrefixRule& r) const { return one(r.length); }
  bool operator()(BlocksRule& r) const { return list(r.lengths); }

  bool one(std::size_t& number) const {
    const auto n = read_whole<std::size_t>(text);
    if (n) number = *n;
    return n.has_value();
  }
  bool list(std::vector<std::size_t>& numbers) const {
    // No comma may stand alone.
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t comma = std::min(text.find(',', begin), text.size());
      const auto n = read_whole<std::size_t>(text.substr(begin, comma - begin));
      if (!n) return false;
      numbers.push_back(*n);
      begin = comma + 1;
    }
    return true;
  }
};

struct Writer {
  std::string operator()(const CausalRule&) const { return {}; }
  std::string operator()(const PaddingRule& r) const { return ":" + count_words(r.lengths, ","); }
  std::string operator()(const WindowRule& r) const { return ":" + std::to_string(r.width); }
  std::string operator()(const StridedRule& r) const { return ":" + std::to_string(r.stride); }
  std::string operator()(const GlobalRule& r) const { return ":" + count_words(r.tokens, ","); }
  std::string operator()(const RandomRule& r) const {
    return ":" + std::to_string(r.keys) + ":" + std::to_string(r.seed);
  }
  std::string operator()(const PrefixRule& r) const { return ":" + std::to_string(r.length); }
  std::string operator()(const BlocksRule& r) const { return ":" + count_words(r.lengths, ","); }
};

}  // namespace

namespace {

std::string from(std::size_t least) {
  return "from " + std::to_string(least) + " to " + std::to_string(kMostMaskNumber);
}

// How a rule is written.
struct Form {
  std::string operator()(const CausalRule&) const { return "causal"; }
  std::string operator()(const PaddingRule&) const {
    return "padding:L or padding:L0,L1,… (valid lengths, whole numbers from 0 to the keys)";
  }
  std::string operator()(const WindowRule&) const { return "window:W (a whole number " + from(0) + ")"; }
  std::string operator()(const StridedRule&) const { return "strided:L (a whole number " + from(1) + ")"; }
  std::string operator()(const GlobalRule&) const {
    return "global:I,J,… (tokens, counted from 0; without not: or and: in front)";
  }
  std::string operator()(const RandomRule&) const {
    return "random:R or random:R:SEED (whole numbers, R " + from(0) + ")";
  }
  std::string operator()(const PrefixRule&) const { return "prefix:P (a whole number from 0 to the keys)"; }
  std::string operator()(const BlocksRule&) const { return "blocks:L0,L1,… (lengths " + from(0) + ")"; }
};

}  // namespace

std::string mask_words_taken(std::string_view word) {
  take(word, kAnd);
  take(word, kNot);
  std::string forms;
  for (const MaskRule& rule : new_mask_rules()) {
    const std::string form = std::visit(Form(), rule);
    if (word.substr(0, word.find(':')) == name(rule)) return form;
    forms += form + ", ";
  }
  return forms + "with not: or and: in front of all but global";
}

std::optional<MaskTerm> read_mask_term(std::string_view word) {
  MaskTerm term;
  if (take(word, kAnd)) term.join = Join::all;
  term.negated = take(word, kNot);
  const std::size_t colon = word.find(':');
  const bool given = colon != word.npos;
  for (MaskRule rule : new_mask_rules()) {
    if (word.substr(0, colon) != name(rule)) continue;
    if (!std::visit(Reader{given ? word.substr(colon + 1) : std::string_view(), given}, rule)) break;
    term.rule = std::move(rule);
    if (wrong_with(term).empty()) return term;
    break;
  }
  return std::nullopt;
}

std::string mask_word(const MaskTerm& term) {
  return std::string(term.join == Join::all ? kAnd : "") + std::string(term.negated ? kNot : "") +
         name(term.rule) + std::visit(Writer{}, term.rule);
}

std::vector<std::string> mask_word_candidates(std::string_view word) {
  std::string front;
  if (take(word, kAnd)) front += kAnd;
  if (take(word, kNot)) front += kNot;
  const std::size_t colon = word.find(':');
  const std::string rest(colon == word.npos ? ":" : word.substr(colon));
  if (rest.find_first_not_of("0123456789:,") != rest.npos) return {};  // no numbers of a rule
  std::vector<std::string> candidates;
  for (const MaskRule& rule : new_mask_rules()) {
    if (word.substr(0, colon) == name(rule)) return {};  // its name is right, its numbers are not
    const bool alone = std::holds_alternative<CausalRule>(rule);
    std::string candidate = front + name(rule) + (alone ? "" : rest);
    if (read_mask_term(candidate)) candidates.push_back(std::move(candidate));
  }
  return candidates;
}

std::optional<std::vector<std::size_t>> read_counts(std::string_view text) {
  std::vector<std::size_t> counts;
  const auto apart = [](char c) { return c == ' ' || c == ','; };
  while (!text.empty()) {
    if (apart(text.front())) {
      text.remove_prefix(1);
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" ,"), text.size());
    const auto n = read_whole<std::size_t>(text.substr(0, end));
    if (!n || *n > kMostMaskNumber) return std::nullopt;
    counts.push_back(*n);
    text.remove_prefix(end);
  }
  return counts.empty() ? std::nullopt : std::optional(counts);
}

std::string count_words(const std::vector<std::size_t>& counts, std::string_view between) {
  std::string text;
  for (const std::size_t n : counts) text += (text.empty() ? "" : std::string(between)) + std::to_string(n);
  return text;
}

}  // namespace attn

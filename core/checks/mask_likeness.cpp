// Most rules depend on i − j alone: the mask is counted once by diagonal and by column, and each rule's
// differences follow from the counts.
#include "core/checks/mask_likeness.h"

#include <algorithm>
#include <limits>

namespace attn {
namespace {

constexpr std::size_t kFarOff = 8;          // cells of either kind for each difference
constexpr std::size_t kLongestStride = 64;  // longer ones are looked for by nobody
constexpr std::size_t kLeastShare = 16;     // of all cells a window masks one at least: corners are leaks

// How many cells a rule would get wrong by keeping them, and by masking them.
struct MistakeCounts {
  std::size_t kept = 0, masked = 0;
  void count(bool is_masked) { ++(is_masked ? kept : masked); }
};

struct Counts {
  std::size_t n = 0, m = 0;
  std::vector<MistakeCounts> diagonals = {};            // by i − j + m − 1
  std::vector<MistakeCounts> columns = {}, above = {};  // by j: of all rows, of those with i < j
  std::size_t masked_below = 0;                         // where i ≥ j
  std::vector<std::size_t> blocks =
      {};  // lengths between the places that do not see the one before, or it them

  MistakeCounts at(long diagonal) const {
    return diagonals[static_cast<std::size_t>(diagonal + static_cast<long>(m) - 1)];
  }
  long first() const { return 1 - static_cast<long>(m); }
  long end() const { return static_cast<long>(n); }
};

bool is_masked(const Tensor& mask, std::size_t matrix, std::size_t i, std::size_t j) {
  return mask[{matrix, i, j}] != 0;
}

// The places where one document ends and the next begins.
std::vector<std::size_t> blocks_of(const Tensor& mask, std::size_t matrix) {
  std::vector<std::size_t> lengths;
  const std::size_t most = std::min(mask.rows(), mask.columns());
  std::size_t begin = 0;
  for (std::size_t i = 1; i < most; ++i)
    if (is_masked(mask, matrix, i, i - 1) || is_masked(mask, matrix, i - 1, i))
      lengths.push_back(i - std::exchange(begin, i));
  return lengths;
}

std::optional<Counts> counts_of(const Tensor& mask, std::size_t matrix,
                                const std::function<bool()>& give_up) {
  Counts c{.n = mask.rows(), .m = mask.columns()};
  c.diagonals.resize(c.n + c.m - 1), c.columns.resize(c.m), c.above.resize(c.m);
  for (std::size_t i = 0; i < c.n; ++i) {
    if (give_up && give_up()) return std::nullopt;
    for (std::size_t j = 0; j < c.m; ++j) {
      const bool masked = is_masked(mask, matrix, i, j);
      c.diagonals[i + c.m - 1 - j].count(masked);
      c.columns[j].count(masked);
      if (i < j) c.above[j].count(masked);
      c.masked_below += i >= j && masked;
    }
  }
  c.blocks = blocks_of(mask, matrix);
  return c;
}

struct Candidate {
  std::vector<MaskTerm> rules = {};
  std::size_t cells = std::numeric_limits<std::size_t>::max();

  void offer(std::vector<MaskTerm> other, std::size_t wrong) {
    if (wrong < cells) rules = std::move(other), cells = wrong;
  }
};

// Rules of i − j alone, whatever the other diagonals say.
void offer_by_diagonal(const Counts& c, std::vector<MaskTerm> rules, Candidate& best) {
  std::size_t wrong = 0;
  for (long d = c.first(); d < c.end(); ++d) {
    const MaskPlace place{c.n, c.m, static_cast<std::size_t>(std::max(d, 0l)),
                          static_cast<std::size_t>(std::max(-d, 0l))};
    const bool masked =
        std::ranges::any_of(rules, [&](const MaskTerm& term) { return masks(term.rule, place); });
    wrong += masked ? c.at(d).masked : c.at(d).kept;
  }
  best.offer(std::move(rules), wrong);
}

// Every width, each from the one before. A later key is masked by `causal` already. Widths that mask hardly a
// cell are left out: a leak in a corner is no window.
void offer_windows(const Counts& c, bool causal, Candidate& best) {
  std::size_t wrong = 0, hidden = 0;
  const auto is_window = [&](long d) { return d >= c.first() && d < c.end() && !(causal && d < 0); };
  const auto size = [&](long d) { return c.at(d).kept + c.at(d).masked; };
  for (long d = c.first(); d < c.end(); ++d) {
    wrong += c.at(d).masked;
    if (is_window(d)) hidden += size(d);
  }
  const auto keep = [&](long d) {
    if (is_window(d)) wrong += c.at(d).kept - c.at(d).masked, hidden -= size(d);
  };
  const long most = std::max(c.end(), -c.first());
  for (long width = 0; width < most; ++width) {
    keep(width);
    if (width > 0) keep(-width);
    if (hidden * kLeastShare < c.n * c.m) return;
    const MaskTerm window{WindowRule{static_cast<std::size_t>(width)}};
    best.offer(
        causal ? std::vector<MaskTerm>{{CausalRule{CausalAlign::top_left}}, window} : std::vector{window},
        wrong);
  }
}

void offer_lengths(const Counts& c, Candidate& best) {
  std::size_t padding = 0, prefix = c.masked_below;
  for (std::size_t j = 0; j < c.m; ++j) padding += c.columns[j].masked, prefix += c.above[j].masked;
  for (std::size_t length = 0; length <= c.m; ++length) {
    best.offer({{PaddingRule{{length}}}}, padding);
    best.offer({{PrefixRule{length}}}, prefix);
    if (length == c.m) break;
    padding += c.columns[length].kept - c.columns[length].masked;
    prefix += c.above[length].kept - c.above[length].masked;
  }
}

std::size_t blocks_wrong(const Tensor& mask, std::size_t matrix, const std::vector<MaskTerm>& rules) {
  std::size_t wrong = 0;
  const std::vector<std::size_t> block =
      blocks_of(std::get<BlocksRule>(rules[0].rule), 0, std::max(mask.rows(), mask.columns()));
  for (std::size_t i = 0; i < mask.rows(); ++i)
    for (std::size_t j = 0; j < mask.columns(); ++j)
      wrong += is_masked(mask, matrix, i, j) != (block[i] != block[j]);
  return wrong;
}

Candidate nearest(const Counts& c, const Tensor& mask, std::size_t matrix) {
  Candidate best;
  offer_by_diagonal(c, {{CausalRule{}}}, best);
  if (c.n != c.m) offer_by_diagonal(c, {{CausalRule{CausalAlign::top_left}}}, best);
  offer_lengths(c, best);
  offer_windows(c, false, best);
  offer_windows(c, true, best);
  for (std::size_t stride = 2; stride <= std::min(kLongestStride, std::max(c.n, c.m) / 3); ++stride) {
    offer_by_diagonal(c, {{StridedRule{stride}}}, best);
    offer_by_diagonal(c, {{CausalRule{CausalAlign::top_left}}, {StridedRule{stride}}}, best);
  }
  if (const std::vector<MaskTerm> blocks{{BlocksRule{c.blocks}}}; !c.blocks.empty() && best.cells > 0)
    best.offer(blocks, blocks_wrong(mask, matrix, blocks));
  return best;
}

}  // namespace

std::optional<MaskLikeness> likeness_of(const Tensor& mask, std::size_t matrix,
                                        const std::function<bool()>& give_up) {
  if (mask.empty()) return std::nullopt;
  const auto counts = counts_of(mask, matrix, give_up);
  if (!counts) return std::nullopt;
  Candidate best = nearest(*counts, mask, matrix);
  MaskLikeness like{.rules = std::move(best.rules), .cells = 0, .first = {}};
  std::size_t masked = 0, kept = 0;
  for (std::size_t i = 0; i < counts->n; ++i) {
    if (give_up && give_up()) return std::nullopt;
    const MaskPlace place{counts->n, counts->m, i, 0, first_place(like.rules, counts->n, counts->m)};
    const std::vector<char> row = MaskRow(like.rules, place).masked();
    for (std::size_t j = 0; j < counts->m; ++j) {
      const bool ruled = row[j] != 0;
      ++(ruled ? masked : kept);
      if (ruled == is_masked(mask, matrix, i, j)) continue;
      if (like.cells++ == 0) like.first = {matrix, i, j};
    }
  }
  const bool near = masked > 0 && kept > 0 && kFarOff * like.cells <= std::min(masked, kept);
  return near ? std::optional(like) : std::nullopt;
}

}  // namespace attn

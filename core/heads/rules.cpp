// Heads named by where their weight lies.
#include "core/heads/rules.h"

#include <algorithm>

namespace attn {
namespace {

constexpr std::size_t kLeastRows = 2;  // one row alone says little

std::size_t place(HeadKind kind) {
  return static_cast<std::size_t>(kind);
}

// Whether key j belongs to the pattern of a query that stands at key `at`.
struct Pattern {
  HeadKind kind;
  std::size_t nearby;
  const Labels& tokens;
  bool operator()(std::size_t at, std::size_t j) const {
    switch (kind) {
      case HeadKind::previous:
        return j + 1 == at;
      case HeadKind::first:
        return j == 0;
      case HeadKind::itself:
        return j == at;
      case HeadKind::induction:
        return j > 0 && j <= at && at < tokens.size() && tokens[j - 1] == tokens[at];
      case HeadKind::nearby:
        return (j > at ? j - at : at - j) <= nearby;
      case HeadKind::broad:
        break;
    }
    return false;
  }
};

double above_chance(const HeadFigures& f, std::size_t pattern) {
  if (f.rows[pattern] < kLeastRows) return 0;
  return (f.share[pattern] - f.chance[pattern]) / (1 - f.chance[pattern]);
}

}  // namespace

Tensor head_patterns(std::size_t queries, std::size_t keys, std::size_t nearby, bool same,
                     const Labels& tokens) {
  std::vector<float> values(kPatterns * queries * keys);
  const bool placed = same && keys >= queries;
  for (std::size_t p = 0; p < kPatterns; ++p) {
    const Pattern pattern{static_cast<HeadKind>(p), nearby, tokens};
    if (!placed && pattern.kind != HeadKind::first) continue;
    for (std::size_t i = 0; i < queries; ++i)
      for (std::size_t j = 0; j < keys; ++j)
        values[(p * queries + i) * keys + j] = pattern(placed ? i + keys - queries : i, j) ? 1.0f : 0.0f;
  }
  return {{kPatterns, queries, keys}, std::move(values)};
}

HeadFigures head_figures(const Tensor& shares, const Tensor& chance, const Tensor& entropy,
                         const Tensor& most, std::size_t head) {
  HeadFigures f;
  const std::size_t rows = shares.rows(), own = chance.stack() == 1 ? 0 : head;
  const auto number = [](const Tensor& of, Cell cell) { return static_cast<double>(of[cell]); };
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t p = 0; p < kPatterns; ++p) {
      const double c = number(chance, {own, i, p});
      if (!(c > 0 && c < 1 - 1e-6)) continue;
      f.share[p] += number(shares, {head, i, p}), f.chance[p] += c;
      ++f.rows[p];
    }
    const double h = number(entropy, {head, i, 0}), largest = number(most, {own, i, 0});
    f.entropy += h, f.most_entropy += largest;
    if (largest > 1e-6) f.of_most += h / largest, ++f.broad_rows;
  }
  const auto mean = [](double& sum, std::size_t count) {
    if (count > 0) sum /= static_cast<double>(count);
  };
  for (std::size_t p = 0; p < kPatterns; ++p) mean(f.share[p], f.rows[p]), mean(f.chance[p], f.rows[p]);
  mean(f.entropy, rows), mean(f.most_entropy, rows), mean(f.of_most, f.broad_rows);
  return f;
}

HeadName name_of(const HeadFigures& f) {
  HeadName name;
  double most = 0;
  for (std::size_t p = 0; p < kPatterns; ++p) {
    const double above = above_chance(f, p);
    if (kHeadRules[p].general || above < kHeadRules[p].least || above <= most) continue;
    most = above;
    name = {static_cast<HeadKind>(p), f.share[p]};
  }
  if (name.kind) return name;
  const std::size_t near = place(HeadKind::nearby), broad = place(HeadKind::broad);
  if (above_chance(f, near) >= kHeadRules[near].least) return {HeadKind::nearby, f.share[near]};
  if (f.broad_rows >= kLeastRows && f.of_most >= kHeadRules[broad].least) return {HeadKind::broad, f.of_most};
  return name;
}

std::string_view title_of(const HeadName& name) {
  return name.kind ? kHeadRules[place(*name.kind)].title : "no rule fits";
}

std::string_view word_of(const HeadName& name) {
  return name.kind ? kHeadRules[place(*name.kind)].word : "none";
}

std::vector<std::size_t> order_by_likeness(const Tensor& likeness) {
  const std::size_t heads = likeness.rows();
  std::vector<std::size_t> order, left;
  for (std::size_t r = 0; r < heads; ++r) left.push_back(r);
  while (!left.empty()) {
    auto next = left.begin();
    if (!order.empty())
      for (auto it = left.begin(); it != left.end(); ++it)
        if (likeness[{0, order.back(), *it}] > likeness[{0, order.back(), *next}]) next = it;
    order.push_back(*next);
    left.erase(next);
  }
  return order;
}

}  // namespace attn

// What the best without positions could be. Where symbols are drawn by themselves, what an output knows is
// how often each of m symbols came, and the right answer is any of these m with the same chance: its entropy
// is ln m − Σ c·ln c ÷ m over the counts c, and the likeliest answer is right as often as the largest of them
// says.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/learning/task.h"

namespace attn {
namespace {

// E[c·ln c] of a count c that is binomial: m draws, each with a chance of 1 ÷ V.
double mean_count_log(std::size_t m, std::size_t symbols) {
  const double share = 1 / static_cast<double>(symbols), n = static_cast<double>(m);
  double sum = 0;
  for (std::size_t count = 2; count <= m; ++count) {
    const double c = static_cast<double>(count);
    const double ways = std::lgamma(n + 1) - std::lgamma(c + 1) - std::lgamma(n - c + 1);
    const double others = count == m ? 0 : (n - c) * std::log1p(-share);
    sum += std::exp(ways + c * std::log(share) + others) * c * std::log(c);
  }
  return sum;
}

// The chance that none of V counts of m draws is above `most`: m! ÷ V^m times the coefficient of x^m in
// (Σ_{j ≤ most} x^j ÷ j!)^V, by factors of 1 ÷ V each draw.
double chance_of_at_most(std::size_t most, std::size_t m, std::size_t symbols) {
  // after[k]: the chance of that so far, with k draws gone to the symbols before.
  std::vector<double> after(m + 1, 0.0);
  after[0] = 1;
  for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
    const double share = 1 / static_cast<double>(symbols - symbol);
    std::vector<double> next(m + 1, 0.0);
    for (std::size_t gone = 0; gone <= m; ++gone) {
      if (after[gone] == 0) continue;
      const double left = static_cast<double>(m - gone);
      for (std::size_t count = 0; count <= std::min(most, m - gone); ++count) {
        const double c = static_cast<double>(count);
        const double ways = std::lgamma(left + 1) - std::lgamma(c + 1) - std::lgamma(left - c + 1);
        const double rest = left - c;
        if (share == 1 && rest > 0) continue;  // the last symbol takes all that are left
        const double others = rest > 0 ? rest * std::log1p(-share) : 0;
        next[gone + count] += after[gone] * std::exp(ways + c * std::log(share) + others);
      }
    }
    after = std::move(next);
  }
  return after[m];
}

TrainingBound bound_of_counts(std::size_t m, std::size_t symbols) {
  if (m == 0) return {std::log(static_cast<double>(symbols)), 1 / static_cast<double>(symbols)};
  const double n = static_cast<double>(m), v = static_cast<double>(symbols);
  TrainingBound bound{.loss = std::log(n) - v / n * mean_count_log(m, symbols), .accuracy = 0};
  double largest = 0;  // Σ over k of the chance that the largest count is k or more
  for (std::size_t k = 1; k <= m; ++k) largest += 1 - chance_of_at_most(k - 1, m, symbols);
  bound.accuracy = largest / n;
  bound.loss = std::max(0.0, bound.loss);
  return bound;
}

std::vector<WeighedRow> all_dates() {
  std::vector<WeighedRow> rows;
  const auto put = [](std::vector<std::int32_t>& to, std::size_t value, int digits) {
    for (std::size_t by = digits == 4 ? 1000 : 10; by > 0; by /= 10)
      to.push_back(static_cast<std::int32_t>(value / by % 10));
  };
  for (std::size_t year = 1900; year < 2100; ++year)
    for (std::size_t month = 1; month <= 12; ++month) {
      const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
      constexpr std::array<std::size_t, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
      const std::size_t days = month == 2 && leap ? 29 : kDays[month - 1];
      for (std::size_t day = 1; day <= days; ++day)
        for (int order = 0; order < 3; ++order) {
          WeighedRow row{
              .probability = 1.0 / (200 * 12 * 3) / static_cast<double>(days), .input = {}, .target = {}};
          const std::array<std::size_t, 3> parts = order == 0   ? std::array{day, month, year}
                                                   : order == 1 ? std::array{month, day, year}
                                                                : std::array{year, day, month};
          for (const std::size_t part : parts) {
            if (!row.input.empty()) row.input.push_back(11 + order);
            put(row.input, part, part >= 1900 ? 4 : 2);
          }
          put(row.target, year, 4), row.target.push_back(10), put(row.target, month, 2),
              row.target.push_back(10);
          put(row.target, day, 2);
          rows.push_back(std::move(row));
        }
    }
  return rows;
}

std::vector<WeighedRow> all_pairs(const OwnPairs& own) {
  std::vector<WeighedRow> rows;
  for (const auto& [input, target] : own.pairs)
    rows.push_back({1 / static_cast<double>(own.pairs.size()), input, target});
  return rows;
}

}  // namespace

TrainingBound bound_of_bags(const std::vector<WeighedRow>& rows, bool own_symbol) {
  // By what an output knows, how likely each answer is.
  using Answers = std::map<std::int32_t, double>;
  std::map<std::vector<std::int32_t>, Answers> answers;
  double asked = 0;
  for (const WeighedRow& row : rows) {
    std::vector<std::int32_t> bag = row.input;
    std::ranges::sort(bag);
    if (own_symbol) bag.push_back(0);
    Answers* known = own_symbol ? nullptr : &answers[bag];
    for (std::size_t i = 0; i < row.target.size(); ++i) {
      if (row.target[i] < 0) continue;
      if (own_symbol) bag.back() = row.input[i], known = &answers[bag];
      (*known)[row.target[i]] += row.probability, asked += row.probability;
    }
  }
  TrainingBound bound{.loss = 0, .accuracy = 0};
  for (const auto& [known, of] : answers) {
    double all = 0, most = 0;
    for (const auto& [answer, chance] : of) all += chance, most = std::max(most, chance);
    for (const auto& [answer, chance] : of) bound.loss -= chance / asked * std::log(chance / all);
    bound.accuracy += most / asked;
  }
  return bound;
}

std::optional<TrainingBound> bound_without_positions(const TrainingTask& task) {
  using enum TrainingTaskKind;
  switch (task.kind) {
    case copy:
    case sort:  // the i-th of a sorted row is as likely any of them, whatever stands at place i
      return bound_of_counts(task.length, task.symbols);
    case reverse:  // at an even length its own symbol is not the answer; at an odd one it is as likely as the
                   // others
      return bound_of_counts(task.length - (task.length % 2 == 0), task.symbols);
    case dates:
      return bound_of_bags(all_dates(), false);
    case own:
      return bound_of_bags(all_pairs(task.own), false);
    case recall:
    case induction:
    case modular:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace attn

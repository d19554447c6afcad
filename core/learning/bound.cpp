// What the best without positions could be. Where symbols are drawn by themselves, what an output knows is
// how often each of m symbols came, and the right answer is any of these m with the same chance: its entropy
// is ln m − Σ c·ln c ÷ m over the counts c, and the likeliest answer is right as often as the largest of them
// says.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

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

// How likely each answer is to an output that knows one thing.
struct Chances {
  double all = 0, most = 0, logs = 0;

  void add(double chance) {
    if (chance <= 0) return;
    all += chance, most = std::max(most, chance), logs += chance * std::log(chance);
  }
  // Puts its share of all that is asked into the bound, and begins anew.
  void close(double asked, TrainingBound& bound) {
    if (all > 0) bound.loss += (all * std::log(all) - logs) / asked, bound.accuracy += most / asked;
    *this = {};
  }
};

// Of a copy that knows what it has written: of the m that are left, for every m.
TrainingBound bound_of_those_left(std::size_t length, std::size_t symbols) {
  TrainingBound mean{.loss = 0, .accuracy = 0};
  for (std::size_t left = 1; left <= length; ++left) {
    const TrainingBound of = bound_of_counts(left, symbols);
    mean.loss += of.loss / static_cast<double>(length);
    mean.accuracy += of.accuracy / static_cast<double>(length);
  }
  return mean;
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
    Chances chances;
    for (const auto& [answer, chance] : of) chances.add(chance);
    chances.close(asked, bound);
  }
  return bound;
}

TrainingBound bound_of_written(std::vector<WeighedRow> rows) {
  for (WeighedRow& row : rows) std::ranges::sort(row.input);
  std::ranges::sort(rows, [](const WeighedRow& a, const WeighedRow& b) {
    return std::tie(a.input, a.target) < std::tie(b.input, b.target);
  });
  // Answers in common with the row before, and whether that is of another bag.
  std::vector<std::size_t> common(rows.size());
  std::vector<bool> begins(rows.size());
  double asked = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::vector<std::int32_t>& target = rows[r].target;
    asked += rows[r].probability * static_cast<double>(target.size());
    begins[r] = r == 0 || rows[r].input != rows[r - 1].input;
    if (!begins[r])
      common[r] =
          static_cast<std::size_t>(std::ranges::mismatch(target, rows[r - 1].target).in1 - target.begin());
  }
  TrainingBound bound{.loss = 0, .accuracy = 0};
  for (std::size_t place = 0; !rows.empty() && place < rows.front().target.size(); ++place) {
    Chances chances;
    double one = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const bool known_anew = begins[r] || common[r] < place;
      if (known_anew || common[r] == place) chances.add(std::exchange(one, 0));
      if (known_anew) chances.close(asked, bound);
      one += rows[r].probability;
    }
    chances.add(one), chances.close(asked, bound);
  }
  return bound;
}

std::optional<TrainingBound> bound_without_positions(const TrainingTask& task, TrainingDecoder decoder) {
  using enum TrainingTaskKind;
  const bool written = decoder == TrainingDecoder::written;
  switch (task.kind) {
    case copy:
      return written ? bound_of_those_left(task.length, task.symbols)
                     : bound_of_counts(task.length, task.symbols);
    case sort:  // the i-th of a sorted row is as likely any of them, whatever stands at place i
      return bound_of_counts(task.length, task.symbols);
    case reverse:  // at an even length its own symbol is not the answer; at an odd one it is as likely as the
                   // others
      return bound_of_counts(task.length - (task.length % 2 == 0), task.symbols);
    case dates:
      return bound_of_dates(1000, 9000, decoder);
    case own:
      return written ? bound_of_written(all_pairs(task.own)) : bound_of_bags(all_pairs(task.own), false);
    case recall:
    case induction:
    case modular:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace attn

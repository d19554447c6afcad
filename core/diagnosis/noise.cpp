// What differences by chance look like, and what a mistake of small effect does not.
//
// Each difference is divided by what it would be in proportion to: our number (numbers rounded or multiplied
// one by one), or the root mean square of our row (sums of rounded terms). Of the two the one is taken that
// makes the differences more alike. By chance these ratios are then
//  - about as large everywhere: the 95th percentile of their sizes is not many times the median. Where a
//    mistake reaches some cells alone the median is 0, or next to it. Normal numbers: 2.9; products of two of
//    them, as noise in both factors gives: below 6.
//  - about as large in each row and column: a mistake that grows with the position, or reaches some keys, is
//    not.
//  - of either sign, whatever row, column or head: the part of their squares that means of rows (of columns,
//    of heads, the mean of all) explain is about one number in so many as there are of these. A factor that
//    was left out, an epsilon or a missing bias has the same sign along one of them and is explained by it
//    almost wholly.
#include "core/diagnosis/noise.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/diagnosis/closeness.h"

namespace attn {
namespace {

constexpr double kMostNoise = 0.02;        // relative: some steps of bfloat16
constexpr double kMostSpread = 6;          // 95th percentile over the median
constexpr double kMostUneven = 4;          // a row's size over that of the median row, either way
constexpr double kMostExplained = 0.35;    // of what chance would leave unexplained
constexpr double kMostBetweenStages = 10;  // the largest stage's size over the smallest
constexpr std::size_t kFewest = 24;        // cells of a stage; fewer say nothing of a pattern
constexpr std::size_t kFewestOfGroup = 6;  // the same, of a row

struct Difference {
  Cell at;
  double ratio = 0;
};
using Differences = std::vector<Difference>;

struct Ratios {
  Differences by_number, by_row;
  double apart = 0, norm = 0;  // squares
};

bool counts(const NoisyStage& stage, float a, float b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return false;
  return !(stage.can_be_masked && (is_fill(a) || is_fill(b))) && (a != 0 || b != 0);
}

Ratios ratios_of(const NoisyStage& stage) {
  Ratios found;
  const Shape shape = stage.ours.shape();
  for (std::size_t begin = 0; begin < shape.size(); begin += shape.columns) {
    double squares = 0, count = 0;
    for (std::size_t i = begin; i < begin + shape.columns; ++i) {
      const float a = stage.yours.values()[i], b = stage.ours.values()[i];
      if (counts(stage, a, b)) squares += static_cast<double>(b) * static_cast<double>(b), ++count;
    }
    const double row = std::sqrt(squares / std::max(count, 1.0));
    for (std::size_t i = begin; i < begin + shape.columns; ++i) {
      const float a = stage.yours.values()[i], b = stage.ours.values()[i];
      if (!counts(stage, a, b)) continue;
      const double ours = static_cast<double>(b), apart = static_cast<double>(a) - ours;
      found.apart += apart * apart, found.norm += ours * ours;
      if (ours != 0) found.by_number.push_back({cell_at(shape, i), apart / std::abs(ours)});
      if (row != 0) found.by_row.push_back({cell_at(shape, i), apart / row});
    }
  }
  return found;
}

// The 95th percentile over the median of the sizes; negative where the median is 0.
double spread_of(const Differences& differences) {
  std::vector<double> sizes;
  for (const Difference& d : differences) sizes.push_back(std::abs(d.ratio));
  std::ranges::sort(sizes);
  const double median = sizes[sizes.size() / 2];
  return median > 0 ? sizes[sizes.size() * 95 / 100] / median : -1;
}

struct Group {
  double sum = 0, squares = 0, count = 0;
};
using GroupOf = std::function<std::size_t(Cell)>;

std::vector<Group> grouped(const Differences& differences, const GroupOf& group_of) {
  std::vector<Group> groups;
  for (const Difference& d : differences) {
    const std::size_t at = group_of(d.at);
    if (at >= groups.size()) groups.resize(at + 1);
    groups[at].sum += d.ratio, groups[at].squares += d.ratio * d.ratio, ++groups[at].count;
  }
  std::erase_if(groups, [](const Group& g) { return g.count == 0; });
  return groups;
}

// What the groups' means explain of the squares, of what they would not by chance.
double explained_by(const std::vector<Group>& groups) {
  double squares = 0, explained = 0, count = 0;
  for (const Group& g : groups) squares += g.squares, explained += g.sum * g.sum / g.count, count += g.count;
  const double by_chance = static_cast<double>(groups.size()) / count;
  return by_chance < 1 && squares > 0 ? (explained / squares - by_chance) / (1 - by_chance) : 0;
}

bool is_even(const std::vector<Group>& groups) {
  std::vector<double> sizes;
  for (const Group& g : groups)
    if (g.count >= kFewestOfGroup) sizes.push_back(std::sqrt(g.squares / g.count));
  if (sizes.size() < 2) return true;
  std::ranges::sort(sizes);
  const double median = sizes[sizes.size() / 2];
  return sizes.front() * kMostUneven >= median && sizes.back() <= median * kMostUneven;
}

bool is_without_pattern(const Differences& differences, const Shape& shape) {
  const auto row = [&](Cell at) { return at.head * shape.rows + at.row; };
  const auto column = [&](Cell at) { return at.head * shape.columns + at.column; };
  const auto head = [](Cell at) { return at.head; };
  const auto all = [](Cell) { return std::size_t{0}; };
  const std::vector<Group> rows = grouped(differences, row), columns = grouped(differences, column);
  if (!is_even(rows) || !is_even(columns)) return false;
  return std::ranges::all_of(
      std::vector<std::vector<Group>>{rows, columns, grouped(differences, head), grouped(differences, all)},
      [](const std::vector<Group>& groups) { return explained_by(groups) <= kMostExplained; });
}

struct StageNoise {
  double size = 0;    // relative
  bool told = false;  // by enough cells that a pattern would show
};

// Nothing where the differences of a stage follow a pattern.
std::optional<StageNoise> noise_of_stage(const NoisyStage& stage) {
  if (stage.yours.shape() != stage.ours.shape()) return std::nullopt;
  const Ratios ratios = ratios_of(stage);
  const double size = ratios.norm > 0 ? std::sqrt(ratios.apart / ratios.norm) : 0;
  if (ratios.by_number.size() < kFewest || ratios.by_row.size() < kFewest) return StageNoise{size};
  const double by_number = spread_of(ratios.by_number), by_row = spread_of(ratios.by_row);
  if (by_number < 0 || by_row < 0 || std::min(by_number, by_row) > kMostSpread) return std::nullopt;
  const Differences& alike = by_number < by_row ? ratios.by_number : ratios.by_row;
  if (!is_without_pattern(alike, stage.ours.shape())) return std::nullopt;
  return StageNoise{size, true};
}

}  // namespace

std::optional<double> noise_size(std::span<const NoisyStage> stages) {
  double least = kMostNoise, most = 0, sum = 0;
  bool told = false;
  for (const NoisyStage& stage : stages) {
    const auto noise = noise_of_stage(stage);
    if (!noise || noise->size > kMostNoise) return std::nullopt;
    told |= noise->told;
    least = std::min(least, noise->size), most = std::max(most, noise->size), sum += noise->size;
  }
  if (!told || most > least * kMostBetweenStages) return std::nullopt;
  return sum / static_cast<double>(stages.size());
}

}  // namespace attn

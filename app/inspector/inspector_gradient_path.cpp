// Where a gradient goes: by the chain rule, through what passes it on number by number, to the gradients that
// it is one term of, and what it adds to each of their numbers.
#include <algorithm>
#include <optional>

#include "app/inspector/inspector_gradient_path.h"

namespace attn::inspector {
namespace {

// Numbers that are followed and terms that they are made of; of more only where they lie is said.
constexpr std::size_t kMostAdds = 64, kMostAddTerms = 1 << 14;

// What has come of the number on its way.
struct Flowing {
  StageIndex stage = 0;
  std::vector<std::pair<Cell, double>> cells;  // those that are not known: corners of the blocks
  std::string passed;                          // " ÷ √4"
  std::string times;                           // " · K[2]"
  bool known = true;                           // each number is a sum, and says what came of this one
};

// A block that one of its numbers reaches.
struct Reached {
  Region region;
  Cell from;
  double flows = 0;
};

class GradientPath {
 public:
  GradientPath(const Results& results, const Spot& from)
      : results_(results), graph_(results.graph), from_(*graph_.find(from.stage)) {
    follow({from_, {{from.cell, number(from_, from.cell)}}, {}, {}});
  }
  std::vector<PathStep> take() { return std::move(legs_); }

 private:
  const Stage& stage(StageIndex i) const { return graph_.stages[i]; }
  double number(StageIndex i, Cell cell) const { return results_.outputs[i][cell]; }
  bool spread(const Flowing& flowing) const { return flowing.cells.size() > 1; }

  // True where somebody reads it.
  bool follow(const Flowing& flowing) {
    bool read = false;
    for (StageIndex later = flowing.stage + 1; later < graph_.stages.size(); ++later) {
      if (stage(later).role != Role::gradient) continue;
      for (std::size_t input = 0; input < stage(later).inputs.size(); ++input)
        if (stage(later).inputs[input] == flowing.stage)
          if (const auto next = through(flowing, later, input)) read = true, arrive(flowing, *next);
    }
    return read;
  }

  // Numbers of one pass are followed on; many are a gradient's, unless a copy of it is another's.
  void arrive(const Flowing& before, const Flowing& now) {
    const Stage& at = stage(now.stage);
    const bool own =
        at.gradient_of == stage(from_).gradient_of && at.traced;  // the number times its gradient
    if (own || (at.shape.size() == 1 && stage(before.stage).shape.size() > 1)) return;
    const bool ends = at.traced && (spread(now) || spread(before));
    if (ends && copied(now)) return;
    if (ends || (!follow(now) && at.traced)) legs_.push_back(leg(now));
  }

  bool copied(const Flowing& now) {
    bool found = false;
    for (StageIndex later = now.stage + 1; later < graph_.stages.size(); ++later)
      if (stage(later).inputs == std::vector{now.stage} && stage(later).traits.factor == 1.0 &&
          stage(later).traced)
        if (const auto next = through(now, later, 0)) found = true, arrive(now, *next);
    return found;
  }

  std::optional<Flowing> through(const Flowing& before, StageIndex later, std::size_t input) const {
    Flowing next{
        .stage = later, .cells = {}, .passed = before.passed, .times = before.times, .known = before.known};
    const auto shapes = graph_.input_shapes(later);
    std::vector<Reached> reached;
    std::size_t count = 0;
    for (const auto& [cell, flows] : before.cells)
      for (const Region& region : reach(stage(later).operation, shapes, input, cell)) {
        if (!is_here(later, region.begin) || !is_here(later, last_of(region))) return std::nullopt;
        reached.push_back({region, cell, flows}), count += size_of(region);
      }
    if (reached.empty()) return std::nullopt;
    next.known = next.known && count <= kMostAdds &&
                 explain(results_, later, reached[0].region.begin).terms.size() * count <= kMostAddTerms;
    for (const Reached& one : reached)
      if (next.known) add_numbers(next, before, input, one);
    if (!next.known) keep_corners(next, reached);
    if (next.known) add_words(next, before, input);
    return next;
  }

  static Cell last_of(const Region& r) { return {r.end.head - 1, r.end.row - 1, r.end.column - 1}; }
  static std::size_t size_of(const Region& r) {
    return (r.end.head - r.begin.head) * (r.end.row - r.begin.row) * (r.end.column - r.begin.column);
  }
  bool is_here(StageIndex i, Cell cell) const {
    return results_.outputs[i].holds(cell) && can_explain(results_, i, cell);
  }

  void add_numbers(Flowing& next, const Flowing& before, std::size_t input, const Reached& one) const {
    const Region& region = one.region;
    for (std::size_t head = region.begin.head; head < region.end.head; ++head)
      for (std::size_t row = region.begin.row; row < region.end.row; ++row)
        for (std::size_t column = region.begin.column; column < region.end.column; ++column) {
          const Cell at{head, row, column};
          const double adds = added(next, before, input, one.from, one.flows, at);
          const auto place = std::ranges::find(next.cells, at, &std::pair<Cell, double>::first);
          if (place == next.cells.end())
            next.cells.emplace_back(at, adds);
          else
            place->second += adds;
        }
  }

  static void keep_corners(Flowing& next, const std::vector<Reached>& reached) {
    next.cells.clear();
    for (const Reached& one : reached)
      for (const Cell corner : {one.region.begin, last_of(one.region)})
        if (std::ranges::find(next.cells, corner, &std::pair<Cell, double>::first) == next.cells.end())
          next.cells.emplace_back(corner, 0);
  }

  // What the number adds to one that it reaches.
  double added(Flowing& next, const Flowing& before, std::size_t input, Cell cell, double flows,
               Cell at) const {
    const Explanation e = explain(results_, next.stage, at);
    if (e.aggregate != Aggregate::sum && e.aggregate != Aggregate::none) next.known = false;
    const double value = number(before.stage, cell);
    double adds = 0;
    for (const Term& term : e.terms)
      for (const Operand& operand : term.operands)
        if (operand.input == static_cast<int>(input) && operand.cell == cell) {
          adds += value == flows ? term.value : value == 0 ? 0 : term.value * (flows / value);
          break;
        }
    return adds;
  }

  // The factor of all its numbers; the row or column of another stage that spreads it.
  void add_words(Flowing& next, const Flowing& before, std::size_t input) const {
    const Explanation e = explain(results_, next.stage, next.cells.front().first);
    if (stage(next.stage).traits.factor.value_or(1) != 1) {
      const std::string words =
          e.passages.empty() ? e.rule : to_string(written(graph_, next.stage, e.passages[0]));
      next.passed += " " + words;
    }
    if (spread(before) || !spread(next)) return;
    const auto first = other(next, next.cells.front().first, input, before.cells[0].first);
    const auto last = other(next, next.cells.back().first, input, before.cells[0].first);
    if (!first || !last) return;
    const std::string row = std::to_string(first->cell.row), column = std::to_string(first->cell.column);
    const Stage& by = stage(stage(next.stage).inputs[static_cast<std::size_t>(first->input)]);
    next.times =
        " · " + by.title + (first->cell.row == last->cell.row ? "[" + row + "]" : "[:, " + column + "]");
  }

  // What a term multiplies the number by.
  std::optional<Operand> other(const Flowing& next, Cell at, std::size_t input, Cell cell) const {
    for (const Term& term : explain(results_, next.stage, at).terms) {
      const auto own = std::ranges::find_if(term.operands, [&](const Operand& o) {
        return o.input == static_cast<int>(input) && o.cell == cell;
      });
      if (own == term.operands.end()) continue;
      for (auto o = term.operands.begin(); o != term.operands.end(); ++o)
        if (o != own && o->input >= 0) return *o;
    }
    return std::nullopt;
  }

  static std::string span(std::size_t begin, std::size_t last) {
    return begin == last ? std::to_string(begin) : std::to_string(begin) + "…" + std::to_string(last);
  }

  PathStep leg(const Flowing& at) const {
    const Stage& to = stage(at.stage);
    Cell low = at.cells.front().first, high = low;
    std::vector<double> adds;
    for (const auto& [cell, value] : at.cells) {
      low = {std::min(low.head, cell.head), std::min(low.row, cell.row), std::min(low.column, cell.column)};
      high = {std::max(high.head, cell.head), std::max(high.row, cell.row),
              std::max(high.column, cell.column)};
      adds.push_back(value);
    }
    std::string title = to.title + "[" + span(low.row, high.row) + ", " + span(low.column, high.column) + "]";
    if (low == high) title = cell_text(to, low);
    if (high.head > low.head) title += " of " + std::to_string(high.head - low.head + 1) + " heads";
    Figure figure = figure_at(results_, at.stage, at.cells.front().first);
    if (to.gradient_of) figure.role = stage(*to.gradient_of).role;
    const Stage& from = stage(from_);
    const std::string symbol = from.symbol.empty() ? from.title : from.symbol;
    return {.what = at.known
                        ? "+ " + symbol + at.passed + at.times
                        : "in " +
                              std::to_string(size_of({low, {high.head + 1, high.row + 1, high.column + 1}})) +
                              " numbers",
            .title = std::move(title),
            .figure = std::move(figure),
            .many = true,
            .adds = at.known ? std::move(adds) : std::vector<double>()};
  }

  const Results& results_;
  const Graph& graph_;
  StageIndex from_;
  std::vector<PathStep> legs_ = {};
};

}  // namespace

std::vector<PathStep> where_a_gradient_goes(const Results& results, const Spot& from) {
  return GradientPath(results, from).take();
}

}  // namespace attn::inspector

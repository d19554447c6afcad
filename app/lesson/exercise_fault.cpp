// A fault: one of several mistakes is made in secret; the weights with the sums of their rows and columns
// tell it.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/lesson/exercises.h"
#include "app/theme/toolkit.h"
#include "app/widgets/words.h"
#include "core/diagnosis/mistake.h"

namespace attn {
namespace {

using inspector::Flow;

constexpr std::size_t kMostShown = 8;  // rows and columns
constexpr double kNear = 5e-4;         // of a sum that reads as 1.000

const Mistake* mistake_of(const ExercisePart& part, std::size_t i) {
  return find_mistake(part.exercise.faults[i]);
}

// Numbers in columns of equal width; the sum behind them red where it is not 1.
class SumTable {
 public:
  SumTable(Flow& flow, std::size_t columns)
      : flow_(flow), wide_(flow.width() / static_cast<float>(columns + 1)) {}
  void put(std::size_t column, const std::string& text, ImU32 ink) {
    const float x = flow_.left + wide_ * static_cast<float>(column);
    inspector::put_elided(flow_, {{x, line_.min.y}, {x + wide_, line_.max.y}}, text, ink);
  }
  void next() { line_ = inspector::add_line(flow_); }

 private:
  Flow& flow_;
  float wide_;
  Rect line_ = {};
};

void draw_sums(ExercisePart& part) {
  const Results* results = part.live.now;
  const StageResult weights = results ? results->result(Role::weights) : StageResult();
  if (!weights.here()) return;
  const Theme& theme = part.theme();
  const std::size_t head = std::min(part.flow.frame.view.layer.head, weights.stack() - 1);
  const std::size_t rows = std::min(weights.rows(), kMostShown),
                    columns = std::min(weights.columns(), kMostShown);
  ImGui::PushFont(theme.fonts.small);
  SumTable table(part.flow, columns);
  std::vector<double> down(columns);
  const auto sum = [&](std::size_t column, double value) {
    table.put(column, inspector::write(value, {3, false}),
              std::abs(value - 1) < kNear ? theme.good : theme.bad);
  };
  for (std::size_t r = 0; r < weights.rows(); ++r) {
    if (r < rows) table.next();
    double across = 0;
    for (std::size_t c = 0; c < weights.columns(); ++c) {
      const double number = static_cast<double>(weights[{head, r, c}]);
      across += number;
      if (c < columns) down[c] += number;
      if (r < rows && c < columns) table.put(c, inspector::write(number, {3, false}), theme.text);
    }
    if (r < rows) sum(columns, across);
  }
  table.next();
  for (std::size_t c = 0; c < columns; ++c) sum(c, down[c]);
  table.put(columns, "Σ", theme.dim);
  ImGui::PopFont();
}

void draw_suspects(ExercisePart& part) {
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < part.exercise.faults.size(); ++i) {
    const Mistake* mistake = mistake_of(part, i);
    const bool passed = std::ranges::count(part.answer.suspected, i) > 0;
    titles.push_back((passed ? "✗ " : "") +
                     (mistake ? std::string(mistake->title) : part.exercise.faults[i]));
  }
  const auto chosen = inspector::add_chips(part.flow, "suspects", titles, "");
  if (chosen && std::ranges::count(part.answer.suspected, *chosen) == 0) suspect(part.answer, *chosen);
}

void draw_thrown(ExercisePart& part) {
  const Mistake* mistake = mistake_of(part, *part.answer.thrown);
  if (!mistake) return;
  const bool found = std::ranges::count(part.answer.suspected, *part.answer.thrown) > 0;
  inspector::add_text(part.flow, (found ? "✓ " : "it was: ") + std::string(mistake->title),
                      found ? part.theme().good : part.theme().warning);
  inspector::add_text(part.flow, std::string(mistake->sentence), part.theme().dim, part.theme().fonts.small);
}

}  // namespace

void draw_fault(ExercisePart& part) {
  if (!part.answer.thrown) {
    if (inspector::add_chips(part.flow, "throw", {"break one thing in secret"}, "Space"))
      part.flow.frame.asks.emplace_back(ShowAnswer{part.index});
    return;
  }
  draw_sums(part);
  if (part.answer.shown) {
    draw_thrown(part);
    const bool comparing = part.flow.frame.view.of<LessonView>().comparing;
    const auto pressed = inspector::add_chips(
        part.flow, "known",
        {comparing ? "back to the step" : "see both in Compare", "mend it and break another"}, "");
    if (pressed == std::size_t{0}) part.flow.frame.commands.push_back("lesson.compare");
    if (pressed == std::size_t{1}) part.flow.frame.asks.emplace_back(ShowAnswer{part.index});
    return;
  }
  inspector::add_text(part.flow, "guess " + std::to_string(part.answer.suspected.size() + 1) + " of 2",
                      part.theme().dim, part.theme().fonts.small);
  draw_suspects(part);
  draw_hints(part, part.exercise.hints.size(), "H  a hint");
}

}  // namespace attn

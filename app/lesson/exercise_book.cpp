// A book's printed rows beside the computed ones: how far they are apart, and where they are farthest.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/lesson/exercises.h"
#include "app/theme/toolkit.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

using inspector::Flow;

// The numbers that a printed row stands for, as they are computed; empty where there are none.
std::vector<double> computed_row(const Results* results, const PrintedRow& row) {
  std::vector<double> numbers;
  const StageResult stage = results ? results->result(row.of.stage) : StageResult();
  for (std::size_t i = 0; i < row.numbers.size(); ++i) {
    const std::size_t column = row.of.column.value_or(0) + i;
    const Cell cell{row.of.head.value_or(0), row.of.row.value_or(0), column};
    if (!stage.holds(cell)) return {};
    numbers.push_back(static_cast<double>(stage[cell]));
  }
  return numbers;
}

void put_row(Flow& flow, const char* name, const std::vector<double>& numbers, ImU32 ink) {
  const float name_wide = flow.px(62);
  const Rect line = inspector::add_line(flow);
  inspector::put(flow, line, name, flow.theme().dim);
  const float wide =
      (line.width() - name_wide) / static_cast<float>(std::max<std::size_t>(1, numbers.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const float x = line.min.x + name_wide + wide * static_cast<float>(i);
    inspector::put_elided(flow, {{x, line.min.y}, {x + wide, line.max.y}},
                          inspector::write(numbers[i], {4, false}), ink);
  }
}

}  // namespace

void draw_book(ExercisePart& part) {
  Flow& flow = part.flow;
  const Theme& theme = part.theme();
  double largest = 0;
  ImGui::PushFont(theme.fonts.small);
  for (const PrintedRow& row : part.exercise.printed) {
    const std::vector<double> computed = computed_row(part.live.now, row);
    double off = 0;
    for (std::size_t i = 0; i < computed.size(); ++i)
      off = std::max(off, std::abs(computed[i] - row.numbers[i]));
    largest = std::max(largest, off);
    const Rect line = inspector::add_line(flow);
    inspector::put_elided(
        flow, line, row.of.stage + (row.of.row ? ", row " + std::to_string(*row.of.row) : ""), theme.text);
    inspector::put(flow, line, "off by " + inspector::write(off, {4, false}),
                   off > 0 ? theme.text : theme.dim, 1);
    put_row(flow, "printed", row.numbers, theme.bad);
    computed.empty() ? inspector::add_text(flow, "not computed here", theme.dim)
                     : put_row(flow, "computed", computed, theme.good);
    flow.y += flow.px(4);
  }
  ImGui::PopFont();
  if (part.exercise.printed.size() > 1)
    inspector::add_text(flow, "largest difference: " + inspector::write(largest, {4, false}), theme.text);
  say_small(part, part.exercise.says, theme.text);
}

}  // namespace attn

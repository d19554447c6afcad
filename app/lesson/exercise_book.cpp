// A book's printed rows beside the computed ones: how far they are apart, and where they are farthest.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/lesson/exercises.h"
#include "app/lesson/row_words.h"
#include "app/theme/toolkit.h"
#include "app/widgets/words.h"

namespace attn {

std::vector<double> computed_row(const Results* results, const PrintedRow& row) {
  std::vector<double> numbers;
  const StageResult stage = results ? results->result(row.of.stage) : StageResult();
  for (const Cell cell : cells_in(row.of, stage.shape())) {
    if (!stage.holds(cell)) return {};
    numbers.push_back(static_cast<double>(stage[cell]));
  }
  return numbers;
}

// In columns that are wide enough, below each other where one line is too short.
void put_row(inspector::Flow& flow, const char* name, const std::vector<double>& numbers, ImU32 ink) {
  const float left = flow.left + std::max(flow.px(62), inspector::text_width("computed") + flow.px(8)),
              room = flow.right - left;
  const float number_wide = text_width(flow.theme().fonts.small, "−0.0000") + flow.px(6);
  const std::size_t count = numbers.size(),
                    fit = std::clamp<std::size_t>(static_cast<std::size_t>(room / number_wide), 1, count);
  const std::size_t lines = (count + fit - 1) / fit, columns = (count + lines - 1) / lines;  // alike
  const float wide = room / static_cast<float>(columns);
  for (std::size_t i = 0; i < numbers.size(); i += columns) {
    const Rect line = inspector::add_line(flow);
    if (i == 0) inspector::put(flow, line, name, flow.theme().dim);
    for (std::size_t k = i; k < std::min(i + columns, numbers.size()); ++k) {
      const float x = left + wide * static_cast<float>(k - i);
      inspector::put_elided(flow, {{x, line.min.y}, {x + wide, line.max.y}},
                            inspector::write(numbers[k], {4, false}), ink);
    }
  }
}

void draw_book(ExercisePart& part) {
  inspector::Flow& flow = part.flow;
  const Theme& theme = part.theme();
  double largest = 0;
  ImGui::PushFont(theme.fonts.small);
  for (const PrintedRow& row : part.exercise.printed) {
    const std::vector<double> computed = computed_row(part.live.now, row);
    double off = 0;
    for (std::size_t i = 0; i < std::min(computed.size(), row.numbers.size()); ++i)
      off = std::max(off, std::abs(computed[i] - row.numbers[i]));
    largest = std::max(largest, off);
    const Rect line = inspector::add_line(flow);
    const std::string apart = "off by " + inspector::write(off, {4, false});
    inspector::put_elided(flow, {line.min, {line.max.x - inspector::text_width(apart + " "), line.max.y}},
                          part.live.now ? row_words(part.live.now->graph, row.of) : row.of.stage, theme.text);
    inspector::put(flow, line, apart, off > 0 ? theme.text : theme.dim, 1);
    put_row(flow, "printed", row.numbers, theme.bad);
    computed.empty() ? inspector::add_text(flow, "not computed here", theme.dim)
                     : put_row(flow, "computed", computed, theme.good);
    flow.y += flow.px(4);
  }
  ImGui::PopFont();
  if (part.exercise.printed.size() > 1)
    inspector::add_text(flow, "largest difference: " + inspector::write(largest, {4, false}), theme.text);
  say_answer(part, part.exercise.says, theme.text);
  draw_own_row(part);
}

}  // namespace attn

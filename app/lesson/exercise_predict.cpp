// Predictions: one of several answers, a number on a slider, a cell; locked when the answer is shown.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/inspector/inspector_numbers.h"
#include "app/lesson/exercises.h"
#include "app/theme/toolkit.h"
#include "app/widgets/words.h"
#include "core/system/error.h"

namespace attn {
namespace {

using inspector::Flow;

constexpr float kPadding = 9, kTrack = 4, kKnob = 6, kNumberWide = 22;  // points

// How an answer looks: chosen, or the right one once it is shown.
struct ChoiceInk {
  ImU32 fill, edge;
  const char* mark;
};
ChoiceInk ink_of(const ExercisePart& part, std::size_t i) {
  const Theme& theme = part.theme();
  const bool chosen = part.answer.choice == i;
  if (!part.answer.shown) return {chosen ? theme.accent_soft : theme.chip, chosen ? theme.accent : 0, ""};
  bool right = false;
  try {
    right = holds(part.exercise.choices[i].holds, part.live);
  } catch (const Error&) {  // its words say why
  }
  if (right) return {mix(theme.panel, theme.good, 0.25f), theme.good, chosen ? "yours ✓" : "✓"};
  return {theme.chip, chosen ? theme.warning : 0, chosen ? "yours" : ""};
}

// The words wrap beside the number that chooses them.
void draw_choice(ExercisePart& part, std::size_t i) {
  Flow& flow = part.flow;
  const Theme& theme = part.theme();
  const ImFont* font = theme.fonts.body;
  const ChoiceInk ink = ink_of(part, i);
  const float pad = flow.px(kPadding), from = flow.left + flow.px(kNumberWide) + pad / 2;
  const float marked = *ink.mark ? text_width(theme.fonts.small, ink.mark) + pad : 0;
  const std::string words =
      wrapped(font, plain_text(part.exercise.choices[i].text, part.asked), flow.right - pad - marked - from);
  const float lines = static_cast<float>(1 + std::ranges::count(words, '\n')) * font_size(font);
  const Rect box{{flow.left, flow.y}, {flow.right, flow.y + lines + pad}};
  flow.list.AddRectFilled(box.min, box.max, ink.fill, flow.px(5));
  if (ink.edge) flow.list.AddRect(box.min, box.max, ink.edge, flow.px(5), 0, flow.px(1));
  const float top = box.min.y + pad / 2;
  const bool passed = part.answer.shown && !ink.edge;
  draw_text(flow.list, font, {flow.left + pad, top}, theme.dim, std::to_string(i + 1));
  draw_text(flow.list, font, {from, top}, passed ? theme.dim : theme.text, words);
  if (*ink.mark) draw_text(flow.list, theme.fonts.small, {box.max.x - marked, top}, ink.edge, ink.mark);
  if (!part.answer.shown && inspector::press(flow, "choice " + std::to_string(i + 1), box))
    part.answer.choice = i;
  flow.y = box.max.y + flow.px(4);
}

std::optional<double> value_of(const LessonFormula& formula, const LiveNumbers& live) {
  try {
    return number(formula, live);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// A track with the number as it is now, the guess, and the answer once it is shown.
void draw_track(ExercisePart& part, std::optional<double> now, std::optional<double> answer) {
  Flow& flow = part.flow;
  const Theme& theme = part.theme();
  const LessonExercise& asked = part.exercise;
  const ImFont* small = theme.fonts.small;
  const float above = font_size(small) + flow.px(6), knob = flow.px(kKnob);
  const float left = flow.left + knob, right = flow.right - knob, y = flow.y + above + knob;
  const auto x_of = [&](double value) {
    return left + (right - left) * static_cast<float>(std::clamp(
                                       (value - asked.least) / (asked.most - asked.least), 0.0, 1.0));
  };
  const double guess = part.answer.guess.value_or(now.value_or((asked.least + asked.most) / 2));
  const Rect area{{flow.left, y - 2 * knob}, {flow.right, y + 2 * knob}};
  inspector::press(flow, "guess", area);
  if (ImGui::IsItemActive() && !part.answer.shown && ImGui::IsMouseDown(0)) {
    const double at = std::clamp<double>((ImGui::GetIO().MousePos.x - left) / (right - left), 0, 1);
    part.answer.guess = asked.least + at * (asked.most - asked.least);
  }
  const float half = flow.px(kTrack) / 2, x = x_of(guess);
  flow.list.AddRectFilled({left, y - half}, {right, y + half}, theme.chip, half);
  if (part.answer.guess) flow.list.AddRectFilled({left, y - half}, {x, y + half}, theme.warning, half);
  const auto place = [&](double value, float wide) {
    return std::clamp(x_of(value) - wide / 2, flow.left, flow.right - wide);
  };
  const auto sign = [&](double value, const std::string& words, ImU32 ink, float top) {
    draw_text(flow.list, small, {place(value, text_width(small, words)), top}, ink, words);
  };
  const auto stroke = [&](double value, ImU32 ink) {
    flow.list.AddLine({x_of(value), y - knob}, {x_of(value), y + knob}, ink, flow.px(2));
  };
  const float below = y + knob + flow.px(2);
  inspector::put(flow, {{flow.left, below}, {flow.right, below + font_size(small)}}, "", theme.dim);
  if (now) stroke(*now, theme.accent);
  if (answer) stroke(*answer, theme.good);
  // Where there is no room for all of them the first stay.
  std::vector<std::pair<float, float>> taken;
  const auto beneath = [&](double value, const std::string& words, ImU32 ink) {
    const float wide = text_width(small, words), from = place(value, wide), to = from + wide + flow.px(4);
    if (std::ranges::any_of(taken, [&](auto other) { return from < other.second && other.first < to; }))
      return;
    taken.emplace_back(from, to);
    sign(value, words, ink, below);
  };
  if (answer) beneath(*answer, two_digits(*answer), theme.good);
  if (now) beneath(*now, "now", theme.accent);
  beneath(asked.least, two_digits(asked.least), theme.dim);
  beneath(asked.most, two_digits(asked.most), theme.dim);
  if (part.answer.guess) {
    flow.list.AddCircleFilled({x, y}, knob, theme.warning);
    sign(guess, two_digits(guess), theme.warning, flow.y);
  } else {
    flow.list.AddCircle({x, y}, knob, theme.warning, 0, flow.px(1.5f));
  }
  flow.y = below + font_size(small) + flow.px(8);
}

std::string cell_words(const ExercisePart& part, const Spot& spot) {
  const Results* results = part.live.now;
  const auto stage = results ? results->graph.find(spot.stage) : std::nullopt;
  if (!stage) return spot.stage;
  return inspector::cell_text(results->graph.stages[*stage], spot.cell);
}

}  // namespace

void draw_choices(ExercisePart& part) {
  for (std::size_t i = 0; i < part.exercise.choices.size(); ++i) draw_choice(part, i);
  if (part.answer.shown && part.answer.choice)
    say_answer(part, part.exercise.choices[*part.answer.choice].says, part.theme().dim);
  draw_reveal(part, "");
}

void draw_slider(ExercisePart& part) {
  const auto now = value_of(part.exercise.value, part.asked);
  const auto truth = part.answer.shown ? value_of(part.exercise.value, part.live) : std::nullopt;
  draw_track(part, now, truth);
  std::string beside =
      part.answer.guess ? "" : "near: within " + inspector::write(part.exercise.near, {2, false});
  if (truth && part.answer.guess) {
    const double off = std::abs(*truth - *part.answer.guess);
    beside = "you said " + two_digits(*part.answer.guess) + ", it is " +
             inspector::write(*truth, {4, false}) + ": off by " + two_digits(off) +
             (off <= part.exercise.near ? ", near enough" : "");
  }
  draw_reveal(part, beside);
}

// The cell that the person has pinned on the canvas, as long as the answer is not shown.
void draw_click(ExercisePart& part) {
  const auto& pinned = part.flow.frame.view.pinned;
  const bool chosen = pinned && pinned != part.flow.frame.view.of<LessonView>().pinned;
  if (!part.answer.shown && chosen && contains(part.exercise.cells, pinned->stage, pinned->cell))
    part.answer.cell = pinned;
  std::string beside = "click a cell of " + part.exercise.cells.stage;
  if (part.answer.cell) beside = "yours: " + cell_words(part, *part.answer.cell);
  if (part.answer.shown)
    if (const auto right = verdict(part.exercise, part.answer, part.live.now, part.flow.frame.draft))
      beside += *right ? " ✓" : ", not this one";
  draw_reveal(part, beside);
}

}  // namespace attn

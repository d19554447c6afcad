// Rows of the controls that hold numbers: boxes to drag, step and type in.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/fields/field_parts.h"
#include "app/fields/field_typing.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "core/text/expression.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr float kStep = 22;
constexpr double kFine = 0.1, kCoarse = 10;
constexpr double kExact = 0x1p53;  // whole numbers up to here are exact in a double

// A number in its box, and what can be done to it there.
struct BoxState {
  std::string value, exact;  // as it is read, as it is typed
  bool drags = false;
  bool steps = false, less = true, more = true;  // with − and + at its sides, and whether these lead anywhere
};

// What was done.
struct Nudge {
  int steps = 0;
  double pixels = 0;  // already weighted by Shift and Alt
};

// An invisible button that is no stop of Tab: the arrow keys do the same on the box.
bool step_button(const Theme& theme, const std::string& id, Rect box, const char* sign, bool possible) {
  ImGui::SetCursorScreenPos(box.min);
  begin_no_tab_stops();
  ImGui::PushButtonRepeat(true);
  const bool pressed = ImGui::InvisibleButton(id.c_str(), {box.width(), box.height()});
  ImGui::PopButtonRepeat();
  end_no_tab_stops();
  const ImU32 ink = !possible ? theme.border : ImGui::IsItemHovered() ? theme.text : theme.faint;
  const ImFont* font = theme.fonts.body;
  draw_text(*ImGui::GetWindowDrawList(), font,
            {(box.min.x + box.max.x - text_width(font, sign)) / 2,
             box.min.y + (box.height() - font_size(font)) / 2},
            ink, sign);
  return pressed && possible;
}

double weighted_pixels() {
  const ImGuiIO& io = ImGui::GetIO();
  return static_cast<double>(io.MouseDelta.x) * (io.KeyShift ? kFine : io.KeyAlt ? kCoarse : 1);
}

// Farther than a hand that clicks: else a click would change the number it wants to type.
bool was_dragged() {
  const ImGuiIO& io = ImGui::GetIO();
  return io.MouseDragMaxDistanceSqr[0] > io.MouseDragThreshold * io.MouseDragThreshold;
}

std::string tooltip_of(const FieldRow& row, const BoxState& shown) {
  return row.tooltip + "\n" + shown.exact + (shown.drags ? "; drag, or click to type" : "; click to type");
}

// The box as a button: drag changes, ↑ and ↓ step, a click or Enter opens it for typing.
Nudge button_box(Frame& frame, const FieldRow& row, const BoxState& shown, Rect box) {
  const Theme& theme = frame.theme;
  // Where only without the buttons the number has room it takes their place: keys and dragging step it too.
  const float wide = text_width(theme.fonts.body, shown.value), between = box.width() - 2 * theme.px(kStep);
  const bool steps = shown.steps && (wide <= between || wide > box.width() - 2 * theme.px(kPad));
  Rect middle = box;
  if (steps) middle.min.x += theme.px(kStep), middle.max.x -= theme.px(kStep);
  ImGui::SetCursorScreenPos(middle.min);
  const bool pressed = ImGui::InvisibleButton(field_id(row).c_str(), {middle.width(), middle.height()});
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(shown.drags ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_TextInput);
  if (wants_tooltip() && !ImGui::IsItemActive()) show_tooltip(tooltip_of(row, shown));
  Nudge nudge;
  if (shown.drags && ImGui::IsItemActive() && was_dragged()) nudge.pixels = weighted_pixels();
  if (has_focus_ring())
    nudge.steps = (key_pressed(GLFW_KEY_UP) ? 1 : 0) - (key_pressed(GLFW_KEY_DOWN) ? 1 : 0);
  const bool typing = pressed_by_enter() || (pressed && !was_dragged());
  draw_box(theme, box, hovered);
  draw_value(theme, middle, shown.value, steps ? 0.5f : 1.0f, theme.text);
  draw_focus_ring(theme, theme.px(4));
  if (typing) start_typing(frame.view, row, shown.exact);
  if (!steps) return nudge;
  if (step_button(theme, row.id + "-", {box.min, {middle.min.x, box.max.y}}, "−", shown.less))
    nudge.steps = -1;
  if (step_button(theme, row.id + "+", {{middle.max.x, box.min.y}, box.max}, "+", shown.more))
    nudge.steps = 1;
  return nudge;
}

// In thousandths: what is dragged stays short enough to be read and typed.
double nudged(const NumberBox& box, const Nudge& nudge) {
  constexpr double kPixelsAStep = 5;
  const double value = box.value + (nudge.pixels + nudge.steps * kPixelsAStep) * box.per_pixel;
  return std::clamp(std::round(value * 1000) / 1000, box.least, box.most);
}

std::optional<double> typed_number(View& view, const FieldRow& row, const NumberBox& box,
                                   const std::string& text) {
  const NumberOrError parsed = parse_number_expression(text);
  const double* number = std::get_if<double>(&parsed);
  if (number && *number >= box.least && *number <= box.most) return *number;
  refuse(view, row.id,
         number ? text + " does not fit: it must be " +
                      (box.takes.empty() ? "a finite number" : std::string(box.takes))
                : "“" + text + "”: " + std::get<TextError>(parsed).message);
  return std::nullopt;
}

std::string limits(const CountBox& box) {
  const std::string least = std::to_string(box.least);
  if (box.most == std::numeric_limits<std::uint64_t>::max()) return least + " or more, whole";
  return least + " to " + std::to_string(box.most) + ", whole";
}

// Digits are taken as they are, an expression where it is whole.
std::optional<std::uint64_t> typed_count(View& view, const FieldRow& row, const CountBox& box,
                                         const std::string& text) {
  std::uint64_t count = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), count);
  bool whole = status == std::errc() && end == text.data() + text.size();
  if (!whole) {
    const NumberOrError parsed = parse_number_expression(text);
    if (const TextError* error = std::get_if<TextError>(&parsed)) {
      refuse(view, row.id, "“" + text + "”: " + error->message);
      return std::nullopt;
    }
    const double number = std::get<double>(parsed);
    whole = number >= 0 && number <= kExact && number == std::floor(number);
    if (whole) count = static_cast<std::uint64_t>(number);
  }
  if (whole && count >= box.least && count <= box.most) return count;
  refuse(view, row.id, text + " does not fit: use " + limits(box));
  return std::nullopt;
}

}  // namespace

NumberBox box_of(const NumberField& field, double value) {
  return {.value = value,
          .least = field.least,
          .most = field.most,
          .per_pixel = field.per_pixel,
          .takes = field.takes,
          .shown = {}};
}

std::optional<double> number_row(Frame& frame, Column column, const FieldRow& row, const NumberBox& number) {
  const Rect box = begin_row(frame, column, row);
  const ImVec2 next = ImGui::GetCursorScreenPos();
  std::optional<double> wanted;
  if (is_typing(frame.view, row)) {
    if (const auto text = typing_box(frame, row, box)) wanted = typed_number(frame.view, row, number, *text);
  } else {
    const BoxState shown{.value = number.shown.empty() ? brief(number.value) : number.shown,
                         .exact = shortest(number.value),
                         .drags = number.per_pixel > 0};
    const Nudge nudge = button_box(frame, row, shown, box);
    if (number.per_pixel > 0 && (nudge.steps != 0 || nudge.pixels != 0)) wanted = nudged(number, nudge);
  }
  ImGui::SetCursorScreenPos(next);
  return wanted == number.value ? std::nullopt : wanted;
}

std::optional<WantedCount> count_row(Frame& frame, Column column, const FieldRow& row,
                                     const CountBox& count) {
  const Rect box = begin_row(frame, column, row);
  const ImVec2 next = ImGui::GetCursorScreenPos();
  std::optional<WantedCount> wanted;
  if (is_typing(frame.view, row)) {
    const auto text = typing_box(frame, row, box);
    const auto typed = text ? typed_count(frame.view, row, count, *text) : std::nullopt;
    if (typed && *typed != count.value) wanted = WantedCount{.value = *typed};
  } else {
    const std::string value = std::to_string(count.value);
    const bool less = count.value > count.least, more = count.value < count.most;
    const int steps =
        button_box(frame, row, {.value = value, .exact = value, .steps = true, .less = less, .more = more},
                   box)
            .steps;
    if (steps > 0 && more) wanted = WantedCount{.value = count.value + 1, .direction = 1};
    if (steps < 0 && less) wanted = WantedCount{.value = count.value - 1, .direction = -1};
  }
  ImGui::SetCursorScreenPos(next);
  return wanted;
}

}  // namespace attn

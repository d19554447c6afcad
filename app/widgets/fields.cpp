// Rows of the controls: boxes to drag, step, type and choose in.
#include "app/widgets/fields.h"

#include <algorithm>
#include <cmath>

#include "app/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/field_typing.h"
#include "app/widgets/focus.h"
#include "app/widgets/words.h"
#include "core/expression.h"
#include "core/text.h"

namespace attn {
namespace {

constexpr float kPitch = 28, kBox = 24, kBoxWidth = 96, kLeastLabel = 0.44f, kStep = 22;
constexpr double kFine = 0.1, kCoarse = 10;

// The label on the left; returns where the box goes and leaves the cursor on the next row.
Rect begin_row(Frame& frame, Column column, const FieldRow& row) {
  const Theme& theme = frame.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({column.left, at.y + theme.px(kPitch)});
  if (row.label.empty()) return {at, {column.right, at.y + theme.px(kBox)}};
  const float width = column.right - column.left;
  const float box = std::min(theme.px(kBoxWidth), width * (1 - kLeastLabel));
  const float room = width - box - theme.px(6);
  const ImFont* font = theme.fonts.body;
  draw_text(*ImGui::GetWindowDrawList(), font, {column.left, at.y + (theme.px(kBox) - font_size(font)) / 2},
            theme.text, elided(font, row.label, room));
  const Rect words{at, {column.left + room, at.y + theme.px(kBox)}};
  if (ImGui::IsMouseHoveringRect(words.min, words.max) && ImGui::IsWindowHovered())
    ImGui::SetTooltip("%s", (row.label + ": " + row.tooltip).c_str());
  return {{column.right - box, at.y}, {column.right, at.y + theme.px(kBox)}};
}

void draw_box(const Theme& theme, Rect box, bool hovered) {
  ImGui::GetWindowDrawList()->AddRectFilled(
      box.min, box.max, hovered ? mix(theme.chip, theme.text, 0.1f) : theme.chip, theme.px(4));
}

// `align`: 0 left, 0.5 centre, 1 right.
void draw_value(const Theme& theme, Rect box, const std::string& value, float align, ImU32 ink) {
  const ImFont* font = theme.fonts.body;
  const float pad = theme.px(7), room = box.width() - 2 * pad;
  const std::string text = elided(font, value, room);
  draw_text(*ImGui::GetWindowDrawList(), font,
            {box.min.x + pad + (room - text_width(font, text)) * align,
             box.min.y + (box.height() - font_size(font)) / 2},
            ink, text);
}

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

// In thousandths: what is dragged stays short enough to be read and typed.
double dragged(const NumberBox& field) {
  const ImGuiIO& io = ImGui::GetIO();
  const double weight = io.KeyShift ? kFine : io.KeyAlt ? kCoarse : 1;
  const double value = field.value + static_cast<double>(io.MouseDelta.x) * field.per_pixel * weight;
  return std::round(value * 1000) / 1000;
}

// Farther than a hand that clicks: else a click would change the number it wants to type.
bool was_dragged() {
  const ImGuiIO& io = ImGui::GetIO();
  return io.MouseDragMaxDistanceSqr[0] > io.MouseDragThreshold * io.MouseDragThreshold;
}

// The box as a button: drag changes, ↑ and ↓ step, a click or Enter opens it for typing.
std::optional<Wanted> button_box(Frame& frame, const FieldRow& row, const NumberBox& field, Rect box) {
  const Theme& theme = frame.theme;
  Rect middle = box;
  if (field.whole) middle.min.x += theme.px(kStep), middle.max.x -= theme.px(kStep);
  ImGui::SetCursorScreenPos(middle.min);
  const bool pressed = ImGui::InvisibleButton(field_id(row).c_str(), {middle.width(), middle.height()});
  const bool hovered = ImGui::IsItemHovered(), drags = field.per_pixel > 0;
  if (hovered) ImGui::SetMouseCursor(drags ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_TextInput);
  if (wants_tooltip() && !ImGui::IsItemActive())
    ImGui::SetTooltip("%s", (row.tooltip + (drags ? "\ndrag, or click to type" : "\nclick to type")).c_str());
  std::optional<Wanted> wanted;
  if (drags && ImGui::IsItemActive() && was_dragged() && ImGui::GetIO().MouseDelta.x != 0)
    wanted = Wanted{dragged(field)};
  if (has_focus_ring()) {
    const double step = field.whole ? 1 : field.per_pixel * 5;
    if (key_pressed(GLFW_KEY_UP)) wanted = Wanted{field.value + step, 1};
    if (key_pressed(GLFW_KEY_DOWN)) wanted = Wanted{field.value - step, -1};
  }
  const bool typing = pressed_by_enter() || (pressed && !was_dragged());
  draw_box(theme, box, hovered);
  draw_value(theme, middle, shortest(static_cast<float>(field.value)), field.whole ? 0.5f : 1.0f, theme.text);
  draw_focus_ring(theme, theme.px(4));
  if (typing) start_typing(frame.view, row, shortest(static_cast<float>(field.value)));
  if (field.whole) {
    if (step_button(theme, row.id + "-", {box.min, {middle.min.x, box.max.y}}, "−",
                    field.value > field.least))
      wanted = Wanted{field.value - 1, -1};
    if (step_button(theme, row.id + "+", {{middle.max.x, box.min.y}, box.max}, "+", field.value < field.most))
      wanted = Wanted{field.value + 1, 1};
  }
  return wanted;
}

std::string limits(const NumberBox& field) {
  const std::string least = shortest(static_cast<float>(field.least));
  if (field.most >= 1e9) return least + " or more";
  return least + " to " + shortest(static_cast<float>(field.most));
}

}  // namespace

NumberBox box_of(const NumberField& field, double value) {
  constexpr double kMost = 1e6;  // a slip of the hand beyond it
  return {.value = value,
          .least = std::max(field.least, -kMost),
          .most = std::min(field.most, kMost),
          .per_pixel = field.per_pixel};
}

void section(Frame& frame, Column column, const char* title) {
  const Theme& theme = frame.theme;
  ImVec2 at = ImGui::GetCursorScreenPos();
  at.y += theme.px(8);
  draw_text(*ImGui::GetWindowDrawList(), theme.fonts.bold, {column.left, at.y}, theme.dim, title);
  ImGui::SetCursorScreenPos({column.left, at.y + theme.px(22)});
}

void hint(Frame& frame, Column column, const std::string& text) {
  const ImFont* font = frame.theme.fonts.small;
  const float width = column.right - column.left;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size = font->CalcTextSizeA(font_size(font), 1e6f, width, text.c_str());
  ImGui::GetWindowDrawList()->AddText(font, font_size(font), {column.left, at.y}, frame.theme.faint,
                                      text.c_str(), nullptr, width);
  ImGui::SetCursorScreenPos({column.left, at.y + size.y + frame.theme.px(4)});
}

void value_row(Frame& frame, Column column, const FieldRow& row, const std::string& value) {
  const Rect box = begin_row(frame, column, row);
  draw_value(frame.theme, box, value, 1, frame.theme.dim);
}

std::optional<Wanted> number_row(Frame& frame, Column column, const FieldRow& row, const NumberBox& field) {
  const Rect box = begin_row(frame, column, row);
  const ImVec2 next = ImGui::GetCursorScreenPos();
  std::optional<Wanted> wanted;
  if (!is_typing(frame.view, row)) {
    wanted = button_box(frame, row, field, box);
    if (wanted) wanted->value = std::clamp(wanted->value, field.least, field.most);
  } else if (const auto text = typing_box(frame, row, box)) {
    const NumberOrError parsed = parse_number_expression(*text);
    const double* number = std::get_if<double>(&parsed);
    if (!number)
      refuse(frame.view, row.id, "“" + *text + "”: " + std::get<TextError>(parsed).message);
    else if (!(*number >= field.least && *number <= field.most) ||
             (field.whole && *number != std::floor(*number)))
      refuse(frame.view, row.id,
             *text + " does not fit: use " + limits(field) + (field.whole ? ", whole" : ""));
    else
      wanted = Wanted{*number};
  }
  ImGui::SetCursorScreenPos(next);
  return wanted && wanted->value == field.value ? std::nullopt : wanted;
}

std::optional<std::string> text_row(Frame& frame, Column column, const FieldRow& row,
                                    const std::string& value) {
  const Rect box = begin_row(frame, column, row);
  const ImVec2 next = ImGui::GetCursorScreenPos();
  std::optional<std::string> text;
  if (is_typing(frame.view, row)) {
    text = typing_box(frame, row, box);
  } else {
    ImGui::SetCursorScreenPos(box.min);
    const bool pressed = ImGui::InvisibleButton(field_id(row).c_str(), {box.width(), box.height()});
    if (wants_tooltip()) ImGui::SetTooltip("%s", row.tooltip.c_str());
    draw_box(frame.theme, box, ImGui::IsItemHovered());
    draw_value(frame.theme, box, value, 1, frame.theme.text);
    if (pressed_by_enter() || pressed) start_typing(frame.view, row, value);
    draw_focus_ring(frame.theme, frame.theme.px(4));
  }
  ImGui::SetCursorScreenPos(next);
  return text;
}

std::optional<std::size_t> choice_row(Frame& frame, Column column, const FieldRow& row,
                                      std::span<const std::string> names, std::size_t current) {
  const Theme& theme = frame.theme;
  const Rect box = begin_row(frame, column, row);
  const ImVec2 next = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(box.min);
  const bool pressed = ImGui::InvisibleButton(row.id.c_str(), {box.width(), box.height()});
  if (wants_tooltip()) ImGui::SetTooltip("%s", row.tooltip.c_str());
  draw_box(theme, box, ImGui::IsItemHovered());
  const std::string shown = current < names.size() ? names[current] : std::string("choose…");
  const float mark = theme.px(16);
  draw_value(theme, {box.min, {box.max.x - mark + theme.px(2), box.max.y}}, shown,
             row.label.empty() ? 0.0f : 1.0f, theme.text);
  draw_value(theme, {{box.max.x - mark - theme.px(8), box.min.y}, box.max}, "▾", 1, theme.dim);
  draw_focus_ring(theme, theme.px(4));
  const std::string list = row.id + " list";
  if (pressed_by_enter() || pressed) ImGui::OpenPopup(list.c_str());
  ImGui::SetNextWindowPos({box.min.x, box.max.y + theme.px(2)}, ImGuiCond_Appearing);
  std::optional<std::size_t> chosen;
  if (ImGui::BeginPopup(list.c_str())) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      bool picked = ImGui::Selectable(names[i].c_str(), i == current);
      picked = pressed_by_enter() || picked;
      if (i == current) ImGui::SetItemDefaultFocus();
      if (!picked) continue;
      chosen = i;
      ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
  }
  ImGui::SetCursorScreenPos(next);
  return chosen == current ? std::nullopt : chosen;
}

}  // namespace attn

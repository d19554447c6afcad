// A row's label, its box and the words in it.
#include "app/fields/field_parts.h"

#include <algorithm>

#include "app/theme/toolkit.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kLinePitch = 28, kBox = 24, kBoxWidth = 108, kLeastLabel = 0.44f;

}  // namespace

Rect begin_row(Frame& frame, Column column, const FieldRow& row) {
  const Theme& theme = frame.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({column.left, at.y + theme.px(kLinePitch)});
  if (row.label.empty()) return {at, {column.right, at.y + theme.px(kBox)}};
  const float width = column.right - column.left;
  const float box = std::min(theme.px(kBoxWidth), width * (1 - kLeastLabel));
  const float room = width - box - theme.px(6);
  const bool narrow = text_width(theme.fonts.body, row.label) > room;
  const ImFont* font = narrow ? theme.fonts.small : theme.fonts.body;
  draw_text(*ImGui::GetWindowDrawList(), font, {column.left, at.y + (theme.px(kBox) - font_size(font)) / 2},
            theme.text, elided(font, row.label, room));
  const Rect words{at, {column.left + room, at.y + theme.px(kBox)}};
  if (ImGui::IsMouseHoveringRect(words.min, words.max) && ImGui::IsWindowHovered())
    show_tooltip(row.label + ": " + row.tooltip);
  return {{column.right - box, at.y}, {column.right, at.y + theme.px(kBox)}};
}

void draw_box(const Theme& theme, Rect box, bool hovered) {
  ImGui::GetWindowDrawList()->AddRectFilled(
      box.min, box.max, hovered ? mix(theme.chip, theme.text, 0.1f) : theme.chip, theme.px(4));
}

void draw_value(const Theme& theme, Rect box, const std::string& value, float align, ImU32 ink) {
  const ImFont* font = theme.fonts.body;
  const float pad = align == 0.5f ? 0 : theme.px(kPad), room = box.width() - 2 * pad;
  const std::string text = elided(font, value, room);
  draw_text(*ImGui::GetWindowDrawList(), font,
            {box.min.x + pad + (room - text_width(font, text)) * align,
             box.min.y + (box.height() - font_size(font)) / 2},
            ink, text);
}

}  // namespace attn

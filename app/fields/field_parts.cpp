// A row's label, its box and the words in it.
#include "app/fields/field_parts.h"

#include <algorithm>

#include "app/theme/toolkit.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kLinePitch = 28, kBox = 24, kBoxWidth = 108, kLeastBox = 84, kLeastLabel = 0.44f;

}  // namespace

Rect begin_row(Frame& frame, Column column, const FieldRow& row) {
  const Theme& theme = frame.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (row.label.empty()) {
    ImGui::SetCursorScreenPos({column.left, at.y + theme.px(kLinePitch)});
    return {at, {column.right, at.y + theme.px(kBox)}};
  }
  const float width = column.right - column.left;
  const float gap = theme.px(6), small = text_width(theme.fonts.small, row.label) + gap;
  float box = std::min(theme.px(kBoxWidth), width * (1 - kLeastLabel));
  const bool above = small + std::min(box, theme.px(kLeastBox)) > width;
  if (!above) box = std::min(box, width - small);
  const float room = above ? width : width - box - gap;
  const bool narrow = text_width(theme.fonts.body, row.label) > room;
  const ImFont* font = narrow ? theme.fonts.small : theme.fonts.body;
  draw_text(*ImGui::GetWindowDrawList(), font, {column.left, at.y + (theme.px(kBox) - font_size(font)) / 2},
            theme.text, elided(font, row.label, room));
  const Rect words{at, {column.left + room, at.y + theme.px(kBox)}};
  if (ImGui::IsMouseHoveringRect(words.min, words.max) && ImGui::IsWindowHovered())
    show_tooltip(row.label + ": " + row.tooltip);
  const float top = above ? at.y + theme.px(kBox) : at.y;
  ImGui::SetCursorScreenPos({column.left, top + theme.px(kLinePitch)});
  return {{column.right - box, top}, {column.right, top + theme.px(kBox)}};
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

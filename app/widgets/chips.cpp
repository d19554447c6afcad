// A chip is an invisible button drawn by itself. A row measures each before placing it, to know when to wrap,
// and elides one that is wider than the row.
#include "app/widgets/chips.h"

#include <algorithm>

#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kHeight = 23, kPadding = 11, kLineGap = 6;

}  // namespace

ChipInk chip_ink(const Theme& theme, const Chip& chip, bool hovered) {
  ChipInk ink{theme.chip, 0, chip.faint ? theme.faint : theme.chip_text};
  if (chip.on)
    ink = {theme.accent_soft, with_alpha(theme.accent, 0.7f), mix(theme.accent, theme.text, 0.35f)};
  if (chip.filled) ink.fill = mix(theme.canvas, theme.accent, 0.5f), ink.border = theme.accent;
  if (hovered) ink.fill = mix(ink.fill, theme.text, 0.12f);
  if (chip.filled) ink.text = ink_on(ink.fill);
  ink.text = read_colour(theme, ink.text, ink.fill);
  return ink;
}

ImVec2 chip_size(const Theme& theme, const std::string& text) {
  return {text_width(theme.fonts.body, text) + theme.px(2 * kPadding), theme.px(kHeight)};
}

std::size_t chip_lines(const Theme& theme, std::span<const std::string_view> texts, float width) {
  std::size_t lines = texts.empty() ? 0 : 1;
  float x = 0;
  for (const std::string_view text : texts) {
    const float wide = std::min(width, chip_size(theme, std::string(text)).x);
    if (x > 0 && x + wide > width) ++lines, x = 0;
    x += wide + theme.px(kChipGap);
  }
  return lines;
}

float chip_rows_height(const Theme& theme, std::size_t lines) {
  return theme.px(kHeight + kLineGap) * static_cast<float>(lines);
}

bool draw_chip(const Theme& theme, const Chip& chip) {
  const ImVec2 min = ImGui::GetCursorScreenPos(), size = chip_size(theme, chip.text);
  bool pressed = ImGui::InvisibleButton(chip.id.c_str(), size);
  pressed = pressed_by_enter() || pressed;
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (wants_tooltip() && !chip.tooltip.empty()) show_tooltip(chip.tooltip);
  const ChipInk ink = chip_ink(theme, chip, hovered);
  const ImVec2 max{min.x + size.x, min.y + size.y};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(min, max, ink.fill, size.y / 2);
  if (ink.border != 0) list.AddRect(min, max, ink.border, size.y / 2, 0, theme.px(1));
  const ImFont* font = theme.fonts.body;
  draw_text(list, font, {min.x + theme.px(kPadding), min.y + (size.y - font_size(font)) / 2}, ink.text,
            chip.text);
  draw_focus_ring(theme, size.y / 2);
  return pressed;
}

ChipRow::ChipRow(const Theme& theme, float left, float right)
    : theme_(theme), left_(left), right_(right), x_(left), y_(ImGui::GetCursorScreenPos().y) {}

bool ChipRow::add(const Chip& chip) {
  Chip shown = chip;
  const float padding = theme_.px(2 * kPadding);
  shown.text = elided(theme_.fonts.body, chip.text, std::max(0.0f, right_ - left_ - padding));
  if (shown.text != chip.text && chip.tooltip.empty()) shown.tooltip = chip.text;
  const float width = chip_size(theme_, shown.text).x;
  if (!empty_ && x_ + width > right_) {
    x_ = left_;
    y_ += theme_.px(kHeight + kLineGap);
  }
  ImGui::SetCursorScreenPos({x_, y_});
  x_ += width + theme_.px(kChipGap);
  empty_ = false;
  return draw_chip(theme_, shown);
}

ChipRow::~ChipRow() {
  ImGui::SetCursorScreenPos({left_, y_ + (empty_ ? 0 : theme_.px(kHeight + kLineGap))});
}

}  // namespace attn

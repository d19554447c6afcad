// The colour bar under a matrix, in steps, and its range in words; a click keeps the range as it is.
#include <algorithm>
#include <cmath>

#include "app/cells/cell_parts.h"
#include "app/cells/cell_text.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kBarWidth = 44, kBarHeight = 5, kTextGap = 6, kLeastBar = 12;
constexpr int kSteps = 22;  // two points each: as fine as the bar is seen

std::string range_number(float range) {
  const std::string fixed = cell_text(range, range == std::round(range) ? 0 : range < 10 ? 2 : 1);
  return fixed.size() > 7 || range < 0.01f ? scientific(range, 1) : fixed;
}

bool is_diverging(const Grid& grid) {
  return grid.map.kind == MapKind::diverging;
}

std::string range_text(const Grid& grid) {
  return (is_diverging(grid) ? "±" : "0…") + range_number(grid.map.range) +
         (grid.map.decades > 0 ? " log" : "");
}

// Ranges that show more of a map that is nearly black, as long as there is room to say so.
std::string offer_text(const Grid& grid, const ImFont* font, float room) {
  const std::string most = range_number(grid.summary.matrices[grid.head].most);
  for (const std::string& text :
       {"largest weight " + most + ": colour each map to its own largest",
        "largest weight " + most + ": colour to it", "largest " + most + ": colour to it", "to " + most})
    if (text_width(font, text) <= room) return text;
  return {};
}

void draw_offer(ImDrawList& list, Frame& frame, const Grid& grid, const CellLayout& layout, float left) {
  const Theme& theme = frame.theme;
  const ImFont* font = theme.fonts.small;
  const std::string text = offer_text(grid, font, layout.whole.max.x - left);
  if (text.empty()) return;
  ImGui::SetCursorScreenPos({left, layout.bar_y});
  const bool clicked = ImGui::InvisibleButton("own range", {text_width(font, text), font_size(font)});
  if (clicked || pressed_by_enter()) frame.view.settings.weight_range = WeightRange::own;
  const bool hot = ImGui::IsItemHovered();
  draw_text(list, font, {left, layout.bar_y}, with_alpha(hot ? theme.text : theme.accent, grid.opacity),
            text);
  draw_focus_ring(theme, theme.px(3));
  if (hot)
    show_tooltip("The largest weight of this map is " + range_number(grid.summary.matrices[grid.head].most) +
                 ". Click: the colours of each map reach to its own largest weight.");
}

std::string explanation(const Grid& grid, bool locked) {
  const std::string range = range_number(grid.map.range);
  const std::string least =
      range_number(grid.map.range * std::pow(10.0f, -grid.map.decades)) + " and less are as 0";
  const std::string text = "Colours from " + (is_diverging(grid) ? "-" + range : std::string("0")) + " to " +
                           range + (grid.own_range ? ", the largest weight of this map" : "") +
                           (grid.map.decades > 0 ? ", by the logarithm: " + least : "") + ". ";
  return text + (locked ? "Locked: click to let the range follow the numbers."
                        : "Click to lock the range, so that changes can be compared.");
}

void draw_bar(ImDrawList& list, const Frame& frame, const Grid& grid, Rect bar) {
  ColourMap map = grid.map;
  map.decades = 0;  // the bar itself is in steps of what is coloured
  const float low = is_diverging(grid) ? -map.range : 0, width = bar.width() / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const float t = (static_cast<float>(i) + 0.5f) / kSteps;
    const ImU32 colour = map_colour(frame.theme, map, low + t * (map.range - low));
    list.AddRectFilled({bar.min.x + width * static_cast<float>(i), bar.min.y},
                       {bar.min.x + width * static_cast<float>(i + 1), bar.max.y},
                       with_alpha(colour, grid.opacity));
  }
}

}  // namespace

bool is_locked(const View& view, const std::string& stage) {
  return std::any_of(view.grid.locked_ranges.begin(), view.grid.locked_ranges.end(),
                     [&](const auto& locked) { return locked.first == stage; });
}

void toggle_lock(View& view, const Grid& grid) {
  if (std::erase_if(view.grid.locked_ranges,
                    [&](const auto& locked) { return locked.first == grid.stage; }) == 0)
    view.grid.locked_ranges.emplace_back(grid.stage, grid.map.range);
}

void draw_range(ImDrawList& list, Frame& frame, const Grid& grid, const CellLayout& layout) {
  const Theme& theme = frame.theme;
  const bool locked = is_locked(frame.view, grid.stage);
  const ImFont* font = theme.fonts.small;
  const std::string text = range_text(grid) + (locked ? " locked" : "");
  const float gap = theme.px(kTextGap), middle = layout.bar_y + font_size(font) / 2;
  const float room = layout.whole.max.x - layout.cells.min.x - gap - text_width(font, text);
  const float width = room < theme.px(kLeastBar) ? 0 : std::min(theme.px(kBarWidth), room);
  const float half = theme.px(kBarHeight) / 2;
  const Rect bar{{layout.cells.min.x, middle - half}, {layout.cells.min.x + width, middle + half}};
  const ImVec2 text_at{bar.max.x + (width > 0 ? gap : 0), layout.bar_y};
  ImGui::SetCursorScreenPos({layout.cells.min.x, layout.bar_y});
  const bool clicked = ImGui::InvisibleButton(
      "range", {text_at.x + text_width(font, text) - layout.cells.min.x, font_size(font)});
  if (clicked || pressed_by_enter()) toggle_lock(frame.view, grid);
  const bool hot = ImGui::IsItemHovered();
  draw_bar(list, frame, grid, bar);
  draw_text(list, font, text_at,
            with_alpha(locked ? theme.accent
                       : hot  ? theme.text
                              : theme.faint,
                       grid.opacity),
            text);
  draw_focus_ring(theme, theme.px(3));
  if (hot) show_tooltip(explanation(grid, locked));
  if (grid.offers_range) draw_offer(list, frame, grid, layout, text_at.x + text_width(font, text) + 2 * gap);
}

}  // namespace attn

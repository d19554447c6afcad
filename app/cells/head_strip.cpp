// Small maps of all heads, a texture each: the more heads, the smaller, in lines as long as there is room.
#include "app/cells/head_strip.h"

#include <algorithm>
#include <cmath>

#include "app/render/textures.h"
#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kLeastLabelled = 20;  // the side of a map under which its number has no room
constexpr float kFittedGap = 5;
constexpr float kFew = 104, kMap = 76, kMany = 52, kStripGap = 12, kLabel = 18, kLeastStrip = 236;
// Up to so many heads the maps are large, then smaller, beyond the second number smallest.
constexpr std::size_t kFewHeads = 4, kManyHeads = 16;

struct Maps {
  std::size_t per_line;
  float side, pitch_x, pitch_y;
  bool labelled = true;
};

// The largest maps that stand in an area, in as many lines as that takes.
Maps maps_within(const Theme& theme, std::size_t heads, ImVec2 area, bool labelled = true) {
  Maps best{1, 0, 0, 0, labelled};
  const float gap = theme.px(kFittedGap), below = gap + (labelled ? theme.px(kLabel) : 0);
  for (std::size_t per_line = 1; per_line <= heads; ++per_line) {
    const auto lines = static_cast<float>((heads + per_line - 1) / per_line);
    const float side =
        std::floor(std::min(area.x / static_cast<float>(per_line) - gap, area.y / lines - below));
    if (side > best.side) best = {per_line, side, side + gap, side + below, labelled};
  }
  if (labelled && best.side < theme.px(kLeastLabelled)) return maps_within(theme, heads, area, false);
  best.side = std::max(1.0f, best.side);
  return best;
}

Maps maps_in(const Theme& theme, std::size_t heads, float room) {
  const float side = theme.px(heads > kManyHeads  ? kMany
                              : heads > kFewHeads ? kMap
                                                  : kFew),
              gap = theme.px(kStripGap);
  const auto fitting = static_cast<std::size_t>(std::max(1.0f, std::floor((room + gap) / (side + gap))));
  return {std::min(fitting, std::max<std::size_t>(1, heads)), side, side + gap, side + theme.px(kLabel + 6)};
}

bool is_muted(const Frame& frame, std::size_t head) {
  return std::ranges::binary_search(frame.layer().muted_heads, head);
}

// What is around a map: its press, its frame, its number.
void draw_around(Frame& frame, const Grid& grid, std::size_t head, Rect map, bool labelled) {
  const Theme& theme = frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool shown = head == grid.head;
  const bool muted = is_muted(frame, head);
  ImGui::SetCursorScreenPos(map.min);
  const std::string id = "head " + std::to_string(head);
  if (ImGui::InvisibleButton(id.c_str(), {map.width(), map.height() + (labelled ? theme.px(kLabel) : 0)}) ||
      pressed_by_enter())
    frame.view.layer.head = head;
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (wants_tooltip())
      show_tooltip(id + (shown ? ": shown large" : ": click shows it large") +
                   (muted ? "; switched off, it adds zeros" : ""));
  }
  draw_focus_ring(theme, theme.px(4));
  const float out = theme.px(2);
  const ImU32 frame_colour = shown ? theme.accent : hovered ? theme.dim : theme.border;
  list.AddRect({map.min.x - out, map.min.y - out}, {map.max.x + out, map.max.y + out},
               with_alpha(frame_colour, grid.opacity), theme.px(3), 0, theme.px(shown ? 2 : 1));
  if (!labelled) return;
  const std::string label = std::to_string(head) + (muted ? " off" : "");
  const ImFont* font = theme.fonts.small;
  draw_text(list, font, {map.min.x + (map.width() - text_width(font, label)) / 2, map.max.y + theme.px(4)},
            with_alpha(shown ? theme.accent : theme.dim, grid.opacity), label);
}

}  // namespace

void draw_map_of_head(Frame& frame, const Grid& grid, Rect map, std::size_t head, float opacity) {
  frame.textures.draw(*ImGui::GetWindowDrawList(), map.min, map.max,
                      {.values = grid.values.here_or_there(),
                       .mask = grid.mask.here_or_there(),
                       .shape = grid.shape,
                       .pools = grid.summary.pools,
                       .head = head,
                       .map = map_of_head(grid, head),
                       .opacity = grid.opacity * opacity},
                      frame.theme);
}

ImVec2 head_strip_size(const Theme& theme, std::size_t heads, float room) {
  const Maps maps = maps_in(theme, heads, room);
  const std::size_t lines = (heads + maps.per_line - 1) / maps.per_line;
  return {std::max(static_cast<float>(maps.per_line) * maps.pitch_x, std::min(theme.px(kLeastStrip), room)),
          theme.px(kTitleHeight) + static_cast<float>(lines) * maps.pitch_y};
}

ImVec2 head_strip_title(const Theme& theme) {
  return {0, theme.px(kTitleHeight)};
}

void draw_head_strip(Frame& frame, const HeadStrip& strip) {
  const Theme& theme = frame.theme;
  const std::size_t heads = strip.grid.values.stack();
  draw_title(*ImGui::GetWindowDrawList(), theme, strip.box.min, with_alpha(theme.text, strip.grid.opacity),
             strip.grid.title, strip.grid.subtitle, strip.box.width());
  const Maps maps =
      strip.fitted
          ? maps_within(theme, heads, {strip.box.width(), strip.box.height() - theme.px(kTitleHeight)})
          : maps_in(theme, heads, strip.box.width());
  const auto place = [&](std::size_t h) -> Rect {
    const ImVec2 at{
        std::round(strip.box.min.x + theme.px(2) + static_cast<float>(h % maps.per_line) * maps.pitch_x),
        std::round(strip.box.min.y + theme.px(kTitleHeight) +
                   static_cast<float>(h / maps.per_line) * maps.pitch_y)};
    return {at, {at.x + maps.side, at.y + maps.side}};
  };
  ImGui::PushID("heads");
  for (std::size_t h = 0; h < heads; ++h)
    draw_map_of_head(frame, strip.grid, place(h), h, is_muted(frame, h) ? 0.35f : 1);
  for (std::size_t h = 0; h < heads; ++h) draw_around(frame, strip.grid, h, place(h), maps.labelled);
  ImGui::PopID();
}

}  // namespace attn

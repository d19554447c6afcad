// The grid of maps, one of each head with its name.
#include <algorithm>
#include <cmath>

#include "app/canvas/steps.h"
#include "app/cells/head_strip.h"
#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"
#include "app/workspaces/heads/scene.h"
#include "core/heads/fields.h"

namespace attn {
namespace {

constexpr float kTight = 8, kName = 20, kNumber = 18, kLeastSide = 22;
constexpr float kNameReach = 6;   // of a name, into the gap at the side of its map
constexpr float kFewWidth = 110;  // a map as wide has room for its name and a number below

// The most columns that keep maps as large as they can be.
struct MapPlaces {
  std::size_t columns = 1;
  float side = 0, gap = 0, caption = 0;
  Rect at(Rect area, std::size_t i) const {
    const ImVec2 min{std::round(area.min.x + static_cast<float>(i % columns) * (side + gap)),
                     std::round(area.min.y + static_cast<float>(i / columns) * (side + caption))};
    return {min, {min.x + side, min.y + side}};
  }
};

MapPlaces places_in(const Theme& theme, Rect area, std::size_t count) {
  MapPlaces best;
  for (std::size_t columns = 1; columns <= count; ++columns) {
    const auto rows = static_cast<float>((count + columns - 1) / columns);
    MapPlaces p{.columns = columns, .gap = theme.px(columns > 8 ? kTight : kMapGap)};
    const float wide = (area.width() + p.gap) / static_cast<float>(columns) - p.gap;
    const bool roomy = wide >= theme.px(kFewWidth);
    p.caption = theme.px(roomy ? kName + kNumber : kName);
    p.side = std::floor(std::min(wide, area.height() / rows - p.caption));
    if (p.side > best.side) best = p;
  }
  best.side = std::max(best.side, theme.px(kLeastSide));
  return best;
}

// Of all maps alike: whole names with numbers below, whole names, or a word where one of those has no room.
enum class Captions { numbers, names, words };

Captions captions_for(const HeadsScene& scene, const MapPlaces& places) {
  const Theme& theme = scene.frame.theme;
  if (places.caption > theme.px(kName) * 1.5f) return Captions::numbers;
  for (std::size_t head = 0; head < scene.memo.names.size(); ++head) {
    const float index = text_width(theme.fonts.bold, std::to_string(head)) + theme.px(5);
    const float name = text_width(theme.fonts.small, std::string(title_of(scene.memo.names[head])));
    if (index + name > places.side + theme.px(kNameReach)) return Captions::words;
  }
  return Captions::names;
}

void draw_caption(const HeadsScene& scene, Rect map, std::size_t head, Captions captions) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont *bold = theme.fonts.bold, *small = theme.fonts.small;
  const bool muted = scene.muted(head);
  const std::string index = std::to_string(head);
  float x = map.min.x, y = map.max.y + theme.px(3);
  draw_text(list, bold, {x, y}, read_colour(theme, scene.colour(head), theme.canvas), index);
  x += text_width(bold, index) + theme.px(captions == Captions::words ? 3 : 5);
  const bool named = !scene.memo.names.empty();
  const bool word = captions == Captions::words;
  const std::string name =
      muted   ? "off"
      : named ? std::string(word ? word_of(scene.memo.names[head]) : title_of(scene.memo.names[head]))
              : share_text(scene.memo.entropy[head], 2) + " nats";
  const ImU32 ink = muted ? theme.faint : head == scene.head ? theme.text : theme.dim;
  const float room = map.max.x + theme.px(kNameReach) - x;
  if (text_width(small, name) <= room)  // else the tooltip has it: a few letters are no name
    draw_text(list, small, {x, y + (font_size(bold) - font_size(small)) / 2}, ink, name);
  if (captions != Captions::numbers || !named || !scene.memo.names[head].kind) return;
  const bool broad = scene.memo.names[head].kind == HeadKind::broad;
  draw_text(list, small, {x, y + font_size(bold) + theme.px(1)}, theme.faint,
            share_text(scene.memo.names[head].number, 2) + (broad ? " of max" : ""));
}

// What is around a map: its press, its frame, its words.
void draw_around(HeadsScene& scene, Rect map, std::size_t head, Captions captions) {
  Frame& frame = scene.frame;
  const Theme& theme = frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::SetCursorScreenPos(map.min);
  const std::string id = "head " + std::to_string(head);
  const bool clicked = ImGui::InvisibleButton(id.c_str(), {map.width(), map.height() + theme.px(kName)});
  if (pressed_by_enter() || clicked) frame.view.layer.head = head;
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (hovered && wants_tooltip()) show_tooltip(about_head(scene, head));
  draw_focus_ring(theme, theme.px(4));
  const bool shown = head == scene.head;
  const float out = theme.px(2);
  if (shown || hovered)
    list.AddRect({map.min.x - out, map.min.y - out}, {map.max.x + out, map.max.y + out},
                 shown ? theme.accent : theme.dim, theme.px(3), 0, theme.px(shown ? 2 : 1));
  draw_caption(scene, map, head, captions);
}

Subtitle subtitle_of(const HeadsScene& scene) {
  Subtitle subtitle{{std::to_string(scene.heads()), true}};
  const StageIndex map = scene.map();
  if (map != scene.places().weights) {
    subtitle.push_back({scene.results.graph.stages[map].title, true});
    subtitle.push_back({scene.results.graph.stages[map].formula});
  } else {
    subtitle.push_back({"the weights of each; its name is the rule it fits, the number behind it"});
  }
  if (scene.spec.order != HeadOrder::index)
    subtitle.push_back(
        {scene.spec.order == HeadOrder::entropy ? "the sharpest first" : "each next to its like"});
  return subtitle;
}

}  // namespace

void draw_head_maps(HeadsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  const StageIndex stage = scene.map();
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "heads", subtitle_of(scene),
             area.width());
  const Rect room{{area.min.x, area.min.y + theme.px(kTitleHeight)}, area.max};
  if (scene.one_map()) {
    Grid grid = fitted_grid(scene.frame, stage, 0, area);
    grid.title = "", grid.subtitle = {};
    draw_grid(scene.frame, grid);
    return;
  }
  const Grid grid = fitted_grid(scene.frame, stage, scene.head, room);
  const MapPlaces places = places_in(theme, room, scene.heads());
  const auto each = [&](auto draw) {
    for (std::size_t i = 0; i < scene.heads(); ++i) draw(places.at(room, i), scene.memo.order[i]);
  };
  ImGui::PushID("maps");
  // First all maps: words between them would cost each one a change of OpenGL's state.
  each([&](Rect map, std::size_t head) {
    draw_map_of_head(scene.frame, grid, map, head, scene.muted(head) ? 0.3f : 1);
  });
  const Captions captions = captions_for(scene, places);
  each([&](Rect map, std::size_t head) { draw_around(scene, map, head, captions); });
  ImGui::PopID();
}

}  // namespace attn

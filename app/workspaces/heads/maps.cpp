// The grid of maps, one of each head with its name, and the map of the head that is shown large.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/canvas/steps.h"
#include "app/cells/head_strip.h"
#include "app/theme/toolkit.h"
#include "app/widgets/bars.h"
#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"
#include "app/workspaces/heads/scene.h"
#include "core/heads/fields.h"

namespace attn {
namespace {

constexpr float kTight = 8, kName = 20, kNumber = 18, kLeastSide = 22;
constexpr float kNameReach = 6;   // of a name, into the gap beside its map
constexpr float kFewWidth = 110;  // a map as wide has room for its name and a number below
constexpr float kListLine = 20, kListHead = 30, kBelowBar = 24;
constexpr std::size_t kListedKeys = 5;  // keys below the large map

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

std::string about(const HeadsScene& scene, std::size_t head) {
  std::string text = "head " + std::to_string(head) + ": " + name_and_number(scene, head);
  text += "\nentropy " + share_text(scene.memo.entropy[head], 3) + " nats";
  text += "\nwithout it the output changes by " + share_text(scene.memo.change[head], 3);
  if (scene.muted(head)) text += "\nswitched off: it adds zeros";
  return text + (head == scene.head ? "" : "\nclick: large");
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
  draw_text(list, bold, {x, y}, scene.colour(head), index);
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
  if (hovered && wants_tooltip()) show_tooltip(about(scene, head));
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

// The keys of the row by their weight.
std::vector<std::size_t> heaviest(const HeadsScene& scene, std::size_t most) {
  const Tensor& weights = scene.weights();
  std::vector<std::size_t> keys(weights.columns());
  std::iota(keys.begin(), keys.end(), std::size_t{0});
  const std::size_t listed = std::min(most, keys.size());
  std::ranges::partial_sort(keys, keys.begin() + static_cast<std::ptrdiff_t>(listed), std::greater(),
                            [&](std::size_t j) {
                              const float w = weights[{scene.head, scene.row, j}];
                              return std::isnan(w) ? HUGE_VALF : w;
                            });
  keys.resize(listed);
  return keys;
}

void draw_row_of(const HeadsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  draw_text(list, font, area.min, theme.dim,
            elided(font, "“" + scene.memo.queries[scene.row] + "” attends to", area.width()));
  const float names = std::min(theme.px(96), area.width() * 0.3f), numbers = theme.px(52);
  float y = area.min.y + theme.px(22);
  for (const std::size_t key : heaviest(scene, kListedKeys)) {
    const auto weight = static_cast<double>(scene.weights()[{scene.head, scene.row, key}]);
    const std::string name = elided(font, scene.memo.keys[key], names - theme.px(8));
    draw_text(list, font, {area.min.x + names - theme.px(8) - text_width(font, name), y}, theme.text, name);
    const Rect bar{{area.min.x + names, y + theme.px(2)}, {area.max.x - numbers, y + theme.px(14)}};
    draw_bar(list, bar, std::clamp(weight, 0.0, 1.0), 0, theme.value, theme);
    draw_text(list, font, {area.max.x - numbers + theme.px(6), y}, theme.text, share_text(weight));
    y += theme.px(kListLine);
  }
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

void draw_large_head(HeadsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  const float list = theme.px(kListHead + kListLine * static_cast<float>(kListedKeys));
  const StageIndex stage = scene.one_map() ? scene.places().weights : scene.map();
  Grid grid = fitted_grid(scene.frame, stage, scene.head, {area.min, {area.max.x, area.max.y - list}});
  grid.title = "head " + std::to_string(scene.head);
  grid.subtitle = {{"row “" + scene.memo.queries[scene.row] + "”", true},
                   {scene.results.graph.stages[stage].title}};
  draw_grid(scene.frame, grid);
  const Rect row = row_rect(scene.frame, grid, scene.row);
  outline_row(theme, row, theme.outline, "");
  const float bottom = row_rect(scene.frame, grid, grid.shape.rows - 1).max.y;
  const float top = std::min(bottom + theme.px(kBelowBar), area.max.y - list);
  draw_row_of(scene, {{area.min.x, top + theme.px(4)}, area.max});
}

}  // namespace attn

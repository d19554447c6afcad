// The score matrix as tiles: done, now, to come, skipped; the blocks that are in fast memory now.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/canvas/blocks.h"
#include "app/cells/cell_draw.h"
#include "app/cells/head_strip.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/strokes.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "app/workspaces/efficient/flash.h"

namespace attn {
namespace {

constexpr float kStrip = 8, kStripGap = 9, kStripLabel = 16, kTilesLegend = 24, kSwatch = 11;
constexpr float kLeastBlock = 4, kLeastTile = 6, kDone = 0.65f, kFaintBlock = 0.3f, kLeastSide = 0.3f;

struct TilesPlace {
  Rect map = {};
  float column = 0, row = 0;  // pixels of a key and of a query
  float gap = 0, strip = 0;

  Rect tile(const FlashTiling& tiling, FlashTile t) const {
    const FlashTiling::Span keys = tiling.keys_of(t.column), rows = tiling.queries_of(t.row);
    return {{x(keys.first), y(rows.first)}, {x(keys.end), y(rows.end)}};
  }
  float x(std::size_t key) const { return map.min.x + column * static_cast<float>(key); }
  float y(std::size_t query) const { return map.min.y + row * static_cast<float>(query); }
};

// The map as large as fits, its cells square unless one side would be next to nothing.
TilesPlace place_tiles(const Theme& theme, const FlashHead& head, Rect area) {
  TilesPlace place{.gap = theme.px(kStripGap), .strip = theme.px(kStrip)};
  const float around = place.gap + place.strip, side = theme.px(kStripLabel);
  const Rect room{{area.min.x + side + around, area.min.y + theme.px(kTitleHeight) + around},
                  {area.max.x - side - around, area.max.y - theme.px(kTilesLegend) - around}};
  const auto keys = static_cast<float>(head.keys()), queries = static_cast<float>(head.queries());
  const float cell = std::max(0.01f, std::min(room.width() / keys, room.height() / queries));
  const float width = std::max(cell * keys, kLeastSide * room.width());
  const float height = std::max(cell * queries, kLeastSide * room.height());
  place.map = {room.min, {room.min.x + std::floor(width), room.min.y + std::floor(height)}};
  place.column = place.map.width() / keys, place.row = place.map.height() / queries;
  return place;
}

enum class BlockInk { faint, lit, empty, framed };

struct Strip {
  bool across = true;  // along the keys
  float at = 0;        // its upper or left edge
  ImU32 colour = 0;
};

void draw_block(const Theme& theme, const TilesPlace& place, const Strip& strip, FlashTiling::Span span,
                BlockInk ink) {
  const float gap = theme.px(0.5f), out = strip.at + place.strip;
  const Rect box = strip.across ? Rect{{place.x(span.first) + gap, strip.at}, {place.x(span.end) - gap, out}}
                                : Rect{{strip.at, place.y(span.first) + gap}, {out, place.y(span.end) - gap}};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float round = std::min({theme.px(2), box.width() / 2, box.height() / 2});
  if (ink == BlockInk::faint || ink == BlockInk::lit)
    list.AddRectFilled(box.min, box.max,
                       ink == BlockInk::lit ? strip.colour : with_alpha(strip.colour, kFaintBlock), round);
  if (ink == BlockInk::framed) list.AddRect(box.min, box.max, strip.colour, round, 0, theme.px(1.2f));
}

// Blocks of K, Q or V: the one that is in fast memory lit; none where `now` is behind the last. Of very many
// their gaps are left out.
void draw_blocks_of(const Theme& theme, const TilesPlace& place, const Strip& strip, std::size_t count,
                    const std::function<FlashTiling::Span(std::size_t)>& span, std::size_t now) {
  const float length = strip.across ? place.map.width() : place.map.height();
  if (length / static_cast<float>(count) < theme.px(kLeastBlock)) {
    draw_block(theme, place, strip, {span(0).first, span(count - 1).end}, BlockInk::faint);
    if (now < count) draw_block(theme, place, strip, span(now), BlockInk::lit);
    return;
  }
  for (std::size_t i = 0; i < count; ++i)
    draw_block(theme, place, strip, span(i), now == i ? BlockInk::lit : BlockInk::faint);
}

void draw_strips(const EfficientScene& scene, const FlashShown& shown, const TilesPlace& place) {
  const Theme& theme = scene.frame.theme;
  const FlashTiling& tiling = shown.tiling;
  const std::size_t row = tiling.tile_row_of(shown.row);
  const std::size_t column = shown.tile ? shown.tile->column : tiling.across();
  const auto keys = [&](std::size_t i) { return tiling.keys_of(i); };
  const auto rows = [&](std::size_t i) { return tiling.queries_of(i); };
  const float out = place.gap + place.strip;
  const Rect& map = place.map;
  draw_blocks_of(theme, place, {true, map.min.y - out, theme.key}, tiling.across(), keys, column);
  draw_blocks_of(theme, place, {true, map.max.y + place.gap, theme.value}, tiling.across(), keys, column);
  draw_blocks_of(theme, place, {false, map.min.x - out, theme.query}, tiling.down(), rows, row);
  const Strip output{false, map.max.x + place.gap, theme.output};
  if (row > 0) {
    if (place.map.height() / static_cast<float>(tiling.down()) < theme.px(kLeastBlock))
      draw_block(theme, place, output, {0, rows(row).first}, BlockInk::lit);
    else
      for (std::size_t i = 0; i < row; ++i) draw_block(theme, place, output, rows(i), BlockInk::lit);
  }
  draw_block(theme, place, output, rows(row), BlockInk::framed);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.bold;
  const float half = font_size(font) / 2, now_y = (place.y(rows(row).first) + place.y(rows(row).end)) / 2;
  const auto label = [&](float right, float y, ImU32 colour, const char* text) {
    draw_text(list, font, {right - text_width(font, text), y - half}, colour, text);
  };
  const float left = map.min.x - out - theme.px(5), middle = place.strip / 2;
  label(left, map.min.y - out + middle, theme.key, "K");
  label(left, now_y, theme.query, "Q");
  label(left, map.max.y + place.gap + middle, theme.value, "V");
  draw_text(list, font, {map.max.x + out + theme.px(5), now_y - half}, theme.output, "o");
}

// Tiles of a row that lie side by side and look alike are one rectangle.
void shade_row(const EfficientScene& scene, const FlashShown& shown, const TilesPlace& place,
               std::size_t row) {
  const Theme& theme = scene.frame.theme;
  const FlashTiling& tiling = shown.tiling;
  const std::size_t now_row = tiling.tile_row_of(shown.row);
  const std::size_t now_column = shown.tile ? shown.tile->column : 0;
  const auto alpha = [&](std::size_t column) {  // of the canvas over it
    const FlashTile tile{row, column};
    if (tiling.skips(tile) || shown.tile == tile) return 0.0f;
    return row < now_row || (row == now_row && column < now_column) ? 1 - kDone : 1.0f;
  };
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t first = 0, end = 0; first < tiling.across(); first = end) {
    end = first + 1;
    while (end < tiling.across() && alpha(end) == alpha(first)) ++end;
    if (alpha(first) == 0) continue;
    const Rect from = place.tile(tiling, {row, first}), to = place.tile(tiling, {row, end - 1});
    list.AddRectFilled(from.min, to.max, with_alpha(theme.canvas, alpha(first)));
  }
}

void draw_tile_lines(const Theme& theme, const FlashTiling& tiling, const TilesPlace& place) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Rect& map = place.map;
  const auto room = [&](float length, std::size_t count) {
    return length / static_cast<float>(count) >= theme.px(kLeastTile);
  };
  if (room(map.width(), tiling.across()) && room(map.height(), tiling.down())) {
    for (std::size_t i = 1; i < tiling.across(); ++i) {
      const float x = std::round(place.x(tiling.keys_of(i).first));
      list.AddRectFilled({x, map.min.y}, {x + 1, map.max.y}, theme.border);
    }
    for (std::size_t i = 1; i < tiling.down(); ++i) {
      const float y = std::round(place.y(tiling.queries_of(i).first));
      list.AddRectFilled({map.min.x, y}, {map.max.x, y + 1}, theme.border);
    }
  }
  list.AddRect(map.min, map.max, theme.border);
}

void draw_map(EfficientScene& scene, const FlashShown& shown, const TilesPlace& place) {
  const Theme& theme = scene.frame.theme;
  Grid grid = matrix_block(scene.frame, scene.places().layer.weighed, scene.head).grid;
  if (shown.largest > 0) grid.map.range = static_cast<float>(shown.largest);
  draw_map_of_head(scene.frame, grid, place.map, scene.head, 1);
  for (std::size_t row = 0; row < shown.tiling.down(); ++row) shade_row(scene, shown, place, row);
  draw_tile_lines(theme, shown.tiling, place);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float y = place.y(shown.row) + place.row / 2;
  const std::array<ImVec2, 2> ends{ImVec2{place.map.min.x, y}, ImVec2{place.map.max.x, y}};
  draw_dashes(list, theme, ends, theme.text, theme.px(1), theme.px(2), theme.px(3));
  if (!shown.tile) return;
  const Rect now = place.tile(shown.tiling, *shown.tile);
  const float out = theme.px(1);
  list.AddRect({now.min.x - out, now.min.y - out}, {now.max.x + out, now.max.y + out}, theme.text,
               theme.px(2), 0, theme.px(2));
}

std::string about_tile(const FlashTiling& tiling, FlashTile tile) {
  const std::string words = "tile " + std::to_string(tile.row) + ", " + std::to_string(tile.column) +
                            ": queries " + keys_text(tiling.queries_of(tile.row)) + ", keys " +
                            keys_text(tiling.keys_of(tile.column));
  const auto place = tiling.place(tile);
  if (!place) return words + "\nevery key is masked for every query: skipped";
  return words + "\n" + std::to_string(*place + 1) + " of " + std::to_string(tiling.computed()) +
         "; click: computed now, drag: through the tiles";
}

// Click a tile, drag over them.
void press_tiles(EfficientScene& scene, const FlashShown& shown, const TilesPlace& place) {
  const Theme& theme = scene.frame.theme;
  const Rect& map = place.map;
  ImGui::SetCursorScreenPos(map.min);
  ImGui::InvisibleButton("tiles", {map.width(), map.height()});
  draw_focus_ring(theme, theme.px(2));
  const bool held = ImGui::IsItemActive() && ImGui::IsMouseDown(0), hovered = ImGui::IsItemHovered();
  if (!held && !hovered) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto at = [](float from, float pitch, float where, std::size_t count) {
    return static_cast<std::size_t>(
        std::clamp((where - from) / pitch, 0.0f, static_cast<float>(count) - 0.5f));
  };
  const std::size_t key = at(map.min.x, place.column, mouse.x, shown.head.keys());
  const std::size_t query = at(map.min.y, place.row, mouse.y, shown.head.queries());
  const FlashTile tile{shown.tiling.tile_row_of(query), shown.tiling.tile_column_of(key)};
  if (held) go_to_tile(scene.results, scene.frame.view, shown.tiling, tile);
  if (hovered && !held && wants_tooltip()) show_tooltip(about_tile(shown.tiling, tile));
}

void draw_tiles_legend(const EfficientScene& scene, ImVec2 at, float right) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const float side = theme.px(kSwatch), top = at.y + (font_size(font) - side) / 2;
  const auto add = [&](const char* words, const std::function<void(Rect)>& swatch) {
    if (at.x + side + theme.px(kSignGap) + text_width(font, words) > right) return;
    swatch({{at.x, top}, {at.x + side, top + side}});
    draw_text(list, font, {at.x + side + theme.px(5), at.y}, theme.dim, words);
    at.x += side + theme.px(5) + text_width(font, words) + theme.px(14);
  };
  const ImU32 ink = theme.cell_positive;
  const float round = theme.px(2);
  add("done", [&](Rect r) { list.AddRectFilled(r.min, r.max, mix(theme.canvas, ink, kDone), round); });
  add("now", [&](Rect r) {
    list.AddRectFilled(r.min, r.max, ink, round);
    list.AddRect(r.min, r.max, theme.text, round, 0, theme.px(1.5f));
  });
  add("to come", [&](Rect r) { list.AddRect(r.min, r.max, theme.border, round); });
  add("skipped", [&](Rect r) { draw_hatch(list, r, theme.hatch, theme.px(4)); });
}

std::string skipped_words(const FlashTiling& tiling) {
  const std::size_t count = tiling.count(), skipped = tiling.skipped();
  if (skipped == 0)
    return count == 1 ? "1 tile, not masked" : std::to_string(count) + " tiles, none is masked";
  return std::to_string(skipped) + " of " + std::to_string(count) +
         (skipped == 1 ? " tiles is masked: skipped" : " tiles are masked: skipped");
}

}  // namespace

void draw_tiles(EfficientScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto shown = flash_shown(scene);
  draw_title(list, theme, area.min, theme.text, "flash",
             shown ? Subtitle{{skipped_words(shown->tiling), true}} : Subtitle{}, area.width());
  if (!shown) {
    const ImFont* font = theme.fonts.small;
    const std::string words = "flash attention cannot compute this layer: " + flash_hindrance(scene.results);
    draw_text(list, font, {area.min.x, area.min.y + theme.px(kTitleHeight)}, theme.warning,
              wrapped(font, words, area.width()));
    return;
  }
  ImGui::PushID("flash");
  const TilesPlace place = place_tiles(theme, shown->head, area);
  draw_map(scene, *shown, place);
  draw_strips(scene, *shown, place);
  const float below = place.map.max.y + place.gap + place.strip + theme.px(8);
  draw_tiles_legend(scene, {place.map.min.x, below}, area.max.x);
  press_tiles(scene, *shown, place);
  ImGui::PopID();
}

}  // namespace attn

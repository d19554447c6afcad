// The canvas of the workspace of efficient attention: its parts, laid out.
#include <algorithm>
#include <utility>

#include "app/canvas/parts.h"
#include "app/workspaces/efficient/flash.h"
#include "app/workspaces/efficient/row.h"
#include "app/workspaces/efficient/scene.h"

namespace attn {
namespace {

constexpr float kEfficientGapY = 14, kHeldHeight = 92;

EfficientAreas lay_out(const EfficientScene& scene, ImVec2 canvas) {
  EfficientAreas a;
  const Theme& theme = scene.frame.theme;
  const float margin = theme.px(kSceneMargin), gap = theme.px(kSceneGap), below = theme.px(kEfficientGapY);
  Shelf shelf{margin, canvas.x - margin, theme.px(8)};
  const auto part = [&](float share, float least) { return std::max(canvas.y * share, theme.px(least)); };
  if (canvas.x >= theme.px(kRoomyScene + 2 * kSceneMargin)) {
    const float top = shelf.y, height = part(0.36f, 300);
    shelf.side_by_side({{&a.tiles, 0.32f}, {&a.row, 0.68f}}, height, gap, below);
    a.held = a.row;
    a.held.min.y = top + height - theme.px(kHeldHeight), a.row.max.y = a.held.min.y - theme.px(10);
    shelf.side_by_side({{&a.linear, 0.61f}, {&a.errors, 0.39f}}, part(0.24f, 200), gap, below);
    shelf.side_by_side({{&a.roads, 0.66f}, {&a.map, 0.34f}}, part(0.33f, 280), gap, margin);
  } else {
    a.tiles = shelf.take(theme.px(300), below);
    a.row = shelf.take(theme.px(240), below);
    a.held = shelf.take(theme.px(kHeldHeight), below);
    a.linear = shelf.take(theme.px(220), below);
    a.errors = shelf.take(theme.px(220), below);
    a.roads = shelf.take(theme.px(300), below);
    a.map = shelf.take(theme.px(320), margin);
  }
  a.content = {canvas.x, shelf.y};
  return a;
}

// Steps of the stage bar are those of a tile.
std::optional<Rect> revealed(const EfficientScene& scene, const EfficientAreas& areas) {
  if (std::exchange(scene.frame.canvas().reveal, "").empty()) return std::nullopt;
  return shown_tile_part(scene.frame) ? std::optional(areas.row) : std::nullopt;
}

}  // namespace

void draw_efficient(Frame& frame, Rect canvas) {
  using Areas = EfficientAreas;
  if (auto scene = efficient_scene(frame)) advance_tiles(*scene);
  draw_parts<EfficientScene, Areas>(frame, canvas,
                                    {efficient_scene,
                                     lay_out,
                                     revealed,
                                     {{&Areas::tiles, draw_tiles},
                                      {&Areas::row, draw_row},
                                      {&Areas::held, draw_held},
                                      {&Areas::linear, draw_linear},
                                      {&Areas::errors, draw_token_errors},
                                      {&Areas::roads, draw_roads},
                                      {&Areas::map, draw_road_map}}});
}

}  // namespace attn

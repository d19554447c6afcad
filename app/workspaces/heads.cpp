// The canvas of the workspace of heads: its parts, laid out, scrolled to the step of the stage bar.
#include "app/workspaces/heads.h"

#include <algorithm>
#include <cmath>

#include "app/workspaces/canvas.h"
#include "app/workspaces/heads_scene.h"
#include "app/workspaces/notice.h"
#include "app/workspaces/progress.h"
#include "core/error.h"
#include "core/text.h"

namespace attn {
namespace {

constexpr float kHeadsGapY = 12;
constexpr float kMapAlone = 160, kLeastMaps = 340, kMostMaps = 900, kLargeAlone = 420, kBarsAlone = 230,
                kLeastBars = 190, kMostBars = 420, kLeastGroups = 140, kMostGroups = 260;
constexpr std::size_t kManyHeads = 100;

// Steps behind the weights are seen in what the heads add to the output.
void reveal(HeadsScene& scene, const HeadsAreas& areas, Rect canvas) {
  const auto stage = take_revealed(scene.frame, scene.results.graph);
  if (!stage) return;
  const bool behind = *stage > scene.places().weights && *stage <= scene.places().output;
  scroll_to(scene.frame, canvas, areas.content, behind ? areas.without : areas.grid);
}

void draw_parts(HeadsScene& scene, const HeadsAreas& areas, Rect canvas) {
  const ImVec2 origin = canvas_origin(scene.frame.canvas(), canvas, areas.content);
  const auto draw = [&](Rect area, auto part) {
    const Rect place = moved(area, origin);
    if (in_sight(place, canvas)) part(scene, place);
  };
  draw(areas.grid, draw_head_maps);
  draw(areas.large, draw_large_head);
  draw(areas.entropy, draw_head_entropies);
  draw(areas.alike, draw_likeness);
  draw(areas.without, draw_without_head);
  draw(areas.groups, draw_groups);
  draw(areas.table, draw_groups_table);
}

}  // namespace

HeadsAreas heads_areas(const Theme& theme, ImVec2 canvas, std::size_t heads, bool grouped) {
  HeadsAreas a;
  const float margin = theme.px(kSceneMargin), gap = theme.px(kSceneGap), below = theme.px(kHeadsGapY);
  Shelf shelf{margin, canvas.x - margin, theme.px(8)};
  const auto part = [&](float share, float least, float most) {
    return std::clamp(canvas.y * share, theme.px(least), theme.px(most));
  };
  const float more = heads > kManyHeads ? 1.5f : 1;
  if (shelf.right - shelf.left >= theme.px(kRoomyScene)) {
    const Rect maps = shelf.take(part(0.5f, kLeastMaps, kMostMaps) * more, below);
    a.grid = part_of(maps, 0, 0.64f, gap), a.large = part_of(maps, 0.64f, 1, gap);
    const Rect bars = shelf.take(part(0.265f, kLeastBars, kMostBars), below);
    a.entropy = part_of(bars, 0, 0.33f, gap), a.alike = part_of(bars, 0.33f, 0.62f, gap);
    a.without = part_of(bars, 0.62f, 1, gap);
    if (grouped) {
      const Rect last = shelf.take(part(0.17f, kLeastGroups, kMostGroups), margin);
      a.groups = part_of(last, 0, 0.54f, gap), a.table = part_of(last, 0.54f, 1, gap);
    }
  } else {
    const auto rows = static_cast<float>(std::clamp<std::size_t>((heads + 2) / 3, 1, 3));
    a.grid = shelf.take(theme.px(kTitleHeight + rows * kMapAlone) * more, below);
    a.large = shelf.take(theme.px(kLargeAlone), below);
    for (Rect* rect : {&a.entropy, &a.alike, &a.without}) *rect = shelf.take(theme.px(kBarsAlone), below);
    if (grouped) {
      a.groups = shelf.take(theme.px(kBarsAlone), below);
      a.table = shelf.take(theme.px(kBarsAlone), margin);
    }
  }
  a.content = {canvas.x, shelf.y};
  return a;
}

void draw_heads(Frame& frame, Rect canvas) {
  canvas.min.y += draw_notice(frame, canvas);
  begin_canvas(frame, canvas);
  ImVec2 content{canvas.width(), canvas.height()};
  if (auto scene = heads_scene(frame)) {
    const float zoom = frame.canvas().zoom;
    const HeadsAreas areas = heads_areas(frame.theme, {canvas.width() * zoom, canvas.height() * zoom},
                                         scene->heads(), scene->memo.groupings.size() > 1);
    content = areas.content;
    reveal(*scene, areas, canvas);
    draw_parts(*scene, areas, canvas);
  }
  end_canvas(frame, canvas, content);
  draw_progress(frame, canvas);
}

std::optional<Spot> look_at_head(Document&, View& view, const Results& results,
                                 const std::vector<double>& at) {
  const Stage& weights = results.graph.stages[results.places.as<HeadsPlaces>()->weights];
  const auto place = [&](double number, std::size_t count, const char* what) {
    if (number < 0 || number != std::floor(number) || number >= static_cast<double>(count))
      throw Error(std::string("there is no ") + what + " " + brief(number) + ": the layer has " +
                      std::to_string(count) + ", counted from 0",
                  Fault::option);
    return static_cast<std::size_t>(number);
  };
  const std::size_t head = place(at[0], weights.shape.stack, "head");
  const std::size_t query = place(at[1], weights.shape.rows, "query");
  view.layer.head = head, view.heads.row = query;
  return std::nullopt;  // the inspector opens the head by itself
}

}  // namespace attn

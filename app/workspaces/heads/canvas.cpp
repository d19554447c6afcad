// The canvas of the workspace of heads: its parts, laid out, scrolled to the step of the stage bar.
#include "app/workspaces/heads/row.h"

#include <algorithm>
#include <cmath>

#include "app/canvas/parts.h"
#include "app/workspaces/heads/scene.h"
#include "app/workspaces/heads/view.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr float kHeadsGapY = 12;
constexpr float kMapAlone = 160, kLeastMaps = 340, kMostMaps = 900, kLargeAlone = 420, kBarsAlone = 230,
                kLeastBars = 190, kMostBars = 420, kLeastGroups = 140, kMostGroups = 260;
constexpr std::size_t kManyHeads = 100;

HeadsAreas lay_out(const HeadsScene& scene, ImVec2 canvas) {
  HeadsAreas a;
  const Theme& theme = scene.frame.theme;
  const std::size_t heads = scene.heads();
  const bool grouped = scene.memo.groupings.size() > 1;
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

// Steps behind the weights are seen in what the heads add to the output.
std::optional<Rect> revealed(const HeadsScene& scene, const HeadsAreas& areas) {
  const auto stage = take_revealed(scene.frame, scene.results.graph);
  if (!stage) return std::nullopt;
  const bool behind = *stage > scene.places().weights && *stage <= scene.places().output;
  return behind ? areas.without : areas.grid;
}

}  // namespace

void draw_heads(Frame& frame, Rect canvas) {
  using Areas = HeadsAreas;
  draw_parts<HeadsScene, Areas>(frame, canvas,
                                {heads_scene,
                                 lay_out,
                                 revealed,
                                 {{&Areas::grid, draw_head_maps},
                                  {&Areas::large, draw_large_head},
                                  {&Areas::entropy, draw_head_entropies},
                                  {&Areas::alike, draw_likeness},
                                  {&Areas::without, draw_without_head},
                                  {&Areas::groups, draw_groups},
                                  {&Areas::table, draw_groups_table}}});
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
  view.layer.head = head, view.of<HeadsView>().row = query;
  return std::nullopt;  // the inspector opens the head by itself
}

}  // namespace attn

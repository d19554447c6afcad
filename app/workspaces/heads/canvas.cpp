// The canvas of the workspace of heads: its parts, laid out, scrolled to the step of the stage bar.
#include "app/workspaces/heads/row.h"

#include <algorithm>
#include <cmath>

#include "app/canvas/block_arrange.h"
#include "app/canvas/parts.h"
#include "app/widgets/chips.h"
#include "app/workspaces/heads/scene.h"
#include "app/workspaces/heads/view.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr float kHeadsGapY = 12;
constexpr float kLeastMap = 56, kMapName = 20;  // of many on a small canvas
constexpr float kMapAlone = 160, kLeastMaps = 340, kMostMaps = 900, kLargeShare = 0.62f, kBarsAlone = 230,
                kLeastBars = 190, kMostBars = 420, kLeastGroups = 140, kMostGroups = 260;
constexpr std::size_t kManyHeads = 100;

// The large map with the chips of the others above it and, where there is room, their maps beneath it.
void lay_out_small(const HeadsScene& scene, ImVec2 canvas, Shelf& shelf, HeadsAreas& a) {
  const Theme& theme = scene.frame.theme;
  const float below = theme.px(kHeadsGapY), left = shelf.left;
  const auto rows = static_cast<float>(std::clamp<std::size_t>((scene.heads() + 2) / 3, 1, 3));
  const bool low = !has_room_beneath(scene.frame);
  if (low && scene.heads() > 1) a.chooser = shelf.take(chip_size(theme, "").y, theme.px(kChipGap));
  const float rest = canvas.y - shelf.y - below;
  const ImVec2 least = least_large_map(scene);
  a.large = shelf.take(std::max(least.y, low ? rest : rest * kLargeShare), below);
  a.large.max.x = std::max(a.large.max.x, left + least.x);
  // Many heads take more than the rest of the canvas: their maps stay as large as their names need. One map
  // of all is to be read as the large one is.
  const float columns = std::max(1.0f, std::floor((shelf.right - left) / theme.px(kLeastMap)));
  const float lines = std::ceil(static_cast<float>(scene.heads()) / columns);
  const float maps = scene.one_map() ? least.y : theme.px(kTitleHeight + lines * (kLeastMap + kMapName));
  a.grid = shelf.take(
      std::max(maps, low ? theme.px(kTitleHeight + rows * kMapAlone) : canvas.y - shelf.y - below), below);
}

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
  if (!scene.small()) {
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
    lay_out_small(scene, canvas, shelf, a);
    for (Rect* rect : {&a.entropy, &a.alike, &a.without}) *rect = shelf.take(theme.px(kBarsAlone), below);
    if (grouped) {
      a.groups = shelf.take(theme.px(kBarsAlone), below);
      a.table = shelf.take(theme.px(kBarsAlone), margin);
    }
  }
  a.content = {std::max(canvas.x, a.large.max.x + margin), shelf.y};
  return a;
}

// Steps behind the weights are seen in what the heads add to the output.
std::optional<Rect> revealed(const HeadsScene& scene, const HeadsAreas& areas) {
  const auto stage = take_revealed(scene.frame, scene.results.graph);
  if (!stage) return std::nullopt;
  const bool behind = *stage > scene.places().weights && *stage <= scene.places().output;
  return behind ? areas.without : scene.small() ? areas.large : areas.grid;
}

}  // namespace

void draw_heads(Frame& frame, Rect canvas) {
  using Areas = HeadsAreas;
  draw_parts<HeadsScene, Areas>(frame, canvas,
                                {heads_scene,
                                 lay_out,
                                 revealed,
                                 {{&Areas::chooser, draw_head_chooser},
                                  {&Areas::grid, draw_head_maps},
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

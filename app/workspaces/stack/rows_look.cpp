// The rows of the layers, measured: maps as large as they can be, and what of the layers is in sight.
#include "app/workspaces/stack/rows_look.h"

#include <algorithm>
#include <cmath>

#include "app/theme/toolkit.h"

namespace attn {
namespace {

constexpr float kRowLabel = 44, kEntropyWidth = 80, kSinkWidth = 76, kStreamWidth = 46, kAlikeWidth = 46;
constexpr float kRowRight = 8, kMapsRight = 8, kHeadLine = 20, kRowGap = 12, kMapSpace = 5, kTightSpace = 3;
constexpr float kLeastMap = 22, kLeastScrolled = 40, kLeastMaps = 80, kRowCaption = 15;
constexpr float kMostBetween = 10, kEntropyBar = 38, kMostBar = 160;
constexpr std::size_t kReadHeads = 6, kTightHeads = 8;  // numbers for each; maps with less between them

// A row's maps, in lines that are as few as keep them large enough to be told apart.
void place_maps(const Theme& theme, std::size_t heads, float width, RowsLook& look) {
  const float space = theme.px(heads > kTightHeads ? kTightSpace : kMapSpace);
  for (look.lines = 1; look.lines <= heads; ++look.lines) {
    look.per_line = (heads + look.lines - 1) / look.lines;
    look.side = std::floor(width / static_cast<float>(look.per_line) - space);
    if (look.side >= theme.px(kLeastMap)) break;
  }
  look.lines = std::min(look.lines, heads);
  look.side = std::max(look.side, theme.px(kLeastMap));
  look.map_pitch = look.side + space;
  look.caption = look.lines > 1 ? theme.px(kRowCaption) : 0;
}

// So high that all layers have room, where that keeps the maps readable.
void place_layers(const StackScene& scene, std::size_t heads, RowsLook& look) {
  const Theme& theme = scene.frame.theme;
  const float room = look.area.max.y - look.top, gap = theme.px(kRowGap);
  const auto lines = static_cast<float>(look.lines);
  const float fitting = std::floor((room / static_cast<float>(scene.layers()) - gap) / lines - look.caption);
  const float words =
      heads <= kReadHeads ? static_cast<float>(heads) * font_size(theme.fonts.small) * 0.95f / lines : 0;
  const float least = std::max(theme.px(kLeastScrolled), std::ceil(words));
  const float space = look.map_pitch - look.side;
  look.side = std::min(look.side, std::max(fitting, least));
  look.map_pitch = look.side + space;
  look.line_height = std::max(look.side, std::ceil(words)) + look.caption;
  look.pitch = lines * look.line_height + gap;
  look.count = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(0.0f, (room + 1) / look.pitch)), 1,
                                       scene.layers());
}

// What maps that are as high as their rows let them be leave of the width: between them, then in the bars.
void spread(const Theme& theme, float width, RowsLook& look) {
  const auto maps = static_cast<float>(look.per_line);
  float spare = std::max(0.0f, width - look.map_pitch * maps);
  const float between = std::floor(std::min(spare / maps, theme.px(kMostBetween)));
  look.map_pitch += between;
  spare = std::min(spare - between * maps, theme.px(kMostBar - kEntropyBar));
  look.entropy_x -= spare;
  look.entropy_bar = theme.px(kEntropyBar) + spare;
}

}  // namespace

const Stage* any_weights(const StackScene& scene) {
  for (std::size_t layer = 0; layer < scene.layers(); ++layer)
    if (const LayerStages* attention = scene.attention(layer)) return &scene.stage(attention->weights);
  return nullptr;
}

Rect RowsLook::row(std::size_t layer) const {
  const float y = top + pitch * static_cast<float>(layer - first);
  return {{area.min.x, y}, {area.max.x, y + pitch}};
}

SmallMap RowsLook::map(const Theme& theme, std::size_t layer, std::size_t head, const Shape& shape) const {
  const Rect box = row(layer);
  const float height = line_height * static_cast<float>(lines);
  const float y = box.min.y + (pitch - height) / 2 + line_height * static_cast<float>(head / per_line) +
                  caption + (line_height - caption - map_height(theme, side, shape)) / 2;
  return small_map(theme, {maps_x + map_pitch * static_cast<float>(head % per_line), y}, side, shape);
}

RowsLook rows_look(const StackScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  const Stage* weights = any_weights(scene);
  const std::size_t heads = weights ? weights->shape.stack : 1;
  RowsLook look{.area = area};
  look.maps_x = area.min.x + theme.px(kRowLabel);
  look.alike_x = area.max.x - theme.px(kRowRight);
  look.stream_x = look.alike_x - theme.px(kAlikeWidth);
  look.sink_x = look.stream_x - theme.px(kStreamWidth + kSinkWidth);
  look.entropy_x = look.sink_x - theme.px(kEntropyWidth);
  const float width = look.entropy_x - theme.px(kMapsRight) - look.maps_x;
  place_maps(theme, heads, std::max(width, theme.px(kLeastMaps)), look);
  look.top = std::round(area.min.y + theme.px(kTitleHeight + kHeadLine));
  place_layers(scene, heads, look);
  spread(theme, width, look);
  std::size_t& first = scene.view().first_layer;
  first = std::min(first, scene.layers() - look.count);
  first = std::clamp(first, scene.layer + 1 - std::min(scene.layer + 1, look.count), scene.layer);
  look.first = first;
  return look;
}

}  // namespace attn

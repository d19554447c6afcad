// The road that is chosen, less exact attention, pair by pair and output by output; or which pairs it keeps.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/render/textures.h"
#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "app/workspaces/efficient/road_cells.h"
#include "core/efficient/road_rules.h"

namespace attn {
namespace {

constexpr float kRowWords = 24, kMapHead = 18, kMapBar = 18, kMapLines = 36, kBarWidth = 34, kBarHeight = 5;
constexpr float kOutputShare = 0.32f;

struct RoadMapPart {
  Rect box;
  const Tensor* values = nullptr;
  ColourMap map;
  std::string range;  // under it
};

std::string road_range_words(const MapRange& range) {
  if (range.most < kRoundingAlone) return range.most > 0 ? "rounding alone" : "0";
  std::string words = "±" + inspector::write(range.most, {range.most < 0.1 ? 3 : 2, range.most < 1e-3});
  if (range.beyond > 0) words += ", " + share_text(range.beyond) + " beyond";
  return words;
}

ColourMap map_of_range(const MapRange& range) {
  return {MapKind::diverging, range.most < kRoundingAlone ? 1.0f : static_cast<float>(range.most)};
}

void draw_map_bar(const EfficientScene& scene, const RoadMapPart& part) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float width = theme.px(kBarWidth), top = part.box.max.y + theme.px(7);
  constexpr int kSteps = 24;
  const bool both = part.map.kind == MapKind::diverging;
  for (int i = 0; i < kSteps; ++i) {
    const float along = (static_cast<float>(i) + 0.5f) / kSteps;
    const float x = part.box.min.x + width * static_cast<float>(i) / kSteps;
    list.AddRectFilled({x, top}, {x + width / kSteps + 0.5f, top + theme.px(kBarHeight)},
                       map_colour(theme, part.map, part.map.range * (both ? 2 * along - 1 : along)));
  }
  const ImFont* font = theme.fonts.small;
  const float left = part.box.min.x + width + theme.px(kWordGap);
  draw_text(list, font, {left, top + theme.px(kBarHeight) / 2 - font_size(font) / 2}, theme.dim,
            elided(font, part.range, part.box.max.x - left + theme.px(kMapGap)));
}

void draw_map_part(const EfficientScene& scene, const RoadMapPart& part, const std::string& title,
                   ImU32 colour) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  draw_text(list, font, {part.box.min.x, part.box.min.y - theme.px(kMapHead)}, colour,
            elided(font, title, part.box.width() + theme.px(kMapGap)));
  scene.frame.textures.draw(
      list, part.box.min, part.box.max,
      {.values = *part.values, .mask = {}, .shape = part.values->shape(), .map = part.map}, theme);
  list.AddRect(part.box.min, part.box.max, theme.border);
  if (!part.range.empty()) draw_map_bar(scene, part);
}

float map_row_top(const EfficientScene& scene, Rect box, std::size_t row) {
  return box.min.y + box.height() * static_cast<float>(row) / static_cast<float>(scene.queries());
}

std::size_t map_place(float at, float from, float size, std::size_t count) {
  const float share = std::clamp((at - from) / size, 0.0f, 1.0f);
  return std::min(count - 1, static_cast<std::size_t>(share * static_cast<float>(count)));
}

// The row under the pointer is followed while it is held down.
void follow_in_map(const EfficientScene& scene, const RoadMapPart& part, const char* id,
                   const std::string& what) {
  const ImVec2 mouse = ImGui::GetMousePos();
  std::string about;
  if (part.box.contains(mouse)) {
    const std::size_t row = map_place(mouse.y, part.box.min.y, part.box.height(), scene.queries());
    const std::size_t column = map_place(mouse.x, part.box.min.x, part.box.width(), part.values->columns());
    const double value = static_cast<double>((*part.values)[{0, row, column}]);
    about = what + " [" + std::to_string(row) + ", " + std::to_string(column) +
            "]: " + inspector::write(value, inspector::digits_for({value}, 4)) + "\nclick: follow row " +
            std::to_string(row);
  }
  press_area(scene.frame.theme, id, part.box, about);
  if (ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left))
    follow_row(scene, map_place(mouse.y, part.box.min.y, part.box.height(), scene.queries()));
}

void outline_map_row(const EfficientScene& scene, Rect all) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::size_t row = scene.row();
  const float top = map_row_top(scene, all, row), bottom = map_row_top(scene, all, row + 1);
  const float middle = (top + bottom) / 2, half = std::max((bottom - top) / 2, theme.px(2));
  list.AddRect({all.min.x, middle - half}, {all.max.x, middle + half}, theme.outline, theme.px(1), 0,
               theme.px(1.2f));
  const ImFont* font = theme.fonts.small;
  const std::string words = std::to_string(row);
  draw_text(list, font, {all.min.x - theme.px(5) - text_width(font, words), middle - font_size(font) / 2},
            theme.text, words);
}

void draw_kept_words(const EfficientScene& scene, const RoadFound& found, ImVec2 at, float width) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const std::size_t row = scene.row();
  const std::string name = "row " + std::to_string(row);
  const bool empty = found.kept_keys[row] == 0;
  std::string words = name + " keeps " + std::to_string(found.kept_keys[row]) + " of " +
                      std::to_string(found.allowed_keys[row]) + " keys; they held";
  if (empty) words = name + " has no key left";
  const bool implied = is_linear(scene.view().road);
  if (implied) words = name + " keeps no key apart: its weights are implied";
  if (std::isnan(found.errors[row])) words = name + " has no output: all its features are 0";
  draw_text(list, font, at, theme.dim, elided(font, words, width));
  if (empty || implied || std::isnan(found.errors[row])) return;
  const bool all = found.kept_keys[row] == found.allowed_keys[row], nearly = found.held[row] > 0.995;
  const std::string held = !all && nearly ? "more than 99 %" : share_text(found.held[row]);
  draw_text(list, font, {at.x, at.y + font_size(font) + theme.px(2)}, nearly ? theme.dim : theme.warning,
            elided(font, held + " of its exact weight", width));
}

void draw_maps(EfficientScene& scene, const RoadFound& found, Rect area) {
  const Theme& theme = scene.frame.theme;
  const Road road = scene.view().road;
  const bool pattern = scene.view().map == RoadMap::pattern;
  const PatternPicture picture = pattern_picture(theme, road, found);
  const float left = area.min.x + theme.px(kRowWords), gap = theme.px(kMapGap);
  const float top = area.min.y + theme.px(kMapTitleHeight + kMapHead);
  const float bottom = area.max.y - theme.px(kMapBar + kMapLines);
  const float output = pattern ? 0 : (area.max.x - left) * kOutputShare;
  const float side = area.max.x - left - (pattern ? 0 : output + gap);
  // Cells of the weights are no taller than they are wide.
  const float rows = static_cast<float>(scene.queries()), columns = static_cast<float>(scene.keys());
  const float height = std::max(theme.px(8), std::min(bottom - top, side * std::max(1.0f, rows / columns)));
  const float width = std::min(side, std::max(height * columns / rows, theme.px(8)));
  const RoadMapPart weights{.box = {{left, top}, {left + width, top + height}},
                            .values = pattern ? &picture.values : &found.weights_off,
                            .map = pattern ? picture.map : map_of_range(found.weights_range),
                            .range = pattern ? std::string() : road_range_words(found.weights_range)};
  const std::string size = std::to_string(scene.queries()) + "×" + std::to_string(scene.keys());
  const bool implied = pattern && is_linear(road);
  draw_map_part(scene, weights, (pattern && !implied ? "pairs " : "weights ") + size,
                role_colour(theme, Role::weights));
  follow_in_map(scene, weights, "weights", pattern ? road_title(road) : "difference of weights");
  Rect all = weights.box;
  if (!pattern) {
    const float x = weights.box.max.x + gap;
    const RoadMapPart outputs{.box = {{x, top}, {x + output, top + height}},
                              .values = &found.output_off,
                              .map = map_of_range({found.error}),
                              .range = road_range_words({found.error})};
    draw_map_part(scene, outputs, "output", theme.output);
    follow_in_map(scene, outputs, "output", "difference of outputs");
    all.max = outputs.box.max;
  }
  outline_map_row(scene, all);
  draw_kept_words(scene, found, {area.min.x, weights.box.max.y + theme.px(kMapBar + 2)}, area.width());
}

}  // namespace

void draw_road_map(EfficientScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  const Road road = scene.view().road;
  const bool pattern = scene.view().map == RoadMap::pattern;
  const std::string about = !pattern          ? "blue lost, orange gained"
                            : is_linear(road) ? "the weights that it stands for"
                                              : "blue: kept";
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text,
             pattern ? road_title(road) : road_title(road) + " − exact", {{about}}, area.width());
  const RoadsStudy study = study_roads(scene);
  const RoadFound* found = found_road(study, road);
  const ImVec2 words{area.min.x, area.min.y + theme.px(kMapTitleHeight + 4)};
  const ImFont* font = theme.fonts.small;
  if (!found || !found->obstacle.empty()) {
    const std::string why = !study.error.empty() ? study.error : !found ? "being computed" : found->obstacle;
    draw_text(*ImGui::GetWindowDrawList(), font, words, found ? theme.warning : theme.dim,
              wrapped(font, why, area.width()));
    return;
  }
  ImGui::PushID("road map");
  draw_maps(scene, *found, area);
  ImGui::PopID();
}

}  // namespace attn

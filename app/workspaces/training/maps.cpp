// The maps of all heads of one example at the step that is shown: a click pins the head, and the weight.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "app/widgets/tooltip.h"
#include "app/workspaces/training/scene.h"

namespace attn {
namespace {

constexpr float kMapTitle = 18, kMapSpace = 10, kLabels = 16, kLegend = 20, kLeastSide = 34, kMostSide = 150;

// A head of an attention, and where it stands.
struct PlacedHead {
  std::size_t attention = 0, head = 0;
  Rect box{};  // of its cells
};

std::vector<PlacedHead> all_heads(const MomentMaps& maps) {
  std::vector<PlacedHead> all;
  for (std::size_t attention = 0; attention < maps.maps.size(); ++attention)
    for (std::size_t head = 0; head < maps.maps[attention].stack(); ++head) all.push_back({attention, head});
  return all;
}

// As many in a line as makes them largest; a line for each attention where that fits.
std::vector<PlacedHead> placed_heads(const TrainingScene& scene, Rect area) {
  const Theme& theme = scene.theme();
  std::vector<PlacedHead> all = all_heads(*scene.seen);
  const float title = theme.px(kMapTitle), gap = theme.px(kMapSpace);
  const float labels = theme.px(kLabels);
  std::size_t best = 1;
  float side = 0;
  for (std::size_t columns = 1; columns <= all.size(); ++columns) {
    const std::size_t lines = (all.size() + columns - 1) / columns;
    const auto across = static_cast<float>(columns), down = static_cast<float>(lines);
    const float room = std::min((area.width() - labels + gap) / across - gap,
                                (area.height() - labels + gap) / down - gap - title);
    if (room > side) side = room, best = columns;
  }
  side = std::min(side, theme.px(kMostSide));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Tensor& map = scene.seen->maps[all[i].attention];
    const auto rows = static_cast<float>(map.rows()), columns = static_cast<float>(map.columns());
    const ImVec2 corner{std::round(area.min.x + labels + static_cast<float>(i % best) * (side + gap)),
                        std::round(area.min.y + title + static_cast<float>(i / best) * (side + gap + title))};
    all[i].box = {
        corner,
        {corner.x + side * std::min(1.0f, columns / rows), corner.y + side * std::min(1.0f, rows / columns)}};
  }
  if (side < theme.px(kLeastSide)) all.clear();
  return all;
}

Cell cell_in_map(Rect box, const Tensor& map, ImVec2 at) {
  const auto place = [](float share, std::size_t count) {
    return std::min(count - 1, static_cast<std::size_t>(std::max(0.0f, share) * static_cast<float>(count)));
  };
  return {0, place((at.y - box.min.y) / box.height(), map.rows()),
          place((at.x - box.min.x) / box.width(), map.columns())};
}

Rect rect_in_map(Rect box, const Tensor& map, Cell cell) {
  const float wide = box.width() / static_cast<float>(map.columns()),
              high = box.height() / static_cast<float>(map.rows());
  const ImVec2 min{box.min.x + wide * static_cast<float>(cell.column),
                   box.min.y + high * static_cast<float>(cell.row)};
  return {min, {min.x + wide, min.y + high}};
}

// "decoder 0 head 1".
std::string full_head_name(const TrainingScene& scene, const PlacedHead& placed) {
  const MomentAttention& of = scene.seen->of->attentions[placed.attention];
  const std::string side = of.cross ? "cross " : of.decoder ? "decoder " : "layer ";
  return side + std::to_string(of.layer) + " head " + std::to_string(placed.head);
}

// "dec 0·1", below the pointer in full.
std::string short_head_name(const TrainingScene& scene, const PlacedHead& placed) {
  const MomentAttention& of = scene.seen->of->attentions[placed.attention];
  const std::string side = of.cross ? "cross" : of.decoder ? "dec " : "L";
  return side + std::to_string(of.layer) + "·" + std::to_string(placed.head);
}

void draw_head_title(const TrainingScene& scene, const PlacedHead& placed, bool pinned) {
  const Theme& theme = scene.theme();
  const ImFont* font = theme.fonts.small;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto share = scene.seen->shares[placed.attention][placed.head];
  const std::string number = share ? " " + inspector::write(*share, {2}) : "";
  const float most = placed.box.width() + theme.px(kMapSpace - 2) - text_width(font, number);
  std::string words = full_head_name(scene, placed);
  if (text_width(font, words) > most) words = head_name(scene, placed.attention, placed.head);
  if (text_width(font, words) > most) words = short_head_name(scene, placed);
  words = elided(font, words, most);
  const float y = placed.box.min.y - theme.px(kMapTitle - 2);
  draw_text(list, font, {placed.box.min.x, y}, pinned ? theme.text : theme.dim, words);
  draw_text(list, font, {placed.box.min.x + text_width(font, words), y},
            pinned ? role_colour(theme, Role::weights) : theme.dim, number);
}

// A symbol beside each row of a map that stands at the left, and below each column of one at the bottom.
void draw_map_labels(const TrainingScene& scene, const PlacedHead& placed, bool left, bool bottom) {
  const Theme& theme = scene.theme();
  const ImFont* font = theme.fonts.small;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Tensor& map = scene.seen->maps[placed.attention];
  const std::vector<std::string> names = scene.labels();
  const auto label = [&](std::size_t place, bool asks) {
    const auto& symbols = placed_symbols(*scene.seen, placed.attention, asks);
    return place < symbols.size() ? names[static_cast<std::size_t>(symbols[place])]
                                  : std::to_string(place);  // a blank slot carries its place
  };
  const float high = placed.box.height() / static_cast<float>(map.rows()),
              wide = placed.box.width() / static_cast<float>(map.columns());
  for (std::size_t r = 0; left && r < map.rows() && high >= font_size(font) * 0.8f; ++r) {
    const std::string text = elided_as_is(font, label(r, true), theme.px(kLabels));
    draw_as_is(list, font,
               {placed.box.min.x - theme.px(4) - drawn_width(font, text),
                placed.box.min.y + high * (static_cast<float>(r) + 0.5f) - font_size(font) / 2},
               theme.dim, text);
  }
  std::vector<std::string> below;
  for (std::size_t c = 0; bottom && c < map.columns(); ++c) below.push_back(label(c, false));
  const auto fits = [&](const std::string& text) { return drawn_width(font, text) <= wide; };
  if (!std::ranges::all_of(below, fits)) return;  // some alone would be read as all
  for (std::size_t c = 0; c < below.size(); ++c)
    draw_as_is(list, font,
               {placed.box.min.x + wide * (static_cast<float>(c) + 0.5f) - drawn_width(font, below[c]) / 2,
                placed.box.max.y + theme.px(2)},
               theme.dim, below[c]);
}

void press_map(TrainingScene& scene, const PlacedHead& placed) {
  const Theme& theme = scene.theme();
  const Tensor& map = scene.seen->maps[placed.attention];
  const std::string id = "head " + std::to_string(placed.attention) + " " + std::to_string(placed.head);
  const bool pressed = press_area(theme, id.c_str(), placed.box);
  if (!ImGui::IsItemHovered() && !pressed) return;
  const Cell cell = cell_in_map(placed.box, map, ImGui::GetIO().MousePos);
  if (ImGui::IsItemHovered()) {
    const Rect box = rect_in_map(placed.box, map, cell);
    ImGui::GetWindowDrawList()->AddRect(box.min, box.max, theme.outline_soft, 0, 0, theme.px(1.5f));
    show_tooltip(full_head_name(scene, placed) + ": " + std::to_string(cell.row) + " asks " +
                 std::to_string(cell.column) + ": " +
                 inspector::write(static_cast<double>(map[{placed.head, cell.row, cell.column}]), {4}));
  }
  if (!pressed) return;
  TrainingView& view = scene.view();
  view.attention = placed.attention, view.head = placed.head;
  if (ImGui::IsItemHovered()) view.row = cell.row, view.column = cell.column;
}

void draw_legend(const TrainingScene& scene, ImVec2 at, float right) {
  const Theme& theme = scene.theme();
  const ImFont* font = theme.fonts.small;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  constexpr int kShades = 12;
  const float wide = theme.px(36), high = theme.px(7);
  const float y = at.y + (font_size(font) - high) / 2;
  for (int i = 0; i < kShades; ++i) {
    const float from = wide * static_cast<float>(i) / kShades,
                to = wide * static_cast<float>(i + 1) / kShades;
    list.AddRectFilled({at.x + from, y}, {at.x + to, y + high},
                       map_colour(theme, {theme.weights, 1}, static_cast<float>(i) / (kShades - 1)));
  }
  std::string words = "0…1";
  const std::string_view place =
      right_place_words(scene.task(), scene.seen->of->attentions[scene.attention()]);
  if (!place.empty()) words += "   number: weight " + std::string(place);
  draw_text(list, font, {at.x + wide + theme.px(6), at.y}, theme.dim,
            elided(font, words, right - at.x - wide - theme.px(6)));
}

}  // namespace

void draw_training_maps(TrainingScene& scene, Rect area) {
  const Theme& theme = scene.theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushID("training.maps");
  const std::string title =
      "attention at step " + std::to_string(scene.seen ? scene.memo.last_step : scene.step);
  draw_title(list, theme, area.min, theme.text, title, {{"row asks, column answers"}}, area.width());
  if (!scene.seen || scene.seen->maps.empty()) {
    const char* words = scene.runs.waits
                            ? "nothing is trained yet"
                            : "the first snapshot is being made; the first time, the device’s driver "
                              "compiles the kernels of this model";
    const std::string lines = wrapped(theme.fonts.small, words, area.width());
    draw_text(list, theme.fonts.small, {area.min.x, area.min.y + theme.px(kTitleHeight)}, theme.dim, lines);
    return ImGui::PopID();
  }
  Rect inside{{area.min.x, area.min.y + theme.px(kTitleHeight)}, area.max};
  inside.max.y -= theme.px(kLegend);
  const std::vector<PlacedHead> placed = placed_heads(scene, inside);
  if (placed.empty()) {
    draw_text(list, theme.fonts.small, inside.min, theme.dim,
              "too many heads for this room: enlarge the window");
    return ImGui::PopID();
  }
  float bottom = 0;
  for (const PlacedHead& each : placed) bottom = std::max(bottom, each.box.max.y);
  for (const PlacedHead& each : placed) {
    const bool pinned = each.attention == scene.attention() && each.head == scene.head();
    draw_small_map(scene, scene.seen->maps[each.attention], each.head, each.box,
                   {scene.frame.theme.weights, 1});
    draw_head_title(scene, each, pinned);
    draw_map_labels(scene, each, each.box.min.x == placed.front().box.min.x, each.box.max.y == bottom);
    if (pinned) {
      list.AddRect({each.box.min.x - theme.px(2), each.box.min.y - theme.px(2)},
                   {each.box.max.x + theme.px(2), each.box.max.y + theme.px(2)}, theme.accent, theme.px(2), 0,
                   theme.px(1.5f));
      const Rect cell = rect_in_map(each.box, scene.seen->maps[each.attention], scene.cell());
      list.AddRect(cell.min, cell.max, theme.outline, 0, 0, theme.px(2));
    }
    press_map(scene, each);
  }
  draw_legend(scene, {placed.front().box.min.x, bottom + theme.px(kLegend)}, area.max.x);
  if (scene.lags) list.AddRectFilled(inside.min, inside.max, with_alpha(theme.canvas, (1 - kLagging) / 2));
  ImGui::PopID();
}

}  // namespace attn

// The rows of K and V that are kept, the new one framed, and where the step looks in the source.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/plot/short_numbers.h"
#include "app/render/textures.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/strokes.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "app/workspaces/stack/decoding_scene.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr float kRowNames = 26, kRowsFoot = 20, kWidestRow = 16;  // points
constexpr std::size_t kMostRowsToCome = 3;                        // that are drawn

struct MapAt {
  const char* id;
  const Tensor& numbers;
  ColourMap map;
  Rect cells;
};

float largest_of(const Tensor& tensor) {
  float largest = 0;
  for (const float number : tensor.values())
    if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
  return largest > 0 ? largest : 1;
}

// The map, and the cell that the pointer rests on.
std::optional<Cell> draw_small_map(const DecodingScene& decoding, const MapAt& at) {
  Frame& frame = decoding.scene.frame;
  frame.textures.draw(*ImGui::GetWindowDrawList(), at.cells.min, at.cells.max,
                      {.values = at.numbers,
                       .mask = {},
                       .shape = at.numbers.shape(),
                       .map = at.map,
                       .opacity = decoding.opacity()},
                      frame.theme);
  ImGui::SetCursorScreenPos(at.cells.min);
  begin_no_tab_stops();
  ImGui::InvisibleButton(at.id, {at.cells.width(), at.cells.height()});
  end_no_tab_stops();
  if (!ImGui::IsItemHovered()) return std::nullopt;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto place = [](float share, std::size_t count) {
    return std::min(static_cast<std::size_t>(std::max(0.0f, share) * static_cast<float>(count)), count - 1);
  };
  return Cell{0, place((mouse.y - at.cells.min.y) / at.cells.height(), at.numbers.rows()),
              place((mouse.x - at.cells.min.x) / at.cells.width(), at.numbers.columns())};
}

// Dashed rows that are still to come, as many as have room.
void draw_rows_to_come(const DecodingScene& decoding, Rect rows, float height) {
  const Theme& theme = decoding.scene.frame.theme;
  const std::size_t left = std::min(decoding.room - decoding.step - 1, kMostRowsToCome);
  if (height < theme.px(4)) return;
  for (std::size_t i = 0; i < left; ++i) {
    const float y = std::round(rows.max.y + theme.px(3) + height * static_cast<float>(i)),
                end = std::round(y + height - theme.px(3));
    const std::array<ImVec2, 5> box{ImVec2{rows.min.x, y}, ImVec2{rows.max.x, y}, ImVec2{rows.max.x, end},
                                    ImVec2{rows.min.x, end}, ImVec2{rows.min.x, y}};
    draw_dashes(*ImGui::GetWindowDrawList(), theme, box, theme.faint, theme.px(1), theme.px(3), theme.px(3));
  }
}

void draw_cache(const DecodingScene& decoding, const char* letter, ImU32 hue, const Tensor& numbers,
                Rect area, float names) {
  const Theme& theme = decoding.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::size_t rows = numbers.rows();
  const Rect room{{area.min.x + names, area.min.y + theme.px(kMapTitleHeight)},
                  {area.max.x, area.max.y - theme.px(kRowsFoot)}};
  draw_title(list, theme, {room.min.x, area.min.y}, hue, letter,
             {{"layer " + std::to_string(decoding.layer), true},
              {std::to_string(rows) + "×" + std::to_string(numbers.columns())}},
             room.width());
  const std::size_t shown = std::min(decoding.room, rows + kMostRowsToCome);
  const float height = std::min(theme.px(kWidestRow), room.height() / static_cast<float>(shown));
  const Rect cells{room.min, {room.max.x, room.min.y + height * static_cast<float>(rows)}};
  const auto hovered = draw_small_map(decoding, {letter, numbers, {.range = largest_of(numbers)}, cells});
  const float new_row = cells.max.y - std::max(height, theme.px(3));
  list.AddRect({cells.min.x - theme.px(1), new_row}, {cells.max.x + theme.px(1), cells.max.y + theme.px(1)},
               theme.accent, 0, 0, theme.px(2));
  draw_rows_to_come(decoding, cells, height);
  const ImFont* font = theme.fonts.small;
  for (std::size_t row = 0; names > 0 && height >= font_size(font) * 0.7f && row < rows; ++row) {
    const std::string name = elided(font, decoded_token(decoding, row), names - theme.px(kSignGap));
    draw_text(list, font,
              {room.min.x - theme.px(kSignGap) - text_width(font, name),
               cells.min.y + height * (static_cast<float>(row) + 0.5f) - font_size(font) / 2},
              row + 1 == rows ? theme.accent : theme.dim, name);
  }
  if (hovered)
    show_tooltip(std::string(letter) + "[" + std::to_string(hovered->row) + ", " +
                 std::to_string(hovered->column) + "] = " + shortest(numbers[*hovered]) + " of “" +
                 decoded_token(decoding, hovered->row) + "”, " +
                 (hovered->row + 1 == rows ? "new in this step"
                                           : "kept from step " + std::to_string(hovered->row + 1)));
}

}  // namespace

void draw_kept_rows(const DecodingScene& decoding, Rect keys, Rect values) {
  const Theme& theme = decoding.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const DecodingMaps& maps = decoding_maps(decoding);
  if (maps.keys.empty()) {
    draw_text(list, font, keys.min, theme.dim, wrapped(font, "attention is off in this layer", keys.width()));
    return;
  }
  draw_cache(decoding, "K", theme.key, maps.keys, keys, theme.px(kRowNames));
  draw_cache(decoding, "V", theme.value, maps.values, values, 0);
  const std::size_t layers = decoding.side().blocks.size();
  const auto& layer = decoding.side().blocks[decoding.layer].attention;
  const auto bytes = static_cast<std::size_t>(decoding.cost.kept);
  const std::string bytes_words = short_bytes(decoding.cost.kept) + " a token";
  std::string words = "cache: " + bytes_words;
  if (layer.w_k.columns() == layer.w_v.columns() && bytes == 2 * layers * layer.w_k.columns() * sizeof(float))
    words = "cache: 2·" + std::to_string(layers) + " layers·" + std::to_string(layer.w_k.columns()) +
            "·4 B = " + bytes_words;
  const float left = keys.min.x + theme.px(kRowNames), room = values.max.x - left;
  if (text_width(font, words) > room) words = "cache: " + bytes_words;
  draw_text(list, font, {left, keys.max.y - font_size(font)}, theme.faint, elided(font, words, room));
}

void draw_looks(const DecodingScene& decoding, Rect area) {
  const Theme& theme = decoding.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const Tensor& looks = decoding_maps(decoding).looks;
  draw_title(list, theme, area.min, theme.text, "looks at", {{"cross", true}, {"mean"}}, area.width());
  const ImVec2 top{area.min.x, area.min.y + theme.px(kMapTitleHeight)};
  if (looks.empty()) {
    draw_text(list, font, top, theme.dim, wrapped(font, "no cross-attention: a decoder alone", area.width()));
    return;
  }
  const float names = text_width(font, "00") + theme.px(kSignGap);
  const Rect cells{{top.x + names, top.y}, {area.max.x, area.max.y - font_size(font) - theme.px(2)}};
  const auto hovered =
      draw_small_map(decoding, {"looks", looks, {.kind = theme.weights, .range = largest_of(looks)}, cells});
  const float height = cells.height() / static_cast<float>(looks.rows()),
              width = cells.width() / static_cast<float>(looks.columns());
  std::vector<std::size_t> layers;
  for (std::size_t i = 0; i < decoding.now().looks.size(); ++i)
    if (!decoding.now().looks[i].empty()) layers.push_back(i);
  for (std::size_t row = 0; height >= font_size(font) * 0.7f && row < looks.rows(); ++row)
    draw_text(list, font,
              {top.x, cells.min.y + height * (static_cast<float>(row) + 0.5f) - font_size(font) / 2},
              theme.dim, std::to_string(layers[row]));
  const StackSpec& spec = decoding.scene.spec();
  const Labels& source = spec.has_encoder() ? spec.encoder.tokens : spec.memory_tokens;
  const auto name_of = [&](std::size_t key) {
    return key < source.size() ? source[key] : std::to_string(key);
  };
  for (std::size_t key = 0; width >= font_size(font) * 0.6f && key < looks.columns(); ++key) {
    std::string name = name_of(key);
    if (text_width(font, name) > 1.5f * width) name = elided(font, name, width);
    draw_text(list, font,
              {cells.min.x + width * (static_cast<float>(key) + 0.5f) - text_width(font, name) / 2,
               cells.max.y + theme.px(1)},
              theme.dim, name);
  }
  if (hovered)
    show_tooltip("layer " + std::to_string(layers[hovered->row]) + " looks at “" + name_of(hovered->column) +
                 "”: " + shortest(looks[*hovered]) + ", the mean of its heads");
}

}  // namespace attn

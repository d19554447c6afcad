// The layer that is looked at, and the lit box in numbers that its shapes tell.
#include <algorithm>

#include "app/plot/plot_numbers.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/press.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "app/workspaces/stack/architecture.h"
#include "core/text/quantity.h"

namespace attn {
namespace {

constexpr float kFactLine = 18, kSquaresGap = 12, kSquare = 22, kSquareGap = 5;
constexpr std::size_t kMostSquares = 12;

const BoxStages* shown_box(const StackScene& scene) {
  return scene.side().blocks[scene.layer].find(scene.view().box);
}

// What is learned of it, and multiplications with additions that it takes, counted as two.
struct BoxCount {
  std::size_t parameters = 0;
  double operations = 0;
};

std::size_t numbers_of(const LayerSpec& layer) {
  std::size_t count = 0;
  for (const Tensor* tensor :
       {&layer.w_q, &layer.w_k, &layer.w_v, &layer.w_o, &layer.b_q, &layer.b_k, &layer.b_v, &layer.b_o})
    count += tensor->values().size();
  return count;
}

BoxCount count_of(const StackScene& scene, const BoxStages& box) {
  const StackSide& side = scene.decoder() ? scene.spec().decoder : scene.spec().encoder;
  const StackBlock& block = side.blocks[scene.layer];
  const Shape stream = scene.stage(box.before).shape;
  const auto n = static_cast<double>(stream.rows);
  if (box.box == StackBox::feed_forward) {
    std::size_t weights = 0, all = 0;
    for (const Affine* part : {&block.inner, &block.gate, &block.outer})
      weights += part->w.values().size(), all += part->w.values().size() + part->b.values().size();
    return {all, 2 * n * static_cast<double>(weights)};
  }
  const LayerSpec& layer = box.box == StackBox::cross ? *block.cross : block.attention;
  const Shape weights = box.layer ? scene.stage(box.layer->weights).shape : Shape{};
  const auto m = static_cast<double>(weights.columns);
  const auto queries = static_cast<double>(layer.w_q.values().size() + layer.w_o.values().size()),
             keys = static_cast<double>(layer.w_k.values().size() + layer.w_v.values().size());
  const double pairs = n * m * static_cast<double>(layer.w_q.columns() + layer.w_v.columns());
  return {numbers_of(layer), 2 * (n * queries + m * keys + pairs)};
}

void draw_layer_square(const StackScene& scene, Rect box, std::size_t layer) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool on = layer == scene.layer;
  const std::string number = std::to_string(layer), id = "layer " + number;
  const ImFont* font = theme.fonts.small;
  list.AddRectFilled(box.min, box.max, on ? theme.accent_soft : theme.chip, theme.px(4));
  list.AddRect(box.min, box.max, on ? theme.accent : theme.border, theme.px(4));
  draw_text(
      list, font,
      {(box.min.x + box.max.x - text_width(font, number)) / 2, (box.min.y + box.max.y - font_size(font)) / 2},
      theme.text, number);
  if (press_area(theme, id.c_str(), box,
                 "Look at layer " + number + " of " + std::to_string(scene.layers()) + " (↑ ↓, wheel)"))
    look_at_layer(scene, layer);
}

}  // namespace

float draw_layer_squares(StackScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  const ImFont* font = theme.fonts.small;
  const std::size_t count = scene.layers(), shown = std::min(count, kMostSquares);
  const std::size_t first = std::min(scene.layer - std::min(scene.layer, shown / 2), count - shown);
  const float side = theme.px(kSquare), pitch = side + theme.px(kSquareGap);
  const float named = text_width(font, "layer") + theme.px(kWordGap);
  float left = area.min.x, y = area.min.y;
  if (named + pitch * static_cast<float>(shown) <= area.width()) {
    draw_text(*ImGui::GetWindowDrawList(), font, {left, y + (side - font_size(font)) / 2}, theme.dim,
              "layer");
    left += named;
  }
  float x = left;
  for (std::size_t layer = first; layer < first + shown; ++layer) {
    if (x > left && x + side > area.max.x) x = left, y += pitch;
    draw_layer_square(scene, {{x, y}, {x + side, y + side}}, layer);
    x += pitch;
  }
  turn_layers(scene, {area.min, {area.max.x, y + side}});
  return y + side - area.min.y + theme.px(kSquaresGap);
}

void draw_lit_facts(StackScene& scene, Rect area) {
  const BoxStages* box = shown_box(scene);
  if (!box) return;
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const BoxCount count = count_of(scene, *box);
  const Shape shape = scene.stage(box->stream).shape;
  const auto share = share_of(scene, scene.decoder(), *box);
  const std::vector<std::pair<std::string, std::string>> facts{
      {"lit", box_title(scene.decoder(), box->box)},
      {"shape", to_string(shape)},
      {"weights", grouped(static_cast<Count>(count.parameters))},
      {"operations", box->added ? grouped(static_cast<Count>(count.operations)) : "0"},
      {"adds", share ? decimal_text(*share, 2) + " of stream" : "nothing"}};
  float y = area.min.y;
  for (const auto& [name, value] : facts) {
    if (y + theme.px(kFactLine) > area.max.y) return;
    const float left = area.min.x + theme.px(kWordGap);
    draw_text(list, theme.fonts.small, {left, y}, theme.dim, name);
    draw_text(list, theme.fonts.small,
              {area.max.x - theme.px(kWordGap) - text_width(theme.fonts.small, value), y}, theme.text, value);
    y += theme.px(kFactLine);
  }
  if (y + theme.px(kFactLine) > area.max.y) return;
  ImGui::SetCursorScreenPos({area.min.x, y + theme.px(4)});
  ChipRow row(theme, area.min.x, area.max.x);
  if (row.add({.id = "stack.open",
               .text = "open the box",
               .tooltip = box->added ? "Its stages with their numbers, real inputs and weights, as the "
                                       "Pipeline shows a layer (Enter)"
                                     : "Off: switch it on to open it",
               .faint = !box->added}) &&
      box->added)
    scene.frame.commands.emplace_back("stack.open");
}

}  // namespace attn

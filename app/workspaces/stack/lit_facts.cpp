// The layer that is looked at, and the lit box in numbers that its shapes tell.
#include <algorithm>

#include "app/plot/plot_numbers.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "app/workspaces/stack/architecture.h"
#include "core/text/quantity.h"

namespace attn {
namespace {

constexpr float kFactLine = 18, kSquaresGap = 8;
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

}  // namespace

float draw_layer_squares(StackScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  const std::size_t count = scene.layers();
  ImGui::SetCursorScreenPos(area.min);
  const std::size_t first =
      count <= kMostSquares
          ? 0
          : std::min(scene.layer - std::min(scene.layer, kMostSquares / 2), count - kMostSquares);
  {
    ChipRow row(theme, area.min.x, area.max.x);
    for (std::size_t layer = first; layer < std::min(count, first + kMostSquares); ++layer)
      if (row.add({.id = "layer " + std::to_string(layer),
                   .text = std::to_string(layer),
                   .tooltip =
                       "Look at layer " + std::to_string(layer) + " of " + std::to_string(count) + " (↑ ↓)",
                   .on = layer == scene.layer}))
        look_at_layer(scene, layer);
  }
  return ImGui::GetCursorScreenPos().y - area.min.y + theme.px(kSquaresGap);
}

void draw_lit_facts(StackScene& scene, Rect area) {
  const BoxStages* box = shown_box(scene);
  if (!box) return;
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const BoxCount count = count_of(scene, *box);
  const Shape shape = scene.stage(box->stream).shape;
  const auto share =
      box->added ? share_added(scene.numbers(*box->added), scene.numbers(box->before)) : std::nullopt;
  const std::vector<std::pair<std::string, std::string>> facts{
      {"lit", kBoxTitles[static_cast<std::size_t>(box->box)]},
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

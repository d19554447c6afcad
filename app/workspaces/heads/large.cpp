// The map of the head that is shown large, and what its row attends to; on a small canvas the map alone, with
// the chips of the other heads.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/theme/toolkit.h"
#include "app/widgets/bars.h"
#include "app/widgets/head_chips.h"
#include "app/workspaces/heads/scene.h"
#include "core/heads/fields.h"

namespace attn {
namespace {

constexpr float kListLine = 20, kListHead = 30, kBelowBar = 24;
constexpr std::size_t kListedKeys = 5;  // keys below the large map
// Of a map alone: around its cells, of a cell at least and at most; larger maps are overviews.
const ImVec2 kAround{64, 80}, kLeastCell{32, 20}, kMostCell{96, 60};
constexpr std::size_t kMostRead = 24;
constexpr int kDecimalsAlone = 3;

StageIndex large_map(const HeadsScene& scene) {
  return scene.one_map() ? scene.places().weights : scene.map();
}

// The keys of the row by their weight.
std::vector<std::size_t> heaviest(const HeadsScene& scene, std::size_t most) {
  const Tensor& weights = scene.weights();
  std::vector<std::size_t> keys(weights.columns());
  std::iota(keys.begin(), keys.end(), std::size_t{0});
  const std::size_t listed = std::min(most, keys.size());
  std::ranges::partial_sort(keys, keys.begin() + static_cast<std::ptrdiff_t>(listed), std::greater(),
                            [&](std::size_t j) {
                              const float w = weights[{scene.head, scene.row, j}];
                              return std::isnan(w) ? HUGE_VALF : w;
                            });
  keys.resize(listed);
  return keys;
}

void draw_row_of(const HeadsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  draw_text(list, font, area.min, theme.dim,
            elided(font, "“" + scene.memo.queries[scene.row] + "” attends to", area.width()));
  const float names = std::min(theme.px(96), area.width() * 0.3f), numbers = theme.px(52);
  float y = area.min.y + theme.px(22);
  for (const std::size_t key : heaviest(scene, kListedKeys)) {
    const auto weight = static_cast<double>(scene.weights()[{scene.head, scene.row, key}]);
    const std::string name = elided(font, scene.memo.keys[key], names - theme.px(8));
    draw_text(list, font, {area.min.x + names - theme.px(8) - text_width(font, name), y}, theme.text, name);
    const Rect bar{{area.min.x + names, y + theme.px(2)}, {area.max.x - numbers, y + theme.px(14)}};
    draw_bar(list, bar, std::clamp(weight, 0.0, 1.0), 0, theme.value, theme);
    draw_text(list, font, {area.max.x - numbers + theme.px(6), y}, theme.text, share_text(weight));
    y += theme.px(kListLine);
  }
}

// In the middle of its area, called by its name.
void draw_alone(HeadsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  Grid grid = fitted_grid(scene.frame, large_map(scene), scene.head, area);
  grid.title = "head " + std::to_string(scene.head);
  grid.subtitle = {{name_and_number(scene, scene.head), true},
                   {"row “" + scene.memo.queries[scene.row] + "”"}};
  grid.decimals = kDecimalsAlone;
  grid.cell_width = std::min(grid.cell_width, kMostCell.x * scene.frame.canvas().zoom);
  grid.cell_height = std::min(grid.cell_height, kMostCell.y * scene.frame.canvas().zoom);
  const float spare = area.width() - grid_size(grid, scene.frame).x;
  grid.position.x = std::round(area.min.x + std::max(0.0f, spare) / 2);
  draw_grid(scene.frame, grid);
  outline_row(theme, row_rect(scene.frame, grid, scene.row), theme.outline, "");
}

}  // namespace

std::string about_head(const HeadsScene& scene, std::size_t head) {
  std::string text = "head " + std::to_string(head) + ": " + name_and_number(scene, head);
  text += "\nentropy " + share_text(scene.memo.entropy[head], 3) + " nats";
  text += "\nwithout it the output changes by " + share_text(scene.memo.change[head], 3);
  if (scene.muted(head)) text += "\nswitched off: it adds zeros";
  return text + (head == scene.head ? "" : "\nclick: large");
}

void draw_head_chooser(HeadsScene& scene, Rect area) {
  const auto pressed = draw_head_chips(scene.frame.theme, area,
                                       {.order = scene.memo.order,
                                        .shown = scene.head,
                                        .about = [&](std::size_t head) { return about_head(scene, head); },
                                        .off = [&](std::size_t head) { return scene.muted(head); }});
  if (pressed) scene.frame.view.layer.head = *pressed;
}

ImVec2 least_large_map(const HeadsScene& scene) {
  const Theme& theme = scene.frame.theme;
  const Shape& shape = scene.weights().shape();
  if (std::max(shape.rows, shape.columns) > kMostRead) return {};
  return {theme.px(kAround.x + kLeastCell.x * static_cast<float>(shape.columns)),
          theme.px(kAround.y + kLeastCell.y * static_cast<float>(shape.rows))};
}

void draw_large_head(HeadsScene& scene, Rect area) {
  if (scene.small()) return draw_alone(scene, area);
  const Theme& theme = scene.frame.theme;
  const float list = theme.px(kListHead + kListLine * static_cast<float>(kListedKeys));
  const StageIndex stage = large_map(scene);
  Grid grid = fitted_grid(scene.frame, stage, scene.head, {area.min, {area.max.x, area.max.y - list}});
  grid.title = "head " + std::to_string(scene.head);
  grid.subtitle = {{"row “" + scene.memo.queries[scene.row] + "”", true},
                   {scene.results.graph.stages[stage].title}};
  draw_grid(scene.frame, grid);
  const Rect row = row_rect(scene.frame, grid, scene.row);
  outline_row(theme, row, theme.outline, "");
  const float bottom = row_rect(scene.frame, grid, grid.shape.rows - 1).max.y;
  const float top = std::min(bottom + theme.px(kBelowBar), area.max.y - list);
  draw_row_of(scene, {{area.min.x, top + theme.px(4)}, area.max});
}

}  // namespace attn

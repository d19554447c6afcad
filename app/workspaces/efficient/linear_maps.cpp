// Matrices and strips of the recurrent network, in their colours.
#include <algorithm>
#include <cmath>

#include "app/cells/cell_draw.h"
#include "app/render/textures.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/words.h"
#include "app/workspaces/efficient/linear.h"

namespace attn {

float largest_in(const Tensor& tensor) {
  float largest = 0;
  for (const float number : tensor.values())
    if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
  return largest;
}

void draw_linear_map(const LinearScene& linear, const LinearMap& map, Rect cells) {
  Frame& frame = linear.scene.frame;
  const Theme& theme = frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float range = map.range > 0 ? map.range : 1;
  frame.textures.draw(list, cells.min, cells.max,
                      {.values = map.numbers,
                       .mask = {},
                       .shape = map.numbers.shape(),
                       .map = {.kind = map.kind, .range = range},
                       .opacity = linear.opacity()},
                      theme);
  ImGui::SetCursorScreenPos(cells.min);
  begin_no_tab_stops();
  ImGui::InvisibleButton(map.id, {cells.width(), cells.height()});
  end_no_tab_stops();
}

std::optional<Cell> cell_under(Rect cells, const Shape& shape) {
  const ImVec2 at = ImGui::GetIO().MousePos;
  if (!cells.contains(at) || !ImGui::IsWindowHovered()) return std::nullopt;
  const auto place = [](float share, std::size_t count) {
    return std::min(static_cast<std::size_t>(share * static_cast<float>(count)), count - 1);
  };
  return Cell{0, place((at.y - cells.min.y) / cells.height(), shape.rows),
              place((at.x - cells.min.x) / cells.width(), shape.columns)};
}

void draw_linear_words(const EfficientScene& scene, Rect area, const std::string& words, ImU32 colour) {
  const ImFont* font = scene.frame.theme.fonts.small;
  draw_text(*ImGui::GetWindowDrawList(), font, area.min, colour, wrapped(font, words, area.width()));
}

}  // namespace attn

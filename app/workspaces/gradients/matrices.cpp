// Forward stages with their gradients beneath, in the same cells, and the chips of the heads.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/cells/cell_marks.h"
#include "app/theme/toolkit.h"
#include "app/widgets/head_chips.h"
#include "app/workspaces/gradients/matrix_pairs.h"
#include "core/graph/rounding.h"

namespace attn {
namespace {

// In the gap before a matrix, at the height of its middle.
void draw_way_arrow(const GradientsScene& scene, const Grid& grid, const char* arrow) {
  const Theme& theme = scene.frame.theme;
  const ImFont* font = theme.fonts.body;
  const Rect first = cell_rect(grid, scene.frame, 0, 0),
             last = cell_rect(grid, scene.frame, grid.shape.rows - 1, 0);
  const float x = grid.position.x - (theme.px(kArrowGap) + text_width(font, arrow)) / 2;
  const float y = (first.min.y + last.max.y - font_size(font)) / 2;
  draw_text(*ImGui::GetWindowDrawList(), font, {std::round(x), std::round(y)},
            with_alpha(theme.dim, grid.opacity), arrow);
}

void outline_cell(const GradientsScene& scene, const Grid& grid, Cell cell, ImU32 colour) {
  const Theme& theme = scene.frame.theme;
  const Rect box = cell_rect(grid, scene.frame, cell.row, cell.column);
  const float line = cell_line(theme);
  ImGui::GetWindowDrawList()->AddRect({box.min.x - line, box.min.y - line}, box.max, colour, theme.px(2), 0,
                                      theme.px(1.5f));
}

// The number of an input that is proved, and its gradient.
void mark_proved_input(const GradientsScene& scene, const Grid& grid, StageIndex of) {
  const auto input = scene.input();
  if (input && input->stage == of && input->cell.head == grid.head)
    outline_cell(scene, grid, input->cell, role_colour(scene.frame.theme, Role::weights));
}

// A step to what is shown, that is looked through: scores before they are scaled and masked.
bool leads_to(const Graph& graph, StageIndex hidden, StageIndex shown) {
  while (true) {
    const Stage& computed = graph.stages[computing(graph, shown)];
    if (computed.inputs.empty()) return false;
    const Stage& before = graph.stages[computed.inputs.front()];
    if (before.drawn != Drawn::never || before.shape != computed.shape) return false;
    shown = computed.inputs.front();
    if (shown == hidden) return true;
  }
}

// Where it would stand that was pinned in the Pipeline.
void mark_pinned_step(const GradientsScene& scene, const Grid& grid, StageIndex shown) {
  const Graph& graph = scene.results.graph;
  const auto& pinned = scene.frame.view.pinned;
  const auto stage = pinned ? graph.find(pinned->stage) : std::nullopt;
  if (stage && pinned->cell.head == grid.head && holds(graph.stages[*stage].shape, pinned->cell) &&
      leads_to(graph, *stage, shown))
    outline_cell(scene, grid, pinned->cell, scene.frame.theme.outline);
}

void draw_line_of_pairs(GradientsScene& scene, const MatrixPairs& pairs) {
  for (const MatrixPair& pair : pairs) {
    const auto stage = scene.results.graph.find(pair.above.stage);
    for (const Grid* grid : {&pair.above, &pair.beneath}) {
      draw_grid(scene.frame, *grid);
      mark_proved_input(scene, *grid, *stage);
    }
    mark_pinned_step(scene, pair.above, *stage);
    if (!pair.arrow) continue;
    draw_way_arrow(scene, pair.above, "→");
    draw_way_arrow(scene, pair.beneath, "←");
  }
}

std::vector<MatrixPairs> placed_lines(const GradientsScene& scene, Rect area, MatrixPairs pairs) {
  if (pairs.empty()) return {};
  std::vector<MatrixPairs> lines = in_lines(scene, std::move(pairs), area.width());
  const float below = lines.size() > 1 ? scene.frame.theme.px(kBetweenLines) : 0;
  const float height = (area.height() + below) / static_cast<float>(lines.size());
  for (MatrixPairs& line : lines) {
    place_pairs(scene, {area.min, {area.max.x, area.min.y + height - below}}, line);
    area.min.y += height;
  }
  return lines;
}

void draw_lines_of_pairs(GradientsScene& scene, Rect area, MatrixPairs pairs) {
  for (const MatrixPairs& line : placed_lines(scene, area, std::move(pairs))) draw_line_of_pairs(scene, line);
}

Rect place_among(const GradientsScene& scene, Rect area, MatrixPairs pairs, StageIndex stage) {
  for (const MatrixPairs& line : placed_lines(scene, area, std::move(pairs)))
    for (const MatrixPair& pair : line)
      if (pair.above.stage == scene.stage(stage).id)
        return {pair.above.position,
                {pair.above.title_until, pair.beneath.position.y + grid_size(pair.beneath, scene.frame).y}};
  return area;
}

std::size_t head_count_of(const GradientsScene& scene) {
  return heads_of(scene.results.graph, scene.places().part);
}

float pairs_chooser_height(const GradientsScene& scene) {
  const Theme& theme = scene.frame.theme;
  return head_count_of(scene) > 1 ? chip_size(theme, "").y + theme.px(kChipGap) : 0;
}

void draw_pairs_chooser(GradientsScene& scene, Rect line) {
  const Theme& theme = scene.frame.theme;
  const ImFont* font = theme.fonts.bold;
  const std::string word = "head";
  const float y = line.min.y + (chip_size(theme, "").y - font_size(font)) / 2;
  draw_text(*ImGui::GetWindowDrawList(), font, {line.min.x, y}, theme.text, word);
  line.min.x += text_width(font, word) + theme.px(kWordGap);
  std::vector<std::size_t> order(head_count_of(scene));
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto& muted = scene.frame.layer().muted_heads;
  const auto off = [&](std::size_t head) { return std::ranges::binary_search(muted, head); };
  const auto about = [&](std::size_t head) {
    return "head " + std::to_string(head) + (off(head) ? ": switched off, it adds zeros" : "") +
           (head == scene.head ? ": shown" : "\nclick: its scores, weights and their gradients");
  };
  const auto pressed =
      draw_head_chips(theme, line, {.order = order, .shown = scene.head, .about = about, .off = off});
  if (pressed) scene.frame.view.layer.head = *pressed;
}

}  // namespace

float least_projected(const GradientsScene& scene, float width) {
  return least_height(scene, projected_pairs(scene), width);
}
float least_attention(const GradientsScene& scene, float width) {
  return least_height(scene, attention_pairs(scene), width) + pairs_chooser_height(scene);
}

Rect projected_place(const GradientsScene& scene, Rect area, StageIndex stage) {
  return place_among(scene, area, projected_pairs(scene), stage);
}
Rect attention_place(const GradientsScene& scene, Rect area, StageIndex stage) {
  area.min.y += pairs_chooser_height(scene);
  return place_among(scene, area, attention_pairs(scene), stage);
}

void draw_projected(GradientsScene& scene, Rect area) {
  draw_lines_of_pairs(scene, area, projected_pairs(scene));
}

void draw_attention_pairs(GradientsScene& scene, Rect area) {
  if (head_count_of(scene) > 1) draw_pairs_chooser(scene, area);
  area.min.y += pairs_chooser_height(scene);
  draw_lines_of_pairs(scene, area, attention_pairs(scene));
}

}  // namespace attn

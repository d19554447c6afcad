// Cells are measured first, on whole pixels where they are large enough to tell; title, labels and colour bar
// take fixed room around them, so that grids side by side line up.
#include "app/cells/cell_layout.h"

#include <algorithm>
#include <cmath>

#include "app/theme/toolkit.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

// At scale 1. The header is as high with column labels as without, so that grids in a row line up.
constexpr float kHeader = 42, kColumnLabel = 17, kFooter = 20, kBarGap = 7;
constexpr float kCompactHeader = 20, kCompactFooter = 2;
constexpr float kWidestLabel = 92, kLeastMatrix = 128, kHandle = 14, kCellGap = 1;
constexpr std::size_t kMeasured = 64;  // labels
constexpr float kWholePixels = 8;      // cells from this size on start on whole pixels

float snapped(float pitch) {
  return pitch >= kWholePixels ? std::round(pitch) : pitch;
}

float widest_label(const Grid& grid, const Theme& theme, const ImFont* font, std::size_t count) {
  if (!grid.rows.labels || grid.rows.labels->size() != count)
    return text_width(font, std::to_string(count - 1));
  // Of many, the longest: measuring thousands would take longer than drawing them.
  std::vector<const std::string*> longest;
  for (const std::string& label : *grid.rows.labels) longest.push_back(&label);
  if (longest.size() > kMeasured) {
    std::ranges::partial_sort(longest, longest.begin() + kMeasured, std::greater<>(),
                              [](const std::string* label) { return label->size(); });
    longest.resize(kMeasured);
  }
  float widest = 0;
  for (const std::string* label : longest) widest = std::max(widest, text_width(font, *label));
  return std::min(widest, theme.px(kWidestLabel));
}

}  // namespace

std::string axis_label(const Axis& axis, std::size_t index) {
  return axis.labels && index < axis.labels->size() ? (*axis.labels)[index] : std::to_string(index);
}

Rect CellLayout::cell(std::size_t row, std::size_t column) const {
  const ImVec2 min{cells.min.x + pitch.x * static_cast<float>(column),
                   cells.min.y + pitch.y * static_cast<float>(row)};
  return {min, {min.x + pitch.x - gap, min.y + pitch.y - gap}};
}

Rect CellLayout::row_label(std::size_t row) const {
  const float top = cells.min.y + pitch.y * static_cast<float>(row);
  return {{cells.min.x - label_width, top}, {cells.min.x, top + pitch.y}};
}

Rect CellLayout::column_label(std::size_t column) const {
  const float left = cells.min.x + pitch.x * static_cast<float>(column);
  return {{left, column_label_y}, {left + pitch.x, cells.min.y}};
}

Cell CellLayout::at(ImVec2 point, std::size_t head) const {
  const auto index = [](float distance, float step, std::size_t count) {
    return std::min(static_cast<std::size_t>(std::max(0.0f, distance / step)), count - 1);
  };
  return {head, index(point.y - cells.min.y, pitch.y, rows), index(point.x - cells.min.x, pitch.x, columns)};
}

float cell_gap(const Theme& theme) {
  return std::max(1.0f, std::floor(theme.px(kCellGap)));
}

CellLayout cell_layout(const Grid& grid, const Frame& frame) {
  const Theme& theme = frame.theme;
  CellLayout l;
  l.rows = grid.shape.rows, l.columns = grid.shape.columns;
  l.pitch = {snapped(theme.px(grid.cell_width) * grid.zoom), snapped(theme.px(grid.cell_height) * grid.zoom)};
  const std::size_t most = std::max(l.rows, l.columns);
  l.texture = most > kMostRectangles;
  l.gap = l.texture ? 0 : cell_gap(theme);
  const float line = font_size(theme.fonts.small);
  l.numbers = grid.numbers && most <= kMostCells && l.pitch.y >= line * 0.95f;
  if (grid.row_labels) {
    const bool names = grid.rows.labels && grid.rows.labels->size() == l.rows;
    l.row_font = names && l.pitch.y >= font_size(theme.fonts.body) ? theme.fonts.body : theme.fonts.small;
    l.label_width = std::ceil(widest_label(grid, theme, l.row_font, l.rows) + theme.px(kLabelGap));
    if (grid.input && grid.edits.rows) l.label_width += theme.px(kHandle);
  }
  l.cells.min = {
      std::round(grid.position.x + l.label_width),
      std::round(grid.position.y + theme.px(grid.compact || grid.close ? kCompactHeader : kHeader))};
  l.cells.max = {l.cells.min.x + l.pitch.x * static_cast<float>(l.columns),
                 l.cells.min.y + l.pitch.y * static_cast<float>(l.rows)};
  l.column_label_y = l.cells.min.y - theme.px(kColumnLabel);
  l.bar_y = l.cells.max.y + theme.px(kBarGap);
  l.bar = !grid.compact || grid.role == Role::weights;
  // Room for the title, less where the canvas has made the cells smaller.
  const float least = theme.px(kLeastMatrix) * std::min(1.0f, grid.cell_width / Grid().cell_width);
  l.whole = {grid.position,
             {std::max(l.cells.max.x, l.cells.min.x + least),
              l.cells.max.y + theme.px(l.bar ? kFooter : kCompactFooter)}};
  return l;
}

CellRange visible_cells(const CellLayout& l, Rect clip) {
  const auto range = [](float from, float to, float start, float step, std::size_t count) {
    const auto clamped = [&](float x) {
      return static_cast<std::size_t>(std::clamp(x, 0.0f, static_cast<float>(count)));
    };
    return std::pair(clamped(std::floor((from - start) / step)), clamped(std::ceil((to - start) / step)));
  };
  const auto [row, row_end] = range(clip.min.y, clip.max.y, l.cells.min.y, l.pitch.y, l.rows);
  const auto [column, column_end] = range(clip.min.x, clip.max.x, l.cells.min.x, l.pitch.x, l.columns);
  return {row, row_end, column, column_end};
}

}  // namespace attn

// Geometry, colours and words of small maps.
#include "app/workspaces/stack/rows_maps.h"

#include <algorithm>
#include <cmath>

#include "app/cells/cell_layout.h"
#include "app/inspector/inspector_numbers.h"
#include "app/plot/plot_numbers.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr float kLeastMapSide = 4;  // points, of the shorter side
constexpr double kLeastMapRange = 1e-3;

std::size_t place_in_map(float at, float from, float to, std::size_t count) {
  const float share = to > from ? std::clamp((at - from) / (to - from), 0.0f, 1.0f) : 0;
  return std::min(count - 1, static_cast<std::size_t>(share * static_cast<float>(count)));
}

}  // namespace

Rect SmallMap::row(std::size_t index) const {
  const float pitch = box.height() / static_cast<float>(rows);
  const float top = box.min.y + pitch * static_cast<float>(index);
  return {{box.min.x, top}, {box.max.x, top + pitch}};
}

Cell SmallMap::at(ImVec2 point, std::size_t head) const {
  return {head, place_in_map(point.y, box.min.y, box.max.y, rows),
          place_in_map(point.x, box.min.x, box.max.x, columns)};
}

SmallMap small_map(const Theme& theme, ImVec2 corner, float side, const Shape& shape) {
  const ImVec2 min{std::round(corner.x), std::round(corner.y)};
  const auto rows = static_cast<float>(shape.rows), columns = static_cast<float>(shape.columns);
  const float width = std::max(theme.px(kLeastMapSide), side * std::min(1.0f, columns / rows));
  return {.box = {min, {min.x + width, min.y + map_height(theme, side, shape)}},
          .rows = shape.rows,
          .columns = shape.columns};
}

float map_height(const Theme& theme, float side, const Shape& shape) {
  const auto rows = static_cast<float>(shape.rows), columns = static_cast<float>(shape.columns);
  return std::max(theme.px(kLeastMapSide), side * std::min(1.0f, rows / columns));
}

ColourMap weights_map(const Theme& theme, double most) {
  if (!(most > 0)) return {theme.weights, 1};
  const double unit = std::pow(10.0, std::floor(std::log10(std::max(most, kLeastMapRange))));
  // A float at a round number is not beyond it.
  const double range = std::ceil(std::max(most, kLeastMapRange) / unit - 1e-6) * unit;
  return {theme.weights, static_cast<float>(std::min(range, 1.0))};
}

std::string weights_range(const ColourMap& map) {
  const std::string from = "0…";
  return from + brief(static_cast<double>(map.range));
}

std::string weight_text(double value, int decimals) {
  return std::isfinite(value) ? inspector::write(value, {decimals, false}) : "–";
}

std::string quoted_token(const Axis& axis, std::size_t index) {
  const std::string begin = "“";
  return begin + axis_label(axis, index) + "”";
}

std::string weight_words(const Stage& stage, Cell cell, double weight) {
  return quoted_token(stage.rows, cell.row) + " → " + quoted_token(stage.columns, cell.column) + ": " +
         weight_text(weight);
}

}  // namespace attn

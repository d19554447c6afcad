// Where parts of a canvas lie.
#include "app/canvas/shelf.h"

#include <algorithm>

namespace attn {
namespace {

constexpr float kLeastMatrix = 132, kBetween = 18, kBelowMatrix = 8;  // points

std::size_t columns_in(const Theme& theme, float width, std::size_t count) {
  const auto fit = static_cast<std::size_t>(std::max(1.0f, width / theme.px(kLeastMatrix)));
  return std::clamp<std::size_t>(fit, 1, std::max<std::size_t>(1, count));
}

}  // namespace

void Shelf::side_by_side(std::initializer_list<std::pair<Rect*, float>> parts, float height, float gap,
                         float below) {
  const Rect row = take(height, below);
  float all = 0, from = 0;
  for (const auto& part : parts) all += part.second;
  for (const auto& [rect, share] : parts) {
    *rect = part_of(row, from / all, (from + share) / all, gap);
    from += share;
  }
}

Rect part_of(Rect row, float from, float to, float gap) {
  const float width = row.width();
  return {{row.min.x + width * from + (from > 0 ? gap / 2 : 0), row.min.y},
          {row.min.x + width * to - (to < 1 ? gap / 2 : 0), row.max.y}};
}

float shared_height(const Theme& theme, float width, std::size_t count, float row_height) {
  const std::size_t columns = columns_in(theme, width, count), rows = (count + columns - 1) / columns;
  return theme.px(row_height) * static_cast<float>(std::max<std::size_t>(1, rows));
}

std::vector<Rect> shared_out(const Theme& theme, Rect area, std::size_t count) {
  const std::size_t columns = columns_in(theme, area.width(), count);
  const std::size_t rows = (count + columns - 1) / columns;
  const float gap = theme.px(kBetween);
  const float height = area.height() / static_cast<float>(std::max<std::size_t>(1, rows));
  const float width = (area.width() + gap) / static_cast<float>(columns) - gap;
  std::vector<Rect> places;
  for (std::size_t i = 0; i < count; ++i) {
    const float x = area.min.x + static_cast<float>(i % columns) * (width + gap);
    const float y = area.min.y + static_cast<float>(i / columns) * height;
    places.push_back({{x, y}, {x + width, y + height - theme.px(kBelowMatrix)}});
  }
  return places;
}

Rect moved(Rect area, ImVec2 by) {
  return {{area.min.x + by.x, area.min.y + by.y}, {area.max.x + by.x, area.max.y + by.y}};
}

bool in_sight(Rect area, Rect canvas) {
  return area.height() > 0 && area.max.y > canvas.min.y && area.min.y < canvas.max.y;
}

}  // namespace attn

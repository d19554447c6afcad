// A bar's sign picks the side of the zero line, its length is a part of the room on that side; what is not 0
// keeps at least a point.
#include "app/widgets/bars.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

// Round corners where there is room for them. Without, whole pixels: a polygon with soft edges for each of
// the hairlines of many heads would take longer to draw than their maps.
void fill(ImDrawList& list, const Rect& bar, ImU32 colour, const Theme& theme) {
  const float rounding = theme.px(2);
  if (bar.height() > 2 * rounding)
    return list.AddRectFilled(bar.min, bar.max, colour, std::min(rounding, bar.width() / 2));
  const float top = std::round(bar.min.y), thickness = std::max(1.0f, std::round(bar.height()));
  list.AddRectFilled({bar.min.x, top}, {bar.max.x, top + thickness}, colour);
}

}  // namespace

void draw_bar(ImDrawList& list, const Rect& area, double fraction, float zero, ImU32 colour,
              const Theme& theme) {
  if (std::isnan(fraction)) return;
  const float origin = area.min.x + zero * area.width();
  const float room = fraction < 0 ? zero * area.width() : (1 - zero) * area.width();
  const float length = static_cast<float>(std::clamp(fraction, -1.0, 1.0)) * room;
  const float least = fraction == 0 ? 0 : std::copysign(theme.px(1), length);
  const float end = origin + (std::abs(length) < std::abs(least) ? least : length);
  if (end == origin) return;
  fill(list, {{std::min(origin, end), area.min.y}, {std::max(origin, end), area.max.y}}, colour, theme);
}

void draw_signed_bar(ImDrawList& list, const Rect& area, double value, double least, double most,
                     const Theme& theme) {
  const double span = most - least;
  const float zero = span > 0 ? static_cast<float>(-least / span) : 0.5f;
  const double room = value < 0 ? -least : most;
  const double fraction = std::isinf(value) ? std::copysign(1.0, value) : room > 0 ? value / room : 0;
  draw_bar(list, area, fraction, zero, value < 0 ? theme.cell_negative : theme.cell_positive, theme);
}

}  // namespace attn

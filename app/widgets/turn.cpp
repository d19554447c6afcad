// The circle, its two hands and the arc between them.
#include "app/widgets/turn.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "app/widgets/strokes.h"

namespace attn {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr int kWound = 3;          // whole turns that are wound visibly; more look the same
constexpr double kArcStep = 0.12;  // radians

ImVec2 on_circle(ImVec2 centre, float radius, double direction) {
  return {centre.x + radius * static_cast<float>(std::cos(direction)),
          centre.y - radius * static_cast<float>(std::sin(direction))};
}

// From the old direction to the new one, each whole turn a little farther out.
std::vector<ImVec2> arc_of(const TurnDrawing& turn, ImVec2 centre, float inner, float outer) {
  const double whole = std::trunc(turn.angle / kTurn);
  const double shown = turn.angle - kTurn * (whole - std::clamp<double>(whole, -kWound, kWound));
  const int steps = std::max(2, static_cast<int>(std::abs(shown) / kArcStep));
  std::vector<ImVec2> points;
  for (int i = 0; i <= steps; ++i) {
    const double share = static_cast<double>(i) / steps;
    const auto winding = static_cast<float>(std::min(1.0, std::abs(share * shown) / (kTurn * (kWound + 1))));
    points.push_back(on_circle(centre, inner + (outer - inner) * winding, turn.from + share * shown));
  }
  return points;
}

}  // namespace

void draw_turn(ImDrawList& list, const Theme& theme, Rect box, const TurnDrawing& turn) {
  const float radius = std::min(box.width(), box.height()) / 2 - theme.px(5);
  if (radius < theme.px(6)) return;
  const ImVec2 centre{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2};
  draw_ring(list, centre, radius, theme.border, theme.px(1));
  list.AddLine({centre.x - radius, centre.y}, {centre.x + radius, centre.y}, with_alpha(theme.border, 0.6f));
  list.AddLine({centre.x, centre.y - radius}, {centre.x, centre.y + radius}, with_alpha(theme.border, 0.6f));
  const std::vector<ImVec2> arc = arc_of(turn, centre, radius * 0.45f, radius * 0.85f);
  draw_stroke(list, theme, arc, turn.arc, theme.px(1.5f));
  const auto hand = [&](double direction, ImU32 colour) {
    const std::array points{centre, on_circle(centre, radius, direction)};
    draw_stroke(list, theme, points, colour, theme.px(1.75f));
    draw_disc(list, theme, points[1], theme.px(3.5f), colour);
  };
  hand(turn.from, turn.before);
  hand(turn.from + turn.angle, turn.after);
}

std::string in_radians(double angle) {
  char text[48];
  std::snprintf(text, sizeof text, std::abs(angle) < 100 ? "%.4g rad" : "%.6g rad", angle);
  return text;
}

std::string in_degrees(double angle) {
  const double turns = angle / kTurn;
  char text[32];
  std::snprintf(text, sizeof text, "%.1f°", (turns - std::floor(turns)) * 360);
  return text;
}

}  // namespace attn

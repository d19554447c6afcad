// The polygon of all weights with the same output, and the point in it that is dragged.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/strokes.h"
#include "app/widgets/tooltip.h"
#include "app/workspaces/stack/other_weights.h"

namespace attn {
namespace {

constexpr float kPlaneEdge = 8, kHereDisc = 4.5f, kOthersDisc = 5;  // points
constexpr double kArrowStep = 1.0 / 40, kFineStep = 1.0 / 400;      // of the polygon's longer side

// Between the plane and pixels: as large as fits, in the middle, one scale for both directions.
struct PlaneScale {
  PlanePoint low, high;
  double scale = 1;
  ImVec2 middle = {};

  PlaneScale(const std::vector<PlanePoint>& corners, Rect area) : low(corners[0]), high(corners[0]) {
    for (const PlanePoint p : corners) {
      low = {std::min(low.across, p.across), std::min(low.up, p.up)};
      high = {std::max(high.across, p.across), std::max(high.up, p.up)};
    }
    const auto room = [](float pixels, double size) {
      return size > 0 ? static_cast<double>(pixels) / size : HUGE_VAL;
    };
    scale = std::min(room(area.width(), high.across - low.across), room(area.height(), high.up - low.up));
    middle = {(area.min.x + area.max.x) / 2, (area.min.y + area.max.y) / 2};
  }
  double side() const { return std::max(high.across - low.across, high.up - low.up); }
  ImVec2 pixel(PlanePoint p) const {
    return {middle.x + static_cast<float>((p.across - (low.across + high.across) / 2) * scale),
            middle.y - static_cast<float>((p.up - (low.up + high.up) / 2) * scale)};
  }
  PlanePoint point(ImVec2 at) const {
    return {(low.across + high.across) / 2 + static_cast<double>(at.x - middle.x) / scale,
            (low.up + high.up) / 2 - static_cast<double>(at.y - middle.y) / scale};
  }
};

void drag_to(const OtherScene& others, PlanePoint to) {
  const PlanePoint at = nearest_other(others.found.others, to);
  const OtherPlace& place = others.found.place;
  others.scene.view().dragged = {place.rows, place.layer, place.head, place.row, at.across, at.up};
}

// While the polygon has the keyboard its arrows are the point's; with Shift in small steps.
std::optional<PlanePoint> moved_by_keys(const OtherScene& others, double side) {
  if (!has_focus_ring()) return std::nullopt;
  GImGui->WantTextInputNextFrame = 1;  // not the stages'
  const double step = side * (ImGui::GetIO().KeyShift ? kFineStep : kArrowStep);
  PlanePoint to = others.at;
  if (key_pressed(GLFW_KEY_LEFT)) to.across -= step;
  if (key_pressed(GLFW_KEY_RIGHT)) to.across += step;
  if (key_pressed(GLFW_KEY_DOWN)) to.up -= step;
  if (key_pressed(GLFW_KEY_UP)) to.up += step;
  if (key_pressed(GLFW_KEY_HOME)) to = {};
  if (key_pressed(GLFW_KEY_END)) to = others.found.others.farthest;
  return to == others.at ? std::nullopt : std::optional(to);
}

void plane_input(const OtherScene& others, const PlaneScale& scale, Rect area) {
  ImGui::SetCursorScreenPos(area.min);
  ImGui::InvisibleButton("plane", {area.width(), area.height()});
  draw_focus_ring(others.scene.frame.theme, others.scene.frame.theme.px(3));
  if (others.stale) return;
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (ImGui::IsItemActive() && ImGui::IsMouseDown(0))
    drag_to(others, scale.point(ImGui::GetIO().MousePos));
  else if (const auto to = moved_by_keys(others, scale.side()))
    drag_to(others, *to);
  if (wants_tooltip() && !ImGui::IsItemActive())
    show_tooltip(
        "Every point in it is a row of weights with the same output; at an edge one of them is 0.\n"
        "Drag, or arrows (finer with Shift); Home: the weights as they are, End: the farthest.");
}

void fill_plane(const OtherScene& others, const std::vector<ImVec2>& corners) {
  const Theme& theme = others.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (corners.size() > 2)
    list.AddConvexPolyFilled(corners.data(), static_cast<int>(corners.size()),
                             others.ink(with_alpha(theme.accent_soft, 0.6f)));
  std::vector<ImVec2> edge = corners;
  if (corners.size() > 2) edge.push_back(corners.front());
  draw_stroke(list, theme, edge, others.ink(theme.dim), theme.px(1.25f));
}

}  // namespace

void draw_other_plane(const OtherScene& others, Rect area) {
  const Theme& theme = others.scene.frame.theme;
  const float edge = theme.px(kPlaneEdge);
  const Rect inside{{area.min.x + edge, area.min.y + edge}, {area.max.x - edge, area.max.y - edge}};
  if (inside.width() < edge || inside.height() < edge) return;
  const PlaneScale scale(others.found.others.corners, inside);
  std::vector<ImVec2> corners;
  for (const PlanePoint p : others.found.others.corners) corners.push_back(scale.pixel(p));
  fill_plane(others, corners);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::array<ImVec2, 2> way{scale.pixel({}), scale.pixel(others.at)};
  if (stroke_length({way[1].x - way[0].x, way[1].y - way[0].y}) > 1)
    draw_dashes(list, theme, way, others.ink(theme.text), theme.px(1.25f), theme.px(3), theme.px(3));
  draw_disc(list, theme, way[0], theme.px(kHereDisc), others.ink(here_colour(theme)));
  draw_disc(list, theme, way[1], theme.px(kOthersDisc), others.ink(others_colour(theme)));
  plane_input(others, scale, area);
}

}  // namespace attn

// The mouse on a plot: what a press takes hold of, and what a drag, a click and the wheel do to it.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/plot/plot_parts.h"
#include "app/theme/toolkit.h"

namespace attn {
namespace {

constexpr float kDragBegins = 3;  // points before a press becomes a drag
constexpr double kNotch = 1.2;    // zoom of one notch of the wheel
constexpr float kOnSample = 8;    // points from a sample to a click on it
constexpr float kLeastBox = 4;    // pixels a side; a smaller box was a slip

struct Mouse {
  const PlotScene& scene;
  PlotView& view;
  const PlotFit& fit;
  PlotEvents& events;
  ImVec2 at = ImGui::GetIO().MousePos;

  const AxisScale& x() const { return scene.layout.x; }
  const AxisScale& y() const { return scene.layout.y; }
};

double value_at(const AxisScale& scale, float pixel) {
  return std::clamp(scale.value(static_cast<double>(pixel)), scale.range().low, scale.range().high);
}

// From anywhere in the plot area: it comes under the pointer.
void take_marker(Mouse& m) {
  const auto& markers = m.scene.plot.markers;
  const auto marker = std::ranges::find_if(markers, &PlotMarker::draggable);
  if (marker == markers.end()) return;
  m.view.drag = PlotView::marker, m.view.dragged_marker = marker->id;
  m.view.from_x = m.view.from_y = 0;
}

// The drag that begins where the button went down.
void begin_drag(Mouse& m, ImVec2 from, bool right) {
  const PlotTarget target = target_at(m.scene, from);
  PlotView& view = m.view;
  view.from_x = m.x().value(static_cast<double>(from.x)),
  view.from_y = m.y().value(static_cast<double>(from.y));
  view.held_x = m.x().range(), view.held_y = m.y().range();
  if (right) {
    if (m.scene.layout.inside.contains(from)) view.drag = PlotView::box;
    return;
  }
  switch (target.kind) {
    case PlotTarget::point: {
      const Series& series = m.scene.plot.series[target.spot.series];
      const ImVec2 p = m.scene.pixel(series.x_at(target.spot.sample), series.y[target.spot.sample]);
      view.drag = PlotView::point, view.dragged_point = target.spot;
      view.from_x = static_cast<double>(p.x - from.x), view.from_y = static_cast<double>(p.y - from.y);
      break;
    }
    case PlotTarget::marker: {
      const PlotMarker& marker = m.scene.plot.markers[target.index];
      view.drag = PlotView::marker, view.dragged_marker = marker.id;
      view.from_x = view.from_y = static_cast<double>(marker.vertical ? m.x().pixel(marker.at) - from.x
                                                                      : m.y().pixel(marker.at) - from.y);
      break;
    }
    case PlotTarget::area:
      if (m.scene.plot.marker_takes_drags)
        take_marker(m);
      else
        view.drag = PlotView::pan;
      break;
    case PlotTarget::axis_x:
      view.drag = PlotView::pan_x;
      break;
    case PlotTarget::axis_y:
      view.drag = PlotView::pan_y;
      break;
    default:
      break;
  }
}

void drag_marker(Mouse& m) {
  for (const PlotMarker& marker : m.scene.plot.markers) {
    if (marker.id != m.view.dragged_marker) continue;
    const double to = marker.vertical ? value_at(m.x(), m.at.x + static_cast<float>(m.view.from_x))
                                      : value_at(m.y(), m.at.y + static_cast<float>(m.view.from_y));
    m.events.marker = {marker.id, to};
    ImGui::SetMouseCursor(marker.vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  }
}

void while_dragged(Mouse& m) {
  PlotView& view = m.view;
  const bool across = view.drag == PlotView::pan || view.drag == PlotView::pan_x;
  const bool up = view.drag == PlotView::pan || view.drag == PlotView::pan_y;
  if (across) view.x = m.x().panned(view.from_x, m.at.x);
  if (up) view.y = m.y().panned(view.from_y, m.at.y);
  if (view.drag == PlotView::marker) drag_marker(m);
  if (view.drag == PlotView::point)
    m.events.moved = PlotEvents::Moved{view.dragged_point,
                                       {value_at(m.x(), m.at.x + static_cast<float>(view.from_x)),
                                        value_at(m.y(), m.at.y + static_cast<float>(view.from_y))}};
  m.events.active = view.drag == PlotView::marker || view.drag == PlotView::point;
}

void zoom_to_box(Mouse& m) {
  const float from_x = m.x().pixel(m.view.from_x), from_y = m.y().pixel(m.view.from_y);
  if (std::abs(m.at.x - from_x) < kLeastBox || std::abs(m.at.y - from_y) < kLeastBox) return;
  const auto range = [](double a, double b, bool log) {
    return proper_range({std::min(a, b), std::max(a, b)}, log);
  };
  m.view.x = range(m.view.from_x, value_at(m.x(), m.at.x), m.x().log());
  m.view.y = range(m.view.from_y, value_at(m.y(), m.at.y), m.y().log());
}

// The sample that a click is on: of a bar all of it.
std::optional<FoundSample> on_sample(const Mouse& m) {
  const std::optional<FoundSample> found = find_sample(m.scene, m.at);
  return found && found->distance <= m.scene.px(kOnSample) ? found : std::nullopt;
}

void click(Mouse& m) {
  const PlotTarget target = target_at(m.scene, m.at);
  if (target.kind == PlotTarget::legend)
    return toggle_hidden(m.view, m.scene.layout.legend.entries[target.index].name);
  if (!m.scene.layout.inside.contains(m.at)) return;
  const std::optional<FoundSample> found = on_sample(m);
  if (found) m.events.clicked_sample = found->spot;
  const bool on_point = found && m.scene.plot.series[found->spot.series].kind == SeriesKind::points;
  if (m.scene.plot.clickable && !on_point)
    m.events.clicked = PlotPoint{value_at(m.x(), m.at.x), value_at(m.y(), m.at.y)};
}

void double_click(Mouse& m) {
  const PlotTarget target = target_at(m.scene, m.at);
  if (target.kind == PlotTarget::legend)
    isolate(m.scene.plot, m.view, m.scene.layout.legend.entries[target.index].name);
  else if (target.kind == PlotTarget::axis_x)
    m.view.x.reset();
  else if (target.kind == PlotTarget::axis_y)
    m.view.y.reset();
  else if (const auto found = on_sample(m); found && m.scene.plot.series[found->spot.series].draggable)
    m.events.opened = found->spot;
  else
    fit_plot(m.view, m.fit);
}

// Zooms at the pointer. What the plot takes is no one else's: not the canvas' below. The x to be kept there.
std::optional<double> wheel(Mouse& m, const PlotTarget& target) {
  ImGuiIO& io = ImGui::GetIO();
  const bool across = target.kind == PlotTarget::axis_x, up = target.kind == PlotTarget::axis_y;
  const bool inside = m.scene.layout.inside.contains(m.at);
  if (io.KeyCtrl || (!across && !up && !inside)) return std::nullopt;
  keep_wheel();
  const float notches = std::exchange(io.MouseWheel, 0.0f);
  if (notches == 0) return std::nullopt;
  if (inside && !m.scene.plot.wheel_zooms) {
    m.events.wheel = notches;
    return std::nullopt;
  }
  const double factor = std::pow(kNotch, static_cast<double>(notches));
  if (up || inside) m.view.y = m.y().zoomed(m.at.y, factor);
  if (!across && !inside) return std::nullopt;
  m.view.x = m.x().zoomed(m.at.x, factor);
  return m.x().value(static_cast<double>(m.at.x));
}

void show_cursor(const Mouse& m, const PlotTarget& target) {
  switch (target.kind) {
    case PlotTarget::point:
      return ImGui::SetMouseCursor(m.scene.plot.series[target.spot.series].kind == SeriesKind::bars
                                       ? ImGuiMouseCursor_ResizeNS
                                       : ImGuiMouseCursor_Hand);
    case PlotTarget::legend:
      return ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    case PlotTarget::marker:
      return ImGui::SetMouseCursor(m.scene.plot.markers[target.index].vertical ? ImGuiMouseCursor_ResizeEW
                                                                               : ImGuiMouseCursor_ResizeNS);
    case PlotTarget::axis_x:
      return ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    case PlotTarget::axis_y:
      return ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    default:
      return;
  }
}

void release(Mouse& m, bool right, bool hovered) {
  const bool dragged = m.view.drag != PlotView::none;
  if (m.view.drag == PlotView::box) zoom_to_box(m);
  m.view.drag = PlotView::none;
  if (dragged || !hovered) return;
  if (right)
    ImGui::OpenPopup("menu");
  else if (ImGui::GetIO().MouseClickedLastCount[0] == 1)
    click(m);
}

}  // namespace

std::optional<double> plot_mouse(const PlotScene& scene, PlotView& view, const PlotFit& fit,
                                 PlotEvents& events) {
  Mouse m{scene, view, fit, events};
  const ImGuiIO& io = ImGui::GetIO();
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  const bool right = active ? io.MouseDown[1] && !io.MouseDown[0] : io.MouseReleased[1];
  const bool by_mouse = io.MouseDown[0] || io.MouseDown[1];
  if (active && by_mouse) {
    const ImVec2 from = io.MouseClickedPos[right ? 1 : 0];
    const float moved = std::max(std::abs(m.at.x - from.x), std::abs(m.at.y - from.y));
    if (view.drag == PlotView::none && moved > scene.px(kDragBegins)) begin_drag(m, from, right);
    while_dragged(m);
  } else if (ImGui::IsItemDeactivated() && (io.MouseReleased[0] || io.MouseReleased[1])) {
    release(m, right, hovered);
  } else {
    view.drag = PlotView::none;  // the button went up where nobody saw it
  }
  if (hovered && io.MouseDoubleClicked[0]) double_click(m);
  if (view.drag == PlotView::pan || view.drag == PlotView::pan_x) return view.from_x;
  if (!hovered) return std::nullopt;
  const PlotTarget target = target_at(scene, m.at);
  if (view.drag == PlotView::none) show_cursor(m, target);
  return wheel(m, target);
}

void draw_box(const PlotScene& scene, const PlotView& view) {
  if (view.drag != PlotView::box) return;
  const Rect& inside = scene.layout.inside;
  const ImVec2 from = scene.pixel(view.from_x, view.from_y), mouse = ImGui::GetIO().MousePos;
  const ImVec2 to{std::clamp(mouse.x, inside.min.x, inside.max.x),
                  std::clamp(mouse.y, inside.min.y, inside.max.y)};
  const ImVec2 min{std::round(std::min(from.x, to.x)), std::round(std::min(from.y, to.y))};
  const ImVec2 max{std::round(std::max(from.x, to.x)), std::round(std::max(from.y, to.y))};
  scene.list.AddRectFilled(min, max, with_alpha(scene.theme.accent, 0.14f));
  scene.list.AddRect(min, max, scene.theme.accent, 0, 0, scene.px(1));
}

}  // namespace attn

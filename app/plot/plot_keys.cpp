// The keyboard on a plot that Tab has come to.
#include <imgui_internal.h>

#include "app/plot/plot_parts.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"

namespace attn {
namespace {

constexpr float kStride = 0.1f;  // of the plot, an arrow
constexpr double kZoom = 1.25;

void pan_by(PlotView& view, const PlotLayout& layout, float right, float up) {
  const Rect& inside = layout.inside;
  const auto moved = [](const AxisScale& scale, float from, float by) {
    return scale.panned(scale.value(static_cast<double>(from + by)), from);
  };
  if (right != 0) view.x = moved(layout.x, inside.min.x, right * kStride * inside.width());
  if (up != 0) view.y = moved(layout.y, inside.max.y, -up * kStride * inside.height());
}

void zoom_by(PlotView& view, const PlotLayout& layout, double factor) {
  const Rect& inside = layout.inside;
  view.x = layout.x.zoomed((inside.min.x + inside.max.x) / 2, factor);
  view.y = layout.y.zoomed((inside.min.y + inside.max.y) / 2, factor);
}

bool is_draggable(const Plot& plot, const std::optional<PlotSpot>& spot) {
  return spot && spot->series < plot.series.size() && plot.series[spot->series].draggable;
}

void view_keys(const PlotScene& scene, PlotView& view, const PlotFit& fit, PlotEvents& events) {
  const PlotLayout& layout = scene.layout;
  if (key_pressed(GLFW_KEY_LEFT)) pan_by(view, layout, -1, 0);
  if (key_pressed(GLFW_KEY_RIGHT)) pan_by(view, layout, 1, 0);
  if (key_pressed(GLFW_KEY_UP)) pan_by(view, layout, 0, 1);
  if (key_pressed(GLFW_KEY_DOWN)) pan_by(view, layout, 0, -1);
  if (key_pressed(GLFW_KEY_EQUAL) || key_pressed(GLFW_KEY_KP_ADD)) zoom_by(view, layout, kZoom);
  if (key_pressed(GLFW_KEY_MINUS) || key_pressed(GLFW_KEY_KP_SUBTRACT)) zoom_by(view, layout, 1 / kZoom);
  const bool enter = pressed_by_enter();
  if (enter && is_draggable(scene.plot, scene.plot.selected))
    events.opened = scene.plot.selected;
  else if (enter || key_pressed(GLFW_KEY_F, false))
    fit_plot(view, fit);
}

}  // namespace

void plot_keys(const PlotScene& scene, PlotView& view, const PlotFit& fit, PlotEvents& events) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool ring = has_focus_ring();
  const bool open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  const ImGuiID busy = ImGui::GetActiveID();
  if (open || (busy != 0 && busy != ImGui::GetItemID())) return;
  const bool remove = key_pressed(GLFW_KEY_DELETE, false) || key_pressed(GLFW_KEY_BACKSPACE, false);
  if (remove && scene.plot.selected && (ring || ImGui::IsItemHovered()) && !io.KeyCtrl)
    events.removed = scene.plot.selected;
  if (!ring) return;
  GImGui->WantTextInputNextFrame = 1;  // arrows and letters are the plot's, not the stages'
  if (io.KeyCtrl && !io.KeyShift && key_pressed(GLFW_KEY_C, false))
    ImGui::SetClipboardText(plot_table(scene.plot, view).c_str());
  const bool menu = key_pressed(GLFW_KEY_MENU, false) || (io.KeyShift && key_pressed(GLFW_KEY_F10, false));
  if (menu) ImGui::OpenPopup("menu");
  // Shift only matters to write "+".
  if (!io.KeyCtrl && !io.KeyAlt) view_keys(scene, view, fit, events);
}

}  // namespace attn

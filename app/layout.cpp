// The bars have fixed heights, the panels the widths of the settings. A narrow window takes from panels and
// canvas in turns, in the order said at the constants.
#include "app/layout.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

constexpr float kTop = 38, kStages = 82, kLeastPanel = 180;
// In a narrow window the panels shrink until their contents would not fit, to leave the canvas this width;
// then the canvas shrinks, as it scrolls; then the panels again, to a part of the window.
constexpr float kCanvas = 420, kLeastCanvas = 300, kControls = 152, kInspector = 228;
constexpr float kMostOfWindow = 0.6f, kControlsPart = 0.45f;

const ImVec2 kLeastWindow{512, 320};  // points: the least window, 1024×640, at scale 2

// A vertical splitter at `x`; returns how far it was dragged this frame.
float splitter(const char* id, float x, const Rect& beside, Frame& frame) {
  const float half = frame.theme.px(3);
  ImGui::SetCursorScreenPos({x - half, beside.min.y});
  ImGui::InvisibleButton(id, {2 * half, beside.height()});
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  const ImU32 colour = hot ? frame.theme.accent : frame.theme.border;
  ImGui::GetWindowDrawList()->AddLine({x, beside.min.y}, {x, beside.max.y}, colour);
  return ImGui::IsItemActive() ? ImGui::GetIO().MouseDelta.x : 0;
}

struct Widths {
  float controls, inspector;  // pixels
};
Widths panel_widths(float window, const Theme& theme, const Settings& settings) {
  const Widths wanted{theme.px(settings.controls_width), theme.px(settings.inspector_width)};
  const Widths least{std::min(wanted.controls, theme.px(kControls)),
                     std::min(wanted.inspector, theme.px(kInspector))};
  const float widest = wanted.controls + wanted.inspector, narrowest = least.controls + least.inspector;
  const float room = std::max(window - theme.px(kLeastCanvas), window * kMostOfWindow);
  if (room < narrowest) {
    const float controls = std::min(least.controls, room * kControlsPart);
    return {controls, room - controls};
  }
  // What is left beyond the narrowest panels and the canvas is shared in proportion to what each wants more.
  const float spare = std::clamp(window - theme.px(kCanvas) - narrowest, 0.0f, widest - narrowest);
  const float share = widest > narrowest ? spare / (widest - narrowest) : 0;
  return {least.controls + (wanted.controls - least.controls) * share,
          least.inspector + (wanted.inspector - least.inspector) * share};
}

}  // namespace

float fitting_scale(float scale, ImVec2 size) {
  const float room = std::min(size.x / kLeastWindow.x, size.y / kLeastWindow.y);
  // In steps, as every other scale needs letters of its own.
  return std::min(scale, std::max(1.0f, std::floor(room * 4) / 4));
}

Layout make_layout(ImVec2 size, const Theme& theme, const Settings& settings) {
  const float top = theme.px(kTop), bottom = size.y - theme.px(kStages);
  const auto [controls, inspector] = panel_widths(size.x, theme, settings);
  const float left = controls, right = size.x - inspector;
  return {.top = {{0, 0}, {size.x, top}},
          .controls = {{0, top}, {left, bottom}},
          .canvas = {{left, top}, {right, bottom}},
          .inspector = {{right, top}, {size.x, bottom}},
          .stages = {{0, bottom}, size}};
}

void draw_splitters(const Layout& layout, Frame& frame) {
  const auto panel = [](float width) { return std::clamp(width, kLeastPanel, 600.0f); };
  Settings& settings = frame.view.settings;
  if (const float dx = splitter("##left", layout.controls.max.x, layout.controls, frame); dx != 0)
    settings.controls_width = panel(settings.controls_width + dx / frame.theme.scale);
  if (const float dx = splitter("##right", layout.inspector.min.x, layout.inspector, frame); dx != 0)
    settings.inspector_width = panel(settings.inspector_width - dx / frame.theme.scale);
}

}  // namespace attn

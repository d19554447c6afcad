// The bars have fixed heights, the panels the widths of the settings. A narrow window takes from panels and
// canvas in turns, in the order said at the constants.
#include "app/frame/layout.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

constexpr float kTop = 38, kStages = 82;
// In a narrow window the panels shrink until their contents would not fit, to leave the canvas this width;
// then the canvas shrinks, as it scrolls; then the panels again, to a part of the window.
constexpr float kCanvas = 420, kLeastCanvas = 300, kControls = 152, kInspector = 228;
constexpr float kMostOfWindow = 0.6f, kControlsPart = 0.45f;

const ImVec2 kLeastWindow{512, 320};  // points: the least window, 1024×640, at scale 2

struct Widths {
  float controls, inspector;  // pixels
};
Widths panel_widths(float window, const Theme& theme, const Settings& settings) {
  const Widths wanted{settings.show_controls ? theme.px(settings.controls_width) : 0,
                      settings.show_inspector ? theme.px(settings.inspector_width) : 0};
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

namespace {

// One side panel, and the splitter between it and the canvas.
struct Side {
  const char* id;
  float edge, away;  // the panel's inner edge; +1 where it grows to the right
  float Settings::*width;
  bool Settings::*shown;
};

// A drag makes the panel as wide as the pointer says, from the width that it has now: a narrow window may
// have taken from what it had. Dragged farther than it can be narrowed it is hidden, and dragged back it is
// there again.
void splitter(const Side& side, const Layout& layout, Frame& frame) {
  const Theme& theme = frame.theme;
  Settings& settings = frame.view.settings;
  const float half = theme.px(3), x = std::clamp(side.edge, half, layout.stages.max.x - half);
  // A child of its own, above those of the regions: they would take the mouse.
  ImGui::SetCursorScreenPos({x - half, layout.canvas.min.y});
  ImGui::BeginChild((std::string(side.id) + " splitter").c_str(), {2 * half, layout.canvas.height()}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav);
  ImGui::SetCursorScreenPos({x - half, layout.canvas.min.y});
  ImGui::InvisibleButton(side.id, {2 * half, layout.canvas.height()});
  const bool held = ImGui::IsItemActive(), hot = ImGui::IsItemHovered() || held;
  ImGui::GetWindowDrawList()->AddLine({x, layout.canvas.min.y}, {x, layout.canvas.max.y},
                                      hot ? theme.accent : theme.border);
  ImGui::EndChild();
  if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (hot && !held && !(settings.*side.shown)) ImGui::SetTooltip("drag to show the panel again");
  if (!held || ImGui::GetIO().MouseDelta.x == 0) return;
  settings.controls_width =
      settings.show_controls ? layout.controls.width() / theme.scale : settings.controls_width;
  settings.inspector_width =
      settings.show_inspector ? layout.inspector.width() / theme.scale : settings.inspector_width;
  const float outer = side.away > 0 ? 0 : layout.stages.max.x;
  const float wanted = (ImGui::GetIO().MousePos.x - outer) * side.away / theme.scale;
  settings.*side.shown = wanted >= kLeastPanel / 2;
  if (settings.*side.shown) settings.*side.width = std::clamp(wanted, kLeastPanel, kMostPanel);
}

}  // namespace

void draw_splitters(const Layout& layout, Frame& frame) {
  splitter({"##left", layout.controls.max.x, 1, &Settings::controls_width, &Settings::show_controls}, layout,
           frame);
  splitter({"##right", layout.inspector.min.x, -1, &Settings::inspector_width, &Settings::show_inspector},
           layout, frame);
}

}  // namespace attn

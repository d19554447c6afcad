#include "app/layout.h"

#include <algorithm>

namespace attn {
namespace {

constexpr float kTop = 38, kStages = 82, kLeastCanvas = 420, kLeastPanel = 180;
// In a narrow window the panels shrink to this part of their widths, but never take more than that part of
// the window.
constexpr float kMostShrink = 0.58f, kMostOfWindow = 0.6f;

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

}  // namespace

Layout make_layout(ImVec2 size, const Theme& theme, const Settings& settings) {
  const float top = theme.px(kTop), bottom = size.y - theme.px(kStages);
  const float spare = std::max(0.0f, size.x - theme.px(kLeastCanvas));
  const float wanted = theme.px(settings.controls_width + settings.inspector_width);
  const float least = std::min(kMostShrink, size.x * kMostOfWindow / wanted);
  const float shrink = std::clamp(spare / wanted, least, 1.0f);
  const float left = theme.px(settings.controls_width) * shrink;
  const float right = size.x - theme.px(settings.inspector_width) * shrink;
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

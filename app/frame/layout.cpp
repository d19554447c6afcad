// The bars have fixed heights, the panels the widths of the settings. A narrow window takes from them in the
// order said at the constants.
#include "app/frame/layout.h"

#include <algorithm>
#include <cmath>

#include "app/frame/present_view.h"

namespace attn {
namespace {

constexpr float kTop = 38, kStages = 82;
// Points. In a narrow window the panels shrink to their narrow widths, to leave the canvas this width; where
// it would still have less than the least, the controls become a strip, then the inspector.
constexpr float kLeastCanvas = 420, kControls = 200, kInspector = 252, kStrip = 34;
constexpr float kMostOpened = 262;  // of a panel over the canvas

const ImVec2 kLeastWindow{512, 320};  // points: the least window, 1024×640, at scale 2

const ImVec2 kPresented{440, 330};  // points of a window that presents
constexpr float kMostScale = 4, kPresentedLine = 30;

struct Widths {
  float controls, inspector;  // points
  bool controls_folded = false, inspector_folded = false;
};
Widths panel_widths(float window, const Settings& settings) {
  const Widths wanted{settings.show_controls ? settings.controls_width : 0,
                      settings.show_inspector ? settings.inspector_width : 0};
  Widths widths{std::min(wanted.controls, kControls), std::min(wanted.inspector, kInspector)};
  const auto canvas = [&] { return window - widths.controls - widths.inspector; };
  if (canvas() < kLeastCanvas && settings.show_controls) widths = {kStrip, widths.inspector, true};
  if (canvas() < kLeastCanvas && settings.show_inspector)
    widths.inspector = kStrip, widths.inspector_folded = true;
  // What is left beyond them and the canvas is shared in proportion to what each wants more.
  const float more_controls = widths.controls_folded ? 0 : wanted.controls - widths.controls,
              more_inspector = widths.inspector_folded ? 0 : wanted.inspector - widths.inspector,
              more = more_controls + more_inspector;
  const float share = more > 0 ? std::clamp((canvas() - kWantedCanvas) / more, 0.0f, 1.0f) : 0;
  widths.controls += more_controls * share;
  widths.inspector += more_inspector * share;
  return widths;
}

}  // namespace

float fitting_scale(float scale, ImVec2 size) {
  const float room = std::min(size.x / kLeastWindow.x, size.y / kLeastWindow.y);
  // In steps, as every other scale needs letters of its own.
  return std::min(scale, std::max(1.0f, std::floor(room * 4) / 4));
}

float window_scale(const View& view, float monitor, ImVec2 size) {
  if (!presents(view)) return fitting_scale(view.scale(monitor), size);
  const float room = std::min(size.x / kPresented.x, size.y / kPresented.y);
  return std::clamp(std::floor(room * 4) / 4, 1.0f, kMostScale);
}

Layout presented_layout(ImVec2 size, const Theme& theme) {
  const float bottom = size.y - theme.px(kPresentedLine);
  return {.top = {{0, 0}, {size.x, 0}},
          .controls = {{0, 0}, {0, bottom}},
          .canvas = {{0, 0}, {size.x, bottom}},
          .inspector = {{size.x, 0}, {size.x, bottom}},
          .stages = {{0, bottom}, size},
          .controls_folded = true,
          .inspector_folded = true};
}

Layout make_layout(ImVec2 size, const Theme& theme, const Settings& settings) {
  const float top = theme.px(kTop), bottom = size.y - theme.px(kStages);
  const Widths widths = panel_widths(size.x / theme.scale, settings);
  const float left = theme.px(widths.controls),
              right = std::max(left + 1, size.x - theme.px(widths.inspector));
  return {.top = {{0, 0}, {size.x, top}},
          .controls = {{0, top}, {left, bottom}},
          .canvas = {{left, top}, {right, bottom}},
          .inspector = {{right, top}, {size.x, bottom}},
          .stages = {{0, bottom}, size},
          .controls_folded = widths.controls_folded,
          .inspector_folded = widths.inspector_folded};
}

Layout make_lesson_layout(ImVec2 size, const Theme& theme, Settings settings, CoursePlace course) {
  settings.show_inspector = true;  // the lesson
  settings.show_controls = true;
  const Layout whole = make_layout(size, theme, settings);
  const bool narrow = whole.controls_folded || whole.canvas.width() < theme.px(kWantedCanvas);
  if (!narrow && !course.folded && !course.with_controls) return whole;
  settings.show_controls = course.with_controls;
  const float strip = theme.px(kStrip);
  Layout layout = make_layout({size.x - strip, size.y}, theme, settings);
  for (Rect* region : {&layout.controls, &layout.canvas, &layout.inspector})
    region->min.x += strip, region->max.x += strip;
  layout.top.max.x = layout.stages.max.x = size.x;
  layout.course = {{0, layout.canvas.min.y}, {strip, layout.canvas.max.y}};
  // It opens over the canvas, as a panel does that is folded.
  if (narrow && !course.with_controls) layout.controls = layout.course, layout.controls_folded = true;
  return layout;
}

Rect opened_over(const Layout& layout, const Theme& theme, bool controls) {
  Rect area = layout.canvas;
  const float width = std::min(theme.px(kMostOpened), area.width());
  (controls ? area.max.x : area.min.x) = controls ? area.min.x + width : area.max.x - width;
  return area;
}

void fold_panels(View& view, const Layout& layout) {
  view.controls.folded = layout.controls_folded, view.inspector.folded = layout.inspector_folded;
  for (SidePanel* panel : {&view.controls, &view.inspector})
    if (!panel->folded) panel->fold();
}

}  // namespace attn

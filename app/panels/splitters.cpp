// The edges between the panels and the canvas: dragged, they narrow, widen and hide a panel.
#include <algorithm>

#include "app/frame/layout.h"
#include "app/lesson/lesson_view.h"
#include "app/panels/panels.h"
#include "app/widgets/tooltip.h"

namespace attn {
namespace {

// One side panel, and the splitter between it and the canvas.
struct Side {
  const char* id;
  float edge, away;  // the panel's inner edge; +1 where it grows to the right
  float Settings::*width;
  bool Settings::*shown;
  bool folded;
};

// A drag makes the panel as wide as the pointer says, from the width that it has now: a narrow window may
// have taken from what it had. Dragged farther than it can be narrowed it is hidden, and dragged back it is
// there again. A strip has an edge that stays.
void splitter(const Side& side, const Layout& layout, Frame& frame) {
  const Theme& theme = frame.theme;
  Settings& settings = frame.view.settings;
  if (side.folded)
    return ImGui::GetWindowDrawList()->AddLine({side.edge, layout.canvas.min.y},
                                               {side.edge, layout.canvas.max.y}, theme.border);
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
  if (hot && !held && !(settings.*side.shown)) show_tooltip("drag to show the panel again");
  if (!held || ImGui::GetIO().MouseDelta.x == 0) return;
  if (settings.show_controls && !layout.controls_folded)
    settings.controls_width = layout.controls.width() / theme.scale;
  if (settings.show_inspector && !layout.inspector_folded)
    settings.inspector_width = layout.inspector.width() / theme.scale;
  const float outer = side.away > 0 ? layout.controls.min.x : layout.stages.max.x;
  // No wider than leaves the canvas its width: the window would take it back.
  const float now = settings.*side.shown ? settings.*side.width : 0;
  const float most = std::max({now, kLeastPanel, now + layout.canvas.width() / theme.scale - kWantedCanvas});
  const float wanted = std::min(most, (ImGui::GetIO().MousePos.x - outer) * side.away / theme.scale);
  settings.*side.shown = wanted >= kLeastPanel / 2;
  if (settings.*side.shown) settings.*side.width = std::clamp(wanted, kLeastPanel, kMostPanel);
}

}  // namespace

void draw_splitters(Frame& frame, const Layout& layout) {
  Settings& settings = frame.view.settings;
  const bool controls = settings.show_controls, inspector = settings.show_inspector;
  const bool strip = layout.course.width() > 0 && layout.controls.width() == 0;
  splitter({"##left", layout.controls.max.x, 1, &Settings::controls_width, &Settings::show_controls,
            layout.controls_folded || strip},
           layout, frame);
  splitter({"##right", layout.inspector.min.x, -1, &Settings::inspector_width, &Settings::show_inspector,
            layout.inspector_folded},
           layout, frame);
  LessonView& lesson = frame.view.of<LessonView>();
  if (!lesson.lesson) return;
  if (controls && !settings.show_controls) lesson.course_folded = true;
  settings.show_controls = controls, settings.show_inspector = inspector;  // of the person's own work
}

}  // namespace attn

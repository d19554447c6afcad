// The side panels: beside the canvas, or folded to strips from which they open over it.
#include "app/panels/side_panels.h"

#include <algorithm>

#include "app/fields/field_parts.h"
#include "app/frame/layout.h"
#include "app/frame/workspace.h"
#include "app/lesson/course.h"
#include "app/lesson/lesson_panel.h"
#include "app/lesson/lesson_view.h"
#include "app/panels/panels.h"
#include "app/panels/strip.h"
#include "app/widgets/focus.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kFoot = 28, kEdge = 2;  // points: under an opened panel, and along it
constexpr float kCovered = 0.62f;       // of the canvas's colour, over what is covered
constexpr float kSoughtGap = 8;         // above a part that was scrolled to

// What sections of the controls say of the work as it was opened.
void remember_states(Frame& frame) {
  const auto example = std::ranges::find_if(frame.table, [](const Command& command) {
    return command.checked && command.name.starts_with("example.");
  });
  const std::string work = example == frame.table.end() ? "" : example->name;
  OpenedStates& opened = frame.view.opened_states;
  const bool other = !work.empty() && opened.work != work;
  if (other) opened = {.work = work};
  if (!other && frame.history.position() != 0) return;
  for (const PanelPart& part : frame.view.controls.parts)
    opened.said[{&frame.workspace, part.layer, part.title}] = part.state;
}

bool is_changed(const Frame& frame, const PanelPart& part) {
  const auto& known = frame.view.opened_states.said;
  const auto state = known.find({&frame.workspace, part.layer, part.title});
  return state != known.end() && state->second != part.state;
}

std::vector<StripWord> controls_words(const Frame& frame) {
  const SidePanel& panel = frame.view.controls;
  std::vector<StripWord> words;
  for (const PanelPart& part : panel.parts)
    if (!part.word.empty())
      words.push_back({part.title, part.word, frame.theme.dim,
                       panel.open ? part.title == panel.shown : part.present, is_changed(frame, part)});
  return words;
}

// A panel that has just been opened shows what the present step is about.
void look_at_present(SidePanel& panel) {
  if (!panel.open || !panel.shown.empty() || panel.parts.empty()) return;
  const auto present = std::ranges::find(panel.parts, true, &PanelPart::present);
  panel.show(present == panel.parts.end() ? panel.parts.front().title : present->title);
}

// What lies beside an opened panel is there, but not to be worked with; a click on it folds the panel.
void cover_canvas(Frame& frame, Rect canvas) {
  ImGui::SetCursorScreenPos(canvas.min);
  ImGui::BeginChild("covered", {canvas.width(), canvas.height()}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                        ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav);
  ImGui::GetWindowDrawList()->AddRectFilled(canvas.min, canvas.max, with_alpha(frame.theme.canvas, kCovered));
  ImGui::SetCursorScreenPos(canvas.min);
  begin_no_tab_stops();
  if (ImGui::InvisibleButton("beside", {canvas.width(), canvas.height()}))
    frame.view.controls.fold(), frame.view.inspector.fold();
  end_no_tab_stops();
  ImGui::EndChild();
}

void draw_opened(Frame& frame, Rect area, bool left, void (*draw)(Frame&, Rect)) {
  const Theme& theme = frame.theme;
  ImGui::SetCursorScreenPos(area.min);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild(left ? "opened controls" : "opened inspector", {area.width(), area.height()}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                        ImGuiWindowFlags_NoBackground | kFocusableChild);
  ImGui::PopStyleVar();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(area.min, area.max, theme.panel);
  const float foot = area.max.y - theme.px(kFoot), edge = theme.px(kEdge);
  draw_text(list, theme.fonts.small,
            {area.min.x + theme.px(16), foot + (theme.px(kFoot) - font_size(theme.fonts.small)) / 2},
            theme.faint, "Esc or a click outside closes");
  const float inner = left ? area.max.x - edge : area.min.x;
  list.AddRectFilled({inner, area.min.y}, {inner + edge, area.max.y}, theme.accent);
  draw(frame, {{area.min.x + (left ? 0 : edge), area.min.y}, {area.max.x - (left ? edge : 0), foot}});
  ImGui::EndChild();
}

// While a lesson is played, the course and the lesson are in their places; the controls stay where they are
// needed.
using DrawPanel = void (*)(Frame&, Rect);
bool plays_lesson(const View& view) {
  return view.of<LessonView>().lesson != nullptr;
}
bool shows_course(const View& view) {
  return plays_lesson(view) && !view.of<LessonView>().needs_controls();
}
DrawPanel left_panel(const View& view) {
  return shows_course(view) ? draw_course : draw_controls;
}
DrawPanel right_panel(const View& view) {
  return plays_lesson(view) ? draw_lesson : draw_inspector;
}

// The word of its strip.
std::vector<StripWord> lesson_words(const Frame& frame) {
  return {{"Lesson", "Lesson", frame.theme.dim, frame.view.inspector.open}};
}

// The strip, and the panel where it is open.
void draw_folded(Frame& frame, const Layout& layout, const Strip& strip) {
  View& view = frame.view;
  SidePanel& panel = strip.left ? view.controls : view.inspector;
  if (const auto part = draw_strip(frame.theme, strip.left ? layout.controls : layout.inspector, strip)) {
    const bool fold = panel.open && part->empty();
    view.controls.fold(), view.inspector.fold();
    if (!fold) panel.show(*part);
    const auto named = std::ranges::find(view.controls.parts, *part, &PanelPart::title);
    if (strip.left && named != view.controls.parts.end() && named->folds) leave_section(view, *part, true);
  }
  if (panel.open)
    draw_opened(frame, opened_over(layout, frame.theme, strip.left), strip.left,
                strip.left ? left_panel(view) : right_panel(view));
}

}  // namespace

std::string key_of(const Frame& frame, std::string_view command) {
  const auto found = std::ranges::find(frame.table, command, &Command::name);
  if (found == frame.table.end() || !found->shortcut) return "";
  return " (" + to_string(found->shortcut) + ")";
}

void follow_parts(const Theme& theme, SidePanel& panel) {
  if (!panel.open || panel.parts.empty()) return;
  const float scroll = ImGui::GetScrollY(), gap = theme.px(kSoughtGap);
  const auto part = std::ranges::find(panel.parts, panel.shown, &PanelPart::title);
  const bool known = part != panel.parts.end();
  if (known && panel.sought) {
    ImGui::SetScrollY(std::max(0.0f, part->top - gap));
    panel.sought = false;
    return;
  }
  if (known && part->top >= scroll && part->top < scroll + ImGui::GetWindowHeight() - gap) return;
  for (const PanelPart& each : panel.parts)
    if (&each == &panel.parts.front() || each.top <= scroll + 2 * gap) panel.shown = each.title;
}

void draw_side_panels(Frame& frame, const Layout& layout) {
  View& view = frame.view;
  const bool lesson = plays_lesson(view), course = shows_course(view);
  if (layout.controls_folded && !view.controls.open && !course) list_controls(frame);
  if (layout.course.width() > 0) draw_course_strip(frame, layout.course, course);
  look_at_present(view.controls);
  if (view.controls.open || view.inspector.open) cover_canvas(frame, layout.canvas);
  if (layout.controls_folded && course) {
    if (view.controls.open) draw_opened(frame, opened_over(layout, frame.theme, true), true, draw_course);
  } else if (layout.controls_folded) {
    draw_folded(frame, layout,
                {.id = "controls strip",
                 .left = true,
                 .tooltip = "open the controls" + key_of(frame, "view.controls"),
                 .words = controls_words(frame)});
  } else if (layout.controls.width() > 0) {
    left_panel(view)(frame, layout.controls);
  }
  if (layout.inspector_folded)
    draw_folded(frame, layout,
                {.id = "inspector strip",
                 .left = false,
                 .tooltip = "open the inspector" + key_of(frame, "view.inspector"),
                 .words = lesson ? lesson_words(frame) : inspector_words(frame)});
  else if (layout.inspector.width() > 0)
    right_panel(view)(frame, layout.inspector);
  if (!lesson) remember_states(frame);
}

}  // namespace attn

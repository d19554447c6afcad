// The status line: the step, at most four keys; or a message.
#include "app/panels/stage_bar_status.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <utility>

#include "app/canvas/steps.h"
#include "app/frame/present_view.h"
#include "app/frame/workspace.h"
#include "app/language/speech.h"
#include "app/lesson/lesson_panel.h"
#include "app/lesson/lesson_view.h"
#include "app/panels/device_badge.h"
#include "app/panels/side_panels.h"
#include "app/theme/toolkit.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr std::size_t kMostKeys = 4;

// "step 4 of 12".
std::string count(const Frame& frame) {
  const std::string all = std::to_string(frame.steps.size());
  const auto place = place_of(frame.steps, frame.canvas().step);
  return place ? "step " + std::to_string(*place + 1) + " of " + all : all + " steps";
}

// "F fit   Z fill" as two.
std::vector<std::string> apart(std::string_view keys) {
  constexpr std::string_view kBetween = "   ";
  std::vector<std::string> each;
  while (!keys.empty()) {
    const std::size_t end = std::min(keys.find(kBetween), keys.size());
    each.emplace_back(keys.substr(0, end));
    keys.remove_prefix(std::min(keys.size(), end + kBetween.size()));
  }
  return each;
}

// The keys that matter most here; a selected cell has some of them.
std::vector<std::string> keys(const Frame& frame) {
  if (std::as_const(frame.view).of<LessonView>().lesson) return lesson_keys(frame);
  if (presents(frame.view)) {
    std::vector<std::string> all{"PgUp PgDn step", "Esc leave"};
    if (frame.view.of<PresentView>().count > 1) all.emplace_back("↑ ↓ more");
    return all;
  }
  if (frame.view.grid.has_keys)
    return {"0–9 . − + type a number", "Enter edit", "arrows move", "Esc deselect"};
  const Workspace& workspace = frame.workspace;
  const bool steps = !frame.steps.empty();
  std::vector<std::string> all;
  if (steps && !key_of(frame, "stage.next").empty()) all.push_back("← → step");
  if (steps || workspace.play)
    all.push_back("Space " + (frame.canvas().playing                   ? "pause"
                              : plays_its_own(&workspace, frame.draft) ? std::string(workspace.plays)
                                                                       : "play"));
  const std::size_t heads = std::min<std::size_t>(9, heads_of(frame.graph));
  const bool has_keys = std::ranges::any_of(
      frame.table, [](const Command& c) { return c.shortcut.key == GLFW_KEY_1 && !c.shortcut.control; });
  if (heads > 1 && has_keys) all.push_back("1–" + std::to_string(heads) + " heads");
  for (const std::string& key : apart(spoken(workspace.keys))) all.push_back(known(key));
  all.resize(std::min(all.size(), kMostKeys - 1));
  all.push_back("F1 manual");
  return all;
}

// Words one after the other as long as they fit.
class StatusText {
 public:
  StatusText(const Theme& theme, ImVec2 at, float right) : theme_(theme), at_(at), right_(right) {}
  // Nothing where it does not fit whole.
  void add_whole(const std::string& text, ImU32 colour) {
    if (text_width(theme_.fonts.body, text) > right_ - at_.x) right_ = at_.x;
    add(text, colour);
    at_.x += theme_.px(kWordGap);
  }
  void add(const std::string& text, ImU32 colour) {
    const float room = right_ - at_.x;
    if (room < theme_.px(30)) return;
    const std::string shown = elided(theme_.fonts.body, text, room);
    draw_text(*ImGui::GetWindowDrawList(), theme_.fonts.body, at_, colour, shown);
    at_.x += text_width(theme_.fonts.body, shown) + theme_.px(8);
  }

 private:
  const Theme& theme_;
  ImVec2 at_;
  float right_;
};

}  // namespace

void draw_status(Frame& frame, Rect area) {
  const Theme& theme = frame.theme;
  const View& view = frame.view;
  const float y = area.min.y + (area.height() - font_size(theme.fonts.body)) / 2 - theme.px(3);
  StatusText line(theme, {area.min.x + theme.px(16), y}, area.max.x - theme.px(12));
  if (!view.message.empty()) line.add(view.message, view.message_is_error ? theme.bad : theme.text);
  if (!view.at_risk.empty())
    line.add("the unsaved work cannot be kept for the next start: " + view.at_risk + " – Ctrl+S saves it",
             theme.bad);
  if (!view.message.empty()) return;
  const LessonView& lesson = view.of<LessonView>();
  if (lesson.lesson ? lesson.slide.on : !frame.steps.empty()) {
    if (!view.at_risk.empty()) line.add("·", theme.faint);
    line.add(lesson.lesson ? slide_place(lesson) : count(frame), theme.dim);
    line.add("·", theme.faint);
  }
  const std::string fault = badge_of(frame.engine, true).reason;
  if (!fault.empty()) return line.add(fault, theme.bad);
  for (const std::string& key : keys(frame)) line.add_whole(key, theme.dim);
}

}  // namespace attn

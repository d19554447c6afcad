// Rings and dots below each other; those that have no room scroll, and the present step is in sight.
#include <algorithm>
#include <utility>

#include "app/lesson/course.h"
#include "app/lesson/lesson_view.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/press.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kStripHead = 26, kRingPitch = 17, kDotPitch = 13, kStripDot = 3.5f;  // points

// What is pressed of the strip, from the top down.
class DotColumn {
 public:
  DotColumn(Frame& frame, Rect area) : frame_(frame), area_(area), y_(ImGui::GetCursorScreenPos().y) {}

  void add_lesson(const LessonView& view, const Lesson& lesson) {
    const std::size_t seen = steps_seen(lesson, view.record), all = lesson.steps.size();
    const std::string count = std::to_string(seen) + " of " + std::to_string(all);
    const Rect box = next(kRingPitch);
    draw_ring(list(), theme(), middle(box), seen, all);
    if (press_area(theme(), ("lesson " + lesson.name).c_str(), box, lesson.title + ", " + count))
      frame_.asks.emplace_back(PlayLesson{lesson.name});
  }

  void add_steps(LessonView& view) {
    const auto kept = view.record.lessons.find(view.lesson->name);
    for (std::size_t i = 0; i < view.lesson->steps.size(); ++i) {
      const bool now = view.step == i;
      const bool seen = kept != view.record.lessons.end() && kept->second.seen.contains(i);
      const Rect box = next(kDotPitch);
      const float r = theme().px(kStripDot);
      list().AddCircleFilled(middle(box), now ? r * 1.3f : r, now || seen ? theme().accent : theme().faint);
      if (now) list().AddCircle(middle(box), r * 1.6f, theme().text, 0, theme().px(1.5f));
      if (now) reveal(view, box);
      const std::string number = std::to_string(i + 1);
      if (press_area(theme(), ("step " + number).c_str(), box, number + "  " + view.lesson->steps[i].title))
        frame_.asks.emplace_back(PlayLesson{view.lesson->name, i});
    }
  }

  // Tells the window how much there is to scroll.
  void end() {
    ImGui::SetCursorScreenPos({area_.min.x, y_});
    ImGui::Dummy({1, 1});
  }

 private:
  const Theme& theme() const { return frame_.theme; }
  static ImDrawList& list() { return *ImGui::GetWindowDrawList(); }
  static ImVec2 middle(Rect box) { return {(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2}; }
  Rect next(float points) {
    const Rect box{{area_.min.x, y_}, {area_.max.x, y_ + theme().px(points)}};
    y_ = box.max.y;
    return box;
  }
  // Once it has been entered: the wheel may look elsewhere.
  void reveal(LessonView& view, Rect box) const {
    const std::pair now{view.lesson.get(), view.step};
    if (std::exchange(view.in_strip, now) == now) return;
    ImGui::SetScrollY(
        std::max(0.0f, ImGui::GetScrollY() + (box.min.y + box.max.y - area_.min.y - area_.max.y) / 2));
  }

  Frame& frame_;
  Rect area_;
  float y_;
};

// Unfolds the course, or opens it over the canvas.
void draw_chevron(Frame& frame, Rect box) {
  const Theme& theme = frame.theme;
  if (press_area(theme, "chevron", box, "open the course")) frame.commands.push_back("view.controls");
  const ImFont* font = theme.fonts.lead;
  draw_text(
      *ImGui::GetWindowDrawList(), font,
      {(box.min.x + box.max.x - text_width(font, "»")) / 2, (box.min.y + box.max.y - font_size(font)) / 2},
      theme.text, "»");
}

}  // namespace

void draw_course_strip(Frame& frame, Rect area, bool opens) {
  LessonView& view = frame.view.of<LessonView>();
  const Theme& theme = frame.theme;
  ImGui::GetWindowDrawList()->AddRectFilled(area.min, area.max, theme.panel);
  ImGui::GetWindowDrawList()->AddLine({area.max.x, area.min.y}, area.max, theme.border);
  ImGui::PushID("course strip");
  Rect dots = area;
  if (opens) {
    dots.min.y += theme.px(kStripHead);
    draw_chevron(frame, {area.min, {area.max.x, dots.min.y}});
  }
  ImGui::SetCursorScreenPos(dots.min);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild("dots", {dots.width(), dots.height()}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground | kFocusableChild);
  ImGui::PopStyleVar();
  begin_tab_stops();
  DotColumn column(frame, dots);
  for (const auto& lesson : view.course) {
    column.add_lesson(view, *lesson);
    if (lesson->name == view.lesson->name) column.add_steps(view);
  }
  column.end();
  end_tab_stops();
  ImGui::EndChild();
  ImGui::PopID();
}

}  // namespace attn

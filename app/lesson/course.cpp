// A line for each lesson, the steps of one of them below it, then what was answered.
#include "app/lesson/course.h"

#include <algorithm>
#include <numbers>
#include <utility>

#include "app/frame/recording_view.h"
#include "app/inspector/inspector_flow.h"
#include "app/lesson/lesson_view.h"
#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

using inspector::Flow;

constexpr float kRing = 6, kName = 20, kStepIndent = 42, kCourseMargin = 16, kHead = 30,
                kFold = 16;  // points

// A name that leaves room for the count at the right; the whole in a tooltip where it does not fit.
void put_counted(Flow& flow, Rect line, float from, const std::string& name, ImU32 ink,
                 const std::string& count, ImU32 count_ink) {
  const float counted = inspector::text_width(count);
  inspector::put(flow, line, count, count_ink, 1);
  inspector::put_elided(
      flow, {{line.min.x + from, line.min.y}, {line.max.x - counted - flow.px(kWordGap), line.max.y}}, name,
      ink);
}

// A step that has just been entered is in sight.
void scroll_to(Rect box) {
  const float top = box.min.y - ImGui::GetWindowPos().y, height = ImGui::GetWindowHeight();
  if (top < 0 || top + box.height() > height) ImGui::SetScrollY(ImGui::GetScrollY() + top - height / 3);
}

void draw_steps(Flow& flow, const LessonView& view, const Lesson& lesson) {
  const Theme& theme = flow.theme();
  const auto kept = view.record.lessons.find(lesson.name);
  for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
    const bool now = view.lesson->name == lesson.name && view.step == i;
    const bool seen = kept != view.record.lessons.end() && kept->second.seen.contains(i);
    ImGui::PushFont(theme.fonts.small);
    const Rect line = inspector::add_line(flow);
    const float round = flow.px(4);
    const Rect box{{line.min.x + flow.px(kName - 4), line.min.y + flow.px(1)},
                   {line.max.x, line.max.y - flow.px(1)}};
    if (now && view.fresh > 0) scroll_to(box);
    if (now) {
      flow.list.AddRectFilled(box.min, box.max, theme.accent_soft, round);
      flow.list.AddRect(box.min, box.max, theme.accent, round, 0, flow.px(1));
    }
    const ImU32 ink = now || seen ? theme.text : theme.faint;
    const std::string number = std::to_string(i + 1);
    const float end = line.min.x + flow.px(kStepIndent - 8);
    inspector::put(flow, {{line.min.x, line.min.y}, {end, line.max.y}}, number, now ? theme.text : theme.dim,
                   1);
    inspector::put_elided(
        flow, {{line.min.x + flow.px(kStepIndent), line.min.y}, {line.max.x - flow.px(4), line.max.y}},
        lesson.steps[i].title, ink);
    ImGui::PopFont();
    if (inspector::press(flow, "step " + number, box))
      flow.frame.asks.emplace_back(PlayLesson{lesson.name, i});
  }
  flow.y += flow.px(4);
}

void draw_lesson_line(Flow& flow, LessonView& view, const Lesson& lesson) {
  const Theme& theme = flow.theme();
  const bool played = view.lesson->name == lesson.name;
  const std::size_t all = lesson.steps.size();
  const std::size_t seen = steps_seen(lesson, view.record);
  const bool done = seen == all;
  const std::string count = played     ? std::to_string(view.step + 1) + " of " + std::to_string(all)
                            : seen > 0 ? std::to_string(seen) + " of " + std::to_string(all)
                                       : std::to_string(all);
  if (played) ImGui::PushFont(theme.fonts.bold);
  const Rect line = inspector::add_line(flow);
  draw_ring(flow.list, flow.theme(), {line.min.x + flow.px(kRing), (line.min.y + line.max.y) / 2}, seen, all);
  put_counted(flow, line, flow.px(kName), lesson.title, seen > 0 || played ? theme.text : theme.dim, count,
              done                 ? theme.good
              : seen > 0 || played ? theme.accent
                                   : theme.dim);
  if (played) ImGui::PopFont();
  ImGui::PushID(lesson.name.c_str());
  const bool open = view.unfolded == lesson.name;
  if (inspector::press(flow, "lesson", line, lesson.goal)) view.unfolded = open ? "" : lesson.name;
  if (open) draw_steps(flow, view, lesson);
  ImGui::PopID();
}

// A chapter of one lesson is called by that.
bool has_several(const std::vector<std::shared_ptr<const Lesson>>& course, const std::string& chapter) {
  return !chapter.empty() &&
         std::ranges::count_if(course, [&](const auto& lesson) { return lesson->chapter == chapter; }) > 1;
}

void draw_chapter(Flow& flow, const std::string& chapter) {
  flow.y += flow.px(8);
  ImGui::PushFont(flow.theme().fonts.bold);
  inspector::put_elided(flow, inspector::add_line(flow), chapter, flow.theme().dim);
  ImGui::PopFont();
}

struct Score {
  std::size_t right = 0, all = 0;
};

void draw_score(Flow& flow, const char* what, const Score& score) {
  if (score.all == 0) return;
  const Rect line = inspector::add_line(flow);
  put_counted(flow, line, 0, what, flow.theme().dim,
              std::to_string(score.right) + " of " + std::to_string(score.all), flow.theme().text);
}

// What was answered, over all lessons.
void draw_scores(Flow& flow, const LessonView& view) {
  Score predicted, found, done;
  for (const auto& lesson : view.course) {
    const auto kept = view.record.lessons.find(lesson->name);
    if (kept == view.record.lessons.end()) continue;
    for (const auto& [place, right] : kept->second.answered) {
      if (place.first >= lesson->steps.size() || place.second >= lesson->steps[place.first].exercises.size())
        continue;
      const LessonExercise::Kind kind = lesson->steps[place.first].exercises[place.second].kind;
      Score& score = kind == LessonExercise::fault ? found : kind == LessonExercise::goal ? done : predicted;
      ++score.all;
      if (right) ++score.right;
    }
  }
  if (predicted.all + found.all + done.all == 0) return;
  inspector::add_heading(flow, "Exercises");
  draw_score(flow, "predicted", predicted);
  draw_score(flow, "goals reached", done);
  draw_score(flow, "faults found", found);
}

void draw_ways_to_teach(Flow& flow) {
  if (std::as_const(flow.frame.view).of<RecordingView>().on) return;
  inspector::add_heading(flow, "Teach");
  const auto way = inspector::add_chips(flow, "teach", {"record a lesson", "open a lesson…"}, "");
  if (way) flow.frame.commands.emplace_back(*way == 0 ? "recording.begin" : "file.open");
}

// What it is, and what folds it to a strip. Returns its height.
float draw_course_head(Frame& frame, Rect area) {
  const Theme& theme = frame.theme;
  const float height = theme.px(kHead), margin = theme.px(kCourseMargin);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.bold;
  list.AddRectFilled(area.min, {area.max.x, area.min.y + height}, theme.panel);
  const float y = area.min.y + height - font_size(font) - theme.px(2);
  draw_text(list, font, {area.min.x + margin, y}, theme.dim, "Course");
  if (frame.view.controls.folded) return height;  // it is opened over the canvas
  const Rect fold{{area.max.x - margin - theme.px(kFold), area.min.y + theme.px(4)},
                  {area.max.x - margin / 2, area.min.y + height}};
  ImGui::PushID("course");
  if (press_area(theme, "fold", fold, "fold the course")) frame.commands.push_back("view.controls");
  ImGui::PopID();
  const ImFont* sign = theme.fonts.lead;
  draw_text(list, sign,
            {fold.max.x - theme.px(6) - text_width(sign, "«"), fold.max.y - font_size(sign) - theme.px(2)},
            theme.text, "«");
  return height;
}

}  // namespace

void draw_ring(ImDrawList& list, const Theme& theme, ImVec2 centre, std::size_t seen, std::size_t all) {
  const float r = theme.px(kRing), wide = theme.px(1.5f);
  const bool done = seen == all;
  list.AddCircle(centre, r, done ? theme.good : seen > 0 ? theme.accent : theme.faint, 0, wide);
  if (done) {
    const ImVec2 tick[] = {{centre.x - r * 0.5f, centre.y},
                           {centre.x - r * 0.1f, centre.y + r * 0.4f},
                           {centre.x + r * 0.5f, centre.y - r * 0.4f}};
    list.AddPolyline(tick, 3, theme.good, 0, wide);
  } else if (seen > 0) {
    const float turn = 2 * std::numbers::pi_v<float> * static_cast<float>(seen) / static_cast<float>(all);
    list.PathLineTo(centre);
    list.PathArcTo(centre, r * 0.6f, -std::numbers::pi_v<float> / 2, turn - std::numbers::pi_v<float> / 2);
    list.PathFillConvex(theme.accent);
  }
}

void draw_course(Frame& frame, Rect area) {
  LessonView& view = frame.view.of<LessonView>();
  area.min.y += draw_course_head(frame, area);
  Flow flow = inspector::begin_flow(frame, "course", area);
  const std::string* chapter = nullptr;
  for (const auto& lesson : view.course) {
    const bool first = !chapter || *chapter != lesson->chapter;
    if (first && has_several(view.course, lesson->chapter)) draw_chapter(flow, lesson->chapter);
    chapter = &lesson->chapter;
    draw_lesson_line(flow, view, *lesson);
  }
  draw_scores(flow, view);
  draw_ways_to_teach(flow);
  inspector::end_flow(flow);
}

}  // namespace attn

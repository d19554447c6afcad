// Title and dots, paragraphs, exercises; below them, always there, back and next.
#include "app/lesson/lesson_panel.h"

#include <algorithm>
#include <utility>

#include "app/frame/lit.h"
#include "app/frame/present_view.h"
#include "app/inspector/inspector_flow.h"
#include "app/lesson/exercises.h"
#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

using inspector::Flow;

constexpr float kFoot = 46, kButton = 30, kMargin = 16, kDot = 3.5f, kMostPitch = 18;  // points
constexpr float kLine = 32;                                                            // above the canvas

std::string count_of(const LessonView& view) {
  return std::to_string(view.step + 1) + " of " + std::to_string(view.lesson->steps.size());
}

// A dot for each step: those before are full, the present one is ringed.
void draw_dots(Flow& flow, const LessonView& view) {
  const Theme& theme = flow.theme();
  const std::size_t count = view.lesson->steps.size();
  const float r = flow.px(kDot), room = flow.width() - 2 * flow.px(6);
  const float pitch = count < 2 ? 0 : std::min(flow.px(kMostPitch), room / static_cast<float>(count - 1));
  const float y = flow.y + flow.px(6);
  for (std::size_t i = 0; i < count; ++i) {
    const ImVec2 at{flow.left + flow.px(6) + pitch * static_cast<float>(i), y};
    const bool now = i == view.step;
    flow.list.AddCircleFilled(at, now ? r * 1.3f : r, i <= view.step ? theme.accent : theme.chip);
    if (now) flow.list.AddCircle(at, r * 1.6f, theme.text, 0, flow.px(1.5f));
  }
  flow.y += flow.px(20);
}

void draw_title(Flow& flow, const LessonView& view) {
  const Theme& theme = flow.theme();
  const Rect line = inspector::add_line(flow);
  const std::string step = "step " + count_of(view);
  inspector::put(flow, line, step, theme.dim, 1);
  inspector::put_elided(
      flow, {line.min, {line.max.x - inspector::text_width(step) - flow.px(kWordGap), line.max.y}},
      view.lesson->title, theme.dim);
  const std::string title = wrapped(theme.fonts.title, view.now().title, flow.width());
  draw_text(flow.list, theme.fonts.title, {flow.left, flow.y}, theme.text, title);
  flow.y +=
      font_size(theme.fonts.title) * static_cast<float>(1 + std::ranges::count(title, '\n')) + flow.px(6);
  draw_dots(flow, view);
}

void draw_body(Frame& frame, Rect area) {
  LessonView& view = frame.view.of<LessonView>();
  Flow flow = inspector::begin_flow(frame, "lesson", area);
  if (view.fresh > 0) --view.fresh, ImGui::SetScrollY(0);
  draw_title(flow, view);
  if (frame.results) {
    const LiveNumbers live{.now = frame.results};
    if (view.step == 0) add_lesson_words(flow, view.lesson->goal, {frame.theme.fonts.body, frame.theme.dim});
    for (const LessonParagraph& paragraph : view.now().text)
      if (is_said(paragraph, live)) add_paragraph(flow, paragraph, live);
    draw_exercises(flow);
    if (!view.on_own && inspector::add_chips(flow, "take", {"go on from here"},
                                             "makes this layer, as it is now, a work of your own"))
      flow.frame.commands.emplace_back("lesson.take");
  } else {
    inspector::add_text(flow, "computing the first numbers…", frame.theme.dim);
  }
  inspector::end_flow(flow);
}

struct FootButton {
  const char *id, *text, *command;
  bool main;  // the way on
};

void draw_button(Frame& frame, Rect box, const FootButton& button, bool enabled) {
  const Theme& theme = frame.theme;
  if (enabled && press_area(theme, button.id, box)) frame.commands.push_back(button.command);
  const bool hovered = enabled && ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(box.min, box.max, button.main ? theme.accent_soft : theme.chip, theme.px(5));
  if (button.main || hovered) list.AddRect(box.min, box.max, theme.accent, theme.px(5), 0, theme.px(1));
  const ImFont* font = theme.fonts.body;
  draw_text(list, font,
            {(box.min.x + box.max.x - text_width(font, button.text)) / 2,
             (box.min.y + box.max.y - font_size(font)) / 2},
            enabled ? theme.text : theme.faint, button.text);
}

void draw_foot(Frame& frame, Rect area) {
  const Theme& theme = frame.theme;
  const LessonView& view = frame.view.of<LessonView>();
  const std::size_t count = view.lesson->steps.size();
  ImGui::GetWindowDrawList()->AddRectFilled(area.min, area.max, theme.panel);
  const float margin = theme.px(kMargin), top = area.min.y + (area.height() - theme.px(kButton)) / 2;
  const float left = area.min.x + margin, right = area.max.x - margin, bottom = top + theme.px(kButton);
  const std::string at = std::to_string(view.step + 1) + " / " + std::to_string(count);
  const float middle = text_width(theme.fonts.body, at) + 2 * theme.px(kWordGap);
  const float back = (right - left - middle) * 0.4f, next = right - left - middle - back;
  ImGui::PushID("lesson foot");
  draw_button(frame, {{left, top}, {left + back, bottom}}, {"back", "← back", "lesson.back", false},
              view.step > 0);
  const bool last = view.step + 1 == count;
  draw_button(frame, {{right - next, top}, {right, bottom}},
              {"next", last ? "finish" : "next →", "lesson.next", true}, true);
  ImGui::PopID();
  draw_text(*ImGui::GetWindowDrawList(), theme.fonts.body,
            {left + back + theme.px(kWordGap), (top + bottom - font_size(theme.fonts.body)) / 2}, theme.dim,
            at);
}

// Of the exercise that keys answer; empty: they answer none.
std::string answer_keys(const LessonView& view) {
  const auto present = present_exercise(view);
  if (!present) return "";
  const LessonExercise::Kind kind = view.now().exercises[*present].kind;
  return kind == LessonExercise::choice   ? "1–3 answer"
         : kind == LessonExercise::slider ? "↑ ↓ guess"
         : kind == LessonExercise::curve  ? "1–9 point, ↑ ↓ move it"
                                          : "";
}

// There is room for two or three.
std::vector<std::string> slide_keys(const Frame& frame, const LessonView& view) {
  std::vector<std::string> keys;
  const std::string answers = answer_keys(view);
  if (!answers.empty()) keys.push_back(answers);
  if (present_exercise(view)) keys.push_back("Space show");
  keys.push_back("PgUp PgDn turn");
  const bool guesses = answers.find("↑") != std::string::npos;
  if (!guesses && std::as_const(frame.view).of<PresentView>().count > 1) keys.push_back("↑ ↓ more");
  keys.push_back("Esc leave");
  return keys;
}

}  // namespace

void add_paragraph(Flow& flow, const LessonParagraph& paragraph, const LiveNumbers& live) {
  const Theme& theme = flow.theme();
  if (paragraph.kind == LessonParagraph::plain)
    return add_lesson_text(flow, paragraph.text, live, {theme.fonts.lead, theme.text});
  if (paragraph.kind == LessonParagraph::attempt)
    return add_lesson_text(flow, paragraph.text, live, {theme.fonts.body, theme.dim});
  const float top = flow.y;
  add_lesson_text(flow, paragraph.text, live, {theme.fonts.body, theme.dim, flow.px(12), theme.fonts.bold});
  flow.list.AddRectFilled({flow.left, top}, {flow.left + flow.px(2), flow.y - flow.px(6)}, theme.accent);
}

void draw_lesson(Frame& frame, Rect area) {
  frame.view.of<Lit>().pointed.clear();  // a number under the pointer sets it again
  ImGui::GetWindowDrawList()->AddRectFilled(area.min, area.max, frame.theme.panel);
  const float foot = area.max.y - frame.theme.px(kFoot);
  draw_body(frame, {area.min, {area.max.x, foot}});
  draw_foot(frame, {{area.min.x, foot}, area.max});
  ImGui::GetWindowDrawList()->AddLine(area.min, {area.min.x, area.max.y}, frame.theme.border);
}

float draw_lesson_line(Frame& frame, Rect canvas) {
  const LessonView& view = frame.view.of<LessonView>();
  if (!view.lesson) return 0;
  const Theme& theme = frame.theme;
  const float margin = theme.px(8), height = theme.px(kLine);
  const Rect box{{canvas.min.x + margin, canvas.min.y + margin / 2},
                 {canvas.max.x - margin, canvas.min.y + height - margin / 2}};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(box.min, box.max, mix(theme.canvas, theme.accent, 0.1f), theme.px(5));
  list.AddRect(box.min, box.max, with_alpha(theme.accent, 0.55f), theme.px(5), 0, theme.px(1));
  const ImFont* font = theme.fonts.body;
  const float y = (box.min.y + box.max.y - font_size(font)) / 2, pad = theme.px(kButtonGap);
  const std::string turn = view.on_own ? "G  back to the lesson’s layer" : "G  try it on my layer";
  const float wide = text_width(font, turn);
  const float x = box.max.x - pad - wide;
  ImGui::PushID("lesson line");
  if (press_area(theme, "turn", {{x - pad / 2, box.min.y}, {box.max.x, box.max.y}}))
    frame.commands.push_back("lesson.own");
  ImGui::PopID();
  draw_text(list, font, {x, y}, theme.accent, turn);
  const float room = x - pad - box.min.x - pad;
  std::string words = view.on_own      ? "lesson: looks at your own layer"
                      : view.comparing ? "lesson: A without the fault, B with it; Esc: back"
                                       : "lesson: plays on " + view.plays_on;
  if (const std::string more = words + ", your own layer is kept";
      !view.on_own && !view.comparing && text_width(font, more) <= room)
    words = more;
  draw_text(list, font, {box.min.x + pad, y}, theme.text, elided(font, words, room));
  return height;
}

std::string slide_place(const LessonView& view) {
  const std::string step = "step " + count_of(view);
  if (view.slide.pages < 2) return step;
  return step + " (" + std::to_string(view.slide.page + 1) + "/" + std::to_string(view.slide.pages) + ")";
}

std::vector<std::string> lesson_keys(const Frame& frame) {
  const LessonView& view = frame.view.of<LessonView>();
  if (frame.view.grid.has_keys) return {"F8 next", "F7 back", "Enter edit", "arrows move", "Esc deselect"};
  if (view.slide.on) return slide_keys(frame, view);
  std::vector<std::string> keys{"→ Enter next", "← back"};
  const std::string answers = answer_keys(view);
  if (!answers.empty()) keys.push_back(answers);
  keys.push_back("Space show");
  keys.push_back("H hint");
  keys.push_back("Esc leave, place is kept");
  return keys;
}

}  // namespace attn

// The window while it presents: what the present step is called and what is said of it, one matrix, plot or
// part of the canvas as large as there is room, and a quiet line.
#include <algorithm>
#include <string>
#include <utility>

#include "app/canvas/notice.h"
#include "app/canvas/presenting.h"
#include "app/canvas/step_stages.h"
#include "app/canvas/steps.h"
#include "app/frame/layout.h"
#include "app/frame/present_view.h"
#include "app/frame/workspace.h"
#include "app/inspector/step_panel.h"
#include "app/lesson/lesson_slide.h"
#include "app/lesson/lesson_view.h"
#include "app/panels/panels.h"
#include "app/panels/stage_bar_status.h"
#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kPresentMargin = 16, kAboveTitle = 8, kUnderTitle = 4, kSignWidth = 22;  // points
constexpr float kMostWords = 0.42f;  // of the window's height, with what to look at
constexpr float kLeastFigure = 100;  // points: of its height

bool plays_lesson(const Frame& frame) {
  return std::as_const(frame.view).of<LessonView>().lesson != nullptr;
}

// The formula and the shape of the step's matrix; several say it themselves.
Subtitle about(const Frame& frame, const StepChip& step, const inspector::StepLook& look) {
  if (shown_stages(frame, step).size() != 1) return {};
  const Stage& stage = frame.results->graph.stages[look.stage];
  const Shape shape = frame.results->outputs[look.stage].shape();
  Subtitle parts{{stage.formula},
                 {.text = to_string(Shape{1, shape.rows, shape.columns}), .essential = true}};
  if (shape.stack > 1) parts.push_back({.text = "head " + std::to_string(look.spot.cell.head)});
  return parts;
}

// A chip's "count" as a title.
std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

// One line; what there is no room for behind the title is left out.
void draw_headline(inspector::Flow& flow, const std::string& title, const Subtitle& subtitle, ImU32 colour) {
  const Theme& theme = flow.theme();
  const ImFont *large = theme.fonts.title, *lead = theme.fonts.lead;
  const std::string shown = elided(large, title, flow.width());
  draw_text(flow.list, large, {flow.left, flow.y}, colour, shown);
  const float x = flow.left + text_width(large, shown) + theme.px(kButtonGap), room = flow.right - x;
  const std::string behind = room > 0 ? fitting(lead, subtitle, room) : std::string();
  if (!behind.ends_with("…") || behind.size() > 8)
    draw_text(flow.list, lead, {x, flow.y + font_ascent(large) - font_ascent(lead)}, theme.dim, behind);
  flow.y += font_size(large) + theme.px(kUnderTitle);
}

// Words of a step, which has some; what to look at where that leaves the figure enough room.
void draw_words(inspector::Flow& flow, const StepChip& step, const inspector::StepLook& look) {
  const Frame& frame = flow.frame;
  const Theme& theme = flow.theme();
  draw_headline(flow, step.words->title, about(frame, step, look),
                role_colour(theme, frame.results->graph.stages[look.stage].role));
  inspector::add_sentence(flow, "", inspector::filled(step.words->what, look.facts), theme.fonts.lead);
  const auto sentence = inspector::filled(step.words->look, look.facts);
  std::string text = "Look at ";
  for (const inspector::ColouredText& piece : sentence) text += piece.text;
  const std::string lines = wrapped(theme.fonts.lead, text, flow.width());
  const float height =
      static_cast<float>(1 + std::ranges::count(lines, '\n')) * (font_size(theme.fonts.lead) + theme.px(4));
  if (flow.y + height < ImGui::GetIO().DisplaySize.y * kMostWords)
    inspector::add_what_to_look_at(flow, *frame.results, *step.words, look);
}

// Its height.
float draw_head(Frame& frame, Rect area) {
  if (plays_lesson(frame)) return draw_lesson_slide(frame, area);
  const Theme& theme = frame.theme;
  inspector::Flow flow{frame,
                       *ImGui::GetWindowDrawList(),
                       area.min.x + theme.px(kPresentMargin),
                       area.max.x - theme.px(kPresentMargin),
                       area.min.y + theme.px(kAboveTitle),
                       0};
  const StepChip* step = frame.step();
  const bool has_words = step && step->words && frame.results;
  if (const auto look = has_words ? inspector::look_at_step(frame, *step) : std::nullopt) {
    draw_words(flow, *step, *look);
  } else if (step) {
    draw_headline(flow, capitalised(step->title), {}, theme.text);
    inspector::add_sentence(flow, "", {{step->says}}, theme.fonts.lead);
  } else {
    draw_headline(flow, std::string(frame.workspace.title), {}, theme.text);
  }
  return flow.y - area.min.y;
}

bool sign(const Theme& theme, const char* text, const char* tooltip, Rect place) {
  const ImFont* font = theme.fonts.lead;
  const bool pressed = press_area(theme, text, place, tooltip);
  draw_text(*ImGui::GetWindowDrawList(), font,
            {(place.min.x + place.max.x - text_width(font, text)) / 2,
             (place.min.y + place.max.y - font_size(font)) / 2 - theme.px(3)},
            theme.dim, text);
  return pressed;
}

// Which step it is and the keys; what steps and leaves by mouse.
void draw_line(Frame& frame, Rect area) {
  const Theme& theme = frame.theme;
  const float width = theme.px(kSignWidth), right = area.max.x - theme.px(kPresentMargin / 2);
  const auto place = [&](int from_right) {
    const float x = right - width * static_cast<float>(from_right);
    return Rect{{x, area.min.y}, {x + width, area.max.y}};
  };
  const bool lesson = plays_lesson(frame);
  const auto walk = [&](int by, const char* command) {
    lesson ? void(frame.commands.emplace_back(command)) : step_by(frame.view, frame.steps, by);
  };
  if (sign(theme, "‹", lesson ? "one page back (PgUp)" : "one stage back (PgUp)", place(3)))
    walk(-1, "lesson.back");
  if (sign(theme, "›", lesson ? "one page on (PgDn)" : "one stage forward (PgDn)", place(2)))
    walk(1, "lesson.next");
  if (sign(theme, "×", "leave (Esc)", place(1))) frame.commands.emplace_back("view.present");
  draw_status(frame, {area.min, {place(3).min.x, area.max.y}});
}

}  // namespace

void draw_presentation(Frame& frame, const Layout& layout) {
  Rect area = layout.canvas;
  area.min.y += draw_file_line(frame, area);
  area.min.y += draw_head(frame, area);
  frame.area = area;
  if (area.height() >= frame.theme.px(kLeastFigure)) {
    const PresentedSight own(frame.view);
    frame.workspace.draw(frame, area);
  }
  frame.view.inspected = frame.view.focus();  // what the next frame's sentence is about
  draw_before(frame, area);
  ImGui::PushID("present");
  draw_line(frame, layout.stages);
  ImGui::PopID();
}

}  // namespace attn

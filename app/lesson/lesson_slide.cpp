// Pages of the text, then one for each exercise. How high each would be is measured out of sight first, from
// large letters to small ones.
#include "app/lesson/lesson_slide.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "app/frame/lit.h"
#include "app/inspector/inspector_flow.h"
#include "app/lesson/exercises.h"
#include "app/lesson/lesson_panel.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

using inspector::Flow;

constexpr float kSlideMargin = 16, kAboveTitle = 8, kBelowTitle = 6;  // points
constexpr int kSizes = 3;
constexpr int kPagedSize = 1;         // of letters, where the text has several pages
constexpr float kMostWords = 0.55f;   // of the height below the title, beside what is lit
constexpr float kTurnedOver = 0.85f;  // of a page of an exercise that has several
constexpr float kLeastRoom = 80;      // points, of such a page

// Letters of a size, from the largest, 0: those of the panel are small on a projector.
Theme in_letters(const Theme& theme, int size) {
  Theme larger = theme;
  ImFont* const words[kSizes] = {theme.fonts.lead, theme.fonts.body, theme.fonts.small};
  ImFont* const beside[kSizes] = {theme.fonts.body, theme.fonts.small, theme.fonts.small};
  larger.fonts.lead = larger.fonts.body = words[size];
  larger.fonts.small = beside[size];
  if (size != 1) larger.fonts.bold = words[size];  // there is a bold one of the usual size alone
  return larger;
}

// The frame with other letters while it lives; what is asked of the program there is asked here.
class InLetters {
 public:
  InLetters(Frame& frame, int size)
      : frame_(frame),
        theme_(in_letters(frame.theme, size)),
        larger_{.engine = frame.engine,
                .results = frame.results,
                .given = frame.given,
                .graph = frame.graph,
                .workspaces = frame.workspaces,
                .workspace = frame.workspace,
                .steps = frame.steps,
                .history = frame.history,
                .theme = theme_,
                .links = frame.links,
                .measuring = frame.measuring,
                .textures = frame.textures,
                .memos = frame.memos,
                .studies = frame.studies,
                .draft = frame.draft,
                .view = frame.view,
                .table = frame.table,
                .area = frame.area,
                .address = frame.address} {
    ImGui::PushFont(theme_.fonts.body);
  }
  ~InLetters() {
    ImGui::PopFont();
    std::ranges::move(larger_.commands, std::back_inserter(frame_.commands));
    std::ranges::move(larger_.asks, std::back_inserter(frame_.asks));
  }
  InLetters(const InLetters&) = delete;
  InLetters& operator=(const InLetters&) = delete;

  Frame& frame() { return larger_; }

 private:
  Frame& frame_;
  Theme theme_;
  Frame larger_;
};

using Draw = std::function<void(Flow&)>;

// In a child that is beside the window, where nothing can be pressed.
float height_of(Frame& frame, int size, float width, const Draw& draw) {
  InLetters letters(frame, size);
  const ImVec2 beside{ImGui::GetIO().DisplaySize.x + 1, 0};
  ImGui::SetCursorScreenPos(beside);
  ImGui::BeginChild("measured", {width, 1}, false, ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoDecoration);
  begin_no_tab_stops();
  Flow flow{letters.frame(), *ImGui::GetWindowDrawList(), beside.x, beside.x + width, 0, 0};
  draw(flow);
  end_no_tab_stops();
  ImGui::EndChild();
  return flow.y;
}

// What a page shows: paragraphs, or an exercise, or a part of one.
struct Page {
  std::vector<const LessonParagraph*> text = {};
  std::optional<std::size_t> exercise = {};
  int size = 0;
  std::size_t part = 0;
};

struct Room {
  float width, beside, alone;  // pixels: high beside what is lit, and without that
};

void draw_text_of(Flow& flow, const LessonView& view, const std::vector<const LessonParagraph*>& text) {
  const LiveNumbers live{.now = flow.frame.results};
  if (view.step == 0 && !text.empty() && text.front() == &view.now().text.front())
    add_lesson_words(flow, view.lesson->goal, {flow.theme().fonts.body, flow.theme().dim});
  for (const LessonParagraph* paragraph : text) add_paragraph(flow, *paragraph, live);
}

// All on one page where it has room, in letters that can be read from afar; else as many paragraphs on each
// as have room.
void add_text_pages(Frame& frame, const Room& room, std::vector<Page>& pages) {
  const LessonView& view = std::as_const(frame.view).of<LessonView>();
  std::vector<const LessonParagraph*> text;
  for (const LessonParagraph& paragraph : view.now().text)
    if (is_said(paragraph, {.now = frame.results})) text.push_back(&paragraph);
  if (text.empty()) return;
  const auto height = [&](int size, const std::vector<const LessonParagraph*>& some) {
    return height_of(frame, size, room.width, [&](Flow& flow) { draw_text_of(flow, view, some); });
  };
  for (int size = 0; size <= kPagedSize; ++size)
    if (height(size, text) <= room.beside) return pages.push_back({.text = text, .size = size});
  for (const LessonParagraph* paragraph : text) {
    if (!pages.empty()) {
      std::vector<const LessonParagraph*> longer = pages.back().text;
      longer.push_back(paragraph);
      if (height(kPagedSize, longer) <= room.beside) {
        pages.back().text = std::move(longer);
        continue;
      }
    }
    int size = 0;
    while (size + 1 < kSizes && height(size, {paragraph}) > room.beside) ++size;
    pages.push_back({.text = {paragraph}, .size = std::max(size, kPagedSize)});
  }
}

// In the largest letters that leave room for what is lit, else that have room; else in several parts.
void add_exercise_pages(Frame& frame, std::size_t exercise, const Room& room, std::vector<Page>& pages) {
  LessonSlide& slide = frame.view.of<LessonView>().slide;
  const auto shown = std::exchange(slide.exercise, exercise);
  float heights[kSizes];
  for (int size = 0; size < kSizes; ++size)
    heights[size] = height_of(frame, size, room.width, [](Flow& flow) { draw_exercises(flow); });
  slide.exercise = shown;
  for (const float most : {room.beside, room.alone})
    for (int size = 0; size < kSizes; ++size)
      if (heights[size] <= most) return pages.push_back({.exercise = exercise, .size = size});
  // A title may leave no room at all.
  const float alone = std::max(room.alone, frame.theme.px(kLeastRoom)), beyond = heights[1] - alone;
  const auto parts = static_cast<std::size_t>(std::ceil(std::max(beyond, 0.0f) / (alone * kTurnedOver))) + 1;
  for (std::size_t part = 0; part < parts; ++part)
    pages.push_back({.exercise = exercise, .size = 1, .part = part});
}

std::vector<Page> pages_of(Frame& frame, const Room& room) {
  std::vector<Page> pages;
  add_text_pages(frame, room, pages);
  const std::size_t exercises = std::as_const(frame.view).of<LessonView>().now().exercises.size();
  for (std::size_t i = 0; i < exercises; ++i) add_exercise_pages(frame, i, room, pages);
  if (pages.empty()) pages.emplace_back();
  return pages;
}

float draw_slide_title(Frame& frame, Rect area) {
  const Theme& theme = frame.theme;
  const LessonView& view = std::as_const(frame.view).of<LessonView>();
  const ImFont* font = theme.fonts.title;
  const std::string title = wrapped(font, view.now().title, area.width());
  draw_text(*ImGui::GetWindowDrawList(), font, area.min, theme.text, title);
  return font_size(font) * static_cast<float>(1 + std::ranges::count(title, '\n')) + theme.px(kBelowTitle);
}

// Returns the height that it takes.
float draw_page(Frame& frame, const Page& page, Rect area) {
  InLetters letters(frame, page.size);
  ImGui::SetCursorScreenPos(area.min);
  ImGui::BeginChild("slide", {area.width(), area.height()}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground | kFocusableChild);
  ImGui::PushID("slide");
  ImGui::SetScrollY(area.height() * kTurnedOver * static_cast<float>(page.part));
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float margin = frame.theme.px(kSlideMargin);
  Flow flow{
      letters.frame(), *ImGui::GetWindowDrawList(), area.min.x + margin, area.max.x - margin, from.y, 0};
  if (page.exercise)
    draw_exercises(flow);
  else
    draw_text_of(flow, frame.view.of<LessonView>(), page.text);
  const float height = flow.y - from.y;
  ImGui::PopID();
  ImGui::SetCursorScreenPos({area.min.x, flow.y});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
  return std::min(height, area.height());
}

}  // namespace

float draw_lesson_slide(Frame& frame, Rect area) {
  LessonView& view = frame.view.of<LessonView>();
  frame.view.of<Lit>().pointed.clear();  // a number under the pointer sets it again
  const float margin = frame.theme.px(kSlideMargin), top = area.min.y + frame.theme.px(kAboveTitle);
  const float words =
      top + draw_slide_title(frame, {{area.min.x + margin, top}, {area.max.x - margin, area.max.y}});
  if (!frame.results) return words - area.min.y;
  const float high = area.max.y - words;
  const std::vector<Page> pages = pages_of(frame, {area.width() - 2 * margin, high * kMostWords, high});
  view.slide.pages = pages.size();
  view.slide.page = std::min(view.slide.page, pages.size() - 1);
  const Page& page = pages[view.slide.page];
  view.slide.exercise = page.exercise;
  if (view.fresh > 0) --view.fresh;
  return words + draw_page(frame, page, {{area.min.x, words}, area.max}) - area.min.y;
}

}  // namespace attn

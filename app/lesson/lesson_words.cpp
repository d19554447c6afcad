// Words are put one by one, each with its space; ① among them is drawn as it is on the canvas.
#include "app/lesson/lesson_words.h"

#include <algorithm>
#include <utility>

#include "app/frame/lit.h"
#include "app/theme/toolkit.h"
#include "app/widgets/glossary.h"
#include "app/widgets/words.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr char32_t kFirstMark = 0x2460, kLastMark = 0x2473;  // ① to ⑳
constexpr float kMarkRadius = 7, kLineGap = 5, kBehind = 6;  // points

// Puts words behind each other, and on new lines; what no space stands before stays with what it follows.
class WordLine {
 public:
  WordLine(inspector::Flow& flow, const LessonInk& ink)
      : flow_(flow), ink_(ink), left_(flow.left + ink.inset), x_(left_) {}

  void space() { space_ = true; }
  void break_line() {
    if (x_ > left_) next_line();
    space_ = false;
  }
  // Returns where it lies.
  Rect put(const std::string& word, ImU32 colour) {
    const Rect box = take(text_width(font_, word));
    draw_text(flow_.list, font_, box.min, colour, word);
    return box;
  }
  void put_explained(const std::string& word) {
    const Rect box = put(word, ink_.words);
    explain_words(flow_.frame, flow_.list, font_, box.min, word);
    if (word.ends_with(':')) font_ = ink_.font;
  }
  void put_mark(std::size_t number) {
    const float radius = flow_.px(kMarkRadius);
    const Rect box = take(2 * radius);
    draw_mark(flow_.list, flow_.theme(), {box.min.x + radius, (box.min.y + box.max.y) / 2}, radius, number);
  }
  void end() { next_line(), flow_.y += flow_.px(kBehind); }

 private:
  void next_line() { x_ = left_, flow_.y += font_size(ink_.font) + flow_.px(kLineGap); }
  Rect take(float width) {
    const float space = text_width(ink_.font, " ");
    if (std::exchange(space_, false) && x_ > left_)
      x_ + space + width > flow_.right ? next_line() : void(x_ += space);
    const Rect box{{x_, flow_.y}, {x_ + width, flow_.y + font_size(ink_.font)}};
    x_ = box.max.x;
    return box;
  }

  inspector::Flow& flow_;
  const LessonInk& ink_;
  const ImFont* font_ = ink_.lead ? ink_.lead : ink_.font;
  float left_, x_;
  bool space_ = false;
};

// Calls put(word) for each word, and mark(number) for each ① among them.
template <class Put, class Mark>
void for_each_word(WordLine& line, std::string_view text, Put put, Mark mark) {
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) put(std::exchange(word, {}));
  };
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    if (c.value == U' ') {
      flush(), line.space();
    } else if (c.value == U'\n') {
      flush(), line.break_line();
    } else if (c.value >= kFirstMark && c.value <= kLastMark) {
      flush(), mark(static_cast<std::size_t>(c.value - kFirstMark) + 1);
    } else {
      word += text.substr(0, c.bytes);
    }
    text.remove_prefix(c.bytes);
  }
  flush();
}

void put_words(WordLine& line, std::string_view text, ImU32 colour, bool explained = true) {
  for_each_word(
      line, text,
      [&](const std::string& word) { explained ? line.put_explained(word) : void(line.put(word, colour)); },
      [&](std::size_t number) { line.put_mark(number); });
}

ImU32 number_colour(const Frame& frame, const std::vector<LessonCells>& cells) {
  if (const LessonMark* mark = mark_of(std::as_const(frame.view).of<Lit>(), cells))
    return mark_colour(frame.theme, mark->number);
  const auto stage = cells.empty() ? std::nullopt : frame.graph.find(cells.front().stage);
  const Role role = stage ? hue_of(frame.graph, *stage) : Role::plain;
  return role == Role::plain ? frame.theme.accent : role_colour(frame.theme, role);
}

bool is_pointed_at(const Frame& frame, const std::vector<LessonCells>& cells) {
  const auto& spot = frame.view.hovered;
  return spot && std::ranges::any_of(
                     cells, [&](const LessonCells& c) { return contains(c, spot->stage, spot->cell); });
}

void put_number(inspector::Flow& flow, WordLine& line, const SaidWord& said) {
  Frame& frame = flow.frame;
  const ImU32 colour = number_colour(frame, said.cells);
  const bool linked = is_pointed_at(frame, said.cells);
  const auto put = [&](const std::string& number) {
    const Rect box = line.put(number, colour);
    const bool hovered = ImGui::IsWindowHovered() && box.contains(ImGui::GetIO().MousePos);
    if (hovered) frame.view.of<Lit>().pointed = said.cells;
    if (hovered || linked)
      flow.list.AddRectFilled({box.min.x, box.max.y}, {box.max.x, box.max.y + flow.px(2)}, colour);
  };
  for_each_word(line, said.words, put, [](std::size_t) {});
}

std::string reason(const Error& error) {
  return std::string("this cannot be said: ") + error.what();
}

}  // namespace

void add_lesson_text(inspector::Flow& flow, const LessonText& text, const LiveNumbers& live, LessonInk ink) {
  WordLine line(flow, ink);
  try {
    for (const SaidWord& said : say(text, live))
      said.number ? put_number(flow, line, said) : put_words(line, said.words, ink.words);
  } catch (const Error& error) {
    put_words(line, reason(error), flow.theme().bad, false);
  }
  line.end();
}

void add_lesson_words(inspector::Flow& flow, const std::string& words, LessonInk ink) {
  WordLine line(flow, ink);
  put_words(line, words, ink.words);
  line.end();
}

std::string first_words(const LessonStep& step, const Results* results) {
  const LiveNumbers live{.now = results};
  for (const LessonParagraph& paragraph : step.text)
    if (is_said(paragraph, live)) return plain_text(paragraph.text, live);
  return step.exercises.empty() ? "" : plain_text(step.exercises.front().question, live);
}

bool is_said(const LessonParagraph& paragraph, const LiveNumbers& live) {
  try {
    return paragraph.when.empty() || holds(paragraph.when, live);
  } catch (const Error&) {  // its text says why
    return true;
  }
}

std::string plain_text(const LessonText& text, const LiveNumbers& live) {
  try {
    return plain(say(text, live));
  } catch (const Error& error) {
    return reason(error);
  }
}

}  // namespace attn

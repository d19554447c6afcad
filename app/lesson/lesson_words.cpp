// Words are put one by one, each with its space; ① among them is drawn as it is on the canvas.
#include "app/lesson/lesson_words.h"

#include <algorithm>
#include <functional>
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

// Puts words behind each other, and on new lines. What no space parts stays together.
class WordLine {
 public:
  WordLine(inspector::Flow& flow, const LessonInk& ink)
      : flow_(flow), ink_(ink), left_(flow.left + ink.inset), x_(left_) {}

  // A word, or a part of one; `drawn` is told where it lies.
  void put(const std::string& word, ImU32 colour, const std::function<void(Rect)>& drawn) {
    pieces_.push_back({drawn_width(font_, word), [this, word, colour, drawn, font = font_](Rect box) {
                         draw_as_is(flow_.list, font, box.min, colour, word);
                         if (drawn) drawn(box);
                       }});
  }
  void put_explained(const std::string& word) {
    put(word, ink_.words, [this, word, font = font_](Rect box) {
      explain_words(flow_.frame, flow_.list, font, box.min, word);
    });
    if (word.ends_with(':')) font_ = ink_.font;
  }
  void put_mark(std::size_t number) {
    const float radius = flow_.px(kMarkRadius);
    pieces_.push_back({2 * radius, [this, radius, number](Rect box) {
                         draw_mark(flow_.list, flow_.theme(),
                                   {box.min.x + radius, (box.min.y + box.max.y) / 2}, radius, number);
                       }});
  }
  void space() {
    flush();
    space_ = true;
  }
  void break_line() {
    flush();
    if (x_ > left_) next_line();
    space_ = false;
  }
  void end() {
    flush();
    next_line();
    flow_.y += flow_.px(kBehind);
  }

 private:
  struct Piece {
    float width;
    std::function<void(Rect)> draw;
  };

  void next_line() { x_ = left_, flow_.y += font_size(ink_.font) + flow_.px(kLineGap); }
  void flush() {
    float width = 0;
    for (const Piece& piece : pieces_) width += piece.width;
    const float space = space_ && x_ > left_ ? text_width(ink_.font, " ") : 0;
    const bool fits = x_ == left_ || x_ + space + width <= flow_.right;
    if (!pieces_.empty()) fits ? void(x_ += space) : next_line(), space_ = false;
    for (const Piece& piece : pieces_) {
      piece.draw({{x_, flow_.y}, {x_ + piece.width, flow_.y + font_size(ink_.font)}});
      x_ += piece.width;
    }
    pieces_.clear();
  }

  inspector::Flow& flow_;
  const LessonInk& ink_;
  const ImFont* font_ = ink_.lead ? ink_.lead : ink_.font;
  float left_, x_;
  bool space_ = false;
  std::vector<Piece> pieces_ = {};
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
      [&](const std::string& word) { explained ? line.put_explained(word) : line.put(word, colour, {}); },
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
  const auto link = [&flow, &frame, cells = said.cells, colour, linked](Rect box) {
    const bool hovered = ImGui::IsWindowHovered() && box.contains(ImGui::GetIO().MousePos);
    if (hovered) frame.view.of<Lit>().pointed = cells;
    if (hovered || linked)
      flow.list.AddRectFilled({box.min.x, box.max.y}, {box.max.x, box.max.y + flow.px(2)}, colour);
  };
  const auto put = [&](const std::string& number) { line.put(number, colour, link); };
  for_each_word(line, said.words, put, [](std::size_t) {});
}

// Sentences and titles are set in fonts without ①.
std::string without_marks(std::string_view text) {
  std::string left;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    if (c.value < kFirstMark || c.value > kLastMark)
      left += text.substr(0, c.bytes);
    else if (left.ends_with(' '))
      left.pop_back();
    text.remove_prefix(c.bytes);
  }
  return left;
}

std::string reason(const Error& error) {
  return std::string("this cannot be computed: ") + error.what();
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
    return without_marks(plain(say(text, live)));
  } catch (const Error& error) {
    return reason(error);
  }
}

}  // namespace attn

// Words that no space parts, such as `code` and the comma behind it, stay in one line. A line that is begun
// anew keeps the spaces before its first word, as code needs, and so does what it is broken into.
#include "app/manual/span_layout.h"

#include <algorithm>

#include "app/theme/toolkit.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kLinePitch = 1.3f;  // of the font's own line

// What a line may be broken before.
struct Unbroken {
  std::string_view text;
  const MarkdownSpan* span;
  std::size_t spaces = 0, lines = 0;  // before it, and how many lines end there
  bool breaks() const { return spaces + lines > 0; }
};

std::vector<Unbroken> unbroken_parts(const Spans& spans) {
  std::vector<Unbroken> words;
  std::size_t spaces = 0, lines = 0;
  for (const MarkdownSpan& span : spans) {
    const std::string_view text = span.text;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
      if (end > at) {
        words.push_back({text.substr(at, end - at), &span, spaces, lines});
        spaces = lines = 0;
      }
      if (end < text.size() && text[end] == ' ') ++spaces;
      if (end < text.size() && text[end] == '\n') ++lines, spaces = 0;
      at = end + 1;
    }
  }
  return words;
}

class Lines {
 public:
  Lines(const Theme& theme, float width)
      : theme_(theme), width_(width), pitch_(kLinePitch * font_size(theme.fonts.body)) {}

  // Words that stay together.
  void add(std::span<const Unbroken> words) {
    float width = 0;
    for (const Unbroken& word : words) width += width_of(word.text, word.span);
    const Unbroken& first = words.front();
    const auto spaces = static_cast<float>(first.spaces);
    const float space = spaces * width_of(" ", first.span);
    if (layout_.pieces.empty() || first.lines > 0) {
      indent_ = std::min(spaces * width_of("0", first.span), width_ / 2);  // a space is too thin to be seen
      if (!layout_.pieces.empty()) y_ += static_cast<float>(first.lines) * pitch_;
      x_ = indent_;
    } else if (x_ > indent_ && x_ + space + width > width_) {
      next_line();
    } else {
      x_ += space;
    }
    for (const Unbroken& word : words) place(word.text, word.span);
  }

  SpanLayout take() {
    layout_.height = y_ + pitch_;
    return std::move(layout_);
  }

 private:
  float width_of(std::string_view text, const MarkdownSpan* span) const {
    return drawn_width(font_of(theme_.fonts, *span), text);
  }
  void next_line() { x_ = indent_, y_ += pitch_; }
  // Whatever is wider than a line, in parts.
  void place(std::string_view text, const MarkdownSpan* span) {
    while (!text.empty()) {
      std::string_view part = text;
      if (x_ + width_of(text, span) > width_) part = text.substr(0, fitting_part(text, span));
      if (part.empty()) {
        next_line();
        continue;
      }
      const float wide = width_of(part, span);
      layout_.pieces.push_back({{x_, y_}, wide, part, span});
      x_ += wide;
      layout_.width = std::max(layout_.width, x_);
      text.remove_prefix(part.size());
    }
  }
  // At least one character at the start of a line.
  std::size_t fitting_part(std::string_view text, const MarkdownSpan* span) const {
    const ImFont* font = font_of(theme_.fonts, *span);
    const char* end = nullptr;
    font->CalcTextSizeA(font_size(font), std::max(1.0f, width_ - x_), 0, text.data(),
                        text.data() + text.size(), &end);
    auto size = static_cast<std::size_t>(end - text.data());
    if (size == 0 && x_ == indent_)
      for (size = 1; size < text.size() && (text[size] & 0xc0) == 0x80;) ++size;
    return size;
  }

  const Theme& theme_;
  float width_, pitch_, x_ = 0, y_ = 0, indent_ = 0;
  SpanLayout layout_;
};

}  // namespace

const ImFont* font_of(const Fonts& fonts, const MarkdownSpan& span) {
  return span.strong || span.emphasis ? fonts.bold : fonts.body;
}

SpanLayout lay_out(const Theme& theme, const Spans& spans, float width) {
  const std::vector<Unbroken> words = unbroken_parts(spans);
  Lines lines(theme, width);
  for (std::size_t begin = 0; begin < words.size();) {
    std::size_t end = begin + 1;
    while (end < words.size() && !words[end].breaks()) ++end;
    lines.add(std::span(words).subspan(begin, end - begin));
    begin = end;
  }
  return lines.take();
}

}  // namespace attn

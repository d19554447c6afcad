// Words that no space parts, such as `code` and the comma behind it, stay in one line.
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
  bool after_space = false, after_line = false;
};

std::vector<Unbroken> unbroken_parts(const Spans& spans) {
  std::vector<Unbroken> words;
  bool space = false, line = false;
  for (const MarkdownSpan& span : spans) {
    const std::string_view text = span.text;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
      if (end > at) {
        words.push_back({text.substr(at, end - at), &span, space, line});
        space = line = false;
      }
      if (end < text.size()) (text[end] == ' ' ? space : line) = true;
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
    const bool starts = layout_.pieces.empty();
    if (words.front().after_line && !starts) next_line();
    const float space = words.front().after_space && x_ > 0 ? width_of(" ", words.front().span) : 0;
    if (x_ > 0 && x_ + space + width > width_)
      next_line();
    else
      x_ += space;
    for (const Unbroken& word : words) place(word.text, word.span);
  }

  SpanLayout take() {
    layout_.height = y_ + pitch_;
    return std::move(layout_);
  }

 private:
  float width_of(std::string_view text, const MarkdownSpan* span) const {
    return text_width(font_of(theme_.fonts, *span), text);
  }
  void next_line() { x_ = 0, y_ += pitch_; }
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
    if (size == 0 && x_ == 0)
      for (size = 1; size < text.size() && (text[size] & 0xc0) == 0x80;) ++size;
    return size;
  }

  const Theme& theme_;
  float width_, pitch_, x_ = 0, y_ = 0;
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
    while (end < words.size() && !words[end].after_space && !words[end].after_line) ++end;
    lines.add(std::span(words).subspan(begin, end - begin));
    begin = end;
  }
  return lines.take();
}

}  // namespace attn

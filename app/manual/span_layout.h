// Spans in lines: which words stand where.
#pragma once

#include <string_view>
#include <vector>

#include "app/manual/markdown.h"
#include "app/theme/theme.h"

namespace attn {

// Words of one span in one line. They point into the spans, which outlive it.
struct TextPiece {
  ImVec2 at;  // from the top left corner of all
  float width;
  std::string_view text;
  const MarkdownSpan* span;
};
struct SpanLayout {
  std::vector<TextPiece> pieces;
  float width = 0, height = 0;
};

const ImFont* font_of(const Fonts& fonts, const MarkdownSpan& span);

// Broken at spaces and ends of lines, and within what is wider than a line.
SpanLayout lay_out(const Theme& theme, const Spans& spans, float width);

}  // namespace attn

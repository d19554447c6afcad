// Markdown: as much of it as the manual's pages use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Words of one look.
struct MarkdownSpan {
  std::string text;
  bool strong = false, emphasis = false, code = false;
  std::string link = {};  // "pipeline.md"; empty: it leads nowhere
  bool operator==(const MarkdownSpan&) const = default;
};
using Spans = std::vector<MarkdownSpan>;

struct MarkdownBlock {
  // `code` is one span with ends of lines in it, `picture` the words that stand for it.
  enum Kind { heading, paragraph, item, code, table, picture } kind = paragraph;
  int level = 0;                              // of a heading: 1 is the page's title
  std::string mark = {};                      // of an item: "•", "2."
  Spans spans = {};                           // of all but a table
  std::vector<std::vector<Spans>> rows = {};  // of a table; the first names the columns
};

std::vector<MarkdownBlock> parse_markdown(std::string_view text);

// Its words alone; cells of a table with spaces between them.
std::string plain_text(const MarkdownBlock& block);

// What it is about: a heading's words, or the strong ones that it begins with, without the stop behind them.
// Empty where it begins with others.
std::string lead_of(const MarkdownBlock& block);

}  // namespace attn

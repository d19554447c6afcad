// Markdown into blocks and spans, and the manual's pages, of which no mark is left over.
#include "app/manual/markdown.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <regex>

#include "app/manual/pages.h"
#include "core/text/find_words.h"

using namespace attn;

namespace {

Spans spans_of_line(std::string_view line) {
  const std::vector<MarkdownBlock> blocks = parse_markdown(line);
  REQUIRE(blocks.size() == 1);
  return blocks.front().spans;
}

// What a person would see of a page that is not code.
std::vector<std::string> shown_words(const MarkdownBlock& block) {
  std::vector<std::string> words;
  const auto add = [&](const Spans& spans) {
    for (const MarkdownSpan& span : spans)
      if (!span.code) words.push_back(span.text);
  };
  add(block.spans);
  for (const std::vector<Spans>& row : block.rows)
    for (const Spans& cell : row) add(cell);
  return words;
}

}  // namespace

TEST_CASE("words are strong, emphasised, code or lead somewhere") {
  CHECK(spans_of_line("a **b** *c* `d_e*f*` [g](heads.md)") == Spans{{.text = "a "},
                                                                     {.text = "b", .strong = true},
                                                                     {.text = " "},
                                                                     {.text = "c", .emphasis = true},
                                                                     {.text = " "},
                                                                     {.text = "d_e*f*", .code = true},
                                                                     {.text = " "},
                                                                     {.text = "g", .link = "heads.md"}});
  CHECK(spans_of_line("**a `b`**, *c*") == Spans{{.text = "a ", .strong = true},
                                                 {.text = "b", .strong = true, .code = true},
                                                 {.text = ", "},
                                                 {.text = "c", .emphasis = true}});
}

TEST_CASE("what is not closed or escaped is what it is") {
  for (const char* line : {"W_Q and W_K", "2 * 3 * 4", "a ** b", "a `b", "[a] (b)", "a|b"})
    CHECK(spans_of_line(line) == Spans{{.text = line}});
  CHECK(spans_of_line("\\*a\\* \\`") == Spans{{.text = "*a* `"}});
  CHECK(spans_of_line("see ![a picture](x.png) here") == Spans{{.text = "see a picture here"}});
}

TEST_CASE("lines become headings, paragraphs, items, code, tables and words for pictures") {
  const std::vector<MarkdownBlock> blocks = parse_markdown(
      "# Title\none\ntwo\n\nthree\n- **first.** x\n- second\n10. tenth\n```\n# a\n\n- "
      "b\n```\n![words](x.png)\n"
      "| a | b |\n|---|---|\n| `c\\|d` | |\n## Second");
  const std::vector<MarkdownBlock> wanted{
      {.kind = MarkdownBlock::heading, .level = 1, .spans = {{.text = "Title"}}},
      {.kind = MarkdownBlock::paragraph, .spans = {{.text = "one two"}}},
      {.kind = MarkdownBlock::paragraph, .spans = {{.text = "three"}}},
      {.kind = MarkdownBlock::item,
       .mark = "•",
       .spans = {{.text = "first.", .strong = true}, {.text = " x"}}},
      {.kind = MarkdownBlock::item, .mark = "•", .spans = {{.text = "second"}}},
      {.kind = MarkdownBlock::item, .mark = "10.", .spans = {{.text = "tenth"}}},
      {.kind = MarkdownBlock::code, .spans = {{.text = "# a\n\n- b", .code = true}}},
      {.kind = MarkdownBlock::picture, .spans = {{.text = "words"}}},
      {.kind = MarkdownBlock::table,
       .rows = {{{{.text = "a"}}, {{.text = "b"}}}, {{{.text = "c|d", .code = true}}, {}}}},
      {.kind = MarkdownBlock::heading, .level = 2, .spans = {{.text = "Second"}}}};
  REQUIRE(blocks.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    INFO(i);
    CHECK(blocks[i].kind == wanted[i].kind);
    CHECK(blocks[i].level == wanted[i].level);
    CHECK(blocks[i].mark == wanted[i].mark);
    CHECK(blocks[i].spans == wanted[i].spans);
    CHECK(blocks[i].rows == wanted[i].rows);
  }
  CHECK(lead_of(blocks[3]) == "first");
  CHECK(lead_of(blocks[4]).empty());
  CHECK(plain_text(blocks[8]) == "a b c|d ");
}

TEST_CASE("no mark of Markdown is left over in a page of the manual") {
  CHECK(manual_pages().size() >= 10);
  const std::regex mark(R"(\*\*|`|\]\(|^#+ |^- |^\d+\. |^\||\*\w|\w\*[^\w]|!\[)");
  for (const ManualPage& page : manual_pages()) {
    CHECK(page.blocks.front().kind == MarkdownBlock::heading);
    for (const MarkdownBlock& block : page.blocks) {
      CHECK_FALSE((block.spans.empty() && block.rows.empty()));
      for (const std::vector<Spans>& row : block.rows) CHECK(row.size() == block.rows.front().size());
      if (block.kind == MarkdownBlock::code) continue;
      for (const std::string& words : shown_words(block)) {
        INFO(page.name, ": ", words);
        CHECK_FALSE(std::regex_search(words, mark));
      }
    }
  }
}

TEST_CASE("words are found in any order, whatever letters are capital") {
  CHECK(holds_words("Scale and mask", "MASK sc"));
  CHECK(holds_words("Scale", ""));
  CHECK_FALSE(holds_words("Scale and mask", "scale masks"));
}

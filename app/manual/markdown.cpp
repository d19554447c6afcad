// Line by line into blocks, and what a block says into spans. Underscores are letters: W_Q.
#include "app/manual/markdown.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace attn {
namespace {

constexpr std::string_view kFence = "```";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// What stands between `open` and `close` at the start of the text; nothing where it is not closed.
std::optional<std::string_view> enclosed(std::string_view text, std::string_view open,
                                         std::string_view close) {
  if (!text.starts_with(open)) return std::nullopt;
  const std::size_t end = text.find(close, open.size());
  if (end == text.npos || end == open.size()) return std::nullopt;
  return text.substr(open.size(), end - open.size());
}

struct Link {
  std::string_view words, target;
  std::size_t size;  // of all of it
};
// "[words](target)".
std::optional<Link> link_at(std::string_view text) {
  const auto words = enclosed(text, "[", "]");
  if (!words) return std::nullopt;
  const std::size_t behind = words->size() + 2;
  const auto target = enclosed(text.substr(behind), "(", ")");
  if (!target) return std::nullopt;
  return Link{*words, *target, behind + target->size() + 2};
}

class SpanReader {
 public:
  explicit SpanReader(Spans& spans) : spans_(spans) {}

  // `look`: what all of it is, along with what its own marks say.
  void read(std::string_view text, const MarkdownSpan& look) {
    while (!text.empty()) text.remove_prefix(std::max(marked(text, look), std::size_t{1}));
  }

 private:
  // One character, or what a mark begins. Returns how much of the text that was.
  std::size_t marked(std::string_view text, const MarkdownSpan& look) {
    if (text[0] == '\\' && text.size() > 1 && std::ispunct(static_cast<unsigned char>(text[1])))
      return add(text.substr(1, 1), look), 2;
    if (const auto code = enclosed(text, "`", "`")) {
      MarkdownSpan span = look;
      span.code = true;
      add(*code, span);
      return code->size() + 2;
    }
    if (const auto words = enclosed(text, "**", "**")) {
      MarkdownSpan span = look;
      span.strong = true;
      read(*words, span);
      return words->size() + 4;
    }
    if (const auto words = enclosed(text, "*", "*"); words && words->front() != ' ' && words->back() != ' ') {
      MarkdownSpan span = look;
      span.emphasis = true;
      read(*words, span);
      return words->size() + 2;
    }
    const bool picture = text.starts_with("![");
    if (const auto link = link_at(text.substr(picture ? 1 : 0))) {
      MarkdownSpan span = look;
      if (!picture) span.link = link->target;
      read(link->words, span);
      return link->size + (picture ? 1 : 0);
    }
    add(text.substr(0, 1), look);
    return 1;
  }

  void add(std::string_view text, const MarkdownSpan& look) {
    if (!spans_.empty()) {
      MarkdownSpan same = look;
      same.text = spans_.back().text;
      if (same == spans_.back()) {
        spans_.back().text += text;
        return;
      }
    }
    spans_.push_back(look);
    spans_.back().text = text;
  }

  Spans& spans_;
};

Spans spans_of(std::string_view text) {
  Spans spans;
  SpanReader(spans).read(text, {});
  return spans;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// "| a | b \| c |": its cells.
std::vector<Spans> cells_of(std::string_view line) {
  std::vector<Spans> cells;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      cell += line[++i];
    } else if (line[i] == '|') {
      cells.push_back(spans_of(trimmed(cell)));
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return cells;
}

// What the lines of a page become. Lines of one paragraph are one text.
class BlockReader {
 public:
  void read(std::string_view line) {
    if (line.starts_with(kFence)) return fence();
    if (in_code_) return add_code(line);
    line = trimmed(line);
    if (line.empty()) return finish();
    if (line.front() == '|') return add_row(line);
    const std::size_t number =
        static_cast<std::size_t>(std::ranges::find_if_not(line, is_digit) - line.begin());
    const std::size_t level = line.find_first_not_of('#');
    if (level != 0 && level != line.npos && line[level] == ' ') {
      begin({.kind = MarkdownBlock::heading, .level = static_cast<int>(level)}, line.substr(level + 1));
      finish();
    } else if (line.starts_with("- ")) {
      begin({.kind = MarkdownBlock::item, .mark = "•"}, line.substr(2));
    } else if (number > 0 && line.substr(number).starts_with(". ")) {
      begin({.kind = MarkdownBlock::item, .mark = std::string(line.substr(0, number + 1))},
            line.substr(number + 2));
    } else if (const auto link = link_at(line.substr(line.starts_with("![") ? 1 : 0));
               link && line.starts_with("![") && link->size + 1 == line.size()) {
      begin({.kind = MarkdownBlock::picture}, link->words);
      finish();
    } else if (open_) {
      text_ += ' ';
      text_ += line;
    } else {
      begin({.kind = MarkdownBlock::paragraph}, line);
    }
  }

  std::vector<MarkdownBlock> take() {
    finish();
    return std::move(blocks_);
  }

 private:
  void begin(MarkdownBlock block, std::string_view text) {
    finish();
    blocks_.push_back(std::move(block));
    text_ = text;
    open_ = true;
  }
  void finish() {
    if (std::exchange(open_, false)) blocks_.back().spans = spans_of(text_);
    in_table_ = false;
  }
  void fence() {
    finish();
    in_code_ = !in_code_;
    if (in_code_) blocks_.push_back({.kind = MarkdownBlock::code, .spans = {{.text = "", .code = true}}});
  }
  void add_code(std::string_view line) {
    std::string& text = blocks_.back().spans.front().text;
    text += text.empty() ? "" : "\n";
    text += line;
  }
  void add_row(std::string_view line) {
    if (!in_table_) {
      finish();
      blocks_.push_back({.kind = MarkdownBlock::table});
      in_table_ = true;
    }
    if (line.find_first_not_of("|-: ") != line.npos) blocks_.back().rows.push_back(cells_of(line));
  }

  std::vector<MarkdownBlock> blocks_;
  std::string text_;  // of the last one, while more lines may follow
  bool open_ = false, in_code_ = false, in_table_ = false;
};

}  // namespace

std::vector<MarkdownBlock> parse_markdown(std::string_view text) {
  BlockReader reader;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.take();
}

std::string plain_text(const MarkdownBlock& block) {
  std::string text;
  for (const MarkdownSpan& span : block.spans) text += span.text;
  for (const std::vector<Spans>& row : block.rows)
    for (const Spans& cell : row) {
      text += text.empty() ? "" : " ";
      for (const MarkdownSpan& span : cell) text += span.text;
    }
  return text;
}

std::string lead_of(const MarkdownBlock& block) {
  if (block.kind == MarkdownBlock::heading) return plain_text(block);
  std::string lead;
  for (const MarkdownSpan& span : block.spans) {
    if (!span.strong) break;
    lead += span.text;
  }
  if (lead.ends_with('.')) lead.pop_back();
  return lead;
}

}  // namespace attn

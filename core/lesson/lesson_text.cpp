// Cells, words and sets out of lines of a lesson.
#include "core/lesson/lesson_text.h"

#include <algorithm>

#include "core/system/error.h"
#include "core/text/bytes.h"
#include "core/text/numbers.h"
#include "core/text/text.h"

namespace attn {
namespace {

std::size_t outside_brackets(std::string_view text, char wanted, std::size_t from) {
  int depth = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']') --depth;
    if (text[i] == wanted && depth == 0) return i;
  }
  return std::string_view::npos;
}

// {EXPRESSION}, {EXPRESSION:4}, {EXPRESSION:%}.
LessonWord read_number_word(std::string_view inside, std::size_t line) {
  LessonWord word;
  const std::size_t colon = inside.rfind(':');
  if (colon != std::string_view::npos) {
    std::string_view format = inside.substr(colon + 1);
    const bool percent = format.ends_with('%');
    if (percent) format.remove_suffix(1);
    const auto digits = parse_number<unsigned>(format);
    if ((percent && format.empty()) || digits) {
      if (digits && *digits > 12) refuse_line(line, "at most 12 digits are said");
      word.percent = percent;
      if (digits) word.digits = static_cast<int>(*digits);
      inside = inside.substr(0, colon);
    }
  }
  word.number = {.text = std::string(trimmed(inside)), .line = line};
  if (word.number.empty()) refuse_line(line, "{} has no expression in it");
  return word;
}

// Of the bracket that the text begins with; none: npos.
std::size_t closing_bracket(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '[')
      ++depth;
    else if (text[i] == ']' && --depth == 0)
      return i;
  return std::string_view::npos;
}

}  // namespace

void refuse_line(std::size_t line, const std::string& why) {
  throw Error("line " + std::to_string(line) + ": " + why);
}

std::string_view trimmed(std::string_view text) {
  const auto space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<KeyLine> key_line(std::string_view text) {
  const std::size_t colon = text.find(": ");
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const std::string_view key = text.substr(0, colon);
  if (!std::ranges::all_of(key, [](char c) { return c >= 'a' && c <= 'z'; })) return std::nullopt;
  return KeyLine{key, trimmed(text.substr(colon + 2))};
}

void take_key(const KeyLine& line, std::size_t number, std::span<const KeyTaker> takers) {
  std::vector<std::string> keys;
  for (const KeyTaker& taker : takers) {
    if (taker.key == line.key) return taker.take(line.value, number);
    keys.emplace_back(taker.key);
  }
  refuse_line(number, in_quotes(line.key) + " is no key here; there are " + listed(keys));
}

LessonCells read_cells(std::string_view text, std::size_t line) {
  text = trimmed(text);
  const std::size_t open = text.find('[');
  LessonCells cells{.stage = std::string(text.substr(0, open)), .line = line};
  if (cells.stage.empty()) refuse_line(line, "a stage's name is missing");
  if (open == std::string_view::npos) return cells;
  if (!text.ends_with(']')) refuse_line(line, in_quotes(text) + ": a closing bracket ] is missing");
  const std::vector<std::string> places = split(text.substr(open + 1, text.size() - open - 2), ',');
  const std::array<std::optional<std::size_t>*, 3> said{&cells.head, &cells.row, &cells.column};
  if (places.size() > said.size()) refuse_line(line, in_quotes(text) + " takes a head, a row and a column");
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::string_view place = trimmed(places[i]);
    if (place == ":") continue;
    *said[i] = parse_number<std::size_t>(place);
    if (!*said[i])
      refuse_line(line, in_quotes(text) + ": heads, rows and columns are whole numbers from 0, or :");
  }
  return cells;
}

std::vector<LessonCells> read_cell_list(std::string_view text, std::size_t line) {
  std::vector<LessonCells> all;
  for (std::size_t from = 0;;) {
    const std::size_t comma = outside_brackets(text, ',', from);
    all.push_back(read_cells(text.substr(from, comma - from), line));
    if (comma == std::string_view::npos) return all;
    from = comma + 1;
  }
}

LessonText read_text(std::string_view text, std::size_t line) {
  LessonText words;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    const std::string_view before = text.substr(0, open);
    if (before.find('}') != std::string_view::npos) refuse_line(line, "} without { before it");
    if (!before.empty()) words.push_back({.words = std::string(before)});
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) refuse_line(line, "a closing } is missing");
    words.push_back(read_number_word(text.substr(open + 1, close - open - 1), line));
    text.remove_prefix(close + 1);
  }
  return words;
}

LessonParagraph read_paragraph(std::string_view text, std::size_t line) {
  LessonParagraph paragraph;
  constexpr std::string_view kWhen = "[when ", kWhy = "> ", kAttempt = "Try: ";
  if (text.starts_with(kWhen)) {
    const std::size_t end = closing_bracket(text);
    if (end == std::string_view::npos) refuse_line(line, "takes [when EXPRESSION] and text behind it");
    paragraph.when = {.text = std::string(trimmed(text.substr(kWhen.size(), end - kWhen.size()))),
                      .line = line};
    text = trimmed(text.substr(end + 1));
  }
  if (text.starts_with(kWhy)) paragraph.kind = LessonParagraph::why, text.remove_prefix(kWhy.size());
  if (text.starts_with(kAttempt))
    paragraph.kind = LessonParagraph::attempt, text.remove_prefix(kAttempt.size());
  paragraph.text = read_text(text, line);
  return paragraph;
}

LessonSet read_set(std::string_view text, std::size_t line) {
  const std::size_t sign = outside_brackets(text, '=', 0);
  if (sign == std::string_view::npos) refuse_line(line, "takes NAME = VALUE, as in layer.scale = \"none\"");
  LessonSet set{.name = std::string(trimmed(text.substr(0, sign))),
                .value = std::string(trimmed(text.substr(sign + 1))),
                .line = line};
  if (set.name.empty() || set.value.empty())
    refuse_line(line, "takes NAME = VALUE, as in layer.scale = \"none\"");
  set.cells = set.name.ends_with(']');
  return set;
}

std::vector<double> read_numbers(std::string_view text, std::size_t line) {
  std::vector<double> numbers;
  for (const std::string& word : split(text, ' ')) {
    if (trimmed(word).empty()) continue;
    const auto number = parse_number<double>(trimmed(word));
    if (!number) refuse_line(line, in_quotes(word) + " is no number");
    numbers.push_back(*number);
  }
  if (numbers.empty()) refuse_line(line, "numbers are missing");
  return numbers;
}

}  // namespace attn

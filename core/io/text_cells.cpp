// Taking pasted text apart into lines, words and cells, and a cell's words in any language into what the
// parser of expressions knows.
#include "core/io/text_cells.h"

#include <array>
#include <charconv>

#include "core/graph/limits.h"
#include "core/text/bytes.h"

namespace attn {
namespace {

struct Replacement {
  std::string_view from, to;
};

// How languages write what the expressions call nan and inf: float('nan') becomes (nan), np.inf becomes inf.
// R's integers carry an L.
constexpr std::array kWords{Replacement{"float('", "("}, Replacement{"float(\"", "("},
                            Replacement{"')", ")"},      Replacement{"\")", ")"},
                            Replacement{"np.", ""},      Replacement{"numpy.", ""},
                            Replacement{"math.", ""},    Replacement{"torch.", ""}};

void replace_all(std::string& text, const Replacement& r) {
  for (std::size_t at = text.find(r.from); at != text.npos; at = text.find(r.from, at + r.to.size()))
    text.replace(at, r.from.size(), r.to);
}

}  // namespace

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    const std::string_view line = text.substr(0, end);
    if (line.find_first_not_of(' ') != line.npos) lines.push_back(line);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

std::vector<std::string> words_of_line(std::string_view line) {
  std::vector<std::string> words;
  for (line = trim(line); !line.empty(); line = trim(line)) {
    const std::size_t end = std::min(line.find_first_of(" \t\r\n"), line.size());
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

std::vector<std::string> split_outside_brackets(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == separator && depth == 0) {
      parts.emplace_back(trim(text.substr(start, i - start)));
      start = i + 1;
    }
  }
  parts.emplace_back(trim(text.substr(start)));
  return parts;
}

std::string_view without_assignment(std::string_view text) {
  text = trim(text);
  std::size_t end = 0;
  const auto in_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  };
  while (end < text.size() && in_name(text[end])) ++end;
  const std::string_view rest = trim(text.substr(end));
  if (end == 0 || is_plain_number(text.substr(0, end))) return text;
  if (rest.starts_with("<-")) return trim(rest.substr(2));
  return rest.starts_with("=") ? trim(rest.substr(1)) : text;
}

std::variant<float, TextError> parse_cell(std::string_view cell, CellsAs as) {
  if (cell.size() > limits::kMostLabelBytes)
    return TextError{"the cell is longer than " + std::to_string(limits::kMostLabelBytes) + " bytes", 0};
  std::string text(trim(cell));
  if (text == "null") text = "nan";  // JSON has no NaN
  for (const Replacement& r : kWords) replace_all(text, r);
  if (as == CellsAs::plain_numbers && text != trim(cell) && text.starts_with('(') && text.ends_with(')'))
    text = text.substr(1, text.size() - 2);  // a special number in a language's words
  if (text.size() > 1 && text.back() == 'L' && text[text.size() - 2] >= '0' && text[text.size() - 2] <= '9')
    text.pop_back();
  if (text.empty()) return TextError{"the cell is empty", 0};
  const auto number = parse_float_expression(text);
  if (as == CellsAs::plain_numbers && std::holds_alternative<float>(number) && !is_plain_number(text))
    return TextError{in_quotes(trim(cell)) + " is not a plain number; expressions in data are not evaluated",
                     0};
  return number;
}

bool is_plain_number(std::string_view cell) {
  std::string_view text = trim(cell);
  if (text.starts_with("+") || text.starts_with("-"))
    text.remove_prefix(1);
  else if (text.starts_with("\u2212"))
    text.remove_prefix(std::string_view("\u2212").size());
  if (text.starts_with("+") || text.starts_with("-")) return false;
  double value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && status == std::errc() && stop == text.data() + text.size();
}

}  // namespace attn

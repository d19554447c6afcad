// Matrices in square brackets: NumPy, PyTorch, MATLAB and Octave, JSON and Python lists.
#include <algorithm>
#include <array>

#include "core/io/text_cells.h"
#include "core/text/bytes.h"

namespace attn {
namespace {

struct Wrapper {
  std::string_view call, format;
};

constexpr std::array kWrappers{Wrapper{"tensor(", "PyTorch tensor"}, Wrapper{"Tensor(", "PyTorch tensor"},
                               Wrapper{"array(", "NumPy array"},     Wrapper{"asarray(", "NumPy array"},
                               Wrapper{"Array(", "NumPy array"},     Wrapper{"matrix(", "NumPy array"},
                               Wrapper{"single(", "MATLAB matrix"},  Wrapper{"double(", "MATLAB matrix"}};
constexpr std::array<std::string_view, 7> kModules{
    "", "torch.", "np.", "numpy.", "jnp.", "nn.", "Parameter containing:\n"};

// The format that the text before the first bracket announces; empty: none that is known.
std::optional<std::string_view> announced(std::string_view prefix) {
  prefix = without_assignment(prefix);
  if (trim(prefix).empty()) return "";
  for (const Wrapper& wrapper : kWrappers)
    for (const std::string_view module : kModules)
      if (prefix == std::string(module) + std::string(wrapper.call)) return wrapper.format;
  return std::nullopt;
}

// Behind the last bracket only keyword arguments, closing brackets and a semicolon may stand.
bool harmless(std::string_view suffix) {
  suffix = trim(suffix);
  while (!suffix.empty() && (suffix.back() == ';' || suffix.back() == ')'))
    suffix = trim(suffix.substr(0, suffix.size() - 1));
  if (suffix.empty()) return true;
  if (suffix[0] != ',') return false;
  for (const std::string& argument : split_outside_brackets(suffix.substr(1), ','))
    if (!argument.empty() && without_assignment(argument) == argument) return false;
  return true;
}

std::size_t closing_bracket(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']' && --depth == 0) return i;
  }
  return text.npos;
}

std::vector<std::string> cells_of(std::string_view row, bool commas) {
  if (!commas) return words_of_line(row);
  std::vector<std::string> cells = split_outside_brackets(row, ',');
  if (cells.size() > 1 && cells.back().empty()) cells.pop_back();  // a comma behind the last
  return cells;
}

bool same_sizes(const std::vector<std::vector<std::string>>& rows) {
  return std::all_of(rows.begin(), rows.end(), [&](const auto& r) { return r.size() == rows[0].size(); });
}

// Between one pair of brackets: MATLAB's rows by semicolons or lines, else one row. Lines of equal length are
// rows unless the first ends in a comma, as of a list that was broken to fit a page, or NumPy was named,
// which breaks long vectors anywhere.
void read_flat(TextCells& cells, std::string_view inside, bool commas) {
  if (inside.find(';') != inside.npos) {
    cells.format = "MATLAB matrix";
    for (const std::string& row : split_outside_brackets(inside, ';'))
      if (!row.empty()) cells.rows.push_back(cells_of(row, commas));
    return;
  }
  for (const std::string_view line : lines_of(inside)) cells.rows.push_back(cells_of(line, commas));
  const bool continued = commas && trim(lines_of(inside).empty() ? "" : lines_of(inside)[0]).ends_with(',');
  if (cells.format.empty()) cells.format = commas ? "JSON array" : "row of numbers";
  if (cells.rows.size() > 1 && !continued && same_sizes(cells.rows) && cells.format[0] != 'N') {
    cells.format = "MATLAB matrix";
    return;
  }
  std::vector<std::string> row;
  for (auto& line : cells.rows) row.insert(row.end(), line.begin(), line.end());
  cells.rows.assign(row.empty() ? 0 : 1, row);
}

// Brackets in brackets: each innermost pair is a row; what stands outside them must be separators.
struct Nested {
  std::vector<std::string_view> rows;
  std::size_t depth = 0;     // of the innermost brackets
  std::size_t matrices = 0;  // pairs of brackets one level above the rows
  bool even = true;          // all rows at one depth, nothing between them
};

// A pair is innermost when no other was opened since its own bracket. The brackets are known to be balanced.
Nested read_nested(std::string_view text) {
  Nested nested;
  std::size_t depth = 0, open = 0;
  bool innermost = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '[') {
      ++depth, open = i + 1, innermost = true;
    } else if (c == ']') {
      if (innermost) {
        if (!nested.rows.empty() && depth != nested.depth) nested.even = false;
        nested.depth = depth;
        nested.rows.push_back(text.substr(open, i - open));
      } else if (depth + 1 == nested.depth) {
        ++nested.matrices;
      }
      --depth, innermost = false;
    } else if (!innermost && trim(text.substr(i, 1)) != "" && c != ',') {
      nested.even = false;
    }
  }
  return nested;
}

// "[(1, 2), (3, 4)]": Python's tuples as its lists. Brackets of an expression stand in no such list's
// beginning.
std::string with_lists(std::string_view text) {
  const std::string_view inside = trim(text.substr(1));
  const std::size_t comma = inside.find(','), close = inside.find(')');
  std::string lists(text);
  if (!inside.starts_with('(') || comma > close || close == inside.npos) return lists;
  std::ranges::replace(lists, '(', '[');
  std::ranges::replace(lists, ')', ']');
  return lists;
}

void read_rows(TextCells& cells, std::string_view text, bool commas) {
  const Nested nested = read_nested(text);
  if (!nested.even)
    cells.error = "the brackets are uneven: every row needs its own pair";
  else if (nested.matrices > 1)
    cells.error = "this is a stack of " + std::to_string(nested.matrices) + " matrices: copy one of them";
  for (const std::string_view row : nested.rows) cells.rows.push_back(cells_of(row, commas));
  if (cells.format.empty()) cells.format = commas ? "JSON array" : "NumPy print";
}

}  // namespace

std::optional<TextCells> read_brackets(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == text.npos) return std::nullopt;
  const auto format = announced(text.substr(0, open));
  if (!format) return std::nullopt;
  TextCells cells{.format = std::string(*format), .rows = {}, .note = {}, .error = {}};
  const std::size_t close = closing_bracket(text, open);
  if (close == text.npos)
    cells.error = "a closing bracket ] is missing";
  else if (!harmless(text.substr(close + 1)))
    cells.error = "unexpected " + in_quotes(trim(text.substr(close + 1))) + " behind the matrix";
  if (!cells.error.empty()) {
    if (cells.format.empty()) cells.format = "text in brackets";
    return cells;
  }
  const std::string lists = with_lists(text.substr(open, close - open + 1));
  const std::string_view whole = lists;
  const bool commas = whole.find(',') != whole.npos;
  if (whole.find('[', 1) == whole.npos)
    read_flat(cells, whole.substr(1, whole.size() - 2), commas);
  else
    read_rows(cells, whole, commas);
  return cells;
}

// A semicolon between single words, or among commas, is a table's.
std::optional<TextCells> read_rows_in_line(std::string_view text) {
  text = trim(text);
  if (text.find(';') == text.npos || text.find_first_of(",\n\t\"[") != text.npos) return std::nullopt;
  TextCells cells{.format = "rows of numbers", .rows = {}, .note = {}, .error = {}};
  for (const std::string& row : split_outside_brackets(text, ';'))
    if (!row.empty()) cells.rows.push_back(words_of_line(row));
  const bool has_columns = std::ranges::any_of(cells.rows, [](const auto& row) { return row.size() > 1; });
  return has_columns ? std::optional(cells) : std::nullopt;
}

}  // namespace attn

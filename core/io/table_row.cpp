// Formulas begin as OWASP's page on CSV injection lists it, in full width too.
#include "core/io/table_row.h"

#include <algorithm>
#include <array>

#include "core/io/text_cells.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, 8> kFormulas{"=",      "+",      "-",      "@",
                                                    "\uff1d", "\uff0b", "\uff0d", "\uff20"};

// Apostrophes before it are those of guarded names; some spreadsheets pass over spaces.
bool begins_formula(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of("' "), text.size()));
  return !is_plain_number(text) &&
         std::ranges::any_of(kFormulas, [&](std::string_view sign) { return text.starts_with(sign); });
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool is_plain_name(std::string_view text) {
  if (text.empty() || text != trim(text) || text.find_first_of("\"'[](){}\\=<>#,;|&$`") != text.npos)
    return false;
  if (text.find("..") != text.npos || text.find("…") != text.npos) return false;
  return text.find_first_of("0123456789.+-") != 0 && std::holds_alternative<TextError>(parse_cell(text));
}

}  // namespace

std::string name_cell(std::string_view name) {
  std::string text = printable(name);
  if (begins_formula(text)) text.insert(0, "'");
  if (is_plain_name(text)) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? "\"\"" : std::string(1, c);
  return cell + '"';
}

bool next_cell(std::string_view line, char separator, std::size_t& at, TableCell& cell) {
  if (at > line.size()) return false;
  cell.quoted = false;
  // Up to the first quote in one piece: most cells have none.
  std::size_t end = at;
  while (end < line.size() && line[end] != separator && line[end] != '"') ++end;
  cell.text = line.substr(at, end - at);
  bool inside = false;
  for (at = end; at < line.size() && (inside || line[at] != separator); ++at) {
    const bool quote = line[at] == '"';
    const bool doubled = inside && quote && line.substr(at + 1).starts_with('"');
    if (doubled) ++at;
    if (!quote || doubled)
      cell.text += line[at];
    else
      inside = !inside, cell.quoted = true;
  }
  ++at;
  if (!cell.quoted && !cell.text.empty() && (is_blank(cell.text.front()) || is_blank(cell.text.back())))
    cell.text = trim(cell.text);
  if (cell.text.starts_with('\'') && begins_formula(cell.text)) cell.text.erase(0, 1);
  return true;
}

std::vector<TableCell> split_row(std::string_view line, char separator) {
  std::vector<TableCell> cells;
  TableCell cell;
  for (std::size_t at = 0; next_cell(line, separator, at, cell);) cells.push_back(cell);
  return cells;
}

}  // namespace attn

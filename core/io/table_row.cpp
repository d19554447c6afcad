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

std::vector<TableCell> split_row(std::string_view line, char separator) {
  std::vector<TableCell> cells(1);
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool doubled = inside && line.substr(i).starts_with("\"\"");
    if (doubled)
      cells.back().text += line[i++];
    else if (line[i] == '"')
      inside = !inside, cells.back().quoted = true;
    else if (line[i] == separator && !inside)
      cells.emplace_back();
    else
      cells.back().text += line[i];
  }
  for (TableCell& cell : cells) {
    if (!cell.quoted) cell.text = trim(cell.text);
    if (cell.text.starts_with('\'') && begins_formula(cell.text)) cell.text.erase(0, 1);
  }
  return cells;
}

}  // namespace attn

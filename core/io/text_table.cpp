// Tables: a spreadsheet's cells (TSV), CSV, and columns of text as consoles print them.
#include <algorithm>

#include "core/io/table_row.h"
#include "core/io/text_cells.h"

namespace attn {
namespace {

using Row = std::vector<std::string>;

Row split_line(std::string_view line, char separator) {
  Row cells;
  for (TableCell& cell : split_row(line, separator)) cells.push_back(std::string(trim(cell.text)));
  return cells;
}

bool all_have(const std::vector<std::string_view>& lines, char c) {
  return std::all_of(lines.begin(), lines.end(), [&](auto line) { return line.find(c) != line.npos; });
}

// Commas in every line, or between the names above: then a line without one is a row that is too short, where
// else it would be a number among others with decimal commas. Data have no decimal commas.
bool are_separated_by_commas(const std::vector<std::string_view>& lines, CellsAs as) {
  if (lines.empty() || lines[0].find(',') == std::string_view::npos) return false;
  return as == CellsAs::plain_numbers || all_have(lines, ',') || are_names(split_line(lines[0], ','));
}

// 0, 1, 2, … or 1, 2, 3, …: indices that some program wrote along with the numbers.
bool are_indices(const Row& cells) {
  const auto counts_from = [&](std::size_t first) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (cells[i] != std::to_string(first + i)) return false;
    return true;
  };
  return !cells.empty() && (counts_from(0) || counts_from(1));
}

// Quoted numbers above numbers that are not: names that look like numbers. Where all is quoted they are data.
bool are_quoted_names(std::string_view above, std::string_view below, char separator) {
  const std::vector<TableCell> names = split_row(above, separator), numbers = split_row(below, separator);
  bool some = false;
  for (std::size_t i = 0; i < std::min(names.size(), numbers.size()); ++i) {
    if (!names[i].quoted && !are_names({names[i].text})) return false;
    some = some || (names[i].quoted && !numbers[i].quoted);
  }
  return some;
}

bool are_labels(const Row& cells, bool corner) {
  return are_names(cells) || (corner && are_indices(cells));
}

Row first_column(const std::vector<Row>& rows) {
  Row column;
  for (std::size_t i = 1; i < rows.size(); ++i) column.push_back(rows[i].empty() ? "" : rows[i][0]);
  return column;
}

bool one_shorter_than_the_rest(const std::vector<Row>& rows) {
  return std::all_of(rows.begin() + 1, rows.end(),
                     [&](const Row& row) { return row.size() == rows[0].size() + 1; });
}

void drop_labels(TextCells& cells, CellsAs as) {
  std::vector<Row>& rows = cells.rows;
  if (rows.size() < 2) {
    if (rows.size() == 1 && rows[0].size() > 1 && are_names({rows[0][0]}) && !are_names({rows[0][1]})) {
      rows[0].erase(rows[0].begin());
      cells.note = "the name at the left was skipped";
    }
    return;
  }
  // Consoles print column names without anything above the row names.
  if (one_shorter_than_the_rest(rows) && (as == CellsAs::expressions || are_names(rows[0])))
    rows[0].insert(rows[0].begin(), "");
  const bool corner = rows[0][0].empty();
  const bool above = are_labels({rows[0].begin() + (corner ? 1 : 0), rows[0].end()}, corner);
  Row left = first_column(rows);
  if (!above) left.insert(left.begin(), rows[0][0]);
  const bool at_left = are_labels(left, corner && above);
  if (at_left)
    for (Row& row : rows)
      if (!row.empty()) row.erase(row.begin());
  if (above) rows.erase(rows.begin());
  if (above && at_left)
    cells.note = "the names above and at the left were skipped";
  else if (above || at_left)
    cells.note = above ? "the row of names was skipped" : "the names at the left were skipped";
}

void drop_empty_last_column(std::vector<Row>& rows) {
  while (!rows.empty() && std::all_of(rows.begin(), rows.end(),
                                      [](const Row& row) { return row.size() > 1 && row.back().empty(); }))
    for (Row& row : rows) row.pop_back();
}

// "|---|:--:|", between the names of a Markdown table and its rows.
bool is_markdown_rule(std::string_view line) {
  return line.find("--") != line.npos && line.find('|') != line.npos &&
         line.find_first_not_of("|-: \t") == line.npos;
}

// "| 1 | 2 |" without the bars at its ends.
std::string_view inside_bars(std::string_view line) {
  line = trim(line);
  if (line.starts_with('|')) line.remove_prefix(1);
  if (line.ends_with('|')) line.remove_suffix(1);
  return line;
}

bool has_decimal_comma(std::string_view cell) {
  const std::size_t comma = cell.find(',');
  return comma != cell.npos && comma > 0 && comma + 1 < cell.size() &&
         cell.find(',', comma + 1) == cell.npos &&
         cell.find_first_not_of("0123456789,+-eE\xe2\x88\x92") == cell.npos;
}

// Where commas are no separators and no number has a point, they are decimal commas, as spreadsheets write
// them in half of the world.
void read_decimal_commas(TextCells& cells) {
  bool some = false;
  for (const Row& row : cells.rows)
    for (const std::string& cell : row) {
      const bool comma = cell.find(',') != cell.npos;
      if (comma ? !has_decimal_comma(cell) : cell.find('.') != cell.npos) return;
      some = some || comma;
    }
  if (!some) return;
  for (Row& row : cells.rows)
    for (std::string& cell : row) std::ranges::replace(cell, ',', '.');
  cells.note += (cells.note.empty() ? "" : "; ") + std::string("commas were read as decimal points");
}

}  // namespace

bool are_names(const std::vector<std::string>& cells) {
  bool some = false;
  for (const std::string& cell : cells) {
    if (is_plain_number(cell) || cell.find_first_of("0123456789.+-") == 0) return false;
    const auto number = parse_cell(cell);
    some = some || (!cell.empty() && std::holds_alternative<TextError>(number));
  }
  return some;
}

TextCells read_table(std::string_view text, CellsAs as) {
  std::vector<std::string_view> lines = lines_of(text);
  // "A =" above the numbers: MATLAB's and Octave's way to show a variable.
  if (lines.size() > 1 && trim(lines[0]).ends_with('=')) lines.erase(lines.begin());
  TextCells cells;
  char separator = ' ';
  const std::size_t before = lines.size();
  std::erase_if(lines, is_markdown_rule);
  if (lines.size() < before) {
    separator = '|', cells.format = "Markdown table";
    for (std::string_view& line : lines) line = inside_bars(line);
  } else if (text.find('\t') != text.npos)
    separator = '\t', cells.format = "table (tabs)";
  else if (all_have(lines, ';'))
    separator = ';', cells.format = "table (semicolons)";
  else if (are_separated_by_commas(lines, as) &&
           (as == CellsAs::plain_numbers || text.find('(') == text.npos))  // max(1, 2) is one cell
    separator = ',', cells.format = "CSV";
  else
    cells.format = "columns of text";
  const bool quoted = separator != ' ' && lines.size() > 1 && are_quoted_names(lines[0], lines[1], separator);
  if (quoted) {
    lines.erase(lines.begin());
    cells.note = "the row of names was skipped";
  }
  for (const std::string_view line : lines)
    cells.rows.push_back(separator == ' ' ? words_of_line(line) : split_line(line, separator));
  if (separator != ' ') drop_empty_last_column(cells.rows);
  if (!quoted) drop_labels(cells, as);
  if (separator != ' ' && separator != ',') read_decimal_commas(cells);
  return cells;
}

}  // namespace attn

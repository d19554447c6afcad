// The readers are asked in turn, the most particular first; the cells of the one that knows the text become
// numbers up to the first that is none.
#include <algorithm>

#include "core/io/table_row.h"
#include "core/io/text_cells.h"

namespace attn {
namespace {

// More than this is a file, not a paste.
constexpr std::size_t kMaximumText = std::size_t{64} << 20;

std::string place(std::size_t row, std::size_t column) {
  return "row " + std::to_string(row) + ", column " + std::to_string(column);
}

std::string with_size(const TextCells& cells, std::size_t columns) {
  std::string text = cells.format + ", " + std::to_string(cells.rows.size()) + "×" + std::to_string(columns);
  return cells.note.empty() ? text : text + "; " + cells.note;
}

ParsedBlock refused(ParsedBlock block, BadCell bad) {
  block.error = place(bad.row, bad.column) + ": " + bad.reason;
  block.bad = std::move(bad);
  return block;
}

ParsedBlock to_numbers(const TextCells& cells, CellsAs as) {
  ParsedBlock block;
  block.understood = cells.format;
  block.error = cells.error;
  if (!block.error.empty()) return block;
  if (cells.rows.empty() || cells.rows[0].empty()) {
    block.error = "there are no numbers in the text";
    return block;
  }
  const std::size_t columns = cells.rows[0].size();
  block.understood = with_size(cells, columns);
  TextMatrix matrix{cells.rows.size(), columns, {}};
  matrix.values.reserve(matrix.rows * columns);
  for (std::size_t row = 0; row < cells.rows.size(); ++row) {
    const auto& line = cells.rows[row];
    for (std::size_t column = 0; column < std::min(columns, line.size()); ++column) {
      const auto number = parse_cell(line[column], as);
      if (const auto* error = std::get_if<TextError>(&number))
        return refused(std::move(block), {row, column, line[column], error->message});
      matrix.values.push_back(std::get<float>(number));
    }
    if (line.size() != columns)
      return refused(std::move(block),
                     {row, std::min(columns, line.size()), line.size() > columns ? line[columns] : "",
                      std::to_string(line.size()) + (line.size() == 1 ? " cell" : " cells") +
                          " in this row, " + std::to_string(columns) + " in the first"});
  }
  block.matrix = std::move(matrix);
  return block;
}

TextCells read_any(std::string_view text, CellsAs as) {
  if (auto cells = read_latex(text)) return std::move(*cells);
  if (auto cells = read_r(text)) return std::move(*cells);
  if (auto cells = read_brackets(text)) return std::move(*cells);
  if (auto cells = read_rows_in_line(text)) return std::move(*cells);
  return read_table(text, as);
}

// Names in quotes above columns with tabs between: what is in the quotes is no code and no abbreviation.
bool are_under_quoted_names(std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text.substr(0, text.find('\n')));
  if (lines.size() != 1 || lines[0].find('\t') == std::string_view::npos) return false;
  return std::ranges::any_of(split_row(lines[0], '\t'), &TableCell::quoted);
}

// MATLAB's rows may be broken: "…; ..." at the end of a line, where semicolons part rows, goes on in the
// next.
std::string with_whole_lines(std::string_view text) {
  std::string whole(text);
  if (whole.find(';') == whole.npos || whole.find('[') == whole.npos) return whole;
  for (std::size_t at = 0; (at = whole.find("...", at)) != whole.npos;) {
    const std::size_t end = whole.find_first_not_of(" \t\r", at + 3);
    if (end == whole.npos || whole[end] != '\n') return whole;
    whole.replace(at, end + 1 - at, " ");
  }
  return whole;
}

}  // namespace

ParsedBlock parse_block(std::string_view given, CellsAs cells) {
  std::string_view text = given;
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  ParsedBlock block;
  if (trim(text).empty()) {
    block.error = "the clipboard holds no text";
    return block;
  }
  if (text.size() > kMaximumText) {
    block.error = "the text is longer than 64 MiB: open it as a file";
    return block;
  }
  if (are_under_quoted_names(text)) return to_numbers(read_table(text, cells), cells);
  const std::string whole = with_whole_lines(text);
  text = whole;
  for (const std::string_view dots : {"...", "…", "\\ldots", "\\cdots", "\\vdots", "\\ddots"})
    if (text.find(dots) != text.npos) {
      block.understood = "abbreviated text";
      block.error = "the text is abbreviated (" + std::string(dots) +
                    "), numbers are missing: print it whole, in NumPy after "
                    "np.set_printoptions(threshold=np.inf), in PyTorch after "
                    "torch.set_printoptions(profile=\"full\")";
      return block;
    }
  return to_numbers(read_any(text, cells), cells);
}

}  // namespace attn

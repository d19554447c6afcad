// Between the readers of pasted formats and parse_block: cells still as text. For core/io/text_*.cpp only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/text.h"
#include "core/text/expression.h"

namespace attn {

// What a reader found: rows of cells, not yet numbers; or why it is no matrix.
struct TextCells {
  std::string format;  // "NumPy array"
  std::vector<std::vector<std::string>> rows;
  std::string note;   // "a row of names above was skipped"
  std::string error;  // the text is of this format, but no matrix
};

// Each returns nothing when the text is not of its kind. Tried in this order; the last takes anything.
std::optional<TextCells> read_latex(std::string_view text);
std::optional<TextCells> read_r(std::string_view text);
std::optional<TextCells> read_brackets(std::string_view text);      // NumPy, PyTorch, MATLAB, JSON
std::optional<TextCells> read_rows_in_line(std::string_view text);  // MATLAB without its brackets: 1 2; 3 4
TextCells read_table(std::string_view text, CellsAs as);            // TSV, CSV, columns of text

std::string_view trim(std::string_view text);
std::vector<std::string_view> lines_of(std::string_view text);  // without line ends; no empty lines
std::vector<std::string> words_of_line(std::string_view line);
// Split at `separator` outside brackets and quotes; the parts are trimmed.
std::vector<std::string> split_outside_brackets(std::string_view text, char separator);
// The text behind "name =" or "name <-".
std::string_view without_assignment(std::string_view text);

// The cell's number: an expression, or a special number in some language's words ("np.nan", "1L").
std::variant<float, TextError> parse_cell(std::string_view cell, CellsAs as = CellsAs::expressions);
// Whether none of the cells starts as a number does, and some are none: names. "e" and "pi" alone would be
// numbers, as they are typed into cells; next to "the" they are names.
bool are_names(const std::vector<std::string>& cells);
// A number written as digits, nan or inf, rather than something that could be a name ("e").
bool is_plain_number(std::string_view cell);

}  // namespace attn

// Rows of a table as text, TSV or CSV: names out of files, as data that no spreadsheet computes and no reader
// takes for numbers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// A name as one cell: what is not printable is escaped, an apostrophe stands before what a spreadsheet would
// take for a formula, and RFC 4180's quotes around what could be taken for a number, a separator or code.
std::string name_cell(std::string_view name);

struct TableCell {
  std::string text;
  bool quoted = false;
};
// The next cell of a line, as RFC 4180 quotes it, from `at` on, which moves behind its separator; false where
// there is no more. The text of name_cell is the printable name again.
bool next_cell(std::string_view line, char separator, std::size_t& at, TableCell& cell);
// All of them.
std::vector<TableCell> split_row(std::string_view line, char separator);

}  // namespace attn

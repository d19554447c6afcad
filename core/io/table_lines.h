// Lines and cells of a table of text, one after the other. For core/io/table_*.cpp only.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/io/table_row.h"

namespace attn {

// Lines that hold something, numbered from 1 as editors number them.
class TableLines {
 public:
  explicit TableLines(std::string_view text) : rest_(text) {}

  bool next();
  std::string_view line() const { return line_; }
  std::size_t number() const { return number_; }

 private:
  std::string_view rest_, line_;
  std::size_t number_ = 0;
};

// What lies between the cells of this line: a tab, a semicolon, a comma or spaces. A comma beside semicolons
// is a decimal one.
char separator_of(std::string_view line);

// As next_cell; between words any number of spaces.
bool next_of(std::string_view line, char separator, std::size_t& at, TableCell& cell);

}  // namespace attn

// Line by line, cell by cell: what is kept is the numbers and the names.
#include "core/io/table_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "core/document/limits.h"
#include "core/io/gathered.h"
#include "core/io/table_lines.h"
#include "core/io/text_cells.h"
#include "core/system/error.h"
#include "core/text/bytes.h"
#include "core/text/numbers.h"

namespace attn {
namespace {

[[noreturn]] void refuse_at(std::size_t line, const std::string& why) {
  throw Error("line " + std::to_string(line) + ": " + why);
}
[[noreturn]] void refuse_at(std::size_t line, std::size_t column, const std::string& why) {
  throw Error("line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + why);
}

std::string counted_cells(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " cell" : " cells");
}

std::optional<double> plain_number(std::string_view text, char separator) {
  text = trim(text);
  if (text.size() > limits::kMostLabelBytes) return std::nullopt;
  double plain = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), plain);
  if (status == std::errc() && stop == text.data() + text.size()) return plain;
  if (separator == ';' && text.find('.') == text.npos && std::ranges::count(text, ',') == 1) {
    std::string point(text);
    point[point.find(',')] = '.';
    return parse_number<double>(point);
  }
  return parse_number<double>(text);
}

bool is_number(const TableCell& cell, char separator) {
  return plain_number(cell.text, separator).has_value();
}

// Not a number, nor what was meant as one.
bool is_name(const TableCell& cell) {
  return cell.quoted || (!cell.text.empty() && are_names({cell.text}));
}

bool is_abbreviation(const TableCell& cell) {
  return !cell.quoted &&
         (cell.text.find("...") != std::string::npos || cell.text.find("…") != std::string::npos);
}

// What stands in the first line that is no comment.
struct FirstLine {
  bool names = false;    // it holds no numbers: names of columns
  bool numbers = false;  // all of it is in quotes and looks like numbers: names if those below have no quotes
  bool corner = false;   // begins with a blank cell, above the names at the left
};

FirstLine look_at(std::string_view line, char separator) {
  FirstLine found{.names = true, .numbers = true};
  TableCell cell;
  bool some = false;
  for (std::size_t at = 0, column = 0; next_of(line, separator, at, cell); ++column) {
    if (column == 0) found.corner = trim(cell.text).empty();
    if (trim(cell.text).empty()) continue;
    const bool number = is_number(cell, separator);
    if (!is_name(cell) || (number && !cell.quoted)) return {.corner = found.corner};
    found.numbers = found.numbers && number;
    some = true;
  }
  if (!some) return {.corner = found.corner};
  if (found.numbers) found.names = false;
  return found;
}

// The table, as it is read.
class TableReader {
 public:
  explicit TableReader(std::string_view text) : lines_(text) {}

  TableFile read() {
    if (!next_line()) throw Error("it holds no text: give a row of numbers for each row of the matrix");
    while (lines_.line().starts_with('#'))
      if (!next_line()) throw Error("it holds comments and no numbers");
    separator_ = separator_of(lines_.line());
    FirstLine first = look_at(lines_.line(), separator_);
    if (first.numbers) first.names = are_over_plain_numbers();
    if (first.names) {
      read_names();
      if (!next_line()) refuse_at(lines_.number(), "it holds names and no numbers");
    }
    settle_columns(first);
    do read_row();
    while (next_line());
    return finish();
  }

 private:
  bool next_line() {
    if (!lines_.next()) return false;
    if (lines_.line().find('\0') != std::string_view::npos)
      refuse_at(lines_.number(), "a zero byte, which no text has");
    if (std::ranges::count(lines_.line(), '"') % 2 != 0)
      refuse_at(lines_.number(), "a quote \" is not closed in its line");
    return true;
  }

  bool are_over_plain_numbers() const {
    TableLines below = lines_;
    return below.next() && below.line().find('"') == std::string_view::npos;
  }

  void keep_name(std::vector<std::string>& names, const std::string& name, const char* what) {
    try {
      check_label_count(what, names.size() + 1);
      check_text(std::string(what) + " entry " + std::to_string(names.size()), name);
      check_text_bytes(text_ += name.size());
    } catch (const Error& error) {
      refuse_at(lines_.number(), error.what());
    }
    names.push_back(name);
  }

  void check_whole(const TableCell& cell, std::size_t column) const {
    if (!is_abbreviation(cell)) return;
    refuse_at(lines_.number(), column + 1,
              "the table is abbreviated (...), numbers are missing: write it whole, with numpy.savetxt or "
              "pandas' to_csv, and not as it is printed");
  }

  void read_names() {
    TableCell cell;
    for (std::size_t at = 0; next_of(lines_.line(), separator_, at, cell);) {
      check_whole(cell, table_.columns.size());
      keep_name(table_.columns, std::string(trim(cell.text)), "the row of names");
    }
  }

  // What the first row of numbers says about the others.
  void settle_columns(const FirstLine& first) {
    TableCell cell, second;
    std::size_t at = 0;
    for (; next_of(lines_.line(), separator_, at, cell); ++cells_) {
      if (cells_ == 0) first_ = cell;
      if (cells_ == 1) second = cell;
    }
    first_line_ = lines_.number();
    const bool named = table_.columns.size() == cells_ && !table_.columns.back().empty();
    ends_blank_ = separator_ != ' ' && cells_ > 1 && !cell.quoted && cell.text.empty() && !named;
    if (ends_blank_ && table_.columns.size() == cells_) table_.columns.pop_back();
    const std::size_t names = table_.columns.size(), width = cells_ - (ends_blank_ ? 1 : 0);
    at_left_ = width > 1 && (names + 1 == width || (first.corner && names > 0) ||
                             (first_.quoted ? !second.quoted : is_name(first_)));
    counting_ = at_left_ && first.corner && (first_.text == "0" || first_.text == "1");
    if (names != 0 && names != width && !(at_left_ && names + 1 == width))
      refuse_at(first_line_,
                counted_cells(width) + " in this row, " + std::to_string(names) + " names above");
    if (at_left_ && names == width) table_.columns.erase(table_.columns.begin());
  }

  void read_row() {
    TableCell cell;
    std::size_t column = 0;
    for (std::size_t at = 0; next_of(lines_.line(), separator_, at, cell); ++column) {
      if (column >= cells_ || (column == 0 && at_left_)) check_whole(cell, column);
      if (column >= cells_) continue;
      if (column == 0 && at_left_)
        read_label(cell);
      else if (column + 1 == cells_ && ends_blank_)
        check_blank(cell, column);
      else
        read_number(cell, column);
    }
    if (column != cells_)
      refuse_at(lines_.number(), counted_cells(column) + " in this row, " + std::to_string(cells_) +
                                     " in the first, line " + std::to_string(first_line_));
    ++rows_;
  }

  void read_label(const TableCell& cell) {
    const std::string name(trim(cell.text));
    if (!cell.quoted && !first_.quoted && is_name(first_) && is_number(cell, separator_))
      refuse_at(lines_.number(), 1,
                in_quotes(name) + " is a number where line " + std::to_string(first_line_) +
                    " has the name " + in_quotes(first_.text) +
                    ": names that look like numbers go into quotes");
    if (counting_ && name == std::to_string(rows_ + (first_.text == "1" ? 1 : 0))) return;
    // No count after all: those so far are names too.
    if (std::exchange(counting_, false))
      for (std::size_t row = 0; row < rows_; ++row)
        keep_name(table_.rows, std::to_string(row + (first_.text == "1" ? 1 : 0)), "the names at the left");
    keep_name(table_.rows, name, "the names at the left");
  }

  void check_blank(const TableCell& cell, std::size_t column) const {
    if (!cell.text.empty())
      refuse_at(lines_.number(), column + 1,
                in_quotes(cell.text) + " stands where line " + std::to_string(first_line_) + " has nothing");
  }

  void read_number(const TableCell& cell, std::size_t column) {
    const std::string_view text = trim(cell.text);
    if (text.empty()) refuse_at(lines_.number(), column + 1, "the cell is blank: write a number, or nan");
    check_number_count(numbers_.size() + 1);
    if (const auto number = plain_number(text, separator_)) {
      const auto rounded = static_cast<float>(*number);
      if (std::isfinite(*number) != std::isfinite(rounded))
        refuse_at(lines_.number(), column + 1, in_quotes(text) + " is larger than a float holds (3.4e38)");
      return numbers_.push_back(rounded);
    }
    check_whole(cell, column);
    const auto number = parse_cell(text, CellsAs::plain_numbers);
    if (const auto* error = std::get_if<TextError>(&number))
      refuse_at(lines_.number(), column + 1, error->message);
    numbers_.push_back(std::get<float>(number));
  }

  TableFile finish() {
    const std::size_t columns = cells_ - (at_left_ ? 1 : 0) - (ends_blank_ ? 1 : 0);
    if (columns == 0) refuse_at(first_line_, "there are no numbers in it");
    table_.matrix = {.shape = {rows_, columns}, .values = numbers_.take()};
    table_.understood = separator_ == '\t'  ? "table with tabs"
                        : separator_ == ';' ? "table with semicolons"
                        : separator_ == ',' ? "CSV"
                                            : "columns of text";
    table_.understood += ", " + shape_text(table_.matrix.shape);
    if (!table_.columns.empty())
      table_.understood += at_left_ ? "; names above and at the left" : "; names above";
    if (table_.columns.empty() && at_left_) table_.understood += "; names at the left";
    return std::move(table_);
  }

  TableLines lines_;
  TableFile table_;
  GatheredFloats numbers_;
  TableCell first_;             // of the first row of numbers
  std::size_t first_line_ = 0;  // its line
  std::size_t cells_ = 0;       // of it
  std::size_t rows_ = 0, text_ = 0;
  char separator_ = ' ';
  // Names at the left; every line ends with a separator; the names at the left only count.
  bool at_left_ = false, ends_blank_ = false, counting_ = false;
};

}  // namespace

TableFile parse_table_file(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw Error("it is text in UTF-16: save it as UTF-8");
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return TableReader(text).read();
}

}  // namespace attn

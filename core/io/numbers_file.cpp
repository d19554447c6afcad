// Names are those of table_row.h, so that what is written can be opened again (table_file.h).
#include "core/io/numbers_file.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/io/npz.h"
#include "core/io/table_row.h"
#include "core/text/bytes.h"
#include "core/text/text.h"

namespace attn {
namespace {

std::vector<std::byte> bytes_of_text(const std::string& text) {
  const Bytes bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string matrix_table(const NamedMatrix& matrix) {
  std::string text;
  for (const std::string& name : matrix.columns) text += ',' + name_cell(name);
  text += '\n';
  for (std::size_t i = 0; i < matrix.values.rows(); ++i) {
    text += name_cell(matrix.rows[i]);
    for (std::size_t j = 0; j < matrix.values.columns(); ++j)
      text += ',' + shortest(matrix.values[{matrix.head, i, j}]);
    text += '\n';
  }
  return text;
}

std::size_t count_of(const NumberColumn& column) {
  return std::visit([](const auto& numbers) { return numbers.size(); }, column.numbers);
}

std::string number_cell(const NumberColumn& column, std::size_t i) {
  return std::visit([&](const auto& numbers) { return i < numbers.size() ? shortest(numbers[i]) : ""; },
                    column.numbers);
}

}  // namespace

std::vector<std::byte> matrix_file(const NamedMatrix& matrix, NumbersFormat format) {
  if (format == NumbersFormat::csv) return bytes_of_text(matrix_table(matrix));
  const std::size_t rows = matrix.values.rows(), columns = matrix.values.columns();
  const auto numbers = matrix.values.values().subspan(matrix.head * rows * columns, rows * columns);
  return write_npz(std::array{std::pair{matrix.name, write_npy(std::array{rows, columns}, numbers)}});
}

std::string column_table(std::span<const NumberColumn> columns, char separator) {
  std::size_t rows = 0;
  std::string text;
  for (const NumberColumn& column : columns) {
    if (!text.empty()) text += separator;
    text += name_cell(column.head);
    rows = std::max(rows, count_of(column));
  }
  if (!columns.empty()) text += '\n';
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t c = 0; c < columns.size(); ++c)
      text += number_cell(columns[c], row) + (c + 1 < columns.size() ? separator : '\n');
  return text;
}

std::vector<std::byte> columns_file(std::span<const NumberColumn> columns, NumbersFormat format) {
  if (format == NumbersFormat::csv) return bytes_of_text(column_table(columns, ','));
  std::vector<std::pair<std::string, std::vector<std::byte>>> arrays;
  std::set<std::string> taken;
  for (const NumberColumn& column : columns) {
    std::string name = printable(column.array);
    for (int again = 2; !taken.insert(name).second; ++again)
      name = printable(column.array) + " " + std::to_string(again);
    const std::array shape{count_of(column)};
    if (const auto* floats = std::get_if<std::vector<float>>(&column.numbers))
      arrays.emplace_back(name, write_npy(shape, *floats));
    else
      arrays.emplace_back(name, write_npy64(shape, std::get<std::vector<double>>(column.numbers)));
  }
  return write_npz(arrays);
}

}  // namespace attn

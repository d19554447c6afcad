// Points out of arrays and text.
#include "core/io/points_file.h"

#include <algorithm>
#include <cmath>

#include "core/io/batch.h"
#include "core/io/npz.h"
#include "core/io/table_file.h"
#include "core/io/text.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

constexpr std::string_view kNpy = "\x93NUMPY", kZip = "PK";

void check_finite(float value, std::size_t row, const std::string& where) {
  if (std::isfinite(value)) return;
  throw Error(where + " of row " + std::to_string(row) + ", counted from 0 below any names," +
              (std::isnan(value) ? " is not a number (NaN)" : " is infinite") +
              ": give a number or leave the row out");
}

Tensor checked(std::size_t rows, std::size_t columns, std::vector<float> values) {
  if (rows == 0) throw Error("it holds no points: give a row for each");
  if (columns < 2)
    throw Error("it has " + std::to_string(columns) + " column" + (columns == 1 ? "" : "s") +
                ": give x, then one value or several");
  for (std::size_t i = 0; i < values.size(); ++i)
    check_finite(values[i], i / columns, "column " + std::to_string(i % columns));
  return {{1, rows, columns}, std::move(values)};
}

Tensor of_array(Array array) {
  take_batch_away(array, 2, "its array");
  if (array.shape.size() != 2)
    throw Error("its array is " + shape_text(array.shape) + ": expected two dimensions, points×(x, values)");
  return checked(array.shape[0], array.shape[1], std::move(array.values));
}

Tensor of_archive(std::span<const std::byte> bytes) {
  auto arrays = parse_npz<float>(bytes);
  for (const auto& [name, array] : arrays)
    if (name != "x" && name != "y")
      throw Error("the array " + in_quotes(name) + " is not known: points have x and y");
  for (const char* name : {"x", "y"})
    if (!arrays.contains(name))
      throw Error(std::string("the array ") + name + " is missing: points have x and y");
  const Array &x = arrays["x"], &y = arrays["y"];
  const auto one = [](const Array& a) {
    return a.shape.size() == 1 || (a.shape.size() == 2 && a.shape[1] == 1);
  };
  if (!one(x)) throw Error("the array x is " + shape_text(x.shape) + ": expected one number for each point");
  if (y.shape.empty() || y.shape.size() > 2 || y.shape[0] != x.shape[0])
    throw Error("the array y is " + shape_text(y.shape) + ", but x has " + std::to_string(x.shape[0]) +
                " points: give each a value, or a row of values");
  const std::size_t rows = x.shape[0], columns = y.shape.size() == 2 ? y.shape[1] : 1;
  std::vector<float> values;
  for (std::size_t row = 0; row < rows; ++row) {
    check_finite(x.values[row], row, "x");
    values.push_back(x.values[row]);
    for (std::size_t c = 0; c < columns; ++c) {
      check_finite(y.values[row * columns + c], row, columns == 1 ? "y" : "y, column " + std::to_string(c));
      values.push_back(y.values[row * columns + c]);
    }
  }
  return checked(rows, columns + 1, std::move(values));
}

// Without the comments that numpy and R write above data. Further down # may begin a cell that could not be
// computed.
std::string_view without_heading(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with('#')) return text;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

// Rows of cells, rather than a matrix as a program prints it, or rows in one line.
bool is_table(std::string_view text) {
  const std::string_view first = text.substr(0, text.find_first_of("\r\n"));
  return first.find_first_of("[]()\\=") == first.npos &&
         (first.size() < text.size() || first.find(';') == first.npos);
}

Tensor of_text(std::string_view text) {
  const std::string_view whole = text;
  text = without_heading(text);
  if (text.empty()) throw Error("it is empty: give a row for each point");
  if (is_table(text)) {
    Array table = parse_table_file(whole).matrix;
    return checked(table.shape[0], table.shape[1], std::move(table.values));
  }
  ParsedBlock block = parse_block(text, CellsAs::plain_numbers);
  if (!block.error.empty()) throw Error(block.error);
  return checked(block.matrix.rows, block.matrix.columns, std::move(block.matrix.values));
}

}  // namespace

Tensor parse_points(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with(kNpy)) return of_array(parse_npy<float>(bytes));
  if (text.starts_with(kZip)) return of_archive(bytes);
  return of_text(text);
}

bool look_like_points(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with(kNpy)) return true;
  if (text.starts_with(kZip)) {
    const auto holds = [&](std::string_view name) { return text.find(name) != text.npos; };
    // Beside x a layer's or a stack's memory ends like a y.
    return holds("x.npy") && holds("y.npy") && !holds("w_q.npy") && !holds("in_proj_weight.npy");
  }
  const std::string_view data = without_heading(text);
  if (data.empty() || data[0] == '{' || data[0] == '\x89') return false;
  // A heading may stand above them.
  std::size_t begin = 0;
  for (int line = 0; line < 2 && begin < data.size(); ++line) {
    const std::size_t end = std::min(data.find('\n', begin), data.size());
    const std::string_view words = data.substr(begin, end - begin);
    const std::string_view start = words.substr(0, words.find_first_of(",;\t |"));
    if (!start.empty() && start.find_first_not_of("0123456789+-.eE[]()naifNAIF\r") == start.npos &&
        start.find_first_of("0123456789") != start.npos)
      return true;
    begin = end + 1;
  }
  return false;
}

Tensor read_points(const std::string& path) {
  const std::vector<std::byte> bytes = read_file(path);
  try {
    return parse_points(bytes);
  } catch (const Error& error) {
    throw Error(path + ": " + error.what(), Fault::input);
  }
}

}  // namespace attn

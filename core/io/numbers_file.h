// Numbers as a file of their own, beside a picture of them: CSV for a spreadsheet, or an .npz that NumPy
// reads bit for bit.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/tensor/tensor.h"

namespace attn {

enum class NumbersFormat { csv, npz };

// Makes the bytes of such a file; throws nothing but std::bad_alloc. Of a value that nobody changes: it may
// be called on another thread.
using NumbersWriter = std::function<std::vector<std::byte>(NumbersFormat)>;

// One matrix of a stack, with a name for each row and column.
struct NamedMatrix {
  std::string name;  // of the array
  Tensor values;
  std::size_t head = 0;
  std::vector<std::string> rows = {}, columns = {};
};

// CSV: the columns' names in the first line, the row's in the first cell of each other (table_row.h), numbers
// as the shortest decimals that read back as the same float. npz: one float32 array, rows×columns.
std::vector<std::byte> matrix_file(const NamedMatrix& matrix, NumbersFormat format);

// A column of a table, of floats or of doubles.
struct NumberColumn {
  std::string head;   // of the table
  std::string array;  // of the .npz
  std::variant<std::vector<float>, std::vector<double>> numbers;
};

// A line of heads, then one for each row; columns that are shorter than others end in blank cells. Empty
// where there are no columns.
std::string column_table(std::span<const NumberColumn> columns, char separator);
// CSV: that table. npz: an array for each column, float32 or float64; of arrays of one name the later ones
// are numbered.
std::vector<std::byte> columns_file(std::span<const NumberColumn> columns, NumbersFormat format);

}  // namespace attn

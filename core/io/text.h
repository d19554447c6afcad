// Matrices out of text that a person pasted. Nothing here throws on bad text: an error
// is a value with its place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// A matrix understood from text: rows × columns numbers, row-major.
struct TextMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<float> values;
  float at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

// The first cell that is no number.
struct BadCell {
  std::size_t row = 0, column = 0;
  std::string text;
  std::string reason;
};

struct ParsedBlock {
  std::string understood;  // "NumPy array, 3×4": also when a cell is bad
  std::string error;       // why nothing can be taken; empty when the matrix is whole
  std::optional<BadCell> bad;
  TextMatrix matrix;  // empty when there is an error
};

// What a cell of the text may be. A person's own matrix may hold `sqrt(2)/2`; of data a date is none: as an
// expression 2024-05-01 would be 2018.
enum class CellsAs { expressions, plain_numbers };

// A spreadsheet's cells, TSV, CSV or columns of text; NumPy (array(…) or print), PyTorch, R (matrix(c(…)),
// print), MATLAB or Octave, JSON, LaTeX. A row of names above and a column of names at the left are skipped
// and mentioned. Abbreviated text ("...") is refused.
ParsedBlock parse_block(std::string_view text, CellsAs cells = CellsAs::expressions);

}  // namespace attn

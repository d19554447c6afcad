// Numbers and matrices out of text that a person typed or pasted. Nothing here throws on bad text: an error
// is a value with its place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attn {

struct TextError {
  std::string message;
  std::size_t position = 0;  // byte in the text
};

// "sqrt(2)/2", "1e-3", "−inf", "nan", "2^-3": numbers, pi, e, inf, nan; + − * / ^ and brackets; sin cos tan
// exp log (natural) sqrt abs, min and max of any count. `^` binds tighter than a sign and to the right. The
// whole text is consumed. Spaces, a leading + and U+2212 for minus are fine.
// `variables` adds names: i and j of a fill formula.
struct Variable {
  std::string_view name;
  double value = 0;
};
using NumberOrError = std::variant<double, TextError>;
NumberOrError parse_number_expression(std::string_view text, const std::vector<Variable>& variables = {});

// As parse_number_expression, for a number that a tensor can hold: finite text beyond a float's range is an
// error.
std::variant<float, TextError> parse_float_expression(std::string_view text,
                                                      const std::vector<Variable>& variables = {});

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

// A spreadsheet's cells, TSV, CSV or columns of text; NumPy (array(…) or print), PyTorch, R (matrix(c(…)),
// print), MATLAB or Octave, JSON, LaTeX. A row of names above and a column of names at the left are skipped
// and mentioned. Abbreviated text ("...") is refused.
ParsedBlock parse_block(std::string_view text);

}  // namespace attn

// Numbers out of text that a person typed: expressions of constants, functions and, in formulas, i and j.
// Nothing here throws on bad text: an error is a value with its place.
#pragma once

#include <cstddef>
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

}  // namespace attn

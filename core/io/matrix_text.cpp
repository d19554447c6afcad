// One writer for all formats: each is a table of what stands around the matrix, its rows and its numbers.
#include "core/io/matrix_text.h"

#include <cmath>

#include "core/text/text.h"

namespace attn {
namespace {

// How a format writes a matrix: what stands around the whole, each row and between numbers.
struct Punctuation {
  std::string_view begin, row_begin, separator, row_end, next_row, end;
  std::string_view nan, infinity, minus_infinity;
};

constexpr Punctuation kPyTorch{"torch.tensor([",
                               "[",
                               ", ",
                               "]",
                               ",\n              ",
                               "], dtype=torch.float32)",
                               "float('nan')",
                               "float('inf')",
                               "-float('inf')"};
constexpr Punctuation kNumPy{"np.array([",           "[",      ", ",     "]",      ",\n          ",
                             "], dtype=np.float32)", "np.nan", "np.inf", "-np.inf"};
constexpr Punctuation kR{"matrix(c(", "", ", ", "", ",\n         ", "), nrow = ", "NaN", "Inf", "-Inf"};
constexpr Punctuation kLatex{"\\begin{bmatrix}\n", "",        " & ",     "", " \\\\\n", "\n\\end{bmatrix}\n",
                             "\\mathrm{NaN}",      "\\infty", "-\\infty"};
constexpr Punctuation kTsv{"", "", "\t", "", "\n", "\n", "nan", "inf", "-inf"};

const Punctuation& layout_of(TextFormat format) {
  switch (format) {
    case TextFormat::pytorch:
      return kPyTorch;
    case TextFormat::numpy:
      return kNumPy;
    case TextFormat::r:
      return kR;
    case TextFormat::latex:
      return kLatex;
    case TextFormat::tsv:
      break;
  }
  return kTsv;
}

std::string number(float value, const Punctuation& layout, bool powers) {
  if (std::isnan(value)) return std::string(layout.nan);
  if (std::isinf(value)) return std::string(value > 0 ? layout.infinity : layout.minus_infinity);
  std::string text = shortest(value);
  const std::size_t e = text.find('e');
  if (!powers || e == std::string::npos) return text;
  return text.substr(0, e) + " \\times 10^{" + std::to_string(std::stoi(text.substr(e + 1))) + "}";
}

}  // namespace

std::string write_matrix(const Tensor& tensor, std::size_t head, TextFormat format) {
  const Punctuation& layout = layout_of(format);
  std::string text(layout.begin);
  for (std::size_t row = 0; row < tensor.rows(); ++row) {
    if (row > 0) text += layout.next_row;
    text += layout.row_begin;
    for (std::size_t column = 0; column < tensor.columns(); ++column) {
      if (column > 0) text += layout.separator;
      text += number(tensor[{head, row, column}], layout, format == TextFormat::latex);
    }
    text += layout.row_end;
  }
  text += layout.end;
  if (format == TextFormat::r) text += std::to_string(tensor.rows()) + ", byrow = TRUE)";
  return text;
}

}  // namespace attn

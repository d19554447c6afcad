// A matrix as text for other programs: what "Copy as" puts on the clipboard. Every number is the shortest
// decimal that reads back as the same float, so nothing is lost on the way.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/tensor/tensor.h"

namespace attn {

enum class TextFormat { pytorch, numpy, r, latex, tsv };

struct TextFormatName {
  TextFormat format;
  std::string_view name;
};
inline constexpr std::array kTextFormats{
    TextFormatName{TextFormat::pytorch, "PyTorch"}, TextFormatName{TextFormat::numpy, "NumPy"},
    TextFormatName{TextFormat::r, "R"}, TextFormatName{TextFormat::latex, "LaTeX"},
    TextFormatName{TextFormat::tsv, "TSV"}};

// Matrix `head` of the stack, row after row:
//   PyTorch  torch.tensor([[1, 2],\n              [3, 4]], dtype=torch.float32)
//   NumPy    np.array([[1, 2],\n          [3, 4]], dtype=np.float32)
//   R        matrix(c(1, 2,\n         3, 4), nrow = 2, byrow = TRUE)
//   LaTeX    \begin{bmatrix}\n1 & 2 \\\n3 & 4\n\end{bmatrix}
//   TSV      1<tab>2\n3<tab>4\n
// NaN and ±∞ in each format's own words. A matrix has at least one number.
std::string write_matrix(const Tensor& tensor, std::size_t head, TextFormat format);

}  // namespace attn

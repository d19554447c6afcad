// "Copy as" character by character, as each program's own syntax has it; and its numbers, found in the text
// without any parser of ours, are the same floats.
#include "core/io/matrix_text.h"

#include <doctest/doctest.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "tests/random_layer.h"
#include "tests/seed.h"
#include "tests/special.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Two matrices; the second is written.
Tensor stack() {
  return {{2, 2, 3}, {9, 9, 9, 9, 9, 9, 1, -0.5f, 1e-8f, kFloatNan, kFloatInfinity, -kFloatInfinity}};
}

// Every decimal number of `text`, in order, skipping everything else.
std::vector<float> numbers_in(std::string_view text) {
  std::vector<float> found;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    float value = 0;
    const auto [rest, status] = std::from_chars(at, end, value);
    const bool number = status == std::errc() && std::isfinite(value);
    if (number) found.push_back(value);
    at = number ? rest : at + 1;
  }
  return found;
}

}  // namespace

TEST_CASE("PyTorch text is a float32 tensor with its own words for special numbers") {
  CHECK(write_matrix(stack(), 1, TextFormat::pytorch) ==
        "torch.tensor([[1, -0.5, 1e-08],\n"
        "              [float('nan'), float('inf'), -float('inf')]], dtype=torch.float32)");
}

TEST_CASE("NumPy text is a float32 array with its own words for special numbers") {
  CHECK(write_matrix(stack(), 1, TextFormat::numpy) ==
        "np.array([[1, -0.5, 1e-08],\n"
        "          [np.nan, np.inf, -np.inf]], dtype=np.float32)");
}

TEST_CASE("R text is a matrix filled by row") {
  CHECK(write_matrix(stack(), 1, TextFormat::r) ==
        "matrix(c(1, -0.5, 1e-08,\n"
        "         NaN, Inf, -Inf), nrow = 2, byrow = TRUE)");
}

TEST_CASE("LaTeX text is a bracketed matrix with powers of ten") {
  CHECK(write_matrix(stack(), 1, TextFormat::latex) ==
        "\\begin{bmatrix}\n"
        "1 & -0.5 & 1 \\times 10^{-8} \\\\\n"
        "\\mathrm{NaN} & \\infty & -\\infty\n"
        "\\end{bmatrix}\n");
}

TEST_CASE("TSV text has a line for each row and a tab between numbers") {
  CHECK(write_matrix(stack(), 1, TextFormat::tsv) == "1\t-0.5\t1e-08\nnan\tinf\t-inf\n");
}

TEST_CASE("every number of a copied matrix reads back as the same float") {
  tests::Random random(tests::seed(5));
  const Tensor matrix = tests::normal(random, {1, 7, 11}, 1e-3f);
  const std::vector<float> expected(matrix.values().begin(), matrix.values().end());
  for (const TextFormat format : {TextFormat::tsv, TextFormat::numpy, TextFormat::pytorch, TextFormat::r}) {
    std::string text = write_matrix(matrix, 0, format);
    const std::size_t tail = text.find(format == TextFormat::r ? "), nrow" : "], dtype");
    if (tail != std::string::npos) text.resize(tail);
    CHECK(numbers_in(text) == expected);
  }
}

TEST_CASE("a matrix of one number is still a matrix") {
  const Tensor one({1, 1, 1}, {3});
  CHECK(write_matrix(one, 0, TextFormat::numpy) == "np.array([[3]], dtype=np.float32)");
  CHECK(write_matrix(one, 0, TextFormat::r) == "matrix(c(3), nrow = 1, byrow = TRUE)");
}

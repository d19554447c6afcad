// Text as NumPy, PyTorch, R, MATLAB, JSON, LaTeX and spreadsheets write it, read to the numbers it means; and
// texts of random pieces, which must be read or refused.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <random>

#include "core/io/matrix_text.h"
#include "core/io/text.h"
#include "tests/seed.h"

using namespace attn;

namespace {

// What was understood, and the numbers row by row: "CSV, 2×2 | 1 2 | 3 4"; or the error.
std::string read(std::string_view text) {
  const ParsedBlock block = parse_block(text);
  CHECK(block.error.empty() == (block.matrix.values.size() > 0));
  if (!block.error.empty()) return block.understood + "! " + block.error;
  std::string result = block.understood;
  for (std::size_t row = 0; row < block.matrix.rows; ++row) {
    result += " |";
    for (std::size_t column = 0; column < block.matrix.columns; ++column) {
      char number[32];
      std::snprintf(number, sizeof number, " %g", static_cast<double>(block.matrix.at(row, column)));
      result += number;
    }
  }
  return result;
}

}  // namespace

TEST_CASE("a spreadsheet's cells come separated by tabs") {
  CHECK(read("1\t2\n3\t4\n") == "table (tabs), 2×2 | 1 2 | 3 4");
  CHECK(read("1\t2\r\n3\t4\r\n") == "table (tabs), 2×2 | 1 2 | 3 4");
  CHECK(read("sqrt(4)\t−inf\n1/4\tnan") == "table (tabs), 2×2 | 2 -inf | 0.25 nan");
  CHECK(read("7") == "columns of text, 1×1 | 7");
  CHECK(read("\xef\xbb\xbf"
             "1\t2") == "table (tabs), 1×2 | 1 2");
}

TEST_CASE("CSV may be quoted, have semicolons and trailing separators") {
  CHECK(read("1,2\n3,4") == "CSV, 2×2 | 1 2 | 3 4");
  CHECK(read("\"1\",\"2\"\n\"3\",\"4\"\n") == "CSV, 2×2 | 1 2 | 3 4");
  CHECK(read("1;2\n3;4") == "table (semicolons), 2×2 | 1 2 | 3 4");
  CHECK(read("1,2,\n3,4,\n") == "CSV, 2×2 | 1 2 | 3 4");
  CHECK(read("1,5;2\n3;4") == "table (semicolons), 2×2; commas were read as decimal points | 1.5 2 | 3 4");
  CHECK(read("1,5;2.5\n3;4") ==
        "table (semicolons), 2×2! row 0, column 0: write decimals with a point, not a comma");
}

TEST_CASE("names above and at the left are skipped and mentioned") {
  CHECK(read("a\tb\n1\t2\n3\t4") == "table (tabs), 2×2; the row of names was skipped | 1 2 | 3 4");
  CHECK(read("the,1,2\ncat,3,4") == "CSV, 2×2; the names at the left were skipped | 1 2 | 3 4");
  CHECK(read("\tx\ty\nthe\t1\t2\ncat\t3\t4") ==
        "table (tabs), 2×2; the names above and at the left were skipped | 1 2 | 3 4");
  CHECK(read(",0,1\n0,5,6\n1,7,8") == "CSV, 2×2; the names above and at the left were skipped | 5 6 | 7 8");
  CHECK(read("     0    1\n0  5.0  6.0\n1  7.0  8.0") ==
        "columns of text, 2×2; the names above and at the left were skipped | 5 6 | 7 8");
  CHECK(read("the 1 2") == "columns of text, 1×2; the name at the left was skipped | 1 2");
}

TEST_CASE("NumPy is read as code and as print shows it") {
  CHECK(read("array([[1., 2.],\n       [3., 4.]])") == "NumPy array, 2×2 | 1 2 | 3 4");
  CHECK(read("a = np.array([[1, 2], [3, 4]], dtype=np.float32)\n") == "NumPy array, 2×2 | 1 2 | 3 4");
  CHECK(read("[[ 1.  2.]\n [-3. nan]]") == "NumPy print, 2×2 | 1 2 | -3 nan");
  CHECK(read("array([1, 2,\n       3])") == "NumPy array, 1×3 | 1 2 3");
  CHECK(read("array([[[1, 2], [3, 4]]])") == "NumPy array, 2×2 | 1 2 | 3 4");
  CHECK(read("[[1.e+00 -2.5e-03]]") == "NumPy print, 1×2 | 1 -0.0025");
  CHECK(read("[0.1 0.2 0.3]") == "row of numbers, 1×3 | 0.1 0.2 0.3");
}

TEST_CASE("abbreviated text is refused with the way to print it whole") {
  for (const char* text : {"[[1. 2. ... 3.]\n [4. 5. ... 6.]]", "tensor([[1, 2, ..., 3]])", "1 2 … 3",
                           "\\begin{bmatrix} 1 & \\cdots & 2 \\end{bmatrix}"}) {
    const ParsedBlock block = parse_block(text);
    CHECK(block.error.find("abbreviated") != std::string::npos);
    CHECK(block.error.find("set_printoptions(threshold=np.inf)") != std::string::npos);
    CHECK(block.matrix.values.empty());
  }
}

TEST_CASE("PyTorch tensors may carry device, type and gradient") {
  CHECK(read("tensor([[ 1.0000, -2.0000],\n        [ 0.5000,    inf]], device='cuda:0', "
             "grad_fn=<MmBackward0>)") == "PyTorch tensor, 2×2 | 1 -2 | 0.5 inf");
  CHECK(read("Parameter containing:\ntensor([[1.]], requires_grad=True)") == "PyTorch tensor, 1×1 | 1");
  CHECK(read("torch.tensor([[1, float('nan')]], dtype=torch.float32)") == "PyTorch tensor, 1×2 | 1 nan");
  CHECK(read("tensor([[[1.], [2.]], [[3.], [4.]]])") ==
        "PyTorch tensor! this is a stack of 2 matrices: copy one of them");
}

TEST_CASE("R is read as code and as print shows it") {
  CHECK(read("matrix(c(1, 2, 3, 4), nrow = 2)") == "R matrix, 2×2 | 1 3 | 2 4");
  CHECK(read("m <- matrix(c(1, 2, 3, 4, 5, 6), nrow = 2, byrow = TRUE)") == "R matrix, 2×3 | 1 2 3 | 4 5 6");
  CHECK(read("matrix(c(1L, 2L, 3L, 4L), 2, 2, TRUE)") == "R matrix, 2×2 | 1 2 | 3 4");
  CHECK(read("structure(c(1, 2, 3, 4, 5, 6), dim = 2:3)") == "R matrix, 2×3 | 1 3 5 | 2 4 6");
  CHECK(read("structure(c(1, 2, 3, 4, 5, 6), dim = 1:6)") ==
        "R matrix! the R call's sizes don't match its 6 numbers: write matrix(c(…), nrow = …, ncol = …, "
        "byrow = TRUE)");
  CHECK(read("structure(c(1, 2, 3, 4, 5, 6), dim = c(2L, 3L))") == "R matrix, 2×3 | 1 3 5 | 2 4 6");
  CHECK(read("c(1, NaN, -Inf)") == "R vector, 1×3 | 1 nan -inf");
  CHECK(read("     [,1] [,2]\n[1,]    1    3\n[2,]    2    4\n") == "R print, 2×2 | 1 3 | 2 4");
  CHECK(read("     [,1]\n[1,]    1\n[2,]    2\n     [,2]\n[1,]    3\n[2,]    4\n") ==
        "R print, 2×2 | 1 3 | 2 4");
  CHECK(read(" [1] 1 2 3\n [4] 4 5\n") == "R print, 1×5 | 1 2 3 4 5");
  CHECK(read("      a b\nthe   1 3\ncat   2 4\n") ==
        "columns of text, 2×2; the names above and at the left were skipped | 1 3 | 2 4");
}

TEST_CASE("MATLAB and Octave are read as code and as shown") {
  CHECK(read("[1 2; 3 4]") == "MATLAB matrix, 2×2 | 1 2 | 3 4");
  CHECK(read("A = [1, -2; 3, 4];") == "MATLAB matrix, 2×2 | 1 -2 | 3 4");
  CHECK(read("[1 2\n 3 4]") == "MATLAB matrix, 2×2 | 1 2 | 3 4");
  CHECK(read("[sqrt(2)/2 NaN; -Inf 1e3]") == "MATLAB matrix, 2×2 | 0.707107 nan | -inf 1000");
  CHECK(read("A =\n\n     1     2\n     3     4\n\n") == "columns of text, 2×2 | 1 2 | 3 4");
}

TEST_CASE("rows in one line need no brackets") {
  CHECK(read("1 2 3 4; 5 6 7 8") == "rows of numbers, 2×4 | 1 2 3 4 | 5 6 7 8");
  CHECK(read(" 1 -inf ;  2 sqrt(4);") == read("1 -inf; 2 2;"));
  CHECK(read("1 2; 3") == "rows of numbers, 2×2! row 1, column 1: 1 cell in this row, 2 in the first");
  CHECK(read("1; 2; 3") == read("1;2;3"));     // a table's row, as ever
  CHECK(read("1,5; 2,5") == read("1,5;2,5"));  // with decimal commas
}

TEST_CASE("JSON arrays are read, null is NaN") {
  CHECK(read("[[1, 2], [3, null]]") == "JSON array, 2×2 | 1 2 | 3 nan");
  CHECK(read("[1, 2, 3]") == "JSON array, 1×3 | 1 2 3");
  CHECK(read("[\n  [1, 2],\n  [3, 4]\n]\n") == "JSON array, 2×2 | 1 2 | 3 4");
  CHECK(read("[[1, 2], 3]") == "JSON array! the brackets are uneven: every row needs its own pair");
  CHECK(read("[[1, 2]").find("a closing bracket ] is missing") != std::string::npos);
  CHECK(read("[[1, 2]] * 3") == "text in brackets! unexpected \"* 3\" behind the matrix");
}

TEST_CASE("LaTeX matrices may hold fractions, roots and infinity") {
  CHECK(read("\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}") == "LaTeX bmatrix, 2×2 | 1 2 | 3 4");
  CHECK(
      read("$\\begin{pmatrix}\n\\frac{1}{2} & \\sqrt{4} \\\\\n-\\infty & 2\\pi/\\pi \\\\\n\\end{pmatrix}$") ==
      "LaTeX pmatrix, 2×2! row 1, column 1: unexpected \"pi/pi\"");
  CHECK(read("\\begin{array}{cc} 1/\\frac{1}{2} & 2 \\cdot 3 \\\\ \\hline 3 & 1.5 \\times 10^{-3} "
             "\\end{array}") == "LaTeX array, 2×2 | 2 6 | 3 0.0015");
  CHECK(read("\\begin{bmatrix} 1 & 2") == "LaTeX bmatrix! \\end{bmatrix} is missing");
}

TEST_CASE("the first bad cell is named by row, column and text") {
  const ParsedBlock block = parse_block("1\t2\t3\n4\toops\t6\n7\tbad\t9");
  CHECK(block.understood == "table (tabs), 3×3");
  REQUIRE(block.bad);
  CHECK(block.bad->row == 1);
  CHECK(block.bad->column == 1);
  CHECK(block.bad->text == "oops");
  CHECK(block.error == "row 1, column 1: \"oops\" is no number");
  CHECK(block.matrix.values.empty());
  CHECK(read("1\t\n3\t4") == "table (tabs), 2×2! row 0, column 1: the cell is empty");
  CHECK(read("x,y\n1,2\n3") ==
        "CSV, 2×2; the row of names was skipped! row 1, column 1: 1 cell in this row, 2 in the first");
  CHECK(read("1,2\n3") == "columns of text, 2×1! row 0, column 0: write decimals with a point, not a comma");
  CHECK(read("1\t2\n3") == "table (tabs), 2×2! row 1, column 1: 1 cell in this row, 2 in the first");
  CHECK(read("1 2\n3 4 5\n6") ==
        "columns of text, 3×2! row 1, column 2: 3 cells in this row, 2 in the first");
}

TEST_CASE("text without numbers is no matrix") {
  CHECK(read("") == "! the clipboard holds no text");
  CHECK(read(" \n\t\n") == "! the clipboard holds no text");
  CHECK(read("[]") == "row of numbers! there are no numbers in the text");
  CHECK(parse_block("hello world, this is no matrix").bad.has_value());
}

TEST_CASE("what Copy as writes is read back to the last bit") {
  const Tensor tensor(
      {1, 3, 4}, {0.1f, -2, 3e-8f, 1e30f, NAN, INFINITY, -INFINITY, 0, 1.17549435e-38f, 7, -0.333333343f, 1});
  for (const TextFormatName& format : kTextFormats) {
    const ParsedBlock block = parse_block(write_matrix(tensor, 0, format.format));
    INFO(format.name << ": " << block.error);
    REQUIRE(block.matrix.values.size() == 12);
    CHECK(block.matrix.rows == 3);
    for (std::size_t i = 0; i < 12; ++i)
      CHECK((block.matrix.values[i] == tensor.values()[i] || (i == 4 && std::isnan(block.matrix.values[i]))));
  }
}

TEST_CASE("no text of pieces crashes the reader") {
  constexpr std::array<std::string_view, 26> kPieces{"[",
                                                     "]",
                                                     "(",
                                                     ")",
                                                     ",",
                                                     ";",
                                                     "\n",
                                                     "\t",
                                                     " ",
                                                     "1",
                                                     "-2.5",
                                                     "[1,]",
                                                     "[,1]",
                                                     "c(",
                                                     "=",
                                                     "\"",
                                                     "matrix(",
                                                     "array(",
                                                     "tensor(",
                                                     "\\begin{array}",
                                                     "\\end{array}",
                                                     "&",
                                                     "\\\\",
                                                     "{",
                                                     "nan",
                                                     "a"};
  std::mt19937 random(attn::tests::seed(3));
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t n = random() % 12; n > 0; --n) text += kPieces[random() % kPieces.size()];
    const ParsedBlock block = parse_block(text);
    CHECK(block.error.empty() == (block.matrix.values.size() > 0));
    CHECK(block.matrix.values.size() == block.matrix.rows * block.matrix.columns);
  }
}

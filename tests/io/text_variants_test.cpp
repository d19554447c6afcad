// Matrices as programs really write them: ten variants of each kind, all of one matrix.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/io/text.h"

using namespace attn;

namespace {

const std::vector<float> kNumbers{1.5f, -2, 0.25f, 3, 1e-05f, 4};

void check_all(const std::string& kind, const std::vector<std::string>& texts) {
  CHECK(texts.size() >= 10);
  for (const std::string& text : texts) {
    CAPTURE(text);
    const ParsedBlock block = parse_block(text);
    CHECK(block.error == "");
    CHECK(block.understood.starts_with(kind));
    CHECK(block.matrix.rows == 2);
    CHECK(block.matrix.values == kNumbers);
  }
}

// Not read, with these words.
void check_refused(const std::string& text, const std::string& says) {
  CAPTURE(text);
  const ParsedBlock block = parse_block(text);
  CAPTURE(block.error);
  CHECK(block.matrix.values.empty());
  CHECK(block.error.find(says) != std::string::npos);
}

}  // namespace

TEST_CASE("ten ways in which NumPy writes a matrix") {
  check_all("NumPy",
            {"array([[1.5, -2, 0.25], [3, 1e-05, 4]])",
             "array([[ 1.5e+00, -2.0e+00,  2.5e-01],\n       [ 3.0e+00,  1.0e-05,  4.0e+00]])",
             "np.array([[1.5, -2., 0.25], [3., 1e-5, 4.]], dtype=np.float32)",
             "array([[ 1.5 , -2.  ,  0.25],\n       [ 3.  ,  1e-05,  4.  ]], dtype=float32)",
             "x = np.array([[1.5, -2, .25],\n              [3, 1e-5, 4]])",
             "numpy.asarray([(1.5, -2, 0.25), (3, 1e-05, 4)])",
             "[[ 1.5e+00 -2.0e+00  2.5e-01]\n [ 3.0e+00  1.0e-05  4.0e+00]]",
             "[[ 1.5  -2.    0.25 ]\n [ 3.    1e-05 4.   ]]", "np.matrix([[1.5, -2, 0.25], [3, 1e-05, 4]])",
             "array([[[1.5, -2, 0.25], [3, 1e-05, 4]]])"});
  check_refused("[[1. 2. 3. ... 7. 8. 9.]\n [4. 5. 6. ... 1. 2. 3.]]", "abbreviated");
}

TEST_CASE("ten ways in which PyTorch writes a matrix") {
  check_all("PyTorch",
            {"tensor([[1.5, -2.0, 0.25], [3.0, 1e-05, 4.0]])",
             "tensor([[ 1.5000e+00, -2.0000e+00,  2.5000e-01],\n        [ 3.0000e+00,  1.0000e-05,  "
             "4.0000e+00]])",
             "tensor([[1.5, -2, 0.25], [3, 1e-05, 4]], dtype=torch.float64)",
             "tensor([[1.5, -2, 0.25], [3, 1e-05, 4]], device='cuda:0')",
             "tensor([[1.5, -2, 0.25], [3, 1e-05, 4]], device='cuda:0', dtype=torch.float16)",
             "tensor([[1.5, -2, 0.25], [3, 1e-05, 4]], requires_grad=True)",
             "tensor([[1.5, -2, 0.25], [3, 1e-05, 4]], grad_fn=<SoftmaxBackward0>)",
             "tensor([[1.5, -2, 0.25], [3, 1e-05, 4]], device='cuda:0',\n       grad_fn=<MmBackward0>)",
             "Parameter containing:\ntensor([[1.5, -2, 0.25], [3, 1e-05, 4]], requires_grad=True)",
             "w = torch.tensor([[1.5, -2, 0.25], [3, 1e-05, 4]])",
             "torch.tensor([[1.5, -2, 0.25],\n              [3, 1e-05, 4]], dtype=torch.float32)"});
  check_refused("tensor([[1., 2., 3.,  ..., 7., 8., 9.],\n        [4., 5., 6.,  ..., 1., 2., 3.]])",
                "abbreviated");
}

TEST_CASE("ten ways in which R writes a matrix") {
  check_all("R",
            {"matrix(c(1.5, -2, 0.25, 3, 1e-05, 4), nrow = 2, byrow = TRUE)",
             "matrix(c(1.5, 3, -2, 1e-05, 0.25, 4), nrow = 2)", "matrix(c(1.5, 3, -2, 1e-05, 0.25, 4), 2, 3)",
             "m <- matrix(c(1.5, 3, -2, 1e-05, 0.25, 4), ncol = 3)",
             "     [,1]   [,2] [,3]\n[1,]  1.5 -2e+00 0.25\n[2,]  3.0  1e-05 4.00",
             "structure(c(1.5, 3, -2, 1e-05, 0.25, 4), dim = 2:3)",
             "structure(c(1.5, 3, -2, 1e-05, 0.25, 4), .Dim = c(2L, 3L))",
             "rbind(c(1.5, -2, 0.25), c(3, 1e-05, 4))", "cbind(c(1.5, 3), c(-2, 1e-05), c(0.25, 4))",
             "matrix(data = c(1.5, -2, 0.25, 3, 1e-05, 4), nrow = 2, ncol = 3, byrow = T)"});
}

TEST_CASE("ten ways in which MATLAB and Octave write a matrix") {
  const std::vector<std::string> texts{"[1.5 -2 0.25; 3 1e-05 4]",
                                       "[1.5, -2, 0.25; 3, 1e-05, 4]",
                                       "A = [1.5 -2 0.25; 3 1e-05 4];",
                                       "A = [1.5 -2 0.25\n     3 1e-05 4]",
                                       "[1.5,-2,.25;3,1e-5,4]",
                                       "A =\n\n   1.5000e+00  -2.0000e+00   2.5000e-01\n   3.0000e+00   "
                                       "1.0000e-05   4.0000e+00\n",
                                       "A = [1.5 -2 0.25; ...\n     3 1e-05 4];",
                                       "1.5 -2 0.25; 3 1e-05 4",
                                       "[1.5E0 -2E0 2.5E-1; 3E0 1E-5 4E0]",
                                       "x = single([1.5 -2 0.25; 3 1e-05 4])"};
  check_all("", texts);
}

TEST_CASE("ten ways in which JSON writes a matrix") {
  check_all("JSON", {"[[1.5,-2,0.25],[3,1e-05,4]]", "[[1.5, -2, 0.25], [3, 1e-05, 4]]",
                     "[\n  [1.5, -2, 0.25],\n  [3, 1e-05, 4]\n]",
                     "[\n  [\n    1.5,\n    -2,\n    0.25\n  ],\n  [\n    3,\n    1e-05,\n    4\n  ]\n]",
                     "[[1.5, -2.0, 0.25], [3.0, 1e-05, 4.0]]\n", "[[1.5E0,-2E0,2.5E-1],[3E0,1E-5,4E0]]",
                     "[ [ 1.5 , -2 , 0.25 ] , [ 3 , 1e-05 , 4 ] ]", "[[15e-1, -2, 25e-2], [3, 0.00001, 4]]",
                     "[[1.5,-2,0.25],\n [3,1e-05,4]]", "[[[1.5, -2, 0.25], [3, 1e-05, 4]]]"});
}

TEST_CASE("ten ways in which LaTeX writes a matrix") {
  check_all(
      "LaTeX",
      {"\\begin{bmatrix} 1.5 & -2 & 0.25 \\\\ 3 & 1e-05 & 4 \\end{bmatrix}",
       "\\begin{pmatrix}\n1.5 & -2 & 0.25 \\\\\n3 & 10^{-5} & 4\n\\end{pmatrix}",
       "\\begin{matrix} 1.5 & -2 & \\frac{1}{4} \\\\ 3 & 10^{-5} & 4 \\\\ \\end{matrix}",
       "$$\\begin{bmatrix} 1.5 & -2 & 0.25 \\\\ 3 & 1 \\times 10^{-5} & 4 \\end{bmatrix}$$",
       "\\[ A = \\begin{bmatrix} 1.5 & -2 & 0.25 \\\\ 3 & 10^{-5} & 4 \\end{bmatrix} \\]",
       "\\begin{Bmatrix} 1.5 & -2 & 0.25 \\\\ 3 & 10^{-5} & 4 \\end{Bmatrix}",
       "\\begin{vmatrix} 1.5 & -2 & 0.25 \\\\ 3 & 10^{-5} & 4 \\end{vmatrix}",
       "\\left[\\begin{array}{ccc} 1.5 & -2 & 0.25 \\\\ 3 & 10^{-5} & 4 \\end{array}\\right]",
       "\\begin{array}{rrr} \\hline 1.5 & -2 & 0.25 \\\\ \\hline 3 & 10^{-5} & 4 \\\\ \\hline \\end{array}",
       "\\begin{bmatrix} \\frac{3}{2} & -\\sqrt{4} & 0.25 \\\\ 3 & 1.0 \\cdot 10^{-5} & 4 "
       "\\end{bmatrix}"});
}

TEST_CASE("ten ways in which Markdown writes a matrix") {
  check_all(
      "Markdown table",
      {"| a | b | c |\n|---|---|---|\n| 1.5 | -2 | 0.25 |\n| 3 | 1e-05 | 4 |",
       "| a | b | c |\n|---:|:---:|:---|\n| 1.5 | -2 | 0.25 |\n| 3 | 1e-05 | 4 |",
       "a | b | c\n---|---|---\n1.5 | -2 | 0.25\n3 | 1e-05 | 4",
       "|a|b|c|\n|-|--|-|\n|1.5|-2|0.25|\n|3|1e-05|4|",
       "|   | 0 | 1 | 2 |\n|---|--:|--:|--:|\n| 0 | 1.5 | -2 | 0.25 |\n| 1 | 3 | 1e-05 | 4 |",
       "| | the | cat | sat |\n|---|---|---|---|\n| the | 1.5 | -2 | 0.25 |\n| cat | 3 | 1e-05 | 4 |",
       "|     a |    b |    c |\n|------:|-----:|-----:|\n|   1.5 |   -2 | 0.25 |\n|     3 | 1e-5 |    4 |\n",
       "| a | b | c |\r\n| --- | --- | --- |\r\n| 1.5 | −2 | 0.25 |\r\n| 3 | 1e-05 | 4 |\r\n",
       "  | a | b | c |\n  |---|---|---|\n  | 1.5 | -2 | 0.25 |\n  | 3 | 1e-05 | 4 |",
       "| a | b | c |\n|:--|:--|:--|\n| 1,5 | -2 | 0,25 |\n| 3 | 1e-05 | 4 |"});
}

TEST_CASE("ten ways in which spreadsheets write a matrix") {
  check_all("", {"1.5\t-2\t0.25\n3\t1e-05\t4", "1,5\t-2\t0,25\n3\t1E-05\t4", "1,5;-2;0,25\n3;1E-05;4\n",
                 "1.5,-2,0.25\n3,1e-05,4\n", "1.5;-2;0.25\r\n3;0.00001;4\r\n",
                 "\"1.5\",\"-2\",\"0.25\"\n\"3\",\"1e-05\",\"4\"", "a\tb\tc\n1,5\t-2\t0,25\n3\t0,00001\t4",
                 ";a;b;c\nthe;1,5;-2;0,25\ncat;3;1E-05;4", "1.5\t-2\t0.25\t\n3\t1e-05\t4\t\n",
                 "1,50\t-2,00\t0,25\n3,00\t1,0E-05\t4,00"});
  check_refused("1,5\t2.5\n3\t4", "write decimals with a point");
  check_refused("1.234,5\t2\n3\t4", "comma");
}

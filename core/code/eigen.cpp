// C++ with Eigen: a matrix for each head, and functions over all of them.
#include "core/code/language.h"

namespace attn::code {
namespace {

using enum Binding;

const Spellings kEigenSpellings{
    {Fn::place, call("place(%N)")},
    {Fn::column, call("column(%M)")},
    {Fn::both, logic("%0 * %1")},
    {Fn::either, call("either(%0, %1)")},
    {Fn::larger, call("larger(%0, %1)")},
    {Fn::where, call("where(%0, %1, %2)")},
    {Fn::exp, call("each(%0, std::exp)")},
    {Fn::log, call("each(%0, std::log)")},
    {Fn::root, call("each(%0, std::sqrt)")},
    {Fn::tanh, call("each(%0, std::tanh)")},
    {Fn::sine, call("each(%0, std::sin)")},
    {Fn::cosine, call("each(%0, std::cos)")},
    {Fn::size, call("each(%0, std::fabs)")},
    {Fn::erf, call("each(%0, std::erf)")},
    {Fn::row_max, call("row_max(%0)")},
    {Fn::row_sum, call("row_sum(%0)")},
    {Fn::column_sum, call("column_sum(%0)")},
    {Fn::stack_sum, call("stack_sum(%0)")},
    {Fn::running_sum, call("running_sum(%0)")},
    {Fn::descending, call("descending(%0)")},
    {Fn::product, call("matmul(%0, %1)")},
    {Fn::transposed, call("transposed(%0)")},
    {Fn::exchanged, call("exchanged(%0)")},
    {Fn::reshaped, call("reshaped(%0, %S, %N, %M)")},
    {Fn::columns, call("columns(%0, counted(%F, %E))")},
    {Fn::rows, call("rows(%0, %F, %E)")},
    {Fn::matrices, call("matrices(%0, counted(%F, %E))")},
    {Fn::picked, call("columns(%0, %L)")},
    {Fn::by_index, call("by_index(%0, %I)")},
    {Fn::by_one_index, call("by_index(%0, %I)")},
    {Fn::beside, call("beside(%0, %1)")},
    {Fn::repeated, call("repeated(%0, %F)")},
    {Fn::tiled, call("tiled(%0, %F)")},
};

constexpr std::string_view kEigenBegin = R"(#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <vector>

using Eigen::MatrixXd;

// Matrices of one size, a head each; a number stands for 1×1 of it.
struct Stack {
  std::vector<MatrixXd> of;
  Stack(std::vector<MatrixXd> matrices) : of(std::move(matrices)) {}
  Stack(double number) : of{MatrixXd::Constant(1, 1, number)} {}
  Eigen::Index size() const { return of.size(); }
  Eigen::Index rows() const { return of[0].rows(); }
  Eigen::Index cols() const { return of[0].cols(); }
  // Sizes of 1 stand for any size.
  double at(Eigen::Index s, Eigen::Index i, Eigen::Index j) const {
    const MatrixXd& m = of[size() == 1 ? 0 : s];
    return m(m.rows() == 1 ? 0 : i, m.cols() == 1 ? 0 : j);
  }
};

template <class Value>
Stack made(Eigen::Index size, Eigen::Index rows, Eigen::Index cols, Value value) {
  std::vector<MatrixXd> of;
  for (Eigen::Index s = 0; s < size; ++s) {
    MatrixXd m(rows, cols);
    for (Eigen::Index i = 0; i < rows; ++i)
      for (Eigen::Index j = 0; j < cols; ++j) m(i, j) = value(s, i, j);
    of.push_back(m);
  }
  return of;
}

using Function = double(double);
inline Stack each(const Stack& x, Function f) {
  return made(x.size(), x.rows(), x.cols(), [&](auto s, auto i, auto j) { return f(x.at(s, i, j)); });
}

template <class Combine>
Stack pairs(const Stack& a, const Stack& b, Combine f) {
  return made(std::max(a.size(), b.size()), std::max(a.rows(), b.rows()), std::max(a.cols(), b.cols()),
              [&](auto s, auto i, auto j) { return f(a.at(s, i, j), b.at(s, i, j)); });
}
inline Stack operator+(const Stack& a, const Stack& b) { return pairs(a, b, std::plus<>()); }
inline Stack operator-(const Stack& a, const Stack& b) { return pairs(a, b, std::minus<>()); }
inline Stack operator*(const Stack& a, const Stack& b) { return pairs(a, b, std::multiplies<>()); }
inline Stack operator/(const Stack& a, const Stack& b) { return pairs(a, b, std::divides<>()); }
// Comparisons give 0 or 1.
inline Stack operator>(const Stack& a, const Stack& b) { return pairs(a, b, std::greater<>()); }
inline Stack operator>=(const Stack& a, const Stack& b) { return pairs(a, b, std::greater_equal<>()); }
inline Stack operator==(const Stack& a, const Stack& b) { return pairs(a, b, std::equal_to<>()); }
inline Stack operator!=(const Stack& a, const Stack& b) { return pairs(a, b, std::not_equal_to<>()); }

inline std::ostream& operator<<(std::ostream& out, const Stack& x) {
  for (const MatrixXd& m : x.of) out << std::setprecision(17) << m << "\n\n";
  return out;
}

)";

const std::vector<Helper> kEigenHelpers{
    {"matrix", R"(inline MatrixXd matrix(Eigen::Index rows, Eigen::Index cols, std::vector<double> numbers) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<RowMajor>(numbers.data(), rows, cols);
}
)"},
    {"counted", R"(inline std::vector<Eigen::Index> counted(Eigen::Index first, Eigen::Index end) {
  std::vector<Eigen::Index> at(end - first);
  std::iota(at.begin(), at.end(), first);
  return at;
}
)"},
    {"where", R"(inline Stack where(const Stack& condition, const Stack& then, const Stack& otherwise) {
  const Stack either = pairs(then, otherwise, [](double a, double) { return a; });
  const Stack shape = pairs(condition, either, [](double c, double) { return c; });
  return made(shape.size(), shape.rows(), shape.cols(), [&](auto s, auto i, auto j) {
    return condition.at(s, i, j) != 0 ? then.at(s, i, j) : otherwise.at(s, i, j);
  });
}
)"},
    {"either", R"(inline Stack either(const Stack& a, const Stack& b) {
  return pairs(a, b, [](double x, double y) { return x != 0 || y != 0; });
}
)"},
    {"larger", R"(inline Stack larger(const Stack& a, const Stack& b) {
  return pairs(a, b, [](double x, double y) { return x > y || x != x ? x : y; });
}
)"},
    {"place", R"(inline Stack place(Eigen::Index n) {
  return made(1, n, 1, [](auto, auto i, auto) { return i; });
}
)"},
    {"column", R"(inline Stack column(Eigen::Index m) {
  return made(1, 1, m, [](auto, auto, auto j) { return j; });
}
)"},
    {"row_max", R"(inline Stack row_max(const Stack& x) {
  return made(x.size(), x.rows(), 1, [&](auto s, auto i, auto) {
    double largest = x.at(s, i, 0);
    for (Eigen::Index j = 1; j < x.cols(); ++j)
      if (x.at(s, i, j) > largest || x.at(s, i, j) != x.at(s, i, j)) largest = x.at(s, i, j);
    return largest;
  });
}
)"},
    {"row_sum", R"(inline Stack row_sum(const Stack& x) {
  return made(x.size(), x.rows(), 1, [&](auto s, auto i, auto) { return x.of[s].row(i).sum(); });
}
)"},
    {"column_sum", R"(inline Stack column_sum(const Stack& x) {
  return made(x.size(), 1, x.cols(), [&](auto s, auto, auto j) { return x.of[s].col(j).sum(); });
}
)"},
    {"stack_sum", R"(inline Stack stack_sum(const Stack& x) {
  MatrixXd sum = x.of[0];
  for (Eigen::Index s = 1; s < x.size(); ++s) sum += x.of[s];
  return std::vector<MatrixXd>{sum};
}
)"},
    {"running_sum", R"(inline Stack running_sum(Stack x) {
  for (MatrixXd& m : x.of)
    for (Eigen::Index j = 1; j < m.cols(); ++j) m.col(j) += m.col(j - 1);
  return x;
}
)"},
    {"descending", R"(inline Stack descending(Stack x) {
  for (MatrixXd& m : x.of)
    for (Eigen::Index i = 0; i < m.rows(); ++i) {
      std::vector<double> row(m.row(i).begin(), m.row(i).end());
      std::sort(row.begin(), row.end(), std::greater<>());
      for (Eigen::Index j = 0; j < m.cols(); ++j) m(i, j) = row[j];
    }
  return x;
}
)"},
    {"matmul", R"(inline Stack matmul(const Stack& a, const Stack& b) {
  std::vector<MatrixXd> of;
  for (Eigen::Index s = 0; s < std::max(a.size(), b.size()); ++s)
    of.push_back(a.of[a.size() == 1 ? 0 : s] * b.of[b.size() == 1 ? 0 : s]);
  return of;
}
)"},
    {"transposed", R"(inline Stack transposed(const Stack& x) {
  return made(x.size(), x.cols(), x.rows(), [&](auto s, auto i, auto j) { return x.at(s, j, i); });
}
)"},
    {"exchanged", R"(inline Stack exchanged(const Stack& x) {
  return made(x.rows(), x.size(), x.cols(), [&](auto s, auto i, auto j) { return x.at(i, s, j); });
}
)"},
    {"reshaped",
     R"(inline Stack reshaped(const Stack& x, Eigen::Index size, Eigen::Index rows, Eigen::Index cols) {
  return made(size, rows, cols, [&](auto s, auto i, auto j) {  // row after row
    const Eigen::Index at = (s * rows + i) * cols + j;
    return x.at(at / (x.rows() * x.cols()), at / x.cols() % x.rows(), at % x.cols());
  });
}
)"},
    {"columns", R"(inline Stack columns(const Stack& x, const std::vector<Eigen::Index>& at) {
  return made(x.size(), x.rows(), at.size(), [&](auto s, auto i, auto j) { return x.at(s, i, at[j]); });
}
)"},
    {"rows", R"(inline Stack rows(const Stack& x, Eigen::Index first, Eigen::Index end) {
  return made(x.size(), end - first, x.cols(), [&](auto s, auto i, auto j) { return x.at(s, first + i, j); });
}
)"},
    {"matrices", R"(inline Stack matrices(const Stack& x, const std::vector<Eigen::Index>& at) {
  return made(at.size(), x.rows(), x.cols(), [&](auto s, auto i, auto j) { return x.at(at[s], i, j); });
}
)"},
    {"by_index", R"(inline Stack by_index(const Stack& x, const MatrixXd& index) {
  return made(x.size(), index.rows(), index.cols(),
              [&](auto s, auto i, auto j) { return x.at(s, i, static_cast<Eigen::Index>(index(i, j))); });
}
)"},
    {"beside", R"(inline Stack beside(const Stack& a, const Stack& b) {
  return made(a.size(), a.rows(), a.cols() + b.cols(), [&](auto s, auto i, auto j) {
    return j < a.cols() ? a.of[s](i, j) : b.at(s, i, j - a.cols());
  });
}
)"},
    {"repeated", R"(inline Stack repeated(const Stack& x, Eigen::Index times) {
  return made(x.size() * times, x.rows(), x.cols(), [&](auto s, auto i, auto j) { return x.of[s / times](i, j); });
}
)"},
    {"tiled", R"(inline Stack tiled(const Stack& x, Eigen::Index times) {
  return made(x.size() * times, x.rows(), x.cols(),
              [&](auto s, auto i, auto j) { return x.of[s % x.size()](i, j); });
}
)"},
};

}  // namespace

const Language kEigen{
    .name = "eigen",
    .title = "C++, Eigen",
    .comment = "// ",
    .begin = kEigenBegin,
    .body = "\nint main() {\n",
    .end = "}\n",
    .declare = "const Stack ",
    .assign = " = ",
    .ends = ";\n",
    .nan = "NAN",
    .infinity = "INFINITY",
    .list_begin = "{",
    .list_end = "}",
    .stack_begin = "std::vector<MatrixXd>{\n    ",
    .matrix_begin = "matrix(%N, %M, {",
    .matrix_end = "})",
    .stack_end = "}",
    .next_row = ",\n      ",
    .next_matrix = ",\n    ",
    .indices_begin = "matrix(%N, %M, {",
    .indices_end = "})",
    .weights = "std::cout << \"weights\\n\" << weights;\n",
    .output = "std::cout << \"output\\n\" << output;\n",
    .spellings = with_operators(kEigenSpellings),
    .helpers = kEigenHelpers,
    .taken = {"exp",        "log",      "row_max",    "row_sum",   "column_sum", "stack_sum", "running_sum",
              "descending", "matmul",   "transposed", "exchanged", "reshaped",   "columns",   "rows",
              "matrices",   "by_index", "beside",     "repeated",  "tiled",      "place",     "column",
              "larger",     "either",   "where",      "counted",   "matrix",     "made",      "each",
              "pairs",      "and",      "or",         "not",       "int",        "double",    "const",
              "class",      "new",      "delete",     "default",   "for",        "if",        "do",
              "Stack",      "MatrixXd", "Function",   "std",       "main"}};

}  // namespace attn::code

// Matrix products and projections, shared stacks and cancelling sums among them.
#include <cmath>

#include "core/opencl/cases/family.h"
#include "core/operations/matmul.h"

namespace attn::opencl {
namespace {

// A: a_stack×rows×depth, B: b_stack×depth×columns (or its transpose).
struct Size {
  std::size_t a_stack, b_stack, rows, depth, columns;
};

std::vector<Size> sizes(Scope scope) {
  switch (scope) {
    case Scope::self_test:
      return {{4, 2, 13, 37, 35}};
    // Around tiles of 6 rows × 2 vectors, of 4×4 cells, of 16×16 items; stacks shared either way; nothing.
    case Scope::comparison:
    case Scope::shapes:
      return {{1, 1, 1, 1, 1}, {1, 1, 1, 7, 1},  {1, 1, 1, 33, 67},  {1, 1, 67, 33, 1},  {1, 1, 5, 1, 5},
              {1, 1, 2, 2, 2}, {1, 1, 6, 8, 16}, {1, 1, 7, 9, 17},   {1, 1, 12, 16, 32}, {2, 2, 5, 4, 5},
              {6, 2, 5, 3, 7}, {2, 6, 7, 5, 3},  {4, 1, 17, 16, 15}, {1, 1, 61, 67, 71}, {1, 1, 16, 512, 16},
              {1, 1, 3, 0, 4}, {1, 1, 0, 3, 4},  {2, 2, 3, 4, 0}};
    case Scope::long_grids:
      return {{1, 1, 98309, 2, 3}};
    case Scope::benchmark:
      return {{1, 1, 512, 512, 512}, {8, 8, 512, 64, 512}, {1, 1, 32, 32, 32}};
  }
  return {};
}

std::string text(const Size& s) {
  return std::to_string(s.a_stack) + "/" + std::to_string(s.b_stack) + " " + std::to_string(s.rows) + "×" +
         std::to_string(s.depth) + "×" + std::to_string(s.columns);
}

std::vector<Case> matmul_cases(Scope scope) {
  std::vector<Case> cases;
  std::uint64_t seed = 100;
  for (const Size& s : sizes(scope))
    for (const Kind kind : kinds(scope, {1, s.rows, s.columns}))
      for (const bool transposed : {false, true}) {
        const Shape b =
            transposed ? Shape{s.b_stack, s.columns, s.depth} : Shape{s.b_stack, s.depth, s.columns};
        cases.push_back({text(s) + (transposed ? " transposed " : " ") + name(kind),
                         MatMul{.transpose_right = transposed},
                         {numbers({s.a_stack, s.rows, s.depth}, kind, ++seed), numbers(b, kind, ++seed)},
                         kind == Kind::subnormal});
      }
  if (scope == Scope::comparison)  // ∞ times a small number stays ∞, however its sum is scaled
    cases.push_back({"special by subnormal",
                     MatMul{},
                     {numbers({1, 9, 11}, Kind::special, 98), numbers({1, 11, 13}, Kind::subnormal, 99)},
                     true});
  return cases;
}

std::vector<Case> project_cases(Scope scope) {
  std::vector<Case> cases;
  std::uint64_t seed = 200;
  for (const Size& s : sizes(scope))
    for (const Kind kind : kinds(scope, {1, s.rows, s.columns}))
      for (const bool bias : {false, true}) {
        const std::size_t heads = s.a_stack, columns = heads * s.columns;
        Case one{text(s) + (bias ? " bias " : " ") + name(kind),
                 Project{.heads = heads},
                 {numbers({1, s.rows, s.depth}, kind, ++seed), numbers({1, s.depth, columns}, kind, ++seed)},
                 kind == Kind::subnormal};
        if (bias) one.inputs.push_back(numbers({1, 1, columns}, kind, ++seed));
        cases.push_back(std::move(one));
      }
  return cases;
}

double matmul_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const auto& op = std::get<MatMul>(c.operation);
  const Tensor &a = c.inputs[0], &b = c.inputs[1];
  const std::size_t stack = std::max(a.stack(), b.stack());
  const std::size_t sa = shared_matrix(cell.head, a.stack(), stack),
                    sb = shared_matrix(cell.head, b.stack(), stack);
  double magnitude = 0;
  for (std::size_t k = 0; k < a.columns(); ++k) {
    const Cell right = op.transpose_right ? Cell{sb, cell.column, k} : Cell{sb, k, cell.column};
    magnitude += std::abs(static_cast<double>(a[{sa, cell.row, k}]) * static_cast<double>(b[right]));
  }
  return 0.5 * spacing(reference, arithmetic) +
         sum_error(static_cast<double>(a.columns()), magnitude, arithmetic);
}

double project_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const Tensor &x = c.inputs[0], &w = c.inputs[1];
  const std::size_t width = w.columns() / std::get<Project>(c.operation).heads;
  const std::size_t column = cell.head * width + cell.column;
  double magnitude = c.inputs.size() > 2 ? std::abs(static_cast<double>(c.inputs[2][{0, 0, column}])) : 0;
  for (std::size_t k = 0; k < x.columns(); ++k)
    magnitude += std::abs(static_cast<double>(x[{0, cell.row, k}]) * static_cast<double>(w[{0, k, column}]));
  return 0.5 * spacing(reference, arithmetic) +
         sum_error(static_cast<double>(x.columns() + 1), magnitude, arithmetic);
}

}  // namespace

Declaration declared(Of<MatMul>) {
  return {MatMul::kName, matmul_cases, matmul_tolerance};
}
Declaration declared(Of<Project>) {
  return {Project::kName, project_cases, project_tolerance};
}

template Declaration declaration<MatMul>();
template Declaration declaration<Project>();

}  // namespace attn::opencl

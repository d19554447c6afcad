// Matrix products and projections: shared stacks, sums that cancel, sums in float by blocks, and what becomes
// of a product.
#include <cmath>

#include "core/opencl/cases/family.h"
#include "core/opencl/cases/long_projections.h"
#include "core/opencl/cases/matmul_floats.h"

namespace attn::opencl {
namespace {

// A: a_stack×rows×depth, B: b_stack×depth×columns (or its transpose).
struct Size {
  std::size_t a_stack, b_stack, rows, depth, columns;
};

std::vector<Size> sizes(Scope scope) {
  switch (scope) {
    case Scope::self_test:
      return {{4, 2, 13, 37, 35}, {1, 2, 34, 19, 66}};
    // Around tiles of 6 rows × 2 vectors, of 4×4 cells, of 16×16 items, of 64×64 cells; stacks shared either
    // way; nothing; a single row with a matrix that is read as it lies, its last vectors cut.
    case Scope::comparison:
      return {{1, 1, 1, 1, 1}, {1, 1, 1, 7, 1},  {1, 1, 1, 33, 67},  {1, 1, 67, 33, 1},  {1, 1, 5, 1, 5},
              {1, 1, 2, 2, 2}, {1, 1, 6, 8, 16}, {1, 1, 7, 9, 17},   {1, 1, 12, 16, 32}, {2, 2, 5, 4, 5},
              {6, 2, 5, 3, 7}, {2, 6, 7, 5, 3},  {4, 1, 17, 16, 15}, {1, 1, 61, 67, 71}, {1, 1, 16, 512, 16},
              {1, 1, 3, 0, 4}, {1, 1, 0, 3, 4},  {2, 2, 3, 4, 0},    {2, 2, 1, 67, 261}};
    // The same edges, no further beyond them: an item of a processor has 48 rows and 64 columns at most of
    // these, tiles in local memory 16 terms; three times 128 terms begin, go on and end.
    case Scope::shapes:
      return {{1, 1, 1, 1, 1}, {1, 1, 1, 7, 1},  {1, 1, 1, 33, 67},  {1, 1, 67, 33, 1},  {1, 1, 5, 1, 5},
              {1, 1, 2, 2, 2}, {1, 1, 6, 8, 16}, {1, 1, 7, 9, 17},   {1, 1, 12, 16, 32}, {2, 2, 5, 4, 5},
              {6, 2, 5, 3, 7}, {2, 6, 7, 5, 3},  {4, 1, 17, 16, 15}, {1, 1, 49, 19, 67}, {1, 1, 7, 259, 5},
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

Shape turned(const Shape& shape) {
  return {shape.stack, shape.columns, shape.rows};
}

Tensor turned(const Tensor& x) {
  std::vector<float> values;
  for (Cell c; c.head < x.stack(); ++c.head)
    for (c.column = 0; c.column < x.columns(); ++c.column)
      for (c.row = 0; c.row < x.rows(); ++c.row) values.push_back(x[c]);
  return {turned(x.shape()), std::move(values)};
}

std::string words_of(const MatMul& op) {
  return op.transpose_left ? " of columns " : op.transpose_right ? " transposed " : " ";
}

// Products of columns are added up two heads at a time, where both factors have as many.
MatMul of_columns(const Size& s, bool in_blocks) {
  const bool pairs = s.a_stack % 2 == 0 && s.b_stack % 2 == 0;
  return {.transpose_left = true, .summed = pairs ? 2u : 1u, .in_blocks = in_blocks};
}

std::vector<Case> matmul_cases(Scope scope) {
  std::vector<Case> cases;
  std::uint64_t seed = 100;
  for (const Size& s : sizes(scope))
    for (const Kind kind : kinds(scope, {1, s.rows, s.columns}))
      for (const MatMul& op : {MatMul{}, MatMul{.transpose_right = true}, of_columns(s, false)}) {
        const Shape a{s.a_stack, s.rows, s.depth}, b{s.b_stack, s.depth, s.columns};
        cases.push_back({text(s) + words_of(op) + name(kind),
                         op,
                         {numbers(op.transpose_left ? turned(a) : a, kind, ++seed),
                          numbers(op.transpose_right ? turned(b) : b, kind, ++seed)},
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

constexpr AfterProduct kAfters[]{AfterProduct::relu, AfterProduct::gelu, AfterProduct::gelu_tanh,
                                 AfterProduct::residual};

// Around tiles of 6 and 12 rows, blocks of 64 and 128 terms, panels of up to 64 columns, vectors of 8.
std::vector<Case> block_cases(Scope scope) {
  std::vector<Size> all{{1, 1, 4, 257, 9}, {1, 1, 4, 257, 3}};  // small: for interpreters and short loops
  if (scope == Scope::comparison)
    all.insert(all.end(), {{1, 1, 101, 256, 67},
                           {2, 1, 13, 327, 19},
                           {2, 2, 7, 300, 8},
                           {1, 1, 97, 515, 131},
                           {1, 1, 1, 400, 1}});
  if (scope == Scope::benchmark) all = {{8, 8, 512, 512, 64}, {8, 8, 512, 512, 8}};
  if (scope == Scope::long_grids) all = {};
  std::vector<Case> cases;
  std::uint64_t seed = 300;
  const MatMul op{.in_blocks = true};
  for (const Size& s : all) {
    const Shape a{s.a_stack, s.rows, s.depth}, b{s.b_stack, s.depth, s.columns};
    for (const Kind kind : kinds(scope, {1, s.rows, s.columns})) {
      // What the self-test says of a device's error is that of sums as layers have them.
      const bool weights = scope == Scope::self_test && kind == Kind::ordinary;
      cases.push_back({text(s) + " in blocks " + name(kind),
                       op,
                       {weights ? weights_of(a, ++seed) : numbers(a, kind, ++seed), numbers(b, kind, ++seed)},
                       kind == Kind::subnormal});
    }
    const bool weights = scope == Scope::self_test;
    cases.push_back({text(s) + " in blocks of columns",
                     of_columns(s, true),
                     {weights ? turned(weights_of(a, ++seed)) : numbers(turned(a), Kind::ordinary, ++seed),
                      numbers(b, Kind::ordinary, ++seed)}});
    for (const bool opposite : {false, true})
      if (scope == Scope::comparison)
        cases.push_back({text(s) + (opposite ? " weights of opposites" : " weights of large values"),
                         op,
                         {weights_of(a, ++seed), values_of(b, opposite, ++seed)}});
  }
  if (scope != Scope::comparison) return cases;
  cases.push_back(
      {"in blocks transposed, with all that may follow",
       MatMul{.transpose_right = true, .in_blocks = true, .after = AfterProduct::residual},
       {numbers({2, 25, 260}, Kind::ordinary, ++seed), numbers({1, 70, 260}, Kind::ordinary, ++seed),
        numbers({1, 1, 70}, Kind::ordinary, ++seed), numbers({2, 25, 70}, Kind::ordinary, ++seed)}});
  return cases;
}

// Each with a bias and without; `make` gives the operation and the shapes of its factors.
template <class Make>
std::vector<Case> after_cases(Scope scope, std::uint64_t seed, Make make) {
  if (scope == Scope::benchmark || scope == Scope::long_grids) return {};
  std::vector<Case> cases;
  std::vector<Size> all{{2, 1, 7, 3, 19}};
  if (scope == Scope::comparison)
    all.insert(all.end(), {{2, 1, 13, 9, 35}, {1, 1, 7, 3, 70}, {3, 1, 5, 1, 2}});
  for (const Size& s : all)
    for (const AfterProduct after : kAfters)
      for (const Kind kind : kinds(scope, {1, s.rows, s.columns}))
        for (const bool bias : {true, false}) {
          if (!bias && scope != Scope::comparison) continue;
          const auto [operation, a, b] = make(s, after);
          Case one{text(s) + (bias ? " bias, then " : " then ") + std::to_string(static_cast<int>(after)) +
                       " " + name(kind),
                   operation,
                   {up_to_one(a, kind, ++seed), up_to_one(b, kind, ++seed)},
                   kind == Kind::subnormal};
          if (bias) one.inputs.push_back(up_to_one({1, 1, b.columns}, kind, ++seed));
          if (after == AfterProduct::residual)
            one.inputs.push_back(up_to_one({s.a_stack, s.rows, s.columns}, kind, ++seed));
          cases.push_back(std::move(one));
        }
  return cases;
}

// One case of each operation that a product is.
struct OfAfter {
  Operation operation;
  Shape a, b;
};

std::vector<Case> all_matmul_cases(Scope scope) {
  std::vector<Case> cases = matmul_cases(scope);
  append(cases, block_cases(scope));
  append(cases, float_cases(scope));
  append(
      cases, after_cases(scope, 400, [](const Size& s, AfterProduct after) {
        return OfAfter{MatMul{.after = after}, {s.a_stack, s.rows, s.depth}, {s.b_stack, s.depth, s.columns}};
      }));
  return cases;
}

std::vector<Case> all_project_cases(Scope scope) {
  std::vector<Case> cases = project_cases(scope);
  append(cases, long_projections(scope));
  append(cases, after_cases(scope, 600, [](const Size& s, AfterProduct after) {
           return OfAfter{Project{.heads = s.a_stack, .after = after},
                          {1, s.rows, s.depth},
                          {1, s.depth, s.a_stack * s.columns}};
         }));
  return cases;
}

// The terms of one number, as far as its rounding depends on them.
struct ProductSum {
  double value = 0, magnitude = 0, count = 0;
  void add(double term) { value += term, magnitude += std::abs(term), ++count; }
};

// Of a block in float each of its sums is off by a rounding of it (Higham 2002, section 3.1). Blocks have 128
// terms at most; `in_float` they may have 64, and sums of blocks are in float as well.
double block_error(const ProductSum& sum, bool in_float = false) {
  const double sums = in_float ? std::max(128.0, 64 + std::ceil(sum.count / 64)) : 128;
  return 1.01 * std::min(sum.count, sums) * kUnit * sum.magnitude;
}

// The sum is rounded once and what follows moves its error by at most 1.13, the steepest slope of GELU. That
// itself: Φ is off by 1.2e-7, or 2 roundings, by two exponentials of 3 units in the last place, by the
// rounding of t, which counts twice, and by a dozen others; σ by an exponential, by its argument, which five
// roundings made, and by two divisions.
double product_tolerance(AfterProduct after, const ProductSum& sum, double of_sum, double reference,
                         const Arithmetic& arithmetic) {
  const double x = sum.value;
  if (!std::isfinite(x)) return 0;
  const double rounded = of_sum + 0.5 * spacing(after == AfterProduct::nothing ? reference : x, arithmetic);
  switch (after) {
    case AfterProduct::nothing:
    case AfterProduct::relu:
      return rounded;
    case AfterProduct::gelu:
      return 1.13 * rounded + std::abs(reference) * 34 * kUnit + 17 * spacing(0, arithmetic);
    case AfterProduct::gelu_tanh: {
      const double argument = 1.6 * std::abs(x) * (1 + 0.0448 * x * x);
      return 1.13 * rounded + std::abs(reference) * (16 + 5 * argument) * kUnit + 2 * spacing(0, arithmetic);
    }
    case AfterProduct::residual:
      return rounded + 0.5 * spacing(reference, arithmetic);
  }
  return 0;
}

double matmul_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const auto& op = std::get<MatMul>(c.operation);
  const Tensor &a = c.inputs[0], &b = c.inputs[1];
  const Shape left = left_factor(op, a.shape()), right = right_factor(op, b.shape());
  const std::size_t sa = shared_matrix(cell.head, left.stack, std::max(left.stack, right.stack)),
                    sb = shared_matrix(cell.head, right.stack, std::max(left.stack, right.stack));
  ProductSum sum;
  for (std::size_t k = 0; k < left.columns; ++k) {
    const std::size_t of_a = op.transpose_left ? k * left.rows + cell.row : cell.row * left.columns + k;
    const std::size_t of_b =
        op.transpose_right ? cell.column * right.rows + k : k * right.columns + cell.column;
    sum.add(static_cast<double>(a.values()[sa * left.rows * left.columns + of_a]) *
            static_cast<double>(b.values()[sb * right.rows * right.columns + of_b]));
  }
  const ProductInputs at(op.after, c.inputs.size());
  if (at.bias) sum.add(c.inputs[at.bias][{0, 0, cell.column}]);
  const double of_sum = sum_error(sum.count, sum.magnitude, arithmetic);
  const bool in_blocks = op.in_blocks && left.columns >= MatMul::kManyTerms;
  const double of_blocks = op.in_float || in_blocks ? block_error(sum, op.in_float) : 0;
  return product_tolerance(op.after, sum, of_sum + of_blocks, reference, arithmetic);
}

double project_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const auto& op = std::get<Project>(c.operation);
  const Tensor &x = c.inputs[0], &w = c.inputs[1];
  const std::size_t column = cell.head * (w.columns() / op.heads) + cell.column;
  ProductSum sum;
  const ProductInputs at(op.after, c.inputs.size());
  if (at.bias) sum.add(c.inputs[at.bias][{0, 0, column}]);
  for (std::size_t k = 0; k < x.columns(); ++k)
    sum.add(static_cast<double>(x[{0, cell.row, k}]) * static_cast<double>(w[{0, k, column}]));
  const double of_sum = sum_error(sum.count + 1, sum.magnitude, arithmetic);
  return product_tolerance(op.after, sum, of_sum + (x.columns() >= MatMul::kManyTerms ? block_error(sum) : 0),
                           reference, arithmetic);
}

}  // namespace

Declaration declared(Of<MatMul>) {
  return {MatMul::kName, all_matmul_cases, matmul_tolerance};
}
Declaration declared(Of<Project>) {
  return {Project::kName, all_project_cases, project_tolerance};
}

template Declaration declaration<MatMul>();
template Declaration declaration<Project>();

}  // namespace attn::opencl

// Linear attention, there and back: blocks and parts that do not come out even, every mask that it takes,
// features that are 0, and numbers that are none, under the mask too.
#include "core/operations/linear_attention.h"

#include <cmath>
#include <limits>

#include "core/opencl/cases/family.h"
#include "core/opencl/cases/flash.h"
#include "core/operations/linear_row.h"
#include "core/reference/backend.h"

namespace attn::opencl {
namespace {

// Around 6, 48 and 64 rows, 64 keys of a part, 48 and 256 features; nothing. `d`: features.
std::vector<FlashSize> linear_sizes(Scope scope) {
  switch (scope) {
    case Scope::self_test:
      return {{4, 2, 13, 67, 19, 21}};
    case Scope::comparison:
      return {{4, 2, 13, 67, 19, 21},  {1, 1, 1, 1, 1, 1},     {2, 1, 2, 3, 3, 3},
              {6, 2, 7, 33, 33, 16},   {1, 1, 65, 65, 16, 5},  {2, 2, 129, 193, 8, 16},
              {1, 1, 200, 200, 7, 64}, {1, 1, 3, 385, 64, 64}, {1, 1, 2, 1000, 80, 8},
              {1, 1, 1000, 7, 3, 2},   {1, 1, 7, 9, 300, 33},  {1, 1, 5, 9, 0, 4},
              {1, 1, 5, 9, 4, 0},      {1, 1, 5, 0, 4, 4},     {1, 1, 0, 5, 4, 4}};
    case Scope::shapes:
      return {{2, 1, 3, 5, 3, 3}, {1, 1, 66, 67, 7, 9}};
    case Scope::long_grids:
      return {{1, 1, 70001, 2, 1, 1}};
    case Scope::benchmark:
      return {{8, 8, 512, 512, 64, 64}};
  }
  return {};
}

std::vector<LinearAttention> linear_variants(Scope scope, const FlashSize& s) {
  std::vector<LinearAttention> all{{}};
  if (scope == Scope::long_grids) return all;
  all.push_back({.masks = {{CausalRule{}}}});
  if (scope == Scope::benchmark) return all;
  all.push_back(
      {.masks = {{CausalRule{CausalAlign::top_left, 2}}, {PaddingRule{{s.m - s.m / 4}}}}, .first = 2});
  if (scope == Scope::self_test) return all;
  all.push_back({.masks = {{PaddingRule{{s.m / 2}}}}});
  all.push_back({.masks = {{PaddingRule{{0}}}}});
  all.push_back({.masks = {{CausalRule{CausalAlign::lower_right, 1, 3}}}});
  return all;
}

Tensor features_of(Shape shape, std::uint64_t seed) {
  return absolute(up_to_one(shape, Kind::ordinary, seed));
}

// Rows of a matrix from `first` on, of all matrices.
Tensor with_rows(const Tensor& x, std::size_t first, float value) {
  std::vector<float> values(x.values().begin(), x.values().end());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i / x.columns() % x.rows() >= first) values[i] = value;
  return {x.shape(), std::move(values)};
}

// Keys that no query sees are NaN.
std::vector<Tensor> linear_inputs(const LinearAttention& op, const FlashSize& s, std::uint64_t seed) {
  const std::size_t seen = s.n > 0 ? keys_seen(op, s.n - 1, s.n, s.m) : 0;
  return {features_of({s.heads, s.n, s.d}, seed),
          with_rows(features_of({s.shared, s.m, s.d}, seed + 1), seen, std::nanf("")),
          with_rows(up_to_one({s.shared, s.m, s.c}, Kind::ordinary, seed + 2), seen, std::nanf(""))};
}

struct LinearCase {
  std::string name;
  LinearAttention op;
  std::vector<Tensor> inputs;
};

// Features that are 0, of some and of all; of hardly any size; numbers that are none.
std::vector<LinearCase> special_linear_cases() {
  const LinearAttention causal{.masks = {{CausalRule{}}}};
  const Shape of_queries{2, 70, 5}, of_keys{1, 70, 5}, of_values{1, 70, 3};
  const auto q = features_of(of_queries, 2991), k = features_of(of_keys, 2992),
             v = up_to_one(of_values, Kind::ordinary, 2993);
  const auto scaled = [](const Tensor& x, float factor) {
    std::vector<float> values(x.values().begin(), x.values().end());
    for (float& value : values) value *= factor;
    return Tensor(x.shape(), std::move(values));
  };
  const float kNone = std::nanf(""), kInfinite = std::numeric_limits<float>::infinity();
  std::vector<LinearCase> all;
  for (const LinearAttention& op : {LinearAttention{}, causal}) {
    const std::string how = op.masks.empty() ? "" : ", causal";
    all.push_back({"zeros among features" + how, op, {with_zeros(q), with_zeros(k), v}});
    all.push_back({"features all 0" + how, op, {q, with_rows(k, 0, 0), v}});
    all.push_back({"queries' features 0 from the third" + how, op, {with_rows(q, 2, 0), k, v}});
    all.push_back({"tiny features" + how, op, {scaled(q, 1e-30f), scaled(k, 1e-25f), v}});
    all.push_back({"last key NaN" + how, op, {q, with_rows(k, 69, kNone), with_rows(v, 69, kNone)}});
    all.push_back(
        {"last values infinite" + how, op, {with_zeros(q), with_zeros(k), with_rows(v, 69, kInfinite)}});
    all.push_back({"last queries infinite" + how, op, {with_rows(q, 68, kInfinite), with_zeros(k), v}});
    all.push_back({"last keys infinite" + how, op, {with_zeros(q), with_rows(k, 68, kInfinite), v}});
  }
  return all;
}

std::vector<LinearCase> all_linear_cases(Scope scope) {
  std::vector<LinearCase> cases;
  std::uint64_t seed = 2900;
  for (const FlashSize& s : linear_sizes(scope)) {
    std::size_t variant = 0;
    for (const LinearAttention& op : linear_variants(scope, s))
      cases.push_back(
          {to_text(s) + ", variant " + std::to_string(++variant), op, linear_inputs(op, s, seed += 11)});
  }
  if (scope == Scope::comparison)
    for (LinearCase& special : special_linear_cases()) cases.push_back(std::move(special));
  return cases;
}

std::vector<Case> linear_cases(Scope scope) {
  std::vector<Case> cases;
  for (LinearCase& c : all_linear_cases(scope)) cases.push_back({c.name, c.op, std::move(c.inputs)});
  return cases;
}

std::vector<Case> state_cases(Scope scope) {
  std::vector<Case> cases;
  std::uint64_t seed = 3900;
  for (const FlashSize& s : linear_sizes(scope))
    for (const std::size_t keys : {s.m, s.m / 2}) {
      std::vector<Tensor> inputs = linear_inputs({.masks = {{PaddingRule{{keys}}}}}, s, seed += 11);
      inputs.erase(inputs.begin());
      cases.push_back(
          {to_text(s) + ", " + std::to_string(keys) + " keys", LinearState{keys}, std::move(inputs)});
    }
  return cases;
}

std::vector<Case> linear_way_back_cases(Scope scope) {
  std::vector<Case> cases;
  std::uint64_t seed = 4900;
  for (LinearCase& c : all_linear_cases(scope)) {
    const Shape q = c.inputs[0].shape();
    const Tensor result = make_reference_backend()->run(c.op, c.inputs);
    c.inputs.push_back(result);
    c.inputs.push_back(up_to_one({q.stack, q.rows, c.inputs[2].columns()}, Kind::ordinary, seed += 11));
    for (const LinearSide side : {LinearSide::queries, LinearSide::keys})
      cases.push_back({c.name + (side == LinearSide::queries ? ", of queries" : ", of keys"),
                       LinearGradient{c.op, side}, c.inputs});
  }
  return cases;
}

double size_at(const Tensor& x, Cell cell) {
  return std::abs(static_cast<double>(x[cell]));
}

// Σ |x_i y_i|.
double size_of_pair(const Tensor& x, Cell a, const Tensor& y, Cell b) {
  double sum = 0;
  for (; a.column < x.columns(); ++a.column, ++b.column) sum += size_at(x, a) * size_at(y, b);
  return sum;
}

// A sum of m·r products in some order is off by up to m + r roundings of their sizes, and by few for scaling
// and joining. An output is such a sum by another, z, whose error meets the output.
double linear_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const auto& op = std::get<LinearAttention>(c.operation);
  const Tensor &q = c.inputs[0], &k = c.inputs[1], &v = c.inputs[2];
  const LinearRow<float> row(op, c.inputs, cell.head, cell.row);
  double of_output = 0, of_z = 0;
  for (std::size_t j = 0; j < row.seen(); ++j) {
    const double product = size_of_pair(q, {cell.head, cell.row, 0}, k, {row.matrix(), j, 0});
    of_z += product;
    if (cell.column < v.columns()) of_output += product * size_at(v, {row.matrix(), j, cell.column});
  }
  const double roundings = static_cast<double>(row.seen() + q.columns() + 8) * kUnit;
  const double end = 4 * spacing(reference, arithmetic);
  if (cell.column == v.columns()) return roundings * of_z + end;
  if (row.z() == 0) return end;
  return roundings * (of_output + std::abs(reference) * of_z) / std::abs(row.z()) + end;
}

double state_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const std::size_t keys = std::get<LinearState>(c.operation).keys;
  const Tensor &k = c.inputs[0], &v = c.inputs[1];
  double size = 0;
  for (std::size_t j = 0; j < keys; ++j)
    size += size_at(k, {cell.head, j, cell.row}) *
            (cell.column < v.columns() ? size_at(v, {cell.head, j, cell.column}) : 1);
  return static_cast<double>(keys + 4) * kUnit * size + spacing(reference, arithmetic);
}

// How large what passes from a pair is together: of dO·v − dO·O each product, by z.
double size_of_passed(const Case& c, Cell query, Cell key) {
  const Tensor &v = c.inputs[2], &result = c.inputs[3], &gradient = c.inputs[4];
  return (size_of_pair(gradient, query, v, key) + size_of_pair(gradient, query, result, query)) /
         size_at(result, {query.head, query.row, v.columns()});
}

// Sums over pairs and over what a state has a column for, as on the way there; dO ÷ z and (dO·O) ÷ z take c +
// 2 roundings more.
std::vector<double> linear_way_back_tolerances(const Case& c, std::size_t matrix, std::size_t row,
                                               std::span<const double> reference,
                                               const Arithmetic& arithmetic) {
  const auto& op = std::get<LinearGradient>(c.operation);
  const Tensor &q = c.inputs[0], &k = c.inputs[1], &gradient = c.inputs[4];
  const std::size_t r = q.columns(), values = c.inputs[2].columns();
  std::vector<double> sizes(reference.size());
  std::size_t terms = 0;
  const auto add = [&](double factor, const Tensor& x, Cell of, std::size_t first) {
    for (; of.column < x.columns(); ++of.column) sizes[first + of.column] += factor * size_at(x, of);
  };
  if (op.of == LinearSide::queries) {
    const LinearBack<float> back(op.forward, c.inputs, matrix, row);
    const std::size_t of_keys = shared_matrix(matrix, k.stack(), q.stack());
    terms = back.seen();
    for (std::size_t j = 0; j < terms; ++j)
      add(size_of_passed(c, back.row(), {of_keys, j, 0}), k, {of_keys, j, 0}, 0);
  } else {
    for (const LinearBack<float>& back : linear_rows_of_keys<float>(op.forward, c.inputs, matrix)) {
      if (row >= back.seen()) continue;
      const Cell query = back.row(), key{matrix, row, 0};
      add(size_of_passed(c, query, key), q, query, 0);
      add(size_of_pair(q, query, k, key) / size_at(c.inputs[3], {query.head, query.row, values}), gradient,
          query, r);
      ++terms;
    }
  }
  for (std::size_t i = 0; i < sizes.size(); ++i)
    sizes[i] = !std::isfinite(reference[i])
                   ? 0
                   : static_cast<double>(terms + r + 2 * values + 12) * kUnit * sizes[i] +
                         4 * spacing(reference[i], arithmetic);
  return sizes;
}

double linear_way_back_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const std::size_t r = c.inputs[0].columns();
  const bool of_queries = std::get<LinearGradient>(c.operation).of == LinearSide::queries;
  const std::vector<double> row(of_queries ? r : r + c.inputs[2].columns(), reference);
  return linear_way_back_tolerances(c, cell.head, cell.row, row, arithmetic)[cell.column];
}

}  // namespace

Declaration declared(Of<LinearAttention>) {
  return {LinearAttention::kName, linear_cases, linear_tolerance};
}

Declaration declared(Of<LinearState>) {
  return {LinearState::kName, state_cases, state_tolerance};
}

Declaration declared(Of<LinearGradient>) {
  return {LinearGradient::kName, linear_way_back_cases, linear_way_back_tolerance,
          linear_way_back_tolerances};
}

template Declaration declaration<LinearAttention>();
template Declaration declaration<LinearState>();
template Declaration declaration<LinearGradient>();

}  // namespace attn::opencl

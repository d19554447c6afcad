// Flash attention: tiles that do not come out even, every mask and bias that it takes, rows without a key,
// and numbers that are none under the mask.
#include "core/opencl/cases/flash.h"

#include <cmath>
#include <limits>

#include "core/opencl/cases/family.h"
#include "core/operations/flash_row.h"

namespace attn::opencl {
namespace {

// Around tiles of 24 rows and 384 keys, of 16 rows and 64 keys, vectors of 2 to 16; nothing. Of 385 keys the
// last tile has one, which masks hide.
std::vector<FlashSize> flash_sizes(Scope scope) {
  switch (scope) {
    case Scope::self_test:
      return {{4, 2, 13, 67, 19, 21}};
    case Scope::comparison:
      return {{1, 1, 1, 1, 1, 1},    {2, 1, 2, 3, 3, 3},      {6, 2, 7, 33, 33, 16},   {1, 1, 33, 191, 16, 5},
              {2, 2, 25, 193, 8, 3}, {1, 1, 3, 385, 64, 64},  {1, 1, 2, 1000, 80, 80}, {1, 1, 2, 65, 40, 40},
              {1, 1, 1000, 7, 3, 2}, {1, 1, 3, 64, 128, 128}, {1, 1, 2, 65, 256, 256}, {1, 1, 5, 9, 0, 4},
              {1, 1, 5, 9, 4, 0},    {1, 1, 5, 0, 4, 4},      {1, 1, 0, 5, 4, 4}};
    case Scope::shapes:
      return {{2, 1, 3, 5, 3, 3}, {1, 1, 25, 67, 5, 9}, {1, 1, 2, 385, 2, 2}};
    case Scope::long_grids:
      return {{1, 1, 70001, 2, 1, 1}};
    case Scope::benchmark:
      return {{8, 8, 512, 512, 64, 64}};
  }
  return {};
}

std::vector<FlashAttention> masked_by_rules(const FlashSize& s) {
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < s.n; ++i) lengths.push_back(i * 5 % (s.m + 1));
  const std::vector<std::vector<MaskTerm>> lists{
      {{CausalRule{}}},
      {{CausalRule{CausalAlign::top_left, 2}}},
      {{PaddingRule{{s.m / 2}}}},
      {{PaddingRule{lengths}}},
      {{PaddingRule{{0}}}},
      {{WindowRule{3}}},
      {{PrefixRule{s.m / 3}}},
      {{BlocksRule{{s.m / 4, s.m / 3}}}, {WindowRule{s.m / 5}}, {PaddingRule{{s.m - s.m / 4}}}}};
  std::vector<FlashAttention> all;
  for (const auto& list : lists)
    if (s.n > 0)
      all.push_back({.scale = 1,
                     .empty_row = all.size() % 2 ? EmptyRow::uniform : EmptyRow::nan,
                     .masks = list,
                     .first = static_cast<std::ptrdiff_t>(all.size()) - 3});
  return all;
}

// Keys apart, with everything else that is done to scores; some rows keep no key.
std::vector<FlashAttention> listed_by_rules(const FlashSize& s) {
  const std::size_t third = s.m / 3;
  return {
      {.scale = 3, .cap = 5, .masks = {{StridedRule{3}}}, .first = -1, .alibi = true, .masked = true},
      {.scale = 1, .with_one = true, .masks = {{WindowRule{1}}, {GlobalRule{{0}}}}, .first = 2, .bias = true},
      {.scale = 1,
       .empty_row = EmptyRow::uniform,
       .masks = {{WindowRule{2}, true}, {PaddingRule{{std::min<std::size_t>(s.m, 5)}}}}},
      {.scale = 1,
       .empty_row = EmptyRow::nan,
       .masks = {{RandomRule{third, 5}}, {StridedRule{7}, false, Join::all}, {CausalRule{}}},
       .first = 1,
       .offsets = Clip{3},
       .bias = true,
       .masked = true}};
}

// The first of them again, with the weights written.
std::vector<FlashAttention> with_weights(std::vector<FlashAttention> all, std::size_t most) {
  for (std::size_t i = 0, count = std::min(most, all.size()); i < count; ++i) {
    all.push_back(all[i]);
    all.back().weights = true;
  }
  return all;
}

// Nobody sees the last key, which is NaN, and so is its value; one row sees none.
void hide_last(std::vector<Tensor>& inputs, Shape mask, std::uint64_t seed) {
  const Tensor random = zeros_and_ones(mask, seed, true);
  std::vector<float> hidden(random.values().begin(), random.values().end());
  for (std::size_t row = 0; row < mask.stack * mask.rows; ++row) hidden[(row + 1) * mask.columns - 1] = 1;
  for (const std::size_t of : {std::size_t{1}, std::size_t{2}}) {
    std::vector<float> values(inputs[of].values().begin(), inputs[of].values().end());
    const Shape shape = inputs[of].shape();
    for (std::size_t g = 0; g < shape.stack; ++g)
      for (std::size_t i = 0; i < shape.columns; ++i)
        values[((g + 1) * shape.rows - 1) * shape.columns + i] = std::nanf("");
    inputs[of] = Tensor(shape, std::move(values));
  }
  inputs.emplace_back(mask, std::move(hidden));
}

}  // namespace

std::string to_text(const FlashSize& s) {
  return std::to_string(s.heads) + "/" + std::to_string(s.shared) + " " + std::to_string(s.n) + "×" +
         std::to_string(s.m) + " of " + std::to_string(s.d) + ", " + std::to_string(s.c);
}

Tensor up_to_one(Shape shape, Kind kind, std::uint64_t seed) {
  const Tensor x = numbers(shape, kind, seed);
  std::vector<float> values;
  for (const float v : x.values()) values.push_back(v / 10);
  return {shape, std::move(values)};
}

std::vector<FlashAttention> flash_variants(Scope scope, const FlashSize& s) {
  std::vector<FlashAttention> all{{.scale = 1 / std::sqrt(1 + static_cast<double>(s.d))}};
  if (scope == Scope::benchmark || scope == Scope::long_grids) return all;
  all.push_back({.scale = 3, .cap = 5, .masks = {{CausalRule{}}}, .masked = true});
  all.push_back({.scale = 1, .with_one = true, .bias = true});
  all.push_back({.scale = 1, .first = 2, .alibi = true});
  all.push_back({.scale = 1, .offsets = Clip{3}, .bias = true, .masked = true, .weights = true});
  all.push_back({.scale = 1, .alibi = true, .offsets = Buckets{8, 20, false}});
  std::vector<FlashAttention> listed = listed_by_rules(s);
  if (scope == Scope::self_test) listed.resize(1);
  all.insert(all.end(), listed.begin(), listed.end());
  if (scope == Scope::self_test) return all;
  for (FlashAttention& op : masked_by_rules(s)) all.push_back(std::move(op));
  const std::size_t weighted = scope == Scope::comparison ? all.size() : 2;
  return with_weights(std::move(all), weighted);
}

std::vector<Tensor> flash_inputs(const FlashAttention& op, const FlashSize& s, Kind kind,
                                 std::uint64_t seed) {
  const std::size_t other = seed % 2 == 0 ? 1 : s.heads;  // shared by all heads, or one each
  std::vector<Tensor> inputs{up_to_one({s.heads, s.n, s.d}, Kind::ordinary, seed),
                             up_to_one({s.shared, s.m, s.d}, Kind::ordinary, seed + 1),
                             up_to_one({s.shared, s.m, s.c}, Kind::ordinary, seed + 2)};
  if (op.offsets) inputs.push_back(up_to_one({other, 1, index_count(*op.offsets)}, Kind::ordinary, seed + 3));
  if (op.bias) inputs.push_back(up_to_one({other, s.n, s.m}, kind, seed + 4));
  if (op.masked && s.m > 0)
    hide_last(inputs, {other, s.n, s.m}, seed + 5);
  else if (op.masked)
    inputs.push_back(up_to_one({other, s.n, s.m}, Kind::ordinary, seed));
  return inputs;
}

double score_error(const FlashAttention& op, Inputs inputs, Cell row, std::size_t key) {
  const Tensor &q = inputs[0], &k = inputs[1];
  const FlashInputs at(op);
  const std::size_t matrix = shared_matrix(row.head, k.stack(), q.stack());
  const auto size_at = [&](std::size_t input, std::size_t r, std::size_t column) {
    const double x = inputs[input][{shared_matrix(row.head, inputs[input].stack(), q.stack()), r, column}];
    return std::isfinite(x) ? std::abs(x) : 0;
  };
  double products = 0;
  for (std::size_t i = 0; i < q.columns(); ++i)
    products +=
        std::abs(static_cast<double>(q[{row.head, row.row, i}]) * static_cast<double>(k[{matrix, key, i}]));
  const double score = std::abs(op.scale) * products;
  double error = (static_cast<double>(q.columns()) + 2) * score, size = score;
  if (op.cap > 0) error += 8 * op.cap, size = std::min(size, op.cap);
  const std::ptrdiff_t offset =
      static_cast<std::ptrdiff_t>(key) - op.first - static_cast<std::ptrdiff_t>(row.row);
  if (op.alibi) size += std::abs(distance_bias(alibi_slope(row.head, q.stack()), offset));
  if (op.offsets) size += size_at(at.offsets, 0, index_of(*op.offsets, offset));
  if (op.bias) size += size_at(at.bias, row.row, key);
  return (error + 6 * size) * 0x1p-24;
}

namespace {

// Of a row's scores the largest. `hidden`: by key.
double error_of_scores(const FlashAttention& op, Inputs inputs, Cell row, const std::vector<char>& hidden) {
  double largest = 0;
  for (std::size_t j = 0; j < hidden.size(); ++j)
    if (!hidden[j]) largest = std::max(largest, score_error(op, inputs, row, j));
  return largest;
}

// Queries and keys with NaN and infinities; scores that a float's exponential would leave by far.
std::vector<Case> special_flash_cases() {
  const auto filled = [](Shape shape, float even, float odd) {
    std::vector<float> values(shape.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? even : odd;
    return Tensor(shape, std::move(values));
  };
  const Tensor v = up_to_one({1, 70, 3}, Kind::ordinary, 990);
  const float kNone = -std::numeric_limits<float>::infinity();
  std::vector<Case> cases{
      {"scores all −∞, values NaN",
       FlashAttention{.bias = true},
       {up_to_one({1, 9, 5}, Kind::ordinary, 996), up_to_one({1, 70, 5}, Kind::ordinary, 997),
        filled({1, 70, 3}, std::nanf(""), 1), filled({1, 9, 70}, kNone, kNone)}}};
  const auto add = [&](std::string name, std::vector<MaskTerm> masks, Kind scores, Kind values,
                       std::uint64_t seed) {
    cases.push_back({std::move(name),
                     FlashAttention{.scale = 0.3, .masks = std::move(masks)},
                     {up_to_one({2, 29, 5}, scores, seed), up_to_one({1, 70, 5}, scores, seed + 1),
                      up_to_one({1, 70, 3}, values, seed + 2)}});
  };
  add("special", {{CausalRule{}}}, Kind::special, Kind::ordinary, 991);
  add("values special", {{CausalRule{}}}, Kind::ordinary, Kind::special, 993);
  add("special, keys apart", {{StridedRule{5}}}, Kind::special, Kind::ordinary, 991);
  add("values special, keys apart", {{StridedRule{5}}}, Kind::ordinary, Kind::special, 993);
  for (const std::vector<MaskTerm>& masks : {std::vector<MaskTerm>{}, {{StridedRule{5}}}})
    cases.push_back({masks.empty() ? "scores of 80,000" : "scores of 80,000, keys apart",
                     FlashAttention{.masks = masks},
                     {filled({1, 29, 1}, 400, -400), filled({1, 70, 1}, 200, -200), v}});
  return cases;
}

// An interpreter, as Oclgrind is, takes half a second a case: the self-test leaves out what is in another.
std::vector<Kind> kinds_of_bias(Scope scope, bool biased) {
  if (!biased) return {Kind::ordinary};
  if (scope == Scope::self_test) return {Kind::masked};
  return {Kind::ordinary, Kind::masked};
}

std::vector<Case> flash_cases(Scope scope) {
  std::vector<Case> cases;
  std::uint64_t seed = 900;
  for (const FlashSize& s : flash_sizes(scope)) {
    const std::string name = to_text(s) + ", variant ";
    std::size_t variant = 0;
    for (const FlashAttention& op : flash_variants(scope, s)) {
      ++variant;
      for (const Kind kind : kinds_of_bias(scope, op.bias))
        cases.push_back({name + std::to_string(variant), op, flash_inputs(op, s, kind, seed += 11)});
    }
  }
  if (scope != Scope::comparison && scope != Scope::self_test) return cases;
  for (Case& special : special_flash_cases()) {
    cases.push_back(special);
    std::get<FlashAttention>(special.operation).weights = true;
    special.name += ", weights";
    cases.push_back(std::move(special));
  }
  return cases;
}

// What the numbers of a row share, which takes as long to find as the row.
struct RowErrors {
  RowErrors(const Case& c, std::size_t head, std::size_t row);
  double tolerance(std::size_t column, double reference, const Arithmetic& arithmetic) const;

  const Case& of;
  std::size_t matrix;  // of the values
  FlashRow<float> row;
  double share;
};

// An exponential is off by what its score and the maximum are and by 2^-21 of itself, once more for each tile
// that follows; sums of m terms by m roundings. Exponentials below 2^-125 may be left out. An output is a
// mean, whose weights' errors meet the values' distances from it.
RowErrors::RowErrors(const Case& c, std::size_t head, std::size_t index)
    : of(c),
      matrix(shared_matrix(head, c.inputs[2].stack(), c.inputs[0].stack())),
      row(std::get<FlashAttention>(c.operation), c.inputs, head, index) {
  const double keys = static_cast<double>(c.inputs[2].rows());
  const double scores =
      error_of_scores(std::get<FlashAttention>(c.operation), c.inputs, {head, index, 0}, row.hidden);
  share = 2 * scores + 0x1p-21 * (2 + keys / 64) + keys * 0x1p-24;
}

double RowErrors::tolerance(std::size_t column, double reference, const Arithmetic& arithmetic) const {
  const Tensor& v = of.inputs[2];
  if (column > v.columns() && reference == 0) return 0x1p-125;  // masked, if not that small
  if (column == v.columns()) return share + 4 * spacing(reference, arithmetic);
  if (column > v.columns()) return share * reference + 0x1p-125 + 4 * spacing(reference, arithmetic);
  double apart = 0;
  for (std::size_t j = 0; j < v.rows(); ++j)
    if (!row.hidden[j])
      apart += row.weights[j] * (std::abs(static_cast<double>(v[{matrix, j, column}])) + std::abs(reference));
  return share * apart + 4 * spacing(reference, arithmetic);
}

double flash_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  return RowErrors(c, cell.head, cell.row).tolerance(cell.column, reference, arithmetic);
}

std::vector<double> flash_row_tolerances(const Case& c, std::size_t head, std::size_t row,
                                         std::span<const double> reference, const Arithmetic& arithmetic) {
  const RowErrors errors(c, head, row);
  std::vector<double> tolerances;
  for (std::size_t column = 0; column < reference.size(); ++column)
    tolerances.push_back(
        std::isfinite(reference[column]) ? errors.tolerance(column, reference[column], arithmetic) : 0);
  return tolerances;
}

}  // namespace

Declaration declared(Of<FlashAttention>) {
  return {FlashAttention::kName, flash_cases, flash_tolerance, flash_row_tolerances};
}

template Declaration declaration<FlashAttention>();

}  // namespace attn::opencl

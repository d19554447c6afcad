// The way back through flash attention: what the way there is tested with, with what came out of it, and
// numbers that are none in rows and keys that nothing passes through.
#include "core/operations/flash_gradient.h"

#include <cmath>
#include <limits>

#include "core/opencl/cases/family.h"
#include "core/opencl/cases/flash.h"
#include "core/operations/flash_gradient_row.h"
#include "core/reference/backend.h"

namespace attn::opencl {
namespace {

// Around tiles of 8 rows, and of up to 48, which matrices of more than 672 rows in all fill; panels of 4 to
// 64, vectors of 2 to 16; nothing.
std::vector<FlashSize> way_back_sizes(Scope scope) {
  switch (scope) {
    case Scope::self_test:
      return {{2, 1, 65, 67, 9, 5}};
    case Scope::comparison:
      return {{4, 2, 13, 67, 9, 11}, {1, 1, 1, 1, 1, 1},    {2, 1, 2, 3, 3, 3},    {6, 2, 7, 33, 33, 16},
              {1, 1, 33, 65, 16, 5}, {2, 2, 193, 9, 8, 3},  {2, 2, 2, 385, 8, 9},  {2, 2, 385, 2, 9, 8},
              {1, 1, 9, 3, 64, 80},  {1, 1, 3, 5, 80, 128}, {1, 1, 3, 7, 128, 33}, {1, 1, 2, 3, 256, 256},
              {1, 1, 5, 9, 0, 4},    {1, 1, 5, 9, 4, 0},    {1, 1, 5, 0, 4, 4},    {1, 1, 0, 5, 4, 4}};
    case Scope::shapes:
      return {{2, 1, 3, 5, 3, 3}, {1, 1, 25, 67, 5, 9}};
    case Scope::long_grids:
      return {{1, 1, 70001, 2, 1, 1}, {1, 1, 2, 70001, 1, 1}};
    case Scope::benchmark:
      return {{8, 8, 512, 512, 64, 64}};
  }
  return {};
}

// At the first size all variants, elsewhere the first and two others in turn.
std::vector<FlashAttention> way_back_variants(Scope scope, const FlashSize& s, std::size_t turn) {
  std::vector<FlashAttention> all = flash_variants(scope == Scope::comparison ? Scope::shapes : scope, s);
  if (scope == Scope::self_test) return {all[0], all[1], all[4], all.back()};
  if (turn == 0 || all.size() < 4) return all;
  const auto other = [&](std::size_t i) { return all[1 + (2 * turn + i) % (all.size() - 1)]; };
  return {all[0], other(0), other(1)};
}

Tensor with_row(const Tensor& x, std::size_t row, float value) {
  std::vector<float> values(x.values().begin(), x.values().end());
  for (std::size_t i = 0; i < x.columns(); ++i) values[row * x.columns() + i] = value;
  return {x.shape(), std::move(values)};
}

// Behind the inputs of the way there what comes of them, and dO.
std::vector<Tensor> there_and_back(const FlashAttention& op, std::vector<Tensor> inputs, Kind kind,
                                   std::uint64_t seed) {
  const Shape q = inputs[0].shape(), k = inputs[1].shape();
  Tensor gradient = up_to_one({q.stack, q.rows, inputs[2].columns()}, kind, seed);
  if (op.masked && q.rows > 0 && k.rows > 0) {  // the first query sees no key, and no query the last one
    inputs[0] = with_row(inputs[0], 0, std::nanf(""));
    gradient = with_row(gradient, 0, std::nanf(""));
    for (std::size_t g = 0; g < k.stack; ++g)
      inputs[1] = with_row(inputs[1], (g + 1) * k.rows - 1, std::numeric_limits<float>::infinity());
  }
  inputs.push_back(make_reference_backend()->run(op, inputs));
  inputs.push_back(gradient);
  return inputs;
}

void add_both(std::vector<Case>& cases, const std::string& name, const FlashAttention& forward,
              const std::vector<Tensor>& inputs) {
  cases.push_back({name + ", of queries", FlashGradient{forward, FlashSide::queries}, inputs});
  cases.push_back({name + ", of keys", FlashGradient{forward, FlashSide::keys}, inputs});
}

// Numbers that are none where something passes; scores that a float's exponential would leave by far.
void add_special(std::vector<Case>& cases) {
  const FlashAttention causal{.scale = 0.3, .masks = {{CausalRule{}}}},
      apart{.scale = 0.3, .masks = {{StridedRule{5}}}};
  const auto add = [&](const std::string& name, const FlashAttention& op, Kind of_scores, Kind of_values,
                       Kind of_gradient, std::uint64_t seed) {
    add_both(
        cases, name, op,
        there_and_back(op,
                       {up_to_one({2, 29, 5}, of_scores, seed), up_to_one({1, 70, 5}, of_scores, seed + 1),
                        up_to_one({1, 70, 3}, of_values, seed + 2)},
                       of_gradient, seed + 3));
  };
  add("special", causal, Kind::special, Kind::ordinary, Kind::ordinary, 1991);
  add("values special", causal, Kind::ordinary, Kind::special, Kind::ordinary, 1995);
  add("gradients special", causal, Kind::ordinary, Kind::ordinary, Kind::special, 1999);
  add("special, keys apart", apart, Kind::special, Kind::ordinary, Kind::ordinary, 1991);
  add("values special, keys apart", apart, Kind::ordinary, Kind::special, Kind::ordinary, 1995);
  add("gradients special, keys apart", apart, Kind::ordinary, Kind::ordinary, Kind::special, 1999);
  add("scores of thousands, keys apart", {.scale = 8000, .masks = apart.masks}, Kind::ordinary,
      Kind::ordinary, Kind::ordinary, 2003);
  add("scores of thousands", {.scale = 8000}, Kind::ordinary, Kind::ordinary, Kind::ordinary, 2003);
}

std::vector<Case> way_back_cases(Scope scope) {
  std::vector<Case> cases;
  std::uint64_t seed = 1200;
  std::size_t turn = 0;
  for (const FlashSize& s : way_back_sizes(scope)) {
    std::size_t variant = 0;
    for (const FlashAttention& op : way_back_variants(scope, s, turn)) {
      seed += 11;
      const Kind of_bias = seed % 2 == 0 ? Kind::masked : Kind::ordinary;
      add_both(cases, to_text(s) + ", variant " + std::to_string(++variant), op,
               there_and_back(op, flash_inputs(op, s, of_bias, seed), Kind::ordinary, seed + 9));
    }
    ++turn;
  }
  if (scope == Scope::comparison) add_special(cases);
  return cases;
}

// How far a pair's weight, and what passes to its score, may be from the exact ones.
struct PairError {
  double weight = 0, to_score = 0;
};

// A weight is off by what its score is, by the difference's rounding and by 2^-21 of itself; exponentials
// below 2^-125 may be left out. What passes to it is a sum of c products, the mean of them another; three
// roundings follow.
PairError pair_error(const Case& c, const FlashBack<float>& back, const FlashPair& pair, std::size_t key) {
  const auto& op = std::get<FlashGradient>(c.operation);
  const Tensor &v = c.inputs[2], &result = c.inputs[FlashGradientInputs(op).result];
  const Cell row = back.row();
  const std::size_t matrix = shared_matrix(row.head, v.stack(), c.inputs[0].stack());
  double products = 0;
  for (std::size_t i = 0; i < v.columns(); ++i)
    products += std::abs(back.to_output(i)) * (std::abs(static_cast<double>(v[{matrix, key, i}])) +
                                               std::abs(static_cast<double>(result[{row.head, row.row, i}])));
  const double of_score = score_error(op.forward, c.inputs, row, key);
  const double below = pair.weight > 0 ? std::abs(std::log(pair.weight)) : 0;
  const double share = std::expm1(2 * of_score + 0x1p-21 + 2 * kUnit * below);
  const double of_weight = share * pair.weight + 0x1p-125;
  const double to_weight = (static_cast<double>(v.columns()) + 2) * kUnit * products;
  const double of_slope = op.forward.cap > 0 ? 20 * kUnit + 2 * of_score / op.forward.cap : 0;
  return {of_weight, of_weight * (std::abs(pair.to_weight) + to_weight) +
                         pair.weight * (to_weight + std::abs(pair.to_weight) * (of_slope + 4 * kUnit)) +
                         0x1p-125};
}

// Of each pair its error, and of their sum a rounding a term.
double way_back_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const auto& op = std::get<FlashGradient>(c.operation);
  const Tensor &q = c.inputs[0], &k = c.inputs[1];
  const double scale = std::abs(op.forward.scale);
  double errors = 0, sizes = 0, terms = 0;
  const auto add = [&](const FlashBack<float>& back, std::size_t key, bool of_values, double other) {
    ++terms;
    if (back.hides(key)) return;
    const FlashPair pair = back(key);
    const PairError error = pair_error(c, back, pair, key);
    errors += (of_values ? error.weight : scale * error.to_score) * std::abs(other);
    sizes += std::abs((of_values ? pair.weight : scale * pair.to_score()) * other);
  };
  if (op.of == FlashSide::queries) {
    const FlashBack<float> back(op, c.inputs, cell.head, cell.row);
    const std::size_t matrix = shared_matrix(cell.head, k.stack(), q.stack());
    for (std::size_t j = 0; j < k.rows(); ++j) add(back, j, false, k[{matrix, j, cell.column}]);
  } else {
    const bool of_values = cell.column >= q.columns();
    for (const FlashBack<float>& back : rows_of_keys<float>(op, c.inputs, cell.head)) {
      const Cell row = back.row();
      add(back, cell.row, of_values,
          of_values ? back.to_output(cell.column - q.columns())
                    : static_cast<double>(q[{row.head, row.row, cell.column}]));
    }
  }
  return errors + (terms + 4) * kUnit * sizes + 4 * spacing(reference, arithmetic);
}

}  // namespace

Declaration declared(Of<FlashGradient>) {
  return {FlashGradient::kName, way_back_cases, way_back_tolerance};
}

template Declaration declaration<FlashGradient>();

}  // namespace attn::opencl

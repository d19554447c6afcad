// The way back through flash attention on the reference: against central differences of the way there,
// through masks, and in the words that explain it.
#include "core/operations/flash_gradient.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/operations/operation.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "core/tensor/random.h"

using namespace attn;

namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

Tensor64 normals(Shape shape, std::uint64_t seed) {
  std::vector<double> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = random_normal(seed, i);
  return {shape, std::move(values)};
}

Tensor64 ran(const Operation& operation, const std::vector<Tensor64>& inputs) {
  return run_in_double(operation, inputs);
}

Tensor64 with(const Tensor64& x, std::size_t place, double value) {
  std::vector<double> values(x.values().begin(), x.values().end());
  values[place] = value;
  return {x.shape(), std::move(values)};
}

// Inputs of the way there and dO: with the result between them, those of the way back.
struct WayBack {
  FlashAttention op;
  std::vector<Tensor64> inputs;
  Tensor64 gradient;

  std::vector<Tensor64> all() const {
    std::vector<Tensor64> all = inputs;
    all.push_back(ran(op, inputs));
    all.push_back(gradient);
    return all;
  }
  Tensor64 of(FlashSide side) const { return ran(FlashGradient{op, side}, all()); }
  // Σ dO ⊙ O.
  double loss() const {
    const Tensor64 result = ran(op, inputs);
    double sum = 0;
    for (std::size_t i = 0; i < gradient.values().size(); ++i) {
      const Cell cell = cell_at(gradient.shape(), i);
      if (gradient[cell] != 0) sum += gradient[cell] * result[cell];
    }
    return sum;
  }
  double difference(std::size_t input, std::size_t place) const {
    constexpr double kStep = 1e-5;
    WayBack ahead = *this, behind = *this;
    const double x = inputs[input].values()[place];
    ahead.inputs[input] = with(inputs[input], place, x + kStep);
    behind.inputs[input] = with(inputs[input], place, x - kStep);
    return (ahead.loss() - behind.loss()) / (2 * kStep);
  }
};

// `columns`: of the gradient, those that belong to the input.
void check_differences(const WayBack& back, std::size_t input, const Tensor64& gradient, std::size_t first) {
  const Tensor64& x = back.inputs[input];
  double largest = 0;
  for (const double number : gradient.values()) largest = std::max(largest, std::abs(number));
  for (std::size_t i = 0; i < x.values().size(); ++i) {
    const Cell cell = cell_at(x.shape(), i);
    const double a = gradient[{cell.head, cell.row, first + cell.column}], b = back.difference(input, i);
    INFO("input ", input, ", number ", i, ": ", a, ", by differences ", b);
    CHECK(std::abs(a - b) <= 1e-6 * std::max({std::abs(a), std::abs(b), 1e-3 * largest}));
  }
}

void check_differences(const FlashAttention& op, std::vector<Tensor64> more = {}) {
  WayBack back{
      op, {normals({4, 5, 3}, 1), normals({2, 7, 3}, 2), normals({2, 7, 2}, 3)}, normals({4, 5, 2}, 4)};
  back.inputs.insert(back.inputs.end(), more.begin(), more.end());
  const Tensor64 of_keys = back.of(FlashSide::keys);
  check_differences(back, 0, back.of(FlashSide::queries), 0);
  check_differences(back, 1, of_keys, 0);
  check_differences(back, 2, of_keys, 3);
}

// A third of the pairs, and all of row 1.
Tensor64 some_masked(Shape shape) {
  std::vector<double> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 3 == 0;
  for (std::size_t j = 0; j < shape.columns; ++j) values[shape.columns + j] = 1;
  return {shape, std::move(values)};
}

// Two heads of three queries that share four keys; masked: the third key from the second query, and numbers
// by offset are added.
WayBack biased(bool masked) {
  WayBack back{{.scale = 0.6, .bias = true},
               {normals({2, 3, 2}, 1), normals({1, 4, 2}, 2), normals({1, 4, 3}, 3), normals({2, 3, 4}, 5)},
               normals({2, 3, 3}, 6)};
  if (!masked) return back;
  back.op.offsets = Clip{1}, back.op.masked = true;
  back.inputs.insert(back.inputs.begin() + 3, normals({2, 1, 3}, 4));
  back.inputs.push_back(with(Tensor64({1, 3, 4}, std::vector<double>(12)), 6, 1));
  return back;
}

bool all_zero(const Tensor64& x, std::size_t first, std::size_t count) {
  for (std::size_t i = first; i < first + count; ++i)
    if (x.values()[i] != 0) return false;
  return true;
}

}  // namespace

TEST_CASE("what passes back through flash attention is what central differences of the way there give") {
  check_differences({.scale = 0.7});
  check_differences({.scale = 3, .cap = 2});
  check_differences({.scale = 0.5, .with_one = true});
  check_differences({.masks = {{CausalRule{CausalAlign::lower_right, 1}}}});
  check_differences({.masks = {{CausalRule{CausalAlign::top_left, 1}}}});
  check_differences({.masks = {{PaddingRule{{3, 0, 7, 5, 1}}}, {WindowRule{2}}}, .first = 2});
  check_differences({.masks = {{BlocksRule{{3, 4}}}}, .first = 2, .alibi = true});
  check_differences({.masks = {{StridedRule{2}}}, .first = 1});
  check_differences(
      {.masks = {{WindowRule{1}}, {GlobalRule{{2}}}, {CausalRule{}}}, .first = 2, .alibi = true});
  check_differences({.cap = 2, .masks = {{RandomRule{3, 7}}, {WindowRule{1}, true, Join::all}}});
  check_differences({.scale = 2, .cap = 3, .masks = {{PrefixRule{4}}}, .masked = true},
                    {some_masked({1, 5, 7})});
  check_differences({.with_one = true, .offsets = Clip{2}, .bias = true, .masked = true},
                    {normals({2, 1, 5}, 5), normals({4, 5, 7}, 6), some_masked({2, 5, 7})});
  check_differences({.alibi = true, .offsets = Buckets{8, 20, false}}, {normals({1, 1, 8}, 7)});
}

TEST_CASE("nothing passes back through a row without a key, whatever became of it") {
  for (const EmptyRow empty : {EmptyRow::zeros, EmptyRow::nan, EmptyRow::uniform})
    for (const bool by_bias : {false, true}) {
      const double none = by_bias ? -std::numeric_limits<double>::infinity() : 1;
      const Tensor64 rows({1, 2, 3}, {none, none, none, 0, 0, 0});
      const WayBack back{{.empty_row = empty, .bias = by_bias, .masked = !by_bias},
                         {with(normals({1, 2, 2}, 1), 1, by_bias ? 0 : kNotANumber), normals({1, 3, 2}, 2),
                          normals({1, 3, 4}, 3), rows},
                         with(normals({1, 2, 4}, 4), 2, kNotANumber)};
      // The second row alone.
      const WayBack second{
          {},
          {Tensor64({1, 1, 2}, {back.inputs[0].values()[2], back.inputs[0].values()[3]}), back.inputs[1],
           back.inputs[2]},
          Tensor64({1, 1, 4}, {back.gradient.values().begin() + 4, back.gradient.values().end()})};
      const Tensor64 of_queries = back.of(FlashSide::queries);
      CHECK(all_zero(of_queries, 0, 2));
      CHECK(of_queries.values()[2] == second.of(FlashSide::queries).values()[0]);
      CHECK(back.of(FlashSide::keys) == second.of(FlashSide::keys));
    }
}

TEST_CASE("what a masked key or value holds never passes back, and nothing passes to it") {
  const WayBack back{{.masks = {{PaddingRule{{2}}}}},
                     {normals({2, 3, 2}, 1), with(normals({1, 3, 2}, 2), 4, kNotANumber),
                      with(normals({1, 3, 2}, 3), 5, kNotANumber)},
                     normals({2, 3, 2}, 4)};
  const auto first_two = [](const Tensor64& x) {
    return Tensor64({1, 2, 2}, {x.values().begin(), x.values().begin() + 4});
  };
  const WayBack without{
      {}, {back.inputs[0], first_two(back.inputs[1]), first_two(back.inputs[2])}, back.gradient};
  CHECK(back.of(FlashSide::queries) == without.of(FlashSide::queries));
  const Tensor64 of_keys = back.of(FlashSide::keys), fewer = without.of(FlashSide::keys);
  CHECK(std::equal(fewer.values().begin(), fewer.values().end(), of_keys.values().begin()));
  CHECK(all_zero(of_keys, 8, 4));
}

TEST_CASE("an explanation of what passes back adds up to the number, over the pairs that are left") {
  const WayBack back = biased(true);
  std::vector<Tensor> floats;
  for (const Tensor64& input : back.all()) floats.push_back(to_float(input));
  for (const FlashSide side : {FlashSide::queries, FlashSide::keys}) {
    const Tensor64 result = back.of(side);
    for (std::size_t i = 0; i < result.values().size(); ++i) {
      const Cell cell = cell_at(result.shape(), i);
      const Explanation explained = explain(FlashGradient{back.op, side}, floats, cell);
      CHECK(explained.result == doctest::Approx(result[cell]).epsilon(1e-5));
      const bool of_query = side == FlashSide::queries, less = cell.row == (of_query ? 1 : 2);
      CHECK(explained.terms.size() == (of_query ? 4 - less : 6 - 2 * less));
    }
  }
}

TEST_CASE("what an input of the way back reaches is what changes with it") {
  for (const bool masked : {false, true})
    for (const FlashSide side : {FlashSide::queries, FlashSide::keys}) {
      const WayBack back = biased(masked);
      const Operation op = FlashGradient{back.op, side};
      const std::vector<Tensor64> inputs = back.all();
      std::vector<Shape> shapes;
      for (const Tensor64& input : inputs) shapes.push_back(input.shape());
      const Tensor64 result = ran(op, inputs);
      for (std::size_t input = 0; input < inputs.size(); ++input)
        for (std::size_t i = 0; i < inputs[input].values().size(); ++i) {
          INFO("input ", input, ", number ", i);
          std::vector<Tensor64> changed = inputs;
          changed[input] = with(inputs[input], i, inputs[input].values()[i] == 1 ? 0 : 1);
          const Tensor64 other = ran(op, changed);
          const Regions reached = reach(op, shapes, input, cell_at(shapes[input], i));
          for (std::size_t j = 0; j < result.values().size(); ++j) {
            const Cell cell = cell_at(result.shape(), j);
            const bool reaches =
                std::ranges::any_of(reached, [&](const Region& r) { return r.contains(cell); });
            const bool changes = result[cell] != other[cell];
            CHECK((masked ? reaches || !changes : reaches == changes));
          }
        }
    }
}

TEST_CASE("what passes back through flash attention refuses what does not fit") {
  const std::vector<Shape> shapes{{2, 3, 4}, {1, 5, 4}, {1, 5, 6}, {2, 3, 7}, {2, 3, 6}};
  CHECK(result_shape(FlashGradient{}, shapes) == Shape{2, 3, 4});
  CHECK(result_shape(FlashGradient{{}, FlashSide::keys}, shapes) == Shape{1, 5, 10});
  std::vector<Shape> wrong = shapes;
  wrong[3].columns = 6;
  CHECK_THROWS_AS(result_shape(FlashGradient{}, wrong), Error);
  wrong = shapes, wrong[4].columns = 7;
  CHECK_THROWS_AS(result_shape(FlashGradient{}, wrong), Error);
}

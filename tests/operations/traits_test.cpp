// What families say of their operations: every one its word, its work and its gradient; what a −∞ stands for,
// and which numbers fall by chance.
#include "core/operations/traits.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "core/attention/layer.h"
#include "core/graph/rounding.h"

using namespace attn;

namespace {

constexpr float kMinusInfinite = -std::numeric_limits<float>::infinity();

template <std::size_t... I>
std::vector<Operation> one_of_each(std::index_sequence<I...>) {
  return {std::variant_alternative_t<I, OperationVariant>{}...};
}
std::vector<Operation> one_of_each() {
  return one_of_each(std::make_index_sequence<std::variant_size_v<OperationVariant>>());
}

// On more inputs than any of them reads.
Traits of_squares(const Operation& operation) {
  const std::vector<Shape> squares(5, {1, 2, 2});
  return traits(operation, squares, squares[0]);
}

LayerSpec three_tokens_in_two_heads() {
  LayerSpec layer;
  layer.heads = 2, layer.kv_heads = 1;
  layer.x = Tensor({1, 3, 4}, std::vector<float>(12, 0.5f));
  layer.w_q = Tensor({1, 4, 10}, std::vector<float>(40, 0.25f));
  layer.w_k = Tensor({1, 4, 5}, std::vector<float>(20, 0.25f));
  layer.w_v = Tensor({1, 4, 6}, std::vector<float>(24, 0.25f));
  return layer;
}

Traits traits_at(const Graph& graph, const char* stage) {
  return graph.stages[*graph.find(stage)].traits;
}

bool hides(const Operation& operation, const std::vector<Tensor>& inputs, Cell cell) {
  return mask_origin(operation, inputs, cell).here;
}

using InputCells = std::vector<std::pair<std::size_t, Cell>>;
// The cells whose −∞ it passes on.
InputCells passed(const Operation& operation, const std::vector<Tensor>& inputs, Cell cell) {
  return mask_origin(operation, inputs, cell).of;
}

}  // namespace

TEST_CASE("every operation has a word of its own") {
  std::set<std::string> words;
  for (const Operation& operation : one_of_each()) words.insert(name(operation));
  CHECK(words.size() == std::variant_size_v<OperationVariant>);
  CHECK(words.count("") == 0);
}

TEST_CASE("every operation but what is given has work, and none widens or counts less than nothing") {
  for (const Operation& operation : one_of_each()) {
    CAPTURE(name(operation));
    const Traits found = of_squares(operation);
    if (given_tensor(operation)) CHECK(found.multiply_adds == 0);
    CHECK(std::isfinite(found.multiply_adds));
    CHECK(found.multiply_adds >= 0);
    CHECK(found.counted.value_or(0) >= 0);
  }
}

TEST_CASE("work of projections and products is what counting by hand gives") {
  const Graph graph = build_graph(three_tokens_in_two_heads());
  // Two heads of three queries of five numbers, each of four products; scores of three by three, each of
  // five.
  const Traits q = traits_at(graph, "q"), scores = traits_at(graph, "scores");
  CHECK(q.multiply_adds == 2 * 3 * 5 * 4);
  CHECK(q.counted == 2 * 2 * 3 * 5 * 4);
  CHECK(q.column_heads == 2);
  CHECK(q.widened == 8 * (3 * 4 + 4 * 10 + 2 * 3 * 5));
  CHECK(scores.multiply_adds == 2 * 3 * 3 * 5);
  CHECK(scores.counted == 2 * 2 * 3 * 3 * 5);
  CHECK(scores.column_heads == 0);
  CHECK(scores.widened == 8 * (3 * 5 + 3 * 5 + 3 * 3));
  CHECK(traits_at(graph, "exp").counted == 2 * 2 * 3 * 3);
  CHECK(traits_at(graph, "concat").counted == 0);
  CHECK_FALSE(traits_at(graph, "scaled").counted);
  CHECK(traits_at(graph, "scaled").factor == 1 / std::sqrt(5.0));
}

TEST_CASE("which operation rounds, joins heads and leaves numbers in their format") {
  CHECK(of_squares(Round{NumberFormat::float16}).rounds_to == NumberFormat::float16);
  CHECK_FALSE(of_squares(FormatSum{NumberFormat::float16}).rounds_to);
  std::set<std::string> exact;
  for (const Operation& operation : one_of_each())
    if (of_squares(operation).stays_in_format) exact.insert(name(operation));
  CHECK(exact == std::set<std::string>{"row_maximum", "concat", "take_columns", "by_offset", "row_statistic",
                                       "split_heads", "transpose", "put_rows", "put_columns", "reshape",
                                       "tile_heads", "embedding"});
  CHECK(of_squares(RowStatistic{RowFigure::largest_or_zero}).stays_in_format);
  CHECK_FALSE(of_squares(RowStatistic{RowFigure::threshold}).stays_in_format);
  CHECK(of_squares(Concat{}).joins_heads);
  CHECK_FALSE(of_squares(Concat{}).mutes_heads);
  CHECK(of_squares(Concat{{1}}).mutes_heads);
}

TEST_CASE("a mask fills in −∞ that stands for masked, and passes on that of the scores") {
  const std::vector<Tensor> inputs{Tensor({4, 1, 2}, std::vector<float>(8, kMinusInfinite)),
                                   Tensor({2, 1, 2}, {0, 1, 1, 0})};
  CHECK(hides(MaskFill{}, inputs, {1, 0, 1}));
  CHECK_FALSE(hides(MaskFill{}, inputs, {1, 0, 0}));
  CHECK(passed(MaskFill{}, inputs, {1, 0, 0}) == InputCells{{0, {1, 0, 0}}});
  CHECK(hides(MaskFill{}, inputs, {2, 0, 0}));
}

TEST_CASE("what leaves −∞ as it is passes on what it stood for") {
  const Tensor rows({2, 2, 2}, std::vector<float>(8, kMinusInfinite)), shared({1, 2, 2}, {0, 0, 0, 0});
  const Cell cell{1, 1, 0};
  CHECK(passed(Scale{2, "2"}, {rows}, cell) == InputCells{{0, cell}});
  CHECK(passed(Round{}, {rows}, cell) == InputCells{{0, cell}});
  CHECK(passed(ByRow{RowRule::minus_maximum}, {rows, rows}, cell) == InputCells{{0, cell}});
  CHECK(passed(ByRow{RowRule::above}, {rows, rows}, cell).empty());
  CHECK(passed(Add{}, {rows, shared}, cell) == InputCells{{0, cell}, {1, {0, 1, 0}}});
  CHECK(passed(PickRow{1, 1}, {rows}, {0, 0, 1}) == InputCells{{0, {1, 1, 1}}});
  const Tensor column({1, 3, 1}, {1, 2, 3}), row({1, 1, 2}, {kMinusInfinite, 1});
  CHECK(passed(MatMul{}, {column, row}, {0, 2, 1}) == InputCells{{1, {0, 0, 1}}});
  CHECK(passed(MatMul{}, {rows, rows}, cell).empty());
  CHECK(passed(MatMul{.transpose_right = true}, {column, column}, {0, 2, 1}).empty());
  CHECK(passed(Exponential{}, {rows}, cell).empty());
}

TEST_CASE("a typed −∞ counts by itself, and a row's maximum where all of the row do") {
  const std::vector<Tensor> inputs{Tensor({1, 1, 3}, std::vector<float>(3, kMinusInfinite))};
  const Operation typed = Override{{{{0, 0, 1}, kMinusInfinite}}};
  CHECK(hides(typed, inputs, {0, 0, 1}));
  CHECK(is_typed(typed, {0, 0, 1}));
  CHECK_FALSE(hides(typed, inputs, {0, 0, 2}));
  CHECK(passed(typed, inputs, {0, 0, 2}) == InputCells{{0, {0, 0, 2}}});
  CHECK_FALSE(is_typed(Scale{}, {0, 0, 1}));
  CHECK_FALSE(mask_origin(typed, inputs, {0, 0, 1}).all);
  const MaskOrigin maximum = mask_origin(Operation(RowMaximum{}), inputs, {0, 0, 0});
  CHECK(maximum.all);
  CHECK_FALSE(maximum.here);
  CHECK(maximum.of == InputCells{{0, {0, 0, 0}}, {0, {0, 0, 1}}, {0, {0, 0, 2}}});
}

TEST_CASE("terms that cancel are as large as their family says") {
  const std::vector<Tensor> additive{Tensor({1, 1, 2}, {1, 1}), Tensor({1, 1, 2}, {1, 1}),
                                     Tensor({1, 1, 2}, {3, -4})};
  CHECK(size_of_terms(Operation(AdditiveScore{}), additive) == 7);
  CHECK(size_of_terms(Operation(PairProduct{1}), std::vector<Tensor>{additive[0], additive[2]}) == 7);
  CHECK(size_of_terms(Operation(RandomProducts{.first = 6, .count = 3}), {}) == 3);
  CHECK(size_of_terms(Operation(LeaveOneOut{}), std::vector<Tensor>{additive[0], additive[2]}) == 4 * 2 * 16);
  CHECK(size_of_terms(MatMul{}, additive) == 0);
}

TEST_CASE("the chance of dropout drops the numbers that dropout drops") {
  const Dropout dropout{0.25, 7};
  const auto chance = of_squares(dropout).chance;
  REQUIRE(chance);
  CHECK(chance->p == 0.25);
  CHECK(chance->seed == 7);
  CHECK(chance->factor == 1 / 0.75);
  std::size_t kept = 0;
  const Shape shape{1, 10, 100};
  for (std::size_t e = 0; e < shape.size(); ++e) {
    const Cell cell = cell_at(shape, e);
    CHECK(chance->keeps(shape, cell) == dropout_keeps(dropout, shape, cell));
    kept += chance->keeps(shape, cell);
  }
  CHECK(kept > 700);
  CHECK(kept < 800);
  CHECK_FALSE(of_squares(Scale{}).chance);
}

TEST_CASE("a bias by distance and a causal mask tell what they are made of") {
  const auto of = slopes(Operation(DistanceBias{2, 3, 3, 1}));
  REQUIRE(of);
  CHECK(of->of_heads == std::vector<float>{1.0f / 16, 1.0f / 256});
  CHECK(of->first == 1);
  CHECK_FALSE(slopes(Add{}));
  Mask mask{.queries = 2, .keys = 4, .rules = {{.rule = CausalRule{CausalAlign::lower_right}}}};
  CHECK(causal_diagonal(Operation(mask)) == 2);
  mask.rules[0].negated = true;
  CHECK_FALSE(causal_diagonal(Operation(mask)));
  mask.rules = {{.rule = CausalRule{}}, {.rule = WindowRule{1}}};
  CHECK_FALSE(causal_diagonal(Operation(mask)));
  CHECK_FALSE(causal_diagonal(Operation(Scale{})));
}

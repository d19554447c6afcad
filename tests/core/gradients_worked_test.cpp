// The gradients of worked example A, three tokens and a loss that asks O[0, 0] + O[1, 1] + O[2, 2], by hand:
// row 0 of A is [a a b], a = 1 ÷ (2 + √e), b = √e·a, and row 0 of dA is [1 5 9].
#include <doctest/doctest.h>

#include <cmath>

#include "core/gradient/gradients.h"
#include "core/gradient/loss.h"
#include "core/reference/backend.h"
#include "tests/core/checked.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("the gradients of the worked example are those of its hand calculation") {
  Graph graph;
  const LayerStages stages = append_layer(graph, three_tokens());
  const Tensor asked({1, 3, 4}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0});
  const Gradients gradients =
      append_gradients(graph, append_loss(graph, stages.output, {.kind = LossKind::typed, .given = asked}));
  const std::vector<Tensor64> outputs = evaluate_in_double(graph);
  const auto number = [&](StageIndex of, std::size_t row, std::size_t column) {
    return outputs[gradients.find(of).value()][Cell{0, row, column}];
  };
  const auto is = [](double actual, double by_hand) { return std::abs(actual - by_hand) <= 0.5e-6; };
  constexpr double kQuery[] = {.097456, -.645593, .645593, -.097456}, kValues[] = {.274069, .274069, .451863};
  for (std::size_t j = 0; j < 4; ++j) CHECK(is(number(stages.q, 0, j), kQuery[j]));
  for (std::size_t j = 0; j < 3; ++j) CHECK(is(number(stages.v, j, 0), kValues[j]));

  const double a = 1 / (2 + std::sqrt(std::exp(1.0))), b = 1 - 2 * a, mean = 6 * a + 9 * b;
  CHECK(number(stages.scores, 0, 0) == doctest::Approx(a * (1 - mean) / 2).epsilon(1e-12));
  CHECK(number(stages.scores, 0, 1) == doctest::Approx(a * (5 - mean) / 2).epsilon(1e-12));
  CHECK(number(stages.scores, 0, 2) == doctest::Approx(b * (9 - mean) / 2).epsilon(1e-12));
}

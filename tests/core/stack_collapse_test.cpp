// What is known of stacks of attention: tokens become alike doubly exponentially without residuals (Dong,
// Cordonnier, Loukas 2021), and rollout (Abnar, Zuidema 2020) is the product of what each layer mixes.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/reference/backend.h"
#include "core/tensor/random.h"
#include "core/transformer/graph.h"
#include "core/transformer/made.h"
#include "core/transformer/measures.h"

using namespace attn;

namespace {

constexpr std::size_t kCollapseTokens = 8, kCollapseWidth = 16, kCollapseHeads = 2;

// Tokens that are one row, and `apart` times random ones.
Tensor near_one_row(float apart, std::uint64_t seed) {
  std::vector<float> values(kCollapseTokens * kCollapseWidth);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = random_normal(seed, i % kCollapseWidth) + apart * random_normal(seed + 1, i);
  return {{1, kCollapseTokens, kCollapseWidth}, std::move(values)};
}

// Attention alone, without norms: the same block in every layer, so that the same constant stands in each
// step.
StackSpec attention_alone_of(Tensor x, std::size_t layers, std::uint64_t seed) {
  StackSpec stack;
  stack.encoder.x = std::move(x);
  stack.norm_at = NormAt::none, stack.residual = false;
  stack = made_stack(stack, {.layers = 1, .heads = kCollapseHeads, .inner = 0}, seed);
  stack.encoder.blocks.resize(layers, stack.encoder.blocks.front());
  return stack;
}

// ‖X − 1xᵀ‖ in the Frobenius norm, x the mean of the rows.
double distance_in_double(const Tensor64& x) {
  double sum = 0;
  for (std::size_t j = 0; j < x.columns(); ++j) {
    double mean = 0;
    for (std::size_t i = 0; i < x.rows(); ++i) mean += x[{0, i, j}] / static_cast<double>(x.rows());
    for (std::size_t i = 0; i < x.rows(); ++i) sum += std::pow(x[{0, i, j}] - mean, 2);
  }
  return std::sqrt(sum);
}

std::vector<double> distances(const StackSpec& stack) {
  Graph graph;
  const StackStages stages = append_stack(graph, stack);
  const std::vector<Tensor64> outputs = evaluate_in_double(graph);
  std::vector<double> found{distance_in_double(outputs[stages.encoder->input])};
  for (const BlockStages& block : stages.encoder->blocks)
    found.push_back(distance_in_double(outputs[block.stream]));
  return found;
}

}  // namespace

// With scores that differ by the residual's square a step takes the residual to its cube (the paper's
// theorem 2.2: ‖res(SA(X))‖ ≤ C·‖res(X)‖³): where tokens are half as far apart they are an eighth behind a
// layer, and 1/512 behind two. Rounding in double leaves room for two layers where they begin far enough
// apart; other powers then count too.
TEST_CASE("attention alone takes what tokens differ by to its cube, layer by layer") {
  const auto halvings = [](float apart, std::size_t layer, std::uint64_t seed) {
    const std::vector<double> whole =
                                  distances(attention_alone_of(near_one_row(apart, seed), layer, seed + 40)),
                              half = distances(
                                  attention_alone_of(near_one_row(apart / 2, seed), layer, seed + 40));
    return std::log2(whole[layer] / half[layer]);
  };
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
    CAPTURE(seed);
    CHECK(halvings(0.02f, 1, seed) == doctest::Approx(3).epsilon(0.01));
    CHECK(halvings(0.2f, 2, seed) == doctest::Approx(9).epsilon(0.1));
    // With residuals they come no nearer.
    StackSpec kept = attention_alone_of(near_one_row(0.02f, seed), 2, seed + 40);
    kept.residual = true;
    const std::vector<double> with_residuals = distances(kept);
    CHECK(with_residuals[2] > with_residuals[0] / 2);
  }
}

TEST_CASE("rollout is the product of what each layer mixes, rows adding up to 1") {
  StackSpec stack;
  stack.encoder.x = near_one_row(1, 9);
  stack = made_stack(stack, {.layers = 3, .heads = kCollapseHeads, .inner = 8}, 5);
  Graph graph;
  const StackStages stages = append_stack(graph, stack);
  const std::vector<Tensor64> outputs = evaluate_in_double(graph);
  const std::size_t n = kCollapseTokens;
  std::vector<double> product(n * n);
  for (std::size_t i = 0; i < n; ++i) product[i * n + i] = 1;
  for (const BlockStages& block : stages.encoder->blocks) {
    const Tensor64& weights = outputs[block.find(StackBox::attention)->layer->weights];
    std::vector<double> next(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) {
        double mixed = i == k ? 0.5 : 0;
        for (std::size_t h = 0; h < kCollapseHeads; ++h) mixed += weights[{h, i, k}] / (2.0 * kCollapseHeads);
        for (std::size_t j = 0; j < n; ++j) next[i * n + j] += mixed * product[k * n + j];
      }
    product = next;
  }
  const Tensor64& rollout = outputs[stages.rollout.value()];
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      CHECK(std::abs(rollout[{0, i, j}] - product[i * n + j]) < 1e-14);
      sum += rollout[{0, i, j}];
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-12));
  }
}

TEST_CASE("measures of streams and weights by hand") {
  const Tensor same({1, 2, 2}, {3, 4, 3, 4}), apart({1, 2, 2}, {1, 0, 0, 1}), one({1, 1, 2}, {3, 4});
  CHECK(rank_residual(same).value() < 1e-15);
  CHECK(rank_residual(apart).value() == doctest::Approx(std::sqrt(0.5)));
  CHECK_FALSE(rank_residual(one));
  CHECK_FALSE(rank_residual(Tensor({1, 2, 2}, {0, 0, 0, 0})));
  CHECK(alike(same).value() == doctest::Approx(1));
  CHECK(alike(apart).value() == doctest::Approx(0));
  CHECK(alike(Tensor({1, 3, 1}, {1, -2, 4})).value() == doctest::Approx(-1.0 / 3));
  CHECK_FALSE(alike(one));
  CHECK(mean_norm(same) == 5);
  CHECK(share_added(one, Tensor({1, 1, 2}, {6, 8})).value() == doctest::Approx(0.5));
  CHECK_FALSE(share_added(one, Tensor({1, 1, 2}, {0, 0})));
  const HeadSink sink = sink_of(Tensor({2, 2, 3}, {1, 0, 0, 0, 1, 0, .25f, .25f, .5f, 0, .25f, .75f}), 1);
  CHECK(sink.column == 2);
  CHECK(sink.share == doctest::Approx(0.625));
}

TEST_CASE("of streams and weights that are not finite no measure is a number") {
  for (const float odd : {NAN, INFINITY, -INFINITY}) {
    CAPTURE(odd);
    const Tensor one_row({1, 3, 2}, {1, 2, odd, 1, 2, 1}), all({1, 2, 2}, {odd, odd, odd, odd});
    for (const Tensor& stream : {one_row, all}) {
      CHECK_FALSE(alike(stream));
      CHECK_FALSE(std::isfinite(mean_norm(stream)));
      CHECK_FALSE(std::isfinite(share_added(stream, stream).value()));
      CHECK_FALSE(std::isfinite(
          share_added(stream, Tensor(stream.shape(), std::vector<float>(stream.shape().size(), 1))).value()));
    }
  }
  // The first row's second weight, and the last row's.
  CHECK(std::isnan(sink_of(Tensor({1, 2, 3}, {1, NAN, 0, 0, 1, 0}), 0).share));
  CHECK(std::isnan(sink_of(Tensor({1, 2, 2}, {1, 0, NAN, NAN}), 0).share));
}

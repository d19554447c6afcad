// Gradient by depth: against differences of the loss in double, and what is published of it.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <utility>

#include "core/reference/backend.h"
#include "core/stack/depth_gradients.h"
#include "core/system/error.h"
#include "core/tensor/random.h"
#include "core/transformer/graph.h"

using namespace attn;

namespace {

// An encoder over tokens from N(0, 1), without weights.
StackSpec depth_stack(std::size_t tokens, std::size_t width, std::size_t heads) {
  StackSpec stack;
  std::vector<float> x(tokens * width);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = random_normal(5, i);
  stack.encoder.x = Tensor({1, tokens, width}, std::move(x));
  stack.encoder.blocks.emplace_back();
  return made_stack(stack, {1, heads, 4 * width}, 3);
}

DepthGradients depth_run(const DepthTask& task) {
  const auto backend = make_reference_backend();
  DepthRun run(task);
  DepthGradients found;
  while (!run.step(found, *backend)) {
  }
  return found;
}

// Σ G ⊙ output in double, G as the study draws it.
double loss_in_double(const StackSpec& stack) {
  Graph graph;
  const StackStages stages = append_stack(graph, stack);
  const Tensor64 output = evaluate_in_double(graph)[stages.encoder->output];
  double loss = 0;
  for (std::size_t i = 0; i < output.values().size(); ++i)
    loss += static_cast<double>(random_normal(2020, i)) * output.values()[i];
  return loss;
}

double difference(StackSpec stack, std::size_t at, float h) {
  const Tensor x = stack.encoder.x;
  const auto loss_at = [&](float value) {
    std::vector<float> moved(x.values().begin(), x.values().end());
    moved[at] = value;
    stack.encoder.x = Tensor(x.shape(), std::move(moved));
    return loss_in_double(stack);
  };
  const float above = x.values()[at] + h, below = x.values()[at] - h;
  return (loss_at(above) - loss_at(below)) / (static_cast<double>(above) - static_cast<double>(below));
}

// ‖∂L/∂x‖ by central differences of two widths, whose errors in h² cancel (Richardson).
double norm_by_differences(const StackSpec& stack) {
  double square = 0;
  for (std::size_t i = 0; i < stack.encoder.x.values().size(); ++i) {
    const double wide = difference(stack, i, 1.0f / 128), narrow = difference(stack, i, 1.0f / 256);
    square += std::pow((4 * narrow - wide) / 3, 2);
  }
  return std::sqrt(square);
}

}  // namespace

TEST_CASE("gradients at the entries of fresh layers are those by central differences") {
  StackSpec stack = depth_stack(3, 4, 2);
  stack.activation = ActivationKind::gelu;  // no kinks
  DepthTask task = depth_task(stack);
  task.sizes.layers = 2;
  const DepthGradients found = depth_run(task);
  REQUIRE(found.curves.size() == 3);
  const std::vector<StackBlock> blocks{fresh_block(task, 0), fresh_block(task, 1)};
  for (const DepthCurve& curve : found.curves) {
    CAPTURE(static_cast<int>(curve.at));
    StackSpec fresh = fresh_stack(task, blocks, curve.at);
    // Some 60 stages of the way forth and back are rounded to floats, 6e-8 each, and sums that cancel keep
    // up to ten times as much; what Richardson leaves is of h⁴ = 4e-9.
    REQUIRE(curve.norms.size() == 2);
    CHECK(curve.norms[0] == doctest::Approx(norm_by_differences(fresh)).epsilon(4e-5));
    Graph graph;
    const StackStages stages = append_stack(graph, fresh);
    const Tensor64 between = evaluate_in_double(graph)[stages.encoder->blocks[0].stream];
    fresh.encoder.x = Tensor(between.shape(), {between.values().begin(), between.values().end()});
    fresh.encoder.blocks.erase(fresh.encoder.blocks.begin());
    CHECK(curve.norms[1] == doctest::Approx(norm_by_differences(fresh)).epsilon(4e-5));
  }
}

TEST_CASE("fresh stacks depend on a stack's choices alone, not on its weights") {
  StackSpec stack = depth_stack(6, 8, 2);
  const DepthTask task = depth_task(stack);
  CHECK(task.sizes == StackSizes{12, 2, 32});
  StackSpec other = made_stack(stack, {3, 2, 32}, 3);
  other.encoder.blocks[0].attention.w_q = Tensor({1, 8, 8}, std::vector<float>(64, 1));
  other.encoder.tokens = {"a", "b"};
  other.norm_at = NormAt::after;
  CHECK(depth_task(other) == task);
  other.residual = false;
  CHECK_FALSE(depth_task(other) == task);
  // The weights are the same whatever the norm.
  const std::vector<StackBlock> blocks{fresh_block(task, 0)};
  const StackSpec after = fresh_stack(task, blocks, NormAt::after),
                  none = fresh_stack(task, blocks, NormAt::none);
  CHECK(after.encoder.blocks[0].attention.w_q == none.encoder.blocks[0].attention.w_q);
  CHECK(none.encoder.blocks[0].norms[0].gain.empty());
  CHECK_FALSE(after.encoder.blocks[0].norms[0].gain.empty());
}

TEST_CASE("a decoder's fresh layers keep its mask, and large widths are refused") {
  StackSpec stack = depth_stack(6, 8, 2);
  stack.sides = StackSides::decoder;
  std::swap(stack.encoder, stack.decoder);
  stack.decoder.blocks[0].attention.masks = {{.rule = CausalRule{}}};
  const DepthTask task = depth_task(stack);
  CHECK(find_rule<CausalRule>(task.pattern.encoder.blocks[0].attention) != nullptr);
  DepthTask wide = task;
  wide.sizes.inner = 1 << 20;
  CHECK_THROWS_AS(DepthRun{wide}, Error);
}

// Xiong et al. 2020: at initialisation norms after the boxes leave gradients that are the largest near the
// output and fall away from it, norms before them bound them at every depth. Without any each layer
// multiplies them. It is said of the mean over weights that are drawn. (Their stacks' attention is uniform;
// with keys and queries drawn as well, what flows to the first layers of "after" grows again, as here: mean
// of 20 draws, by layer: .94 .74 .62 .54 .48 .43 .45 .45 .53 .64 .79 1.)
TEST_CASE("gradients by depth are as published for norms after, before and none") {
  constexpr std::size_t kDraws = 5;
  std::array<double, 3> first = {}, middle = {};  // logarithms of what is first, and 7th, over the last
  DepthTask task = depth_task(depth_stack(16, 32, 4));
  for (std::size_t draw = 0; draw < kDraws; ++draw) {
    task.pattern.seed = 100 * draw;
    const DepthGradients found = depth_run(task);
    for (std::size_t i = 0; i < first.size(); ++i) {
      const DepthCurve& curve = found.curves[i];
      first[i] += std::log(curve.first_over_last()) / kDraws;
      middle[i] += std::log(curve.norms[6] / curve.norms.back()) / kDraws;
    }
  }
  const double before = first[0], none = first[2];
  CHECK(middle[1] < std::log(0.7));
  CHECK(before > middle[0]);
  CHECK(middle[0] > 0);
  CHECK(before < std::log(10.0));
  CHECK(none > std::log(100.0) + before);
  CHECK(middle[2] > 0);
  CHECK(none > middle[2]);
}

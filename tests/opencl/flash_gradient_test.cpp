// Flash attention, there and back, in both shapes of its kernels: large matrices against the reference, the
// same bits again, and memory that no weights take.
#include "core/operations/flash_gradient.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/checks/comparison.h"
#include "core/opencl/backend.h"
#include "core/opencl/cases/flash.h"
#include "core/opencl/self_test.h"
#include "core/reference/backend.h"
#include "tests/opencl/opened.h"

using namespace attn;
using namespace attn::opencl;

namespace {

struct WayBackBench {
  explicit WayBackBench(bool groups) {
    const cl::Device device = test_devices().at(0);
    Variant variant{.groups = groups, .double_sums = best_variant(device).double_sums};
    variant.most_steps = most_steps_of(device, variant);
    backend = make_backend(device, variant, budget);
  }

  Budget budget{std::size_t{1} << 30};
  std::unique_ptr<Backend> backend;
};

std::vector<Tensor> way_back_inputs(const FlashAttention& op, const FlashSize& s, std::uint64_t seed) {
  std::vector<Tensor> inputs = flash_inputs(op, s, Kind::ordinary, seed);
  inputs.push_back(make_reference_backend()->run(op, inputs));
  inputs.push_back(up_to_one({s.heads, s.n, s.c}, Kind::ordinary, seed + 7));
  return inputs;
}

// What rounding explains of sums of so many terms.
void check_close(const Tensor& found, const Tensor& expected) {
  double largest = 0, apart = 0;
  for (const float x : expected.values()) largest = std::max(largest, std::abs(static_cast<double>(x)));
  for (std::size_t i = 0; i < expected.values().size(); ++i)
    apart = std::max(apart, distance(found.values()[i], expected.values()[i]));  // ∞ where one alone is NaN
  CHECK(apart <= 1e-5 * largest);
}

// In both shapes, twice each.
void check_sizes(const std::vector<FlashSize>& sizes, const std::vector<FlashAttention>& operations) {
  WayBackBench processor(false), gpu(true);
  const auto reference = make_reference_backend();
  std::uint64_t seed = 40;
  for (const FlashSize& s : sizes)
    for (const FlashAttention& op : operations) {
      const std::vector<Tensor> inputs = way_back_inputs(op, s, seed += 10);
      const Tensor& there = inputs[inputs.size() - 2];
      for (WayBackBench* bench : {&processor, &gpu})
        CHECK_MESSAGE(
            std::ranges::equal(bench->backend->run(op, std::span(inputs).first(inputs.size() - 2)).values(),
                               there.values(),
                               [](float a, float b) { return distance(a, b) <= accepted_distance(b); }),
            to_text(s) << ", operation " << &op - operations.data());
      for (const FlashSide side : {FlashSide::queries, FlashSide::keys}) {
        const std::string words = to_text(s) + (side == FlashSide::queries ? ", of queries" : ", of keys") +
                                  ", operation " + std::to_string(&op - operations.data());
        INFO(words);
        const FlashGradient back{op, side};
        const Tensor expected = reference->run(back, inputs);
        for (WayBackBench* bench : {&processor, &gpu}) {
          const Tensor found = bench->backend->run(back, inputs);
          check_close(found, expected);
          CHECK(found == bench->backend->run(back, inputs));
        }
      }
    }
}

const std::vector<FlashAttention> kMasked{
    {.scale = 0.2},
    {.scale = 0.2, .masks = {{CausalRule{}}}},
    {.scale = 0.2, .cap = 3, .masks = {{CausalRule{CausalAlign::top_left, 3}}, {PaddingRule{{150}}}}},
    {.scale = 0.2, .with_one = true, .masks = {{WindowRule{40}}}, .alibi = true, .bias = true},
    {.scale = 0.2, .offsets = Buckets{32, 128, false}, .masked = true}};

}  // namespace

TEST_CASE(
    "what passes back through flash attention is right where tiles do not come out even, and the same "
    "again") {
  check_sizes({{2, 1, 97, 130, 33, 18}}, {kMasked[0], kMasked[1], kMasked[3]});
}

TEST_CASE("what passes back through flash attention is right in large matrices and wide heads" *
          doctest::test_suite("long")) {
  check_sizes({{4, 2, 97, 385, 64, 64}, {2, 2, 385, 193, 128, 80}, {1, 1, 193, 191, 80, 256}}, kMasked);
}

TEST_CASE("the way back through flash attention takes memory by its rows, not by their pairs") {
  WayBackBench bench(false);
  const FlashSize s{1, 1, 3000, 3000, 8, 8};
  const FlashAttention op{.masks = {{WindowRule{8}}}};
  std::vector<Tensor> inputs = flash_inputs(op, s, Kind::ordinary, 1);
  inputs.push_back(bench.backend->run(op, inputs));
  inputs.push_back(inputs[2]);
  for (const FlashSide side : {FlashSide::queries, FlashSide::keys})
    bench.backend->run(FlashGradient{op, side}, inputs);
  CHECK(bench.budget.held(Budget::device) + bench.budget.held(Budget::pool) < 3000 * 8 * 4 * 40);
}

// Decoding on devices, in both shapes of the kernels: token by token it is causal attention; a step sets four
// small matrices, and takes no memory.
#include "core/operations/decode.h"

#include <doctest/doctest.h>

#include "core/opencl/backend.h"
#include "core/opencl/self_test.h"
#include "core/reference/backend.h"
#include "tests/decoding.h"
#include "tests/opencl/opened.h"

using namespace attn;
using namespace attn::opencl;

namespace {

struct DecodeBench {
  explicit DecodeBench(bool groups) {
    const cl::Device device = test_devices().at(0);
    Variant variant{.groups = groups, .double_sums = best_variant(device).double_sums};
    variant.most_steps = most_steps_of(device, variant);
    records = variant.most_steps == kEndless;
    backend = make_backend(device, variant, budget);
  }

  Budget budget;
  bool records;  // launches; else a program runs stage after stage, and all is here
  std::unique_ptr<Backend> backend;
};

}  // namespace

TEST_CASE("Token by token, a device's attention to a cache is causal attention row by row") {
  const auto reference = make_reference_backend();
  for (const bool groups : {false, true}) {
    DecodeBench bench(groups);
    for (const std::size_t tokens : {1u, 2u, 3u, 7u, 33u, 191u})
      for (const CachedAttention& op :
           {CachedAttention{.scale = 0.4}, CachedAttention{.cap = 2, .with_one = true, .splits = 1},
            CachedAttention{.alibi = true, .window = 70, .splits = 5}}) {
        CAPTURE(tokens);
        CAPTURE(groups);
        tests::check_decoding(*bench.backend, *reference, op, tokens, 2e-6);
      }
  }
  DecodeBench bench(false);
  tests::check_decoding(*bench.backend, *reference, {.scale = 0.4}, 1000, 2e-6);
}

TEST_CASE(
    "A program on a device puts rows into the cache that it was given, unless something else reads it") {
  tests::check_caches(*DecodeBench(false).backend);
}

TEST_CASE("A step of decoding takes no memory, and its cache is there once") {
  DecodeBench bench(false);
  const std::size_t tokens = 300;
  const tests::Decoding decoding({}, 4, 4, tokens, 0, 32, 32);
  const auto program = bench.backend->compile(decoding.graph, std::vector{decoding.attend});
  decoding.step(*program, 0);
  const std::size_t caches = 2 * decoding.all_k.bytes(), held = bench.budget.held(Budget::programs);
  CHECK((held > caches) == bench.records);
  CHECK(held < caches + caches / 4);
  const std::size_t on_device = bench.budget.held(Budget::device);
  for (std::size_t token = 1; token < tokens; ++token) decoding.step(*program, token);
  CHECK(bench.budget.held(Budget::programs) == held);
  if (bench.records) CHECK(bench.budget.held(Budget::device) == on_device);
  CHECK(program->read(decoding.keys) == decoding.all_k);
  CHECK(program->read(decoding.values) == decoding.all_v);
}

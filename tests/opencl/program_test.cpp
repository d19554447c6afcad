// Programs on devices: what they compute is what stages compute one by one, run after run; what is set is
// what they read next; memory serves again.
#include <doctest/doctest.h>

#include "core/attention/layer.h"
#include "core/evaluate/run.h"
#include "core/graph/lifetimes.h"
#include "core/opencl/backend.h"
#include "core/opencl/cases/cases.h"
#include "core/opencl/self_test.h"
#include "core/system/error.h"
#include "tests/opencl/opened.h"
#include "tests/program_checks.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::opencl;

namespace {

struct Prepared {
  explicit Prepared(Variant variant) {
    const cl::Device device = test_devices().at(0);
    variant.most_steps = most_steps_of(device, variant);
    records = variant.most_steps == kEndless;
    backend = make_backend(device, variant, budget);
  }
  Prepared() : Prepared(best_variant(test_devices().at(0))) {}

  Budget budget;
  bool records;  // launches; else a program runs stage after stage, some of them here
  std::unique_ptr<Backend> backend;
};

void check_cases(Variant variant) {
  Prepared prepared(variant);
  for (const Declaration& declaration : declarations())
    for (const Case& c : declaration.cases(Scope::self_test)) {
      INFO(declaration.operation, " ", c.name);
      const Graph graph = tests::graph_of(c.operation, c.inputs);
      const StageIndex last = graph.stages.size() - 1;
      const auto program = prepared.backend->compile(graph, std::vector{last});
      std::vector<Tensor> inputs = c.inputs;
      for (int run = 0; run < 2; ++run) {
        program->run_all();
        const Tensor result = prepared.backend->run(c.operation, inputs);
        CHECK(program->read(last) == result);
        if (made_in_place(graph)[last]) inputs[0] = result;  // the next run goes on from there
      }
    }
  CHECK(prepared.budget.held(Budget::programs) == 0);
}

// Eight heads of 512 tokens, each matrix of weights 8 MiB.
LayerSpec large_layer(std::uint32_t seed) {
  tests::Random random(seed);
  LayerSpec layer;
  layer.x = tests::normal(random, {1, 512, 64});
  layer.w_q = layer.w_k = layer.w_v = tests::normal(random, {1, 64, 64}, 0.1f);
  layer.heads = layer.kv_heads = 8;
  tests::set_causal(layer, CausalAlign::top_left);
  return layer;
}

}  // namespace

TEST_CASE("A program leaves the numbers that its operations leave one by one") {
  check_cases(best_variant(test_devices().at(0)));
}

TEST_CASE("A program of the kernels for GPUs does too" * doctest::test_suite("long")) {
  check_cases({.groups = true, .double_sums = false});
}

TEST_CASE("A device reads what was set in a program") {
  Prepared prepared;
  tests::check_what_is_set(*prepared.backend);
  const Tensor nothing({1, 0, 3}, {});
  const tests::Doubled doubled(nothing);
  const auto program = prepared.backend->compile(doubled.graph, std::vector{doubled.z});
  program->set(doubled.y, tests::Doubled::by(7));
  program->run_all();
  CHECK(program->read(doubled.z).values().empty());
}

TEST_CASE(
    "A program of a layer holds less than its results and leaves the same output, of other tokens too") {
  Prepared prepared;
  LayerSpec layer = large_layer(1);
  const Graph graph = build_graph(layer);
  const StageIndex output = graph.find(Role::output).value(), x = graph.find(Role::token).value();
  const auto program = prepared.backend->compile(graph, std::vector{output});
  std::size_t all = 0;
  for (const Stage& stage : graph.stages) all += stage.shape.size() * sizeof(float);
  CHECK((prepared.budget.held(Budget::programs) > 0) == prepared.records);
  CHECK(prepared.budget.held(Budget::programs) < all / 2);
  for (const std::uint32_t seed : {1u, 2u}) {
    layer.x = large_layer(seed).x;
    program->set(x, Source{layer.x});
    program->run_all();
    run_stages(*prepared.backend, build_graph(layer), {.done = [&](StageIndex i, const Tensor& result) {
      if (i == output) CHECK(program->read(output) == result);
    }});
  }
}

TEST_CASE("A program may outlive its backend") {
  Prepared prepared;
  const tests::Doubled doubled(Tensor({1, 1, 1}, {21}));
  const auto program = prepared.backend->compile(doubled.graph, {});
  prepared.backend.reset();
  CHECK((prepared.budget.held(Budget::programs) > 0) == prepared.records);
}

// Programs of other languages against the reference in double: every operation, random layers, gradients and
// a stack. Inputs are multiples of 1/64, so that their decimals are exact.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/attention/layer.h"
#include "core/document/stack_plan.h"
#include "core/gradient/gradients.h"
#include "core/gradient/loss.h"
#include "core/opencl/cases/cases.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "core/text/special.h"
#include "tests/core/program_runs.h"
#include "tests/dates_document.h"
#include "tests/places.h"
#include "tests/random_layer.h"
#include "tests/sanitized.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

// A number that few decimals say exactly.
float coarse(float x) {
  if (!std::isfinite(x)) return x;
  const float steps = std::abs(x) < 32 ? 64 : 4;
  return std::round(std::clamp(x, -512.0f, 512.0f) * steps) / steps;
}

Tensor coarse(const Tensor& tensor) {
  std::vector<float> values(tensor.values().begin(), tensor.values().end());
  for (float& x : values) x = coarse(x);
  return {tensor.shape(), std::move(values)};
}

// What has no formula, and says why.
const std::set<std::string> kWithout{
    "flash_gradient", "sequence_attention", "sequence_gradient", "cached_attention", "put_rows",
    "increment",      "gradient_moments",   "parameter_step",    "block_summary",    "round",
    "format_sum",     "random_products",    "task_rows"};

// Numbers of symbols: those that there are, or `none` for those below 0.
Tensor symbols(const Tensor& tensor, std::size_t count, float none) {
  std::vector<float> values(tensor.values().begin(), tensor.values().end());
  for (float& x : values) x = x < 0 ? none : static_cast<float>(static_cast<std::size_t>(x) % count);
  return {tensor.shape(), std::move(values)};
}

// Which input holds numbers of symbols, how many symbols there are, and what stands where nothing is asked.
struct SymbolInput {
  std::size_t input, count;
  float none;
};
std::optional<SymbolInput> symbols_of(const opencl::Case& one) {
  const std::string called = name(one.operation);
  if (called.starts_with("cross_entropy")) return SymbolInput{1, one.inputs[0].columns(), -1};
  if (called == "embedding") return SymbolInput{1, one.inputs[0].rows(), 0};
  return std::nullopt;
}

// NaN and +∞ are passed on in different ways; −∞ hides a key, and is passed on as it is here. NaN in a target
// asks for nothing, and in weights says that no key is in reach.
bool is_ordinary(const opencl::Case& one) {
  const std::string called = name(one.operation);
  const std::size_t input = called == "linear_weights"          ? 0
                            : called.starts_with("mean_square") ? 1
                                                                : one.inputs.size();
  return std::ranges::all_of(one.inputs, [&](const Tensor& tensor) {
    const bool may_lack = static_cast<std::size_t>(&tensor - one.inputs.data()) == input;
    return tensor.shape().size() <= 3000 && std::ranges::all_of(tensor.values(), [&](float x) {
             return x < kInfinity || (may_lack && std::isnan(x));
           });
  });
}

// Every case of the devices' self-test whose numbers are ordinary: each a stage of its own.
Graph graph_of_cases(const std::string& only = {}) {
  Graph graph;
  std::size_t number = 0;
  for (const opencl::Declaration& declared : opencl::declarations()) {
    if (kWithout.contains(declared.operation) || (!only.empty() && only != declared.operation)) continue;
    for (const opencl::Case& one : declared.cases(opencl::Scope::self_test)) {
      Stage stage{.id = "c" + std::to_string(number++),
                  .title = one.name,
                  .formula = declared.operation,
                  .operation = one.operation};
      if (!is_ordinary(one)) continue;
      for (const Tensor& tensor : one.inputs) {
        const std::string id = stage.id + "_in" + std::to_string(stage.inputs.size());
        const auto ids = symbols_of(one);
        const Tensor given = ids && ids->input == stage.inputs.size() ? symbols(tensor, ids->count, ids->none)
                                                                      : coarse(tensor);
        stage.inputs.push_back(
            graph.add({.id = id, .title = id, .formula = "given", .operation = Source{given}}));
      }
      graph.add(std::move(stage));
    }
  }
  return graph;
}

// Operations with a formula that none of the cases is of.
std::string missing_in(const Graph& cases) {
  std::set<std::string> there;
  for (const Stage& stage : cases.stages) there.insert(name(stage.operation));
  std::string missing;
  for (const opencl::Declaration& declared : opencl::declarations())
    if (!kWithout.contains(declared.operation) && !there.contains(declared.operation))
      missing += std::string(declared.operation) + " ";
  return missing;
}

void make_coarse(Graph& graph) {
  for (Stage& stage : graph.stages)
    if (const Tensor* given = given_tensor(stage.operation)) stage.operation = Source{coarse(*given)};
}

// Random layers one behind the other, each with what flows back from the sum of its output.
Graph graph_of_layers(std::size_t count, bool gradients) {
  Random random(seed(20261128));
  Graph graph;
  for (std::size_t i = 0; i < count; ++i) {
    Graph one;
    const LayerStages stages =
        append_layer(one, random_layer(random), {.prefix = "r" + std::to_string(i) + "."});
    make_coarse(one);
    if (gradients) append_gradients(one, append_loss(one, stages.output, {}));
    const StageIndex first = graph.stages.size();
    for (Stage& stage : one.stages) {
      for (StageIndex& input : stage.inputs) input += first;
      Stage copy{.id = "r" + std::to_string(i) + "." + std::to_string(&stage - one.stages.data()),
                 .title = stage.id,
                 .formula = stage.formula,
                 .operation = stage.operation,
                 .inputs = stage.inputs};
      graph.add(std::move(copy));
    }
  }
  return graph;
}

// The stack that comes with the tests, with what flows back from the sum of its output.
Graph graph_of_stack() {
  Built built = build_stack(dates_document());
  const StackStages stages = *built.places.as<StackStages>();
  make_coarse(built.graph);
  append_gradients(built.graph, append_loss(built.graph, stages.last().output, {}));
  return std::move(built.graph);
}

// scaled_dot_product_attention by its definition, where torch is too old to have it
// (tests/io/torch_stand_in.py).
std::string stand_in() {
  return "import sys\nsys.path.insert(0, '" + std::string(kSourceDir) +
         "/tests/io')\nimport torch, torch_stand_in\n"
         "def stand_in(q, k, v, attn_mask=None, **words):\n"
         "    mask = None if attn_mask is None else attn_mask.numpy()\n"
         "    return torch.from_numpy(torch_stand_in.scaled_dot_product_attention(q.numpy(), k.numpy(), "
         "v.numpy(), "
         "mask, **words))\n"
         "torch.nn.functional.scaled_dot_product_attention = stand_in\n";
}

// "" where weights and output of the layer come out; none where the function cannot compute it.
std::optional<std::string> differs(const LayerSpec& layer, bool module) try {
  Graph graph = build_graph(layer);
  make_coarse(graph);
  const code::ProgramText program =
      module ? code::program_by_module(graph) : code::program_by_function(graph);
  const std::vector<Tensor64> expected = evaluate_in_double(graph);
  std::vector<bool> shown(graph.stages.size());
  for (StageIndex i = 0; i < shown.size(); ++i)
    shown[i] = program.names[i] == "weights" || program.names[i] == "output";
  const ProgramRun ran = run_program(graph, program, shown, code::kPytorch, module ? "" : stand_in());
  std::string far = ran.failed;
  for (StageIndex i = 0; i < shown.size(); ++i)
    if (shown[i]) far += difference(ran.numbers[i], expected[i].values(), module ? 1e-9 : 1e-6);
  return far.empty() ? far : far + "\n" + program.text;
} catch (const Error& error) {
  CHECK(std::string(error.what()).find(" cannot compute this layer: ") != std::string::npos);
  return std::nullopt;
}

// A layer of the widths that MultiheadAttention has, with what it can do besides.
LayerSpec module_layer(Random& random) {
  const std::size_t heads = pick(random, 1, 3), width = heads * pick(random, 1, 4), n = pick(random, 1, 6);
  LayerSpec layer;
  layer.heads = layer.kv_heads = heads;
  layer.x = normal(random, {1, n, width});
  const std::size_t wide = coin(random) ? width : width + 1;
  if (wide != width || coin(random)) layer.memory = normal(random, {1, pick(random, 1, 6), wide});
  const std::size_t keys = layer.memory.empty() ? width : wide;
  layer.w_q = normal(random, {1, width, width});
  layer.w_k = normal(random, {1, keys, width});
  layer.w_v = normal(random, {1, keys, width});
  layer.w_o = normal(random, {1, width, width});
  if (coin(random)) layer.b_k = normal(random, {1, 1, width});
  if (coin(random)) layer.b_o = normal(random, {1, 1, width});
  if (coin(random)) set_rule<CausalRule>(layer, CausalRule{CausalAlign::top_left, 0});
  return layer;
}

}  // namespace

TEST_CASE("every operation has a formula, or says why it has none") {
  for (const opencl::Declaration& declared : opencl::declarations()) {
    const opencl::Case one = declared.cases(opencl::Scope::self_test).at(0);
    code::Given in;
    for (const Tensor& tensor : one.inputs) in.push_back(code::input(in.size(), tensor.shape()));
    CAPTURE(declared.operation);
    if (!kWithout.contains(declared.operation)) {
      CHECK_NOTHROW(code::formula_of(one.operation, in));
      continue;
    }
    CHECK_THROWS_WITH_AS(code::formula_of(one.operation, in), doctest::Contains("has no code: "), Error);
  }
}

TEST_CASE("a whole stack leaves as a program, and the way back through it" * doctest::test_suite("long")) {
  if (kSanitized) return;
  CHECK(differs_from_double(graph_of_stack(), code::kNumpy) == "");
  CHECK(differs_from_double(graph_of_stack(), code::kPytorch) == "");
}

TEST_CASE("PyTorch's own functions compute what the layer does, or say what they cannot" *
          doctest::test_suite("long")) {
  if (kSanitized) return;
  REQUIRE(can_run(code::kPytorch));
  Random random(seed(38));
  std::size_t functions = 0, modules = 0;
  for (int i = 0; i < 40; ++i) {
    const auto far = differs(random_layer(random), false);
    if (far) CHECK(*far == ""), ++functions;
  }
  for (int i = 0; i < 12; ++i) {
    const auto far = differs(module_layer(random), true);
    if (far) CHECK(*far == ""), ++modules;
  }
  CHECK(functions >= 5);
  CHECK(modules == 12);
}

TEST_CASE("programs compute what the reference computes in double" * doctest::test_suite("long")) {
  if (kSanitized) return;  // the programs are watched by no sanitizer
  for (const code::Language* language :
       {&code::kNumpy, &code::kPytorch, &code::kR, &code::kOctave, &code::kEigen}) {
    CAPTURE(language->title);
    REQUIRE(can_run(*language));
    const Graph cases = graph_of_cases();
    CHECK(missing_in(cases) == "");
    CHECK(differs_from_double(cases, *language) == "");
    CHECK(differs_from_double(graph_of_layers(language == &code::kEigen ? 6 : 40, false), *language) == "");
    CHECK(differs_from_double(graph_of_layers(language == &code::kEigen ? 3 : 20, true), *language) == "");
  }
}

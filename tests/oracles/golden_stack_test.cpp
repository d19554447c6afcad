// Stacks of Transformer blocks against numbers that PyTorch and its autograd computed in double: in double,
// on the reference, and on every OpenCL device that passes its self-test.
#include "core/gradient/gradients.h"
#include "core/gradient/loss.h"
#include "core/io/stack_npz.h"
#include "core/reference/backend.h"
#include "core/text/text.h"
#include "core/transformer/graph.h"
#include "core/transformer/measures.h"
#include "tests/oracles/golden_arrays.h"

namespace attn::golden {
namespace {

struct StackCase {
  ArraysCase arrays;
  StackSpec stack = {};
  Graph graph = {};
  StackStages stages = {};
  Gradients gradients = {};
};

std::vector<MaskTerm> masks_of(const std::string& words) {
  if (words == "none") return {};
  if (words == "causal") return {{.rule = CausalRule{}}};
  const std::vector<std::string> parts = split(words, ':');
  return {{.rule = PaddingRule{{std::stoul(parts.at(1))}}}};
}

StackWords words_of(const nlohmann::json& entry) {
  static const std::map<std::string, NormAt> kNorms{
      {"pre", NormAt::before}, {"post", NormAt::after}, {"none", NormAt::none}};
  static const std::map<std::string, ActivationKind> kActivations{{"relu", ActivationKind::relu},
                                                                  {"gelu", ActivationKind::gelu},
                                                                  {"gelu-tanh", ActivationKind::gelu_tanh},
                                                                  {"swiglu", ActivationKind::silu},
                                                                  {"none", ActivationKind::relu}};
  StackWords words;
  words.heads = entry.at("heads");
  words.norm_at = kNorms.at(entry.at("norm"));
  words.norm_kind = entry.at("norm_kind") == "rms" ? NormKind::rms : NormKind::layer;
  words.activation = kActivations.at(entry.at("activation"));
  words.residual = entry.at("residual");
  words.masks =
      entry.at("sides") == "decoder" ? std::vector<MaskTerm>() : masks_of(entry.at("masks").at("encoder"));
  words.cross_masks = masks_of(entry.at("masks").at("cross"));
  return words;
}

Array float_array(const Array64& array) {
  return {.shape = array.shape, .values = {array.values.begin(), array.values.end()}};
}

// What has a gradient is given; `upstream` is what flows in.
StackCase stack_case(const nlohmann::json& entry, const ArraysCase& arrays) {
  StackCase c{.arrays = arrays};
  NamedArrays given;
  for (const auto& [name, array] : arrays.expected)
    if (arrays.expected.contains("d_" + name)) given[name] = float_array(array);
  c.stack = stack_of(std::move(given), words_of(entry));
  c.stages = append_stack(c.graph, c.stack);
  const Array upstream = float_array(arrays.expected.at("upstream"));
  const StageIndex output = c.stages.last().output;
  const Loss loss{.kind = LossKind::typed, .given = {c.graph.stages[output].shape, upstream.values}};
  c.gradients = append_gradients(c.graph, append_loss(c.graph, output, loss));
  return c;
}

std::vector<StackCase> stack_cases() {
  std::vector<StackCase> made;
  load_arrays("golden_stack", [&](const nlohmann::json& entry, ArraysCase& arrays) {
    made.push_back(stack_case(entry, arrays));
  });
  CHECK(made.size() > 20);
  return made;
}

// The stage that shows this tensor of the stack.
StageIndex stage_showing(const Graph& graph, const Tensor& tensor) {
  for (StageIndex i = 0; i < graph.stages.size(); ++i)
    if (const Tensor* given = given_tensor(graph.stages[i].operation); given && given->id() == tensor.id())
      return i;
  FAIL("no stage shows a tensor of ", to_string(tensor.shape()));
  return 0;
}

// What flows to a parameter as PyTorch has it: parts below each other, weights out×in.
template <class T>
BasicTensor<T> packed_gradient(const StackCase& c, const StackParameter& parameter,
                               const std::vector<BasicTensor<T>>& outputs) {
  std::vector<T> packed;
  std::size_t columns = 1;
  for (const Tensor* part : parameter.parts) {
    const auto of = c.gradients.find(stage_showing(c.graph, *part));
    REQUIRE(of);
    const BasicTensor<T>& gradient = outputs[*of];
    const bool weight = parameter.kind == ParameterKind::weight;
    columns = weight ? gradient.rows() : 1;
    for (std::size_t out = 0; out < gradient.columns(); ++out)
      for (std::size_t in = 0; in < columns; ++in) packed.push_back(gradient[{0, in, out}]);
  }
  return {{1, packed.size() / columns, columns}, std::move(packed)};
}

double largest_of(const Array64& array) {
  double largest = 0;
  for (const double number : array.values) largest = std::max(largest, std::abs(number));
  return largest;
}

// Every gradient of the case, and how many there were: of parameters and of what goes in.
template <class T, class Allowed>
void compare_gradients(const StackCase& c, const std::vector<BasicTensor<T>>& outputs, Allowed allowed) {
  std::size_t compared = 0;
  const auto compare_one = [&](const std::string& name, const BasicTensor<T>& actual) {
    const double largest = largest_of(c.arrays.expected.at(name));
    compare(c.arrays, name, actual, [&](double b) { return allowed(b, largest); });
    ++compared;
  };
  StackSpec stack = c.stack;
  for (const StackParameter& parameter : stack_parameters(stack)) {
    if (parameter.parts.front()->empty()) continue;
    compare_one("d_" + parameter.name, packed_gradient(c, parameter, outputs));
  }
  const bool both = stack.sides == StackSides::both;
  for (const auto& [name, x] :
       {std::pair{both ? "d_source" : "d_x", &stack.encoder.x},
        std::pair{both ? "d_target" : "d_x", &stack.decoder.x}, std::pair{"d_memory", &stack.memory}}) {
    if (!x->empty()) compare_one(name, outputs[c.gradients.find(stage_showing(c.graph, *x)).value()]);
  }
  const auto is_gradient = [](const auto& named) { return named.first.starts_with("d_"); };
  CHECK(compared == static_cast<std::size_t>(std::ranges::count_if(c.arrays.expected, is_gradient)));
}

// A gradient's number is a sum of as many terms as its array's largest: what rounds is of that size.
void compare_floats(Backend& backend) {
  INFO(backend.name());
  for (const StackCase& c : stack_cases()) {
    const std::vector<Tensor> outputs = computed(backend, c.graph);
    for (const auto& [name, array] : c.arrays.expected)
      if (const auto stage = c.graph.find(name); stage && !name.starts_with("d_"))
        compare(c.arrays, name, outputs[*stage], allowed_of_floats);
    compare_gradients(c, outputs, [](double b, double largest) {
      return 2e-6 * std::max(1.0, largest) + 2e-5 * std::abs(b);
    });
  }
}

}  // namespace

TEST_CASE("stacks in double are what torch.nn computes") {
  for (const StackCase& c : stack_cases()) {
    const std::vector<Tensor64> outputs = evaluate_in_double(c.graph);
    std::size_t compared = 0;
    for (const auto& [name, expected] : c.arrays.expected)
      if (const auto stage = c.graph.find(name); stage && !name.starts_with("d_")) {
        compare(c.arrays, name, outputs[*stage], [](double b) { return 1e-9 * (1 + std::abs(b)); });
        ++compared;
      }
    CHECK(compared > 2);
  }
}

TEST_CASE("gradients of stacks in double are those of autograd") {
  for (const StackCase& c : stack_cases())
    compare_gradients(c, evaluate_in_double(c.graph),
                      [](double b, double) { return 1e-9 * (1 + std::abs(b)); });
}

TEST_CASE("the reference computes stacks and their gradients as torch.nn does") {
  const auto reference = make_reference_backend();
  compare_floats(*reference);
}

TEST_CASE("every device computes stacks and their gradients as torch.nn does") {
  on_every_device([](Backend& backend) { compare_floats(backend); });
}

}  // namespace attn::golden

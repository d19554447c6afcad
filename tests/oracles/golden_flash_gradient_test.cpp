// The way back through flash attention against numbers that PyTorch's autograd computed in double: in double,
// on the reference, and on every OpenCL device that passes its self-test.
#include <algorithm>

#include "core/operations/operation.h"
#include "core/reference/backend.h"
#include "tests/oracles/golden_arrays.h"

namespace attn::golden {
namespace {

MaskRule rule_of(const std::string& kind, const std::vector<std::size_t>& numbers) {
  if (kind == "lower-right") return CausalRule{CausalAlign::lower_right, numbers.at(0)};
  if (kind == "top-left") return CausalRule{CausalAlign::top_left, numbers.at(0)};
  if (kind == "padding") return PaddingRule{numbers};
  if (kind == "window") return WindowRule{numbers.at(0)};
  if (kind == "prefix") return PrefixRule{numbers.at(0)};
  REQUIRE(kind == "blocks");
  return BlocksRule{numbers};
}

FlashAttention operation_of(const nlohmann::json& entry) {
  FlashAttention op{.scale = entry.at("scale"),
                    .cap = entry.value("cap", 0.0),
                    .with_one = entry.contains("with_one"),
                    .first = entry.value("first", std::ptrdiff_t{0}),
                    .alibi = entry.contains("alibi"),
                    .bias = entry.contains("bias"),
                    .masked = entry.contains("mask")};
  if (entry.contains("clip")) op.offsets = Clip{entry.at("clip")};
  if (entry.contains("buckets")) op.offsets = Buckets{entry.at("buckets").at(0), entry.at("buckets").at(1)};
  for (const auto& mask : entry.value("masks", nlohmann::json::array())) {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 1; i < mask.size(); ++i) numbers.push_back(mask[i]);
    op.masks.push_back({rule_of(mask.at(0), numbers)});
  }
  return op;
}

struct WayBackCase {
  ArraysCase arrays;
  FlashAttention op;
  std::vector<Tensor64> inputs;  // of the way there, and dO
};

Tensor64 tensor_of(const Array64& array) {
  return {{array.shape.at(0), array.shape.at(1), array.shape.at(2)}, array.values};
}

std::vector<WayBackCase> load_way_back_cases() {
  std::vector<WayBackCase> cases;
  const auto read = [&](const nlohmann::json& entry, ArraysCase& c) {
    WayBackCase made{.arrays = c, .op = operation_of(entry), .inputs = {}};
    for (const char* name : {"q", "k", "v", "by_offset", "bias", "mask", "gradient"})
      if (c.expected.contains(name)) made.inputs.push_back(tensor_of(c.expected.at(name)));
    cases.push_back(std::move(made));
  };
  load_arrays("golden_flash_gradient", read);
  return cases;
}

template <class T>
BasicTensor<T> columns_of(const BasicTensor<T>& x, std::size_t first, std::size_t count) {
  std::vector<T> values;
  for (std::size_t row = 0; row < x.stack() * x.rows(); ++row) {
    const auto from = x.values().begin() + static_cast<std::ptrdiff_t>(row * x.columns() + first);
    values.insert(values.end(), from, from + static_cast<std::ptrdiff_t>(count));
  }
  return {{x.stack(), x.rows(), count}, std::move(values)};
}

// `run(operation, inputs)` computes.
template <class T, class Run, class Allowed>
void compare_way_back(const WayBackCase& c, std::vector<BasicTensor<T>> inputs, Run run, Allowed allowed) {
  const BasicTensor<T> gradient = inputs.back();
  const std::size_t d = inputs[0].columns(), width = inputs[2].columns();
  inputs.pop_back();
  inputs.push_back(run(c.op, inputs));
  compare(c.arrays, "output", columns_of(inputs.back(), 0, width), allowed);
  inputs.push_back(gradient);
  compare(c.arrays, "to_q", run(FlashGradient{c.op, FlashSide::queries}, inputs), allowed);
  const BasicTensor<T> of_keys = run(FlashGradient{c.op, FlashSide::keys}, inputs);
  compare(c.arrays, "to_k", columns_of(of_keys, 0, d), allowed);
  compare(c.arrays, "to_v", columns_of(of_keys, d, width), allowed);
}

void compare_way_back_floats(Backend& backend) {
  INFO(backend.name());
  const auto run = [&](const Operation& op, const std::vector<Tensor>& inputs) {
    return backend.run(op, inputs);
  };
  for (const WayBackCase& c : load_way_back_cases()) {
    std::vector<Tensor> inputs;
    for (const Tensor64& input : c.inputs) inputs.push_back(to_float(input));
    compare_way_back(c, inputs, run, allowed_of_floats);
  }
}

}  // namespace

TEST_CASE("what passes back through flash attention in double is what PyTorch's autograd computes") {
  const std::vector<WayBackCase> cases = load_way_back_cases();
  CHECK(cases.size() > 20);
  const auto run = [](const Operation& op, const std::vector<Tensor64>& inputs) {
    return run_in_double(op, inputs);
  };
  for (const WayBackCase& c : cases)
    compare_way_back(c, c.inputs, run, [](double b) { return 1e-12 * (1 + std::abs(b)); });
}

TEST_CASE("what passes back through flash attention on the reference is what PyTorch's autograd computes") {
  compare_way_back_floats(*make_reference_backend());
}

TEST_CASE(
    "what passes back through flash attention on every OpenCL device is what PyTorch's autograd computes") {
  on_every_device(compare_way_back_floats);
}

}  // namespace attn::golden

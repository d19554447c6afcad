// Operations of a Transformer block against numbers that PyTorch and its autograd computed in double: norms,
// cross-entropy and products that heads share, in double, on the reference, and on every OpenCL device that
// passes its self-test.
#include "core/operations/operation.h"
#include "core/reference/backend.h"
#include "tests/oracles/golden_arrays.h"

namespace attn::golden {
namespace {

// What makes one array of a case of which others.
struct MadeArray {
  std::string name;
  Operation operation;
  std::vector<std::string> of;
};

void add_norm(const nlohmann::json& entry, std::vector<MadeArray>& to) {
  const bool centred = entry.at("norm") == "layer";
  const RowNorm norm{.centred = centred, .epsilon = entry.at("epsilon").get<double>()};
  std::vector<std::string> forward{"x", "gain"};
  if (centred) forward.push_back("bias"), to.push_back({"dbias", ColumnSum{}, {"g"}});
  to.push_back({"y", norm, forward});
  to.push_back({"dx", RowNormGradient{norm}, {"x", "g", "gain"}});
  to.push_back({"dgain", RowNormGradient{norm, RowNormGradient::gain}, {"x", "g"}});
}

void add_loss(const nlohmann::json& entry, std::vector<MadeArray>& to) {
  const bool mean = entry.at("loss") == "mean";
  to.push_back({"y", CrossEntropy{mean}, {"z", "answers"}});
  to.push_back({"dz", CrossEntropyGradient{mean}, {"z", "answers", "g"}});
}

std::vector<MadeArray> made_arrays(const nlohmann::json& entry) {
  std::vector<MadeArray> made;
  if (entry.contains("norm")) add_norm(entry, made);
  if (entry.contains("loss")) add_loss(entry, made);
  if (entry.contains("group")) {
    const MatMul of_columns{.transpose_left = true, .summed = entry.at("group").get<std::size_t>()};
    made.push_back({"dvalues", of_columns, {"weights", "g"}});
  }
  return made;
}

// Calls check(case, array, its inputs).
template <class T, class Check>
void for_each_array(Check check) {
  std::vector<std::vector<MadeArray>> made;
  const std::vector<ArraysCase> cases = load_arrays(
      "golden_block", [&](const nlohmann::json& entry, ArraysCase&) { made.push_back(made_arrays(entry)); });
  CHECK(cases.size() > 20);
  for (std::size_t i = 0; i < cases.size(); ++i)
    for (const MadeArray& array : made[i]) {
      std::vector<BasicTensor<T>> inputs;
      for (const std::string& name : array.of) {
        const Array64& given = cases[i].expected.at(name);
        inputs.push_back({{given.shape.at(0), given.shape.at(1), given.shape.at(2)},
                          std::vector<T>(given.values.begin(), given.values.end())});
      }
      check(cases[i], array, inputs);
    }
}

void compare_block_floats(Backend& backend) {
  INFO(backend.name());
  for_each_array<float>([&](const ArraysCase& c, const MadeArray& array, const std::vector<Tensor>& inputs) {
    compare(c, array.name, backend.run(array.operation, inputs), allowed_of_floats);
  });
}

}  // namespace

TEST_CASE("norms, cross-entropy and products that heads share are in double what PyTorch computes") {
  for_each_array<double>(
      [](const ArraysCase& c, const MadeArray& array, const std::vector<Tensor64>& inputs) {
        compare(c, array.name, run_in_double(array.operation, inputs),
                [](double b) { return 1e-12 * (1 + std::abs(b)); });
      });
}

TEST_CASE("norms, cross-entropy and products that heads share on the reference are what PyTorch computes") {
  compare_block_floats(*make_reference_backend());
}

TEST_CASE("norms, cross-entropy and products that heads share on every OpenCL device are PyTorch’s") {
  on_every_device(compare_block_floats);
}

}  // namespace attn::golden

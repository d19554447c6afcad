// Layers in float16 and bfloat16 against numbers that numpy rounded: on the reference, number for number.
#include "core/attention/layer_fields.h"
#include "core/document/layer_plan.h"
#include "core/reference/backend.h"
#include "tests/layers.h"
#include "tests/oracles/golden_arrays.h"

namespace attn::golden {
namespace {

Tensor matrix(const ArraysCase& c, const std::string& name) {
  const Array64& array = c.expected.at(name);
  return {{1, array.shape[0], array.shape[1]}, std::vector<float>(array.values.begin(), array.values.end())};
}

std::vector<ArraysCase> load_precision_cases() {
  return load_arrays("golden_precision", [](const nlohmann::json& entry, ArraysCase& c) {
    LayerSpec& layer = c.document.layer();
    layer.x = matrix(c, "x");
    layer.w_q = matrix(c, "w_q"), layer.w_k = matrix(c, "w_k"), layer.w_v = matrix(c, "w_v");
    layer.w_o = matrix(c, "w_o");
    layer.heads = layer.kv_heads = 2;
    tests::set_causal(layer, CausalAlign::lower_right);
    layer.fill = *layer_field::fill.choice_of(entry.at("fill").get<std::string>());
    layer.precision = *layer_field::precision.choice_of(entry.at("format").get<std::string>());
  });
}

}  // namespace

TEST_CASE("layers in float16 and bfloat16 have the numbers that numpy rounds") {
  const auto reference = make_reference_backend();
  for (const ArraysCase& c : load_precision_cases()) {
    const Graph graph = build_layer(c.document).graph;
    const std::vector<Tensor> outputs = computed(*reference, graph);
    std::size_t compared = 0;
    for (const auto& [name, expected] : c.expected) {
      const std::string stage = name.starts_with("rounded ") ? name.substr(8) : name;
      if (stage == name && c.expected.contains("rounded " + name)) continue;  // as it was given
      const auto index = graph.find(stage);
      INFO(c.name, ", ", stage);
      REQUIRE(index);
      compare(c, name, outputs[*index], [](double) { return 0; });
      ++compared;
    }
    CHECK(compared == 18);
  }
}

}  // namespace attn::golden

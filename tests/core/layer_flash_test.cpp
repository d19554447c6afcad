// A layer by flash attention against the same layer with every stage, over random layers; what flash cannot
// compute says why.
#include "core/attention/layer_flash.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/document/layer_plan.h"
#include "core/system/error.h"
#include "tests/core/checked.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

// In double: but for rounding nothing differs.
void check_same_outputs(const LayerSpec& layer) {
  const Graph full = build_graph(layer);
  Graph flash;
  append_flash_layer(flash, layer, {.weights = true});
  const std::vector<Tensor64> with_stages = evaluate_in_double(full), without = evaluate_in_double(flash);
  for (const char* id : {"weights", "head_output", "concat", "output"}) {
    CAPTURE(id);
    const auto in_full = full.find(id), in_flash = flash.find(id);
    REQUIRE(in_full.has_value());
    REQUIRE(in_flash.has_value());
    const auto a = with_stages[*in_full].values(), b = without[*in_flash].values();
    REQUIRE(a.size() == b.size());
    const bool same = std::ranges::equal(a, b, [](double x, double y) {
      return (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= 1e-9 * (1 + std::abs(x));
    });
    CHECK(same);
  }
}

TEST_CASE("a layer by flash attention has the outputs and weights of the layer with every stage") {
  Random random(seed(311));
  std::size_t compared = 0;
  for (int i = 0; i < 600; ++i) {
    LayerSpec layer = random_layer(random);
    layer.weighting = coin(random) ? Weighting::softmax : Weighting::softmax_1;
    layer.soft_cap = coin(random) ? 2 : 0, layer.qk_norm = coin(random);
    layer.temperature = layer.temperature == 0 ? 0.5 : layer.temperature;
    layer.dropout = 0, layer.fill = Fill::negative_infinity;
    if (coin(random)) random_mistakes(random, layer);
    layer.dropout_mask = {}, layer.softmax_over = SoftmaxOver::keys;
    if (!flash_obstacle(layer).empty()) continue;
    CAPTURE(i);
    check_same_outputs(layer);
    ++compared;
  }
  CHECK(compared >= 300);
}

TEST_CASE(
    "rules that keep keys apart are read as a matrix where they keep more than a quarter of all pairs") {
  LayerSpec layer;
  layer.direct = true;
  layer.q = layer.k = layer.v = drawn({1, 64, 4}, 1);
  // Of 64 keys a stride of 8 keeps at most 15 a query, and one of 2 about half of them.
  for (const auto& [rule, dense] : {std::pair<MaskRule, bool>{StridedRule{8}, false},
                                    {StridedRule{2}, true},
                                    {RandomRule{16, 5}, false},
                                    {RandomRule{17, 5}, true},
                                    {WindowRule{60}, false}}) {
    CAPTURE(name(rule));
    layer.masks = {{rule}};
    Graph graph;
    append_flash_layer(graph, layer);
    CHECK(graph.find("mask").has_value() == dense);
    check_same_outputs(layer);
  }
}

TEST_CASE("a layer that needs its weights is refused by flash attention with the reason") {
  Random random(seed(312));
  LayerSpec layer = random_projected(random);
  layer.dropout = 0.5;
  CHECK(flash_obstacle(layer) == "dropout is drawn for each weight");
  LayerSpec wide;
  wide.direct = true;
  wide.q = wide.k = wide.v = drawn({1, 2, 257}, 1);
  CHECK(flash_obstacle(wide) == "heads are 257 wide; it takes at most 256");
  Graph graph;
  CHECK_THROWS_WITH_AS(append_flash_layer(graph, layer),
                       "flash attention cannot compute this layer: dropout is drawn for each weight", Error);
}

TEST_CASE(
    "weights that nobody asks flash attention for are not made, and numbers typed over them are refused") {
  Random random(seed(313));
  Document document;
  document.layer() = random_projected(random);
  CHECK_FALSE(build_flash_layer(document).graph.find("weights").has_value());
  const FlashRequest with_weights{.weights = true};
  CHECK(build_flash_layer(document, with_weights).graph.find("weights").has_value());
  document.overrides.push_back({"pipeline", "weights", {{0, 0, 0}, 1}});
  for (const FlashRequest& request : {FlashRequest{}, with_weights})
    CHECK_THROWS_WITH_AS(
        build_flash_layer(document, request),
        "flash attention cannot compute this layer: numbers are typed over weights, which it does "
        "not make",
        Error);
}

}  // namespace

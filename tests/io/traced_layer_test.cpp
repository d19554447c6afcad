// A computed layer's file as a layer again: what it was made with is in the file or said by the same options.
#include <doctest/doctest.h>

#include <map>

#include "core/io/layer_npz.h"
#include "core/io/npz.h"
#include "core/io/stages_npz.h"
#include "tests/layers.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

using TracedArrays = std::map<std::string, Array>;

TracedArrays traced_arrays(const Results& results) {
  return parse_npz<float>(stages_npz(results));
}

// The layer with what was read of its stages in place of its matrices, and the same options.
LayerSpec again(const LayerSpec& layer, const LayerSpec& read) {
  LayerSpec same = layer;
  same.direct = true;
  for (Tensor* tensor : {&same.x, &same.memory, &same.w_q, &same.w_k, &same.w_v, &same.w_o, &same.b_q,
                         &same.b_k, &same.b_v, &same.b_o})
    *tensor = {};
  if (is_added(layer.position)) same.position = NoPosition{};  // it is in q and k
  same.q = read.q, same.k = read.k, same.v = read.v, same.bias = read.bias, same.mask = read.mask;
  same.dropout_mask = read.dropout_mask;
  same.score_w = read.score_w, same.score_w_q = read.score_w_q, same.score_w_k = read.score_w_k;
  same.score_v = read.score_v, same.local_w = read.local_w, same.local_v = read.local_v;
  return same;
}

}  // namespace

TEST_CASE("traced stages opened as a layer with the same options give the same results") {
  Random random(seed(81));
  for (int i = 0; i < 200; ++i) {
    const LayerSpec layer = random_scored_layer(random);
    CAPTURE(i);
    NamedArrays left_out;
    const Results before = evaluated({{layer}});
    const LayerSpec read = again(layer, layer_from_arrays(traced_arrays(before), &left_out));
    const Results after = evaluated({{read}});
    for (const char* id : {"scores", "masked", "weights", "head_output"}) {
      REQUIRE(before.result(id).here() == after.result(id).here());
      if (before.result(id).here()) CHECK(before.output(id) == after.output(id));
    }
    for (const ScoreParameter& parameter :
         score_parameters(layer.scoring, score_widths(read).value_or(ScoreWidths{})))
      CHECK(!(read.*parameter.member).empty());
    CHECK(layer.bias.empty() == read.bias.empty());
  }
}

TEST_CASE("tables that the program made are among the traced stages") {
  Random random(seed(82));
  LayerSpec layer = random_projected(random);
  const auto shape_of = [&](const Position& position, const char* array) {
    layer.position = position;
    return traced_arrays(evaluated({{layer}})).at(array).shape;
  };
  using Sizes = std::vector<std::size_t>;
  CHECK(shape_of(Learned{.seed = 4}, "encoding") == Sizes{layer.x.rows(), layer.x.columns()});
  CHECK(shape_of(T5Bias{}, "bias_table") == Sizes{layer.heads, 1, 32});
  CHECK(shape_of(Relative{.clip = 2, .values = true}, "relative_keys").front() == 5);
  CHECK(shape_of(Relative{.clip = 2, .values = true}, "relative_values").front() == 5);
}

// A layer's stages for what code easily does wrong (core/attention/mistake_fields.h): heads cut and joined by
// views of memory, heads that share keys the wrong way, keys reshaped, positions added twice.
#include <algorithm>

#include "core/attention/layer_builder.h"

namespace attn {
namespace {

StageIndex tiled(LayerBuilder& b, StageIndex from, const std::string& letter, const std::string& whose) {
  const std::size_t heads = b.graph.stages[b.places.q].shape.stack, own = b.graph.stages[from].shape.stack;
  Stage stage = b.made_from(from, letter + "_tiled", b.graph.stages[from].title + " tiled",
                            "head r reads r modulo " + std::to_string(own), TileHeads{heads}, {from},
                            "feature %j of the " + whose + " of %r that head %h reads");
  return b.add(std::move(stage));
}

}  // namespace

StageIndex LayerBuilder::add_position(Stage stage) {
  if (!layer.position_twice) return add(std::move(stage));
  Stage twice = stage;
  stage.id += "_once", stage.traced = false;
  if (stage.drawn == Drawn::always) stage.drawn = Drawn::inside;
  twice.title = "2 " + stage.title, twice.formula = "added twice";
  twice.operation = Scale{2, "2"};
  twice.inputs = {add(std::move(stage))};
  return add(std::move(twice));
}

StageIndex append_split_by_memory(LayerBuilder& b, Stage projection, std::size_t heads) {
  Stage viewed = projection;
  projection.id += "_joined", projection.title += " of all heads";
  projection.operation = Project{1};
  projection.traced = false, projection.drawn = Drawn::inside, projection.stack = Stack::joined;
  projection.sentence = "column %j that is projected from %r, for all heads";
  const StageIndex joined = b.add(std::move(projection));
  const Shape shape = b.graph.stages[joined].shape;
  viewed.formula = "viewed as heads × rows × features";
  viewed.operation = Reshape{{heads, shape.rows, shape.columns / heads}};
  viewed.inputs = {joined};
  viewed.sentence += ", as head %h finds it in memory";
  return b.add(std::move(viewed));
}

Operation merging(const LayerBuilder& b, StageIndex head_output) {
  const Shape heads = b.graph.stages[head_output].shape;
  if (b.layer.head_merge == HeadCut::columns || heads.stack == 1) return Concat{b.layer.muted_heads};
  return Reshape{{1, heads.rows, heads.stack * heads.columns}};
}

StageIndex append_muted(LayerBuilder& b, StageIndex head_output) {
  const Shape heads = b.graph.stages[head_output].shape;
  if (b.layer.head_merge == HeadCut::columns || heads.stack == 1 || b.layer.muted_heads.empty())
    return head_output;
  std::vector<float> on(heads.stack, 1);
  for (const std::size_t head : b.layer.muted_heads) on.at(head) = 0;
  Stage factors = b.of_heads("heads_on", "1, or 0 where a head is switched off",
                             Source{Tensor({heads.stack, 1, 1}, std::move(on))}, {}, "whether head %h is on");
  factors.rows = factors.columns = {};
  factors.traced = false, factors.drawn = Drawn::never;
  const StageIndex switches = b.add(std::move(factors));
  Stage left =
      b.of_heads("heads_left", "0 of heads that are switched off", Multiply{}, {head_output, switches},
                 "feature %j of what is left of what %r collected in head %h");
  left.title = "heads left", left.traced = false, left.drawn = Drawn::inside;
  return b.add(std::move(left));
}

void append_tiled(LayerBuilder& b) {
  const auto heads_of = [&](StageIndex stage) { return b.graph.stages[stage].shape.stack; };
  if (b.layer.head_groups == HeadGroups::repeated || heads_of(b.places.k) == heads_of(b.places.q)) return;
  b.begin_step("tiled", "head r reads keys and values r modulo " + std::to_string(heads_of(b.places.k)) +
                            ": consecutive heads do not share them");
  b.places.k = tiled(b, b.places.k, "k", "key");
  b.places.v = tiled(b, b.places.v, "v", "value");
}

StageIndex append_turned_keys(LayerBuilder& b, StageIndex keys) {
  if (b.layer.key_turn == KeyTurn::transposed) return keys;
  const Shape k = b.graph.stages[keys].shape;
  const std::string title = b.graph.stages[keys].title;
  b.begin_step(title + " reshaped",
               "the numbers of K in their order, viewed as d×m: what scores read is no transpose");
  Stage viewed =
      b.made_from(keys, "k_viewed", title + " as d×m", "viewed as d×m", Reshape{{k.stack, k.columns, k.rows}},
                  {keys}, "feature %i of what stands for the key of %c");
  viewed.rows = b.feature, viewed.columns = b.keys;
  viewed.traced = false, viewed.drawn = Drawn::inside;
  const StageIndex by_feature = b.add(std::move(viewed));
  return b.add(b.made_from(keys, "k_reshaped", title + " reshaped", "a row for each column of K as d×m",
                           Transpose{}, {by_feature}, "feature %j of what stands for the key of %r"));
}

}  // namespace attn

// The memory as a whole: keys and values from tokens of their own, or from x again.
#include "core/edits/edit_masks.h"
#include "core/edits/edit_shapes.h"
#include "core/edits/edit_sides.h"
#include "core/system/error.h"

namespace attn {
namespace {

// The projections of what the keys come from, for as many features.
void fit_projections(LayerSpec& layer, std::size_t width) {
  const Order rows = resized(layer.w_k.rows(), width);
  layer.w_k = rearranged(layer.w_k, {.rows = &rows, .sd = kNewWeight, .seed = kSeedK});
  layer.w_v = rearranged(layer.w_v, {.rows = &rows, .sd = kNewWeight, .seed = kSeedV});
}

// Keys and values are the projections' of x again, or as many as there are queries.
void let_go(LayerSpec& layer, const Order& keys) {
  if (layer.direct) {
    layer.k = rearranged(layer.k, {.rows = &keys});
    layer.v = rearranged(layer.v, {.rows = &keys});
    return;
  }
  fit_projections(layer, layer.x.columns());
  layer.memory = {};
}

}  // namespace

void add_memory(LayerAt in) {
  if (has_own_keys(in.layer())) throw Error("this layer has a memory already", Fault::option);
  Document changed = in.document;
  LayerSpec& layer = changed.layer(in.address);
  if (!layer.direct) layer.memory = layer.x;
  layer.memory_tokens = layer.direct ? filled_labels(layer.tokens, key_count(layer)) : layer.tokens;
  settle(in, std::move(changed));
}

void remove_memory(LayerAt in) {
  if (!has_own_keys(in.layer())) throw Error("this layer has no memory to remove", Fault::option);
  Document changed = in.document;
  LayerSpec& layer = changed.layer(in.address);
  const Order keys = resized(key_count(layer), query_count(layer));
  follow_rules(layer, keys, {.keys = true});  // while the layer still has its old keys
  let_go(layer, keys);
  layer.bias = rearranged(layer.bias, {.columns = &keys});
  layer.mask = rearranged(layer.mask, {.columns = &keys});
  layer.dropout_mask = rearranged(layer.dropout_mask, {.columns = &keys, .fill = 1});
  layer.memory_tokens.clear();
  settle(in, std::move(changed));
}

}  // namespace attn

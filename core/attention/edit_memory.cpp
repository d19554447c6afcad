// The memory as a whole: keys and values from tokens of their own, or from x again.
#include "core/attention/edit_masks.h"
#include "core/attention/edit_shapes.h"
#include "core/attention/edit_sides.h"
#include "core/error.h"

namespace attn {
namespace {

void refuse_given(const LayerSpec& layer) {
  if (layer.direct)
    throw Error("Q, K and V are given: their keys come from no memory. Project them first", Fault::option);
}

// The projections of what the keys come from, for as many features.
void fit_projections(LayerSpec& layer, std::size_t width) {
  const Order rows = resized(layer.w_k.rows(), width);
  layer.w_k = rearranged(layer.w_k, {.rows = &rows, .sd = kNewWeight, .seed = kSeedK});
  layer.w_v = rearranged(layer.w_v, {.rows = &rows, .sd = kNewWeight, .seed = kSeedV});
}

}  // namespace

void add_memory(Document& document) {
  refuse_given(document.layer);
  if (!document.layer.memory.empty()) throw Error("this layer has a memory already", Fault::option);
  Document changed = document;
  LayerSpec& layer = changed.layer;
  layer.memory = layer.x;
  layer.memory_tokens = layer.tokens;
  settle(document, std::move(changed));
}

void remove_memory(Document& document) {
  refuse_given(document.layer);
  if (document.layer.memory.empty()) throw Error("this layer has no memory to remove", Fault::option);
  Document changed = document;
  LayerSpec& layer = changed.layer;
  const Order keys = resized(key_count(layer), query_count(layer));
  follow_rules(layer, keys, {.keys = true});  // while the layer still has its old keys
  fit_projections(layer, layer.x.columns());
  layer.bias = rearranged(layer.bias, {.columns = &keys});
  layer.mask = rearranged(layer.mask, {.columns = &keys});
  layer.memory = {};
  layer.memory_tokens.clear();
  settle(document, std::move(changed));
}

}  // namespace attn

// Key/value heads averaged in groups, and what the output makes of it.
#include "core/heads/groups.h"

#include <algorithm>

#include "core/attention/heads.h"
#include "core/edits/edit.h"
#include "core/edits/edit_shapes.h"
#include "core/heads/graph.h"
#include "core/system/error.h"

namespace attn {
namespace {

// Consecutive matrices of a stack, `groups` means of them.
Tensor mean_of_groups(const Tensor& stack, std::size_t groups) {
  const std::size_t each = stack.stack() / groups, size = stack.rows() * stack.columns();
  std::vector<float> values(groups * size);
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t i = 0; i < size; ++i) {
      double sum = 0;
      for (std::size_t r = 0; r < each; ++r)
        sum += static_cast<double>(stack.values()[(g * each + r) * size + i]);
      values[g * size + i] = static_cast<float>(sum / static_cast<double>(each));
    }
  return {{groups, stack.rows(), stack.columns()}, std::move(values)};
}

// Columns of the heads side by side.
Tensor mean_of_columns(const Tensor& wide, std::size_t heads, std::size_t groups) {
  return wide.empty() ? wide : side_by_side(mean_of_groups(split_heads(wide, heads), groups));
}

}  // namespace

std::vector<std::size_t> group_counts(const LayerSpec& layer) {
  std::vector<std::size_t> counts = divisors(kv_head_count(layer));
  return {counts.rbegin(), counts.rend()};
}

LayerSpec grouped(const LayerSpec& layer, std::size_t kv_heads) {
  const std::size_t now = kv_head_count(layer);
  if (kv_heads == 0 || now % kv_heads != 0)
    throw Error(std::to_string(now) + " key/value heads make no " + std::to_string(kv_heads) +
                    " groups: " + nearest_heads(now, std::max<std::size_t>(1, kv_heads)),
                Fault::option);
  LayerSpec shared = layer;
  if (kv_heads == now) return shared;
  if (layer.direct) {
    shared.k = mean_of_groups(layer.k, kv_heads), shared.v = mean_of_groups(layer.v, kv_heads);
    return shared;
  }
  shared.w_k = mean_of_columns(layer.w_k, now, kv_heads),
  shared.w_v = mean_of_columns(layer.w_v, now, kv_heads);
  shared.b_k = mean_of_columns(layer.b_k, now, kv_heads),
  shared.b_v = mean_of_columns(layer.b_v, now, kv_heads);
  shared.kv_heads = kv_heads;
  return shared;
}

void use_grouped(LayerAt in, std::size_t kv_heads) {
  Document changed = in.document;
  changed.layer(in.address) = grouped(in.layer(), kv_heads);
  changed.heads.kv_heads = 0;
  settle(in, std::move(changed));
}

std::size_t layer_parameters(const LayerSpec& layer, std::size_t kv_heads) {
  if (layer.direct) return 0;
  std::size_t own = 0, shared = 0;
  for (const Tensor* tensor : {&layer.w_q, &layer.w_o, &layer.b_q, &layer.b_o}) own += tensor->shape().size();
  for (const Tensor* tensor : {&layer.w_k, &layer.w_v, &layer.b_k, &layer.b_v})
    shared += tensor->shape().size();
  return own + shared / kv_head_count(layer) * kv_heads;
}

std::size_t cache_bytes(const LayerSpec& layer, std::size_t kv_heads) {
  return sizeof(float) * kv_heads * (key_width(layer) + value_width(layer));
}

std::vector<DeferredGraph> deferred_heads(const Document& document, const Places&) {
  const std::vector<std::size_t> counts = group_counts(document.layer());
  std::vector<DeferredGraph> pieces;
  if (counts.size() < 2) return pieces;
  const auto layer = std::make_shared<const LayerSpec>(document.layer());
  for (const std::size_t count : counts)
    pieces.push_back({"output with " + std::to_string(count) + " key/value heads",
                      [layer, count] { return build_graph(grouped(*layer, count)); }});
  return pieces;
}

}  // namespace attn

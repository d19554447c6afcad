// Numbers of heads that divide the projections' columns, near the layer's own.
#include "core/attention/repair.h"

#include <algorithm>

namespace attn {
namespace {

constexpr std::size_t kMost = 3, kMostHeads = 64;

struct Counts {
  std::size_t heads, kv_heads;
};

// What check_layer asks of the heads of projections.
bool fits(const LayerSpec& layer, Counts c) {
  if (c.heads == 0 || c.kv_heads == 0 || c.heads % c.kv_heads != 0) return false;
  if (layer.w_q.columns() % c.heads != 0 || layer.w_k.columns() % c.kv_heads != 0 ||
      layer.w_v.columns() % c.kv_heads != 0)
    return false;
  return layer.w_q.columns() / c.heads == layer.w_k.columns() / c.kv_heads;
}

std::string words_of(const LayerSpec& layer, Counts c) {
  if (c.heads == layer.heads) return std::to_string(c.kv_heads) + " key/value heads";
  const std::string text = std::to_string(c.heads) + (c.heads == 1 ? " head" : " heads");
  return c.kv_heads == c.heads ? text : text + ", " + std::to_string(c.kv_heads) + " for keys and values";
}

LayerSpec with(LayerSpec layer, Counts c) {
  layer.heads = c.heads, layer.kv_heads = c.kv_heads;
  std::erase_if(layer.muted_heads, [&](std::size_t head) { return head >= c.heads; });
  return layer;
}

}  // namespace

std::vector<LayerRepair> layer_repairs(const LayerSpec& layer) {
  std::vector<LayerRepair> found;
  if (layer.direct || fits(layer, {layer.heads, layer.kv_heads})) return found;
  const auto add = [&](std::size_t heads) {
    for (const Counts c : {Counts{heads, layer.kv_heads}, Counts{heads, heads}})
      if (found.size() < kMost && fits(layer, c)) {
        found.push_back({words_of(layer, c), with(layer, c)});
        return true;
      }
    return false;
  };
  add(layer.heads);
  std::vector<std::size_t> near = divisors(layer.w_q.columns());
  std::erase_if(near, [](std::size_t h) { return h > kMostHeads; });
  const auto above = std::ranges::upper_bound(near, layer.heads);
  for (auto it = above; it != near.begin();)
    if (--it; *it < layer.heads && add(*it)) break;
  for (auto it = above; it != near.end(); ++it)
    if (add(*it)) break;
  return found;
}

}  // namespace attn

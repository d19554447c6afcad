// Heads that share keys and values: grouped-query attention (Ainslie et al. 2023) and, with one for all,
// multi-query attention (Shazeer 2019), made of the layer as it is.
#pragma once

#include <vector>

#include "core/document/document.h"

namespace attn {

// Numbers of key/value heads that the layer's own can be brought to: its own first, 1 last.
std::vector<std::size_t> group_counts(const LayerSpec& layer);

// The layer with so many key/value heads, each the mean of those it stands for, as published (Ainslie et al.
// 2023, section 2.1): columns of W_K, W_V and their biases, or given K and V themselves. Throws Error where
// `kv_heads` does not divide the layer's own.
LayerSpec grouped(const LayerSpec& layer, std::size_t kv_heads);
// As an edit: what was typed over keys and values goes.
void use_grouped(LayerAt in, std::size_t kv_heads);

// Numbers that are learned, of projections and biases, with g = `kv_heads` of them. 0 of Q, K and V that are
// given.
std::size_t layer_parameters(const LayerSpec& layer, std::size_t kv_heads);
// Bytes of keys and values that are kept for a token in float32: 4·g·(d_k + d_v).
std::size_t cache_bytes(const LayerSpec& layer, std::size_t kv_heads);

}  // namespace attn

// What flash attention of a layer is told about its scores. Its mask, biases and weights are up to whoever
// asks.
#pragma once

#include "core/attention/layer.h"
#include "core/operations/flash.h"

namespace attn {

// For heads of this width; `first`: the place of query 0.
FlashAttention flash_operation(const LayerSpec& layer, std::size_t width, std::ptrdiff_t first);

}  // namespace attn

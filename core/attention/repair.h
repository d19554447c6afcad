// Ways out of a layer that cannot be computed: the same layer with other numbers of heads.
#pragma once

#include <string>
#include <vector>

#include "core/attention/layer.h"

namespace attn {

struct LayerRepair {
  std::string words;  // "4 heads, 2 for keys and values"
  LayerSpec layer;
};

// At most three, nearest first; none when the heads are not what is wrong.
std::vector<LayerRepair> layer_repairs(const LayerSpec& layer);

}  // namespace attn

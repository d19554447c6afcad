// The shape that the words of `cost` describe.
#pragma once

#include <string>

#include "core/cost/presets.h"

namespace attn {

// Words as given; absent ones are empty.
struct CostRequest {
  std::string n, d, heads, kv_heads, layers, batch, format, mechanism, feed_forward, preset;
  bool gated = false, causal = false, backward = false, json = false, csv = false;
};

struct CostWords {
  const Preset* preset;  // null: none
  CostSpec spec;         // counts can be made of it
};

CostWords read_cost(const CostRequest& request);

}  // namespace attn

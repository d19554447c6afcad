// The shape that the words of `cost` describe.
#pragma once

#include <ostream>
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

// Prints what a layer of that shape takes, stage by stage, and what all its layers have and keep.
void cost(const CostRequest& request, std::ostream& out);

}  // namespace attn

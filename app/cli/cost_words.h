// The shape that the words of `cost` describe.
#pragma once

#include "app/cli/commands.h"
#include "core/cost/presets.h"

namespace attn {

struct CostWords {
  const Preset* preset;  // null: none
  CostSpec spec;         // counts can be made of it
};

CostWords read_cost(const CostRequest& request);

}  // namespace attn

// The plan of the workspace of heads.
#pragma once

#include "core/document/layer_plan.h"
#include "core/heads/graph.h"

namespace attn {

inline constexpr Plan kHeadsPlan{"heads", build_heads, given_layer, deferred_heads, true, &kLayerPlan};

}  // namespace attn

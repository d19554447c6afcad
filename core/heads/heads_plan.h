// The plan of the workspace of heads.
#pragma once

#include "core/attention/pipeline.h"
#include "core/heads/heads_graph.h"

namespace attn {

inline constexpr Plan kHeadsPlan{"heads", build_heads, given_layer, heads_rest, true, &kPipelinePlan};

}  // namespace attn

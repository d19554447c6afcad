// The graph of a check: the layer A ("ours") with the ids of the Pipeline, the stages that the file has
// ("yours"), and yours less ours.
#pragma once

#include "core/compare/graph.h"

namespace attn {

// Before the ids of yours.
inline constexpr const char* kYoursPrefix = "yours.";
// Its places are ComparePlaces: `a` is ours, `b` yours, and only stages that the file has are there. Of a
// document whose check is on. Stages whose shape is another in the file have no difference.
Built build_check(const Document& document);

}  // namespace attn

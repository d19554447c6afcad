// A weighting whose every stage is rounded to a format.
#pragma once

#include "core/attention/weighting.h"
#include "core/operations/precision.h"

namespace attn {

// append_weighting with the numbers of each stage rounded (core/graph/rounding.h); at float32 the same as it.
WeightingStages append_rounded_weighting(Graph& graph, Weighting weighting, const ScoreRows& rows,
                                         NumberFormat format);

}  // namespace attn

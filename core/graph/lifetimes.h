// How long the results of a graph are needed.
#pragma once

#include <span>
#include <vector>

#include "core/graph/graph.h"

namespace attn {

// By stage, the computed results that end with it: none of the needed stages reads them later. Empty
// `needed`: all. What is given or to be kept does not end.
std::vector<std::vector<StageIndex>> ends_by_stage(const Graph& graph, const std::vector<bool>& needed,
                                                   std::span<const StageIndex> kept = {});

// By stage, whether a program makes its result in the memory of its first input: that is given, and no stage
// behind reads it. Those before read what the last run left there.
std::vector<bool> made_in_place(const Graph& graph);

}  // namespace attn

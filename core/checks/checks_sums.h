// How near a row of weights comes to its sum in a format.
#pragma once

#include "core/graph/graph.h"

namespace attn {

// By how much a row of these weights may be off beyond what is accepted anyway, because they and the stages
// that they come from are rounded to a format; 0 at float32. The bound is derived in checks_sums.cpp.
double rounding_of_sums(const Graph& graph, StageIndex weights);

}  // namespace attn

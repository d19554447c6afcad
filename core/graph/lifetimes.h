// How long the results of a graph are needed.
#pragma once

#include <vector>

#include "core/graph/graph.h"

namespace attn {

// By stage, the last of the needed stages that reads it; itself when none does. Empty `needed`: all.
std::vector<StageIndex> last_readers(const Graph& graph, const std::vector<bool>& needed);

}  // namespace attn

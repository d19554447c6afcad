// The reference, telling how far it is with what takes long.
#pragma once

#include <memory>
#include <ostream>

#include "core/backend/backend.h"
#include "core/graph/graph.h"

namespace attn {

// Multiply-adds from which a person wants to know: some ten seconds of a slow core.
inline constexpr double kMostUntold = 5e9;

// For this graph: says on `err` what it has to do, and how much of a regression is done, by twentieths. Null
// where the graph takes less than `untold`.
std::unique_ptr<Backend> reporting_reference(const Graph& graph, std::ostream& err,
                                             double untold = kMostUntold);

}  // namespace attn

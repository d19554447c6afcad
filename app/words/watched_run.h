// A graph run once for a command, what a device computes held against the reference as it comes.
#pragma once

#include <functional>
#include <ostream>
#include <vector>

#include "core/backend/backend.h"
#include "core/evaluate/results.h"
#include "core/graph/graph.h"

namespace attn {

// Tells `done` of each result, in order. What was compared is said on `err`, and the first
// number that overflows a format; a wrong number ends it with
// Error(Fault::device).
// `needed`: the stages that are run; empty: all.
void run_watched(Backend& backend, const Graph& graph, const std::vector<bool>& needed,
                 const std::function<void(StageIndex, const Tensor&)>& done, std::ostream& err);

// Told of some rows of a stage, from `first` on.
using RowsDone = std::function<void(StageIndex, std::size_t first, const Tensor& rows)>;

// The same of a graph of which `bands` (of the needed stages) make some rows at a time: tells of the rows of
// the wanted stages alone, each from the first to the last.
void run_watched_by_bands(Backend& backend, const Graph& graph, const Bands& bands,
                          const std::vector<bool>& needed, const std::vector<bool>& wanted,
                          const RowsDone& done, std::ostream& err);

}  // namespace attn

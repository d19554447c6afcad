// Running a graph once, from front to back, with nothing remembered: for what is written, compared or
// measured and then let go. The evaluator is for graphs that are edited and run again.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/backend/backend.h"
#include "core/graph/graph.h"

namespace attn {

struct Run {
  std::vector<bool> needed = {};  // stages to run, with all that they read; empty: all
  // Which results come back; the others stay on the device where it can keep them. Empty: all.
  std::function<bool(StageIndex)> reads = {};
  // Shown each computed result that came back with what it was made from, before it is told of; may throw.
  std::function<void(StageIndex, Inputs, const Tensor&)> check = {};
  // Told of each result that came back, in order; afterwards it is let go as soon as no stage needs it.
  std::function<void(StageIndex, const Tensor&)> done = {};
  // What later stages read in place of a result, after it was told of; empty: the result.
  std::function<Tensor(StageIndex, const Tensor&)> passes_on = {};
  std::function<bool()> give_up = {};  // asked before each stage
};

// The wall time of each stage in seconds, 0 for given ones; none when it gave up. Throws what the backend
// throws.
std::optional<std::vector<double>> run_stages(Backend& backend, const Graph& graph, const Run& run);

}  // namespace attn

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

// A run a stage at a time; its owner asks `give_up`, or does something else in between. Where every result
// comes back each stage may have a backend of its own. Refers to the graph.
class StagesRun {
 public:
  StagesRun(const Graph& graph, Run run);

  // The next stage. Throws what the backend throws.
  void step(Backend& backend);
  bool done() const { return next_ == graph_.stages.size(); }
  const std::vector<double>& seconds() const { return seconds_; }

 private:
  void skip_unneeded();

  const Graph& graph_;
  Run run_;
  std::vector<std::vector<StageIndex>> ends_;
  std::vector<Tensor> outputs_;
  std::vector<double> seconds_;
  StageIndex next_ = 0;  // that is needed
};

// The wall time of each stage in seconds, 0 for given ones; none when it gave up. Throws what the backend
// throws.
std::optional<std::vector<double>> run_stages(Backend& backend, const Graph& graph, const Run& run);

}  // namespace attn

// One run of a graph: each result lives until the last stage that reads it.
#include "core/evaluate/run.h"

#include <chrono>

#include "core/graph/lifetimes.h"

namespace attn {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

std::optional<std::vector<double>> run_stages(Backend& backend, const Graph& graph, const Run& run) {
  const std::size_t count = graph.stages.size();
  const auto ends = ends_by_stage(graph, run.needed);
  std::vector<Tensor> outputs(count);
  std::vector<double> seconds(count);
  for (StageIndex i = 0; i < count; ++i) {
    if (!run.needed.empty() && !run.needed[i]) continue;
    if (run.give_up && run.give_up()) return std::nullopt;
    const Stage& stage = graph.stages[i];
    std::vector<Tensor> inputs;
    for (const StageIndex input : stage.inputs) inputs.push_back(outputs[input]);
    const bool given = stage.given();
    const bool reads = given || !run.reads || run.reads(i);
    const auto start = Clock::now();
    outputs[i] = backend.run(stage.operation, inputs, reads ? Numbers::here : Numbers::there);
    if (!reads) backend.finish();  // so that the time is this stage's, not the next one's that reads back
    if (!given) seconds[i] = std::chrono::duration<double>(Clock::now() - start).count();
    if (reads && !given && run.check) run.check(i, inputs, outputs[i]);
    if (reads && run.done) run.done(i, outputs[i]);
    if (reads && run.passes_on) outputs[i] = run.passes_on(i, outputs[i]);
    inputs.clear();
    // What was given stays on the device for another run, as the budget allows.
    for (const StageIndex end : ends[i]) {
      backend.forget(outputs[end]);
      outputs[end] = {};
    }
  }
  return seconds;
}

}  // namespace attn

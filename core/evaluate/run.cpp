// One run of a graph: each result lives until the last stage that reads it.
#include "core/evaluate/run.h"

#include <chrono>
#include <utility>

#include "core/graph/lifetimes.h"

namespace attn {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

StagesRun::StagesRun(const Graph& graph, Run run)
    : graph_(graph),
      run_(std::move(run)),
      ends_(ends_by_stage(graph, run_.needed)),
      outputs_(graph.stages.size()),
      seconds_(graph.stages.size()) {
  skip_unneeded();
}

void StagesRun::skip_unneeded() {
  while (!done() && !run_.needed.empty() && !run_.needed[next_]) ++next_;
}

void StagesRun::step(Backend& backend) {
  const StageIndex i = next_;
  const Stage& stage = graph_.stages[i];
  std::vector<Tensor> inputs;
  for (const StageIndex input : stage.inputs) inputs.push_back(outputs_[input]);
  const bool given = stage.given();
  const bool reads = given || !run_.reads || run_.reads(i);
  const auto start = Clock::now();
  outputs_[i] = backend.run(stage.operation, inputs, reads ? Numbers::here : Numbers::there);
  if (!reads) backend.finish();  // so that the time is this stage's, not the next one's that reads back
  if (!given) seconds_[i] = std::chrono::duration<double>(Clock::now() - start).count();
  if (reads && !given && run_.check) run_.check(i, inputs, outputs_[i]);
  if (reads && run_.done) run_.done(i, outputs_[i]);
  if (reads && run_.passes_on) outputs_[i] = run_.passes_on(i, outputs_[i]);
  inputs.clear();
  // What was given stays on the device for another run, as the budget allows.
  for (const StageIndex end : ends_[i]) {
    backend.forget(outputs_[end]);
    outputs_[end] = {};
  }
  ++next_;
  skip_unneeded();
}

std::optional<std::vector<double>> run_stages(Backend& backend, const Graph& graph, const Run& run) {
  StagesRun stages(graph, run);
  while (!stages.done()) {
    if (run.give_up && run.give_up()) return std::nullopt;
    stages.step(backend);
  }
  return stages.seconds();
}

}  // namespace attn

// Where numbers went beyond all bounds: the first stage that has one, and what helps.
#include <algorithm>
#include <cmath>

#include "core/learning/runner_work.h"
#include "core/text/text.h"

namespace attn {
namespace {

// "the gradient of X": help stages are called by what they are of.
std::string called(const TrainingGraph& training, StageIndex stage) {
  const auto& stages = training.graph.stages;
  if (stages[stage].gradient_of) return "the gradient of " + stages[*stages[stage].gradient_of].id;
  for (std::size_t i = 0; i < training.updates.size(); ++i) {
    const std::string& parameter = stages[training.model.parameters[i]].id;
    if (training.updates[i] == stage) return "the step of " + parameter;
    if (stages[training.updates[i]].inputs[1] == stage) return "the moments of " + parameter;
  }
  return stages[stage].id;
}

}  // namespace

NotFiniteSearch::NotFiniteSearch(const TrainingSpec& spec, const TrainingState& state)
    : training_(build_training(spec, state.parameters)) {
  auto& stages = training_.graph.stages;
  stages[training_.step].operation = Source{Tensor({1, 1, 1}, {static_cast<float>(state.step)})};
  for (std::size_t i = 0; i < state.moments.size(); ++i)
    stages[training_.moments[i]].operation = Source{state.moments[i]};
}

bool NotFiniteSearch::step(Backend& backend) {
  const PieceOfTime time;
  const auto& stages = training_.graph.stages;
  while (outputs_.size() < stages.size()) {
    const Stage& stage = stages[outputs_.size()];
    if (const Tensor* given = given_tensor(stage.operation)) {
      outputs_.push_back(*given);
      continue;
    }
    std::vector<Tensor> inputs;
    for (const StageIndex input : stage.inputs) inputs.push_back(outputs_[input]);
    outputs_.push_back(backend.run(stage.operation, inputs));
    const auto values = outputs_.back().values();
    const auto bad = std::ranges::find_if(values, [](float x) { return !std::isfinite(x); });
    if (bad != values.end()) {
      found_ = NotFinite{.stage = stage.id,
                         .words = std::string(std::isnan(*bad) ? "NaN" : "infinite") + " number is in " +
                                  called(training_, outputs_.size() - 1)};
      return true;
    }
    if (time.over()) return false;
  }
  return true;
}

void TrainingRunner::Work::look_for_fault(std::mutex& mutex) {
  if (!search->begun) {
    const std::lock_guard lock(mutex);
    search->begun = true;
    if (shown.log.snapshots.empty()) return;
    trainer->go_on(shown.log.snapshots.back()->state);
  } else if (!search->in) {
    // What one step spoils may show in the next one's loss alone.
    if (trainer->step() + 1 >= search->step || move_to(search->step - 1))
      search->in.emplace(spec, trainer->state());
  } else if (search->in->step(*backend)) {
    if (search->in->found() || trainer->step() >= search->step) return stop_at_fault(mutex);
    trainer->run(1);
    search->in.emplace(spec, trainer->state());
  }
}

void TrainingRunner::Work::stop_at_fault(std::mutex& mutex) {
  const auto& found = search->in->found();
  RunStop stop{.why = RunStop::not_finite, .step = trainer->step(), .words = {}};
  if (found) stop.stage = found->stage;
  stop.words = "step " + std::to_string(stop.step) + ": " +
               (found ? "the first " + found->words : "the loss is no number") + "; half the rate, " +
               brief(spec.optimizer.rate / 2) + ", may help";
  search.reset(), left.reset();
  const std::lock_guard lock(mutex);
  shown.stop = std::move(stop);
  if (!shown.log.snapshots.empty()) trainer->go_on(shown.log.snapshots.back()->state);
  ++shown.version;
}

}  // namespace attn

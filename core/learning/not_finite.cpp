// Where numbers went beyond all bounds: the first stage that has one, and what helps.
#include "core/learning/not_finite.h"

#include <algorithm>
#include <cmath>

#include "core/learning/piece_of_time.h"
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

bool all_finite(const std::vector<Tensor>& tensors) {
  return std::ranges::all_of(tensors, [](const Tensor& tensor) {
    return std::ranges::all_of(tensor.values(), [](float x) { return std::isfinite(x); });
  });
}

bool all_finite(const TrainingState& state) {
  return all_finite(state.parameters) && all_finite(state.moments);
}

NotFiniteSearch::NotFiniteSearch(Trainer& trainer, Backend& backend, std::size_t shown)
    : trainer_(trainer), backend_(backend), shown_(shown) {}

bool NotFiniteSearch::piece() {
  if (!step_) {
    // What one step spoils may show in the next one's loss alone.
    if (trainer_.step() + 1 < shown_) trainer_.run_piece(shown_ - 1 - trainer_.step());
    if (trainer_.step() + 1 >= shown_) begin_step();
    return false;
  }
  if (!look()) return false;
  if (!found_.words.empty()) return true;
  if (trainer_.step() >= shown_) {
    tell("the loss is no number");
    return true;
  }
  trainer_.run(1);
  begin_step();
  return false;
}

void NotFiniteSearch::begin_step() {
  const TrainingState state = trainer_.state();
  step_ = build_training(trainer_.spec(), state.parameters), outputs_.clear();
  auto& stages = step_->graph.stages;
  stages[step_->step].operation = Source{Tensor({1, 1, 1}, {static_cast<float>(state.step)})};
  for (std::size_t i = 0; i < state.moments.size(); ++i)
    stages[step_->moments[i]].operation = Source{state.moments[i]};
}

bool NotFiniteSearch::look() {
  const PieceOfTime time;
  const auto& stages = step_->graph.stages;
  while (outputs_.size() < stages.size()) {
    const Stage& stage = stages[outputs_.size()];
    if (const Tensor* given = given_tensor(stage.operation)) {
      outputs_.push_back(*given);
      continue;
    }
    std::vector<Tensor> inputs;
    for (const StageIndex input : stage.inputs) inputs.push_back(outputs_[input]);
    outputs_.push_back(backend_.run(stage.operation, inputs));
    const auto values = outputs_.back().values();
    const auto bad = std::ranges::find_if(values, [](float x) { return !std::isfinite(x); });
    if (bad != values.end()) {
      found_.stage = stage.id;
      tell(std::string("the first ") + (std::isnan(*bad) ? "NaN" : "infinite") + " number is in " +
           called(*step_, outputs_.size() - 1));
      return true;
    }
    if (time.over()) return false;
  }
  return true;
}

void NotFiniteSearch::tell(const std::string& what) {
  found_.step = trainer_.step();
  found_.words = "step " + std::to_string(found_.step) + ": " + what + "; half the rate, " +
                 brief(trainer_.spec().optimizer.rate / 2) + ", may help";
}

}  // namespace attn

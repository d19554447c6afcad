// The loss of a step's batch, with one parameter nudged, in double.
#include "core/checks/training_difference.h"

#include "core/gradient/gradients.h"

namespace attn {

struct TrainingDifference::Made {
  Graph graph;
  ModelStages model;
  Gradients gradients;
  std::optional<CentralDifferences> differences;
  CentralDifferences::Nudge nudge;
  double of_device = 0;
  bool prepared = false;
};

TrainingDifference::TrainingDifference(const TrainingSpec& spec, const StepTaken& taken, ParameterCell cell)
    : made_(std::make_unique<Made>()) {
  Graph& graph = made_->graph;
  graph.begin_part({});
  const auto given = [&](const char* id, const Tensor& symbols) {
    return graph.add({.id = id, .title = id, .formula = {}, .operation = Source{symbols}});
  };
  const StageIndex input = given("input", taken.batch.input), target = given("target", taken.batch.target);
  made_->model =
      append_model(graph, spec.model, spec.task, spec.batch, input, target, taken.before.parameters);
  const StageIndex parameter = made_->model.parameters[cell.parameter];
  made_->gradients = append_gradients(graph, made_->model.loss, {&parameter, 1});
  made_->differences.emplace(graph, made_->gradients, CentralDifferences::InPieces{});
  made_->nudge = {.stage = parameter, .cell = {0, cell.row, cell.column}};
  made_->of_device = static_cast<double>(taken.gradients[cell.parameter][made_->nudge.cell]);
}

TrainingDifference::~TrainingDifference() = default;

bool TrainingDifference::step() {
  if (!made_->prepared) {
    made_->prepared = made_->differences->prepare();
    return false;
  }
  return made_->differences->step(made_->nudge);
}

Difference TrainingDifference::found() const {
  return made_->differences->found(made_->nudge);
}
double TrainingDifference::of_device() const {
  return made_->of_device;
}

}  // namespace attn

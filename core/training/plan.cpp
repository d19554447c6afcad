// The steps of the stage bar: what one step of training is made of.
#include "core/training/plan.h"

namespace attn {

Built build_training_steps(const Document& document, Address) {
  const TrainingSettings& settings = document.training;
  Graph graph;
  graph.add_step(
      {.title = "batch", .says = "rows of the task are drawn on the device, by the step’s number"});
  graph.add_step({.title = "forward", .says = "the model answers every row of the batch"});
  graph.add_step({.title = "loss", .says = "mean cross-entropy of the answers that are asked for"});
  graph.add_step({.title = "backward", .says = "how fast the loss grows with each parameter"});
  switch (settings.optimizer) {
    case OptimizerKind::adam:
      graph.add_step({.title = "Adam", .says = "θ ← θ − rate · m′ ÷ (√v′ + ε)"});
      break;
    case OptimizerKind::adamw:
      graph.add_step({.title = "AdamW", .says = "θ ← θ · (1 − rate · decay) − rate · m′ ÷ (√v′ + ε)"});
      break;
    case OptimizerKind::sgd:
      graph.add_step({.title = "SGD", .says = "θ ← θ − rate · g"});
      break;
  }
  graph.add_step(
      {.title = "snapshot", .says = "now and then: parameters, moments and the score on held-out rows"});
  graph.begin_part({});
  return graph;
}

}  // namespace attn

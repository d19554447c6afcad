// The graph of a step of training.
#include "core/gradient/gradients.h"
#include "core/learning/training.h"

namespace attn {
namespace {

StageIndex add_help(Graph& graph, const std::string& id, Operation operation,
                    std::vector<StageIndex> inputs = {}) {
  Stage stage{
      .id = id, .title = id, .formula = {}, .operation = std::move(operation), .inputs = std::move(inputs)};
  stage.traced = false, stage.drawn = Drawn::never;
  return graph.add(std::move(stage));
}

StageIndex add_zeros(Graph& graph, const std::string& id, const Shape& shape) {
  return add_help(graph, id, Source{Tensor(shape, std::vector<float>(shape.size()))});
}

void append_batch(TrainingGraph& t, const TrainingSpec& spec, const std::optional<TrainingBatch>& batch) {
  if (batch) {
    t.input = add_help(t.graph, "input", Source{batch->input});
    t.target = add_help(t.graph, "target", Source{batch->target});
    return;
  }
  std::vector<StageIndex> from{t.step};
  if (const Tensor table = table_of(spec.task, spec.seed); !table.empty())
    from.push_back(add_help(t.graph, "table", Source{table}));
  t.input = add_help(t.graph, "input", rows_of(spec.task, spec.seed, spec.batch, TaskRows::input), from);
  t.target = add_help(t.graph, "target", rows_of(spec.task, spec.seed, spec.batch, TaskRows::target), from);
}

void append_steps(TrainingGraph& t, const ParameterStep& optimizer) {
  for (std::size_t i = 0; i < t.model.parameters.size(); ++i) {
    const StageIndex p = t.model.parameters[i], g = t.gradients[i];
    const Shape shape = t.graph.stages[p].shape;
    const std::string number = std::to_string(i);
    StageIndex by = g;
    if (optimizer.kind != OptimizerKind::sgd) {
      t.moments.push_back(add_zeros(t.graph, "moments." + number, {2, shape.rows, shape.columns}));
      const bool added = optimizer.kind == OptimizerKind::adam;  // AdamW's decay is the parameter's own
      by = add_help(t.graph, "moved." + number,
                    GradientMoments{optimizer.beta1, optimizer.beta2, added ? optimizer.decay : 0},
                    {t.moments.back(), g, p});
    }
    t.updates.push_back(add_help(t.graph, "updated." + number, optimizer, {p, by, t.step}));
  }
}

}  // namespace

TrainingGraph build_training(const TrainingSpec& spec, const std::vector<Tensor>& numbers,
                             const std::optional<TrainingBatch>& batch) {
  TrainingGraph t;
  t.graph.begin_part({});
  t.step = add_zeros(t.graph, "step", {1, 1, 1});
  append_batch(t, spec, batch);
  t.model = append_model(t.graph, spec.model, spec.task, spec.batch, t.input, t.target, numbers);
  t.forward.assign(t.graph.stages.size(), false);
  t.forward[t.model.loss] = true;
  for (StageIndex i = t.model.loss + 1; i-- > 0;)
    if (t.forward[i])
      for (const StageIndex input : t.graph.stages[i].inputs) t.forward[input] = true;
  const Gradients gradients = append_gradients(t.graph, t.model.loss, t.model.parameters);
  for (const StageIndex parameter : t.model.parameters) t.gradients.push_back(*gradients.find(parameter));
  append_steps(t, spec.optimizer);
  t.place = add_zeros(t.graph, "place", {1, 1, 1});
  t.losses = add_zeros(t.graph, "losses", {1, TrainingGraph::kKeptLosses, 1});
  add_help(t.graph, "kept_loss", PutRows{}, {t.losses, t.model.loss, t.place});
  add_help(t.graph, "next_place", Increment{}, {t.place});
  add_help(t.graph, "next_step", Increment{}, {t.step});
  t.forward.resize(t.graph.stages.size(), false);
  return t;
}

}  // namespace attn

// What all programs share, and the one for backends that prepare nothing.
#include "core/backend/program.h"

#include <algorithm>
#include <cassert>

#include "core/backend/backend.h"
#include "core/graph/lifetimes.h"

namespace attn {
namespace {

Tensor copy_of(const Tensor& tensor, const Region& block) {
  std::vector<float> numbers;
  for (std::size_t head = block.begin.head; head < block.end.head; ++head)
    for (std::size_t row = block.begin.row; row < block.end.row; ++row) {
      const auto cells = tensor.values().subspan(tensor.index({head, row, block.begin.column}),
                                                 block.end.column - block.begin.column);
      numbers.insert(numbers.end(), cells.begin(), cells.end());
    }
  return {shape_of(block), std::move(numbers)};
}

class StageProgram final : public Program {
 public:
  StageProgram(Backend& backend, const Graph& graph, std::span<const StageIndex> kept)
      : Program(graph), backend_(backend), steps_(graph.stages.size()) {
    const auto ends = ends_by_stage(graph, {}, kept);
    const std::vector<bool> in_place = made_in_place(graph);
    for (StageIndex i = 0; i < steps_.size(); ++i) {
      const Stage& stage = graph.stages[i];
      steps_[i].operation = stage.operation, steps_[i].inputs = stage.inputs;
      steps_[i].in_place = in_place[i];
      steps_[i].kept = in_place[i] || std::ranges::find(kept, i) != kept.end();
      steps_[i].ends = ends[i];
      if (const Tensor* given = given_tensor(stage.operation)) steps_[i].output = *given;
    }
  }

  void run(StageIndex stage) override {
    Step& step = steps_[stage];
    if (given_tensor(step.operation)) return;
    std::vector<Tensor> inputs;
    for (const StageIndex input : step.inputs) inputs.push_back(steps_[input].output);
    step.output = backend_.run(step.operation, inputs, step.kept ? Numbers::here : Numbers::there);
    if (step.in_place) steps_[step.inputs[0]].output = step.output;
    for (const StageIndex end : step.ends) {
      backend_.forget(steps_[end].output);
      steps_[end].output = {};
    }
  }

  void set(StageIndex stage, const Operation& operation) override {
    Step& step = steps_[stage];
    step.operation = operation;
    if (const Tensor* given = given_tensor(operation)) {
      assert(given->shape() == shape(stage));
      backend_.forget(step.output);
      step.output = *given;
    }
  }

  Tensor read(StageIndex stage, const Region& block) override { return copy_of(steps_[stage].output, block); }

 private:
  struct Step {
    Operation operation = {};
    std::vector<StageIndex> inputs = {}, ends = {};  // ends: the results that nobody reads after it
    bool kept = false, in_place = false;
    Tensor output = {};
  };
  Backend& backend_;
  std::vector<Step> steps_;
};

}  // namespace

Program::Program(const Graph& graph) {
  for (const Stage& stage : graph.stages) shapes_.push_back(stage.shape);
}

void Program::run_all(int times) {
  for (int time = 0; time < times; ++time)
    for (StageIndex stage = 0; stage < shapes_.size(); ++stage) run(stage);
}

Tensor Program::read(StageIndex stage) {
  const Shape whole = shape(stage);
  return read(stage, {{}, {whole.stack, whole.rows, whole.columns}});
}

std::unique_ptr<Program> run_by_stage(Backend& backend, const Graph& graph,
                                      std::span<const StageIndex> kept) {
  return std::make_unique<StageProgram>(backend, graph, kept);
}

}  // namespace attn

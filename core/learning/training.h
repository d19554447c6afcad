// Training: a task, a model, an optimiser and a seed as one value; the graph of one step; and a trainer that
// runs it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/learning/model.h"

namespace attn {

struct TrainingSpec {
  TrainingTask task = {};
  TrainingModel model = {};
  std::size_t batch = 32;  // rows
  std::uint64_t seed = 7;  // of the first numbers and of what is drawn
  ParameterStep optimizer = {};
  bool operator==(const TrainingSpec&) const = default;
};

// What each task is trained with when nothing else is said.
TrainingSpec default_training(TrainingTaskKind task);
std::size_t default_steps(TrainingTaskKind task);
// Why it cannot be trained, in words that say what to change; empty: it can.
std::string training_refusal(const TrainingSpec& spec);

// A batch in place of one that is drawn: 1×(rows·length)×1 each, −1 in answers that are not asked.
struct TrainingBatch {
  Tensor input, target;
};

// The graph of one step: a batch drawn by the step's number, the model, its loss, the way back, and what the
// optimiser makes of it, in place (made_in_place); behind them the loss is put down and the step counted.
struct TrainingGraph {
  Graph graph;
  StageIndex step = 0, place = 0, losses = 0;  // 1×1×1, 1×1×1 and 1×kKeptLosses×1, given
  StageIndex input = 0, target = 0;
  ModelStages model;
  std::vector<StageIndex> gradients, moments, updates;  // by parameter; no moments of sgd
  std::vector<bool> forward;                            // by stage: what logits and loss are made of
  static constexpr std::size_t kKeptLosses = 256;
};
TrainingGraph build_training(const TrainingSpec& spec, const std::vector<Tensor>& numbers,
                             const std::optional<TrainingBatch>& batch = {});

// All that a step begins with: the same state gives the same steps.
struct TrainingState {
  std::size_t step = 0;
  std::vector<Tensor> parameters, moments;
};

// Of rows that were not trained on.
struct TrainingScore {
  double loss = 0, accuracy = 0;  // over places that are asked
};

// One run on one backend. Functions throw Error(Fault::device) when that fails.
class Trainer {
 public:
  // `batch`: every step's. Throws Error(Fault::option) with the refusal.
  Trainer(Backend& backend, TrainingSpec spec, const std::optional<TrainingBatch>& batch = {});

  const TrainingSpec& spec() const { return spec_; }
  const std::vector<TrainedParameter>& parameters() const { return parameters_; }
  std::size_t step() const { return step_; }
  const std::vector<double>& losses() const {
    return losses_;
  }  // of each step, from the first on, or from where it went on

  double step_seconds() const { return step_seconds_; }  // of the last piece

  // Takes so many steps, in pieces that the device is done with in about 5 ms.
  void run(std::size_t steps);
  // One such piece, of at most so many steps; how many there were.
  std::size_t run_piece(std::size_t most);

  TrainingScore score(std::size_t batches = 4);
  // Of one held-out batch, by its number: score() is the mean of the first.
  TrainingScore score_batch(std::size_t number);
  TrainingState state();
  void go_on(const TrainingState& state);

  // Of the last step.
  std::vector<Tensor> gradients();
  TrainingBatch batch();
  // Of a step, as it is drawn: what state and step give again.
  TrainingBatch batch_at(std::size_t step);

 private:
  void set_number(StageIndex stage, double number);
  void forward_at(std::size_t step);
  std::vector<Tensor> read_all(const std::vector<StageIndex>& stages);

  Backend& backend_;
  TrainingSpec spec_;
  std::vector<TrainedParameter> parameters_;
  TrainingGraph training_;
  std::unique_ptr<Program> program_;
  std::vector<StageIndex> forward_, all_;  // stages that compute
  std::size_t step_ = 0;
  std::vector<double> losses_;
  double step_seconds_ = 0;  // of the last piece
};

// The matrix products of a step alone, there and back, each of numbers that are given: what a step cannot be
// faster than on a device that makes them so.
Graph products_of(const TrainingSpec& spec);

// Of logits and answers, over those that are asked.
TrainingScore score_of(const Tensor& logits, const Tensor& target);

}  // namespace attn

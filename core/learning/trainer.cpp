// A run of training: steps in short pieces, read where somebody asks.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/learning/training.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr double kPieceSeconds = 0.005;  // that a device works at one piece of steps

// The first piece is one step, whose time nobody knows.
std::size_t steps_of_piece(double step_seconds, std::size_t most) {
  if (step_seconds <= 0) return std::min<std::size_t>(1, most);
  const double fit = std::floor(kPieceSeconds / step_seconds);
  return std::min(
      most, static_cast<std::size_t>(std::clamp(fit, 1.0, static_cast<double>(TrainingGraph::kKeptLosses))));
}

}  // namespace

TrainingScore score_of(const Tensor& logits, const Tensor& target) {
  TrainingScore score;
  double asked = 0;
  for (std::size_t row = 0; row < logits.rows(); ++row) {
    const float answer = target.values()[row];
    if (answer < 0) continue;
    const auto z = logits.values().subspan(row * logits.columns(), logits.columns());
    const auto largest = std::ranges::max_element(z);
    double sum = 0;
    for (const float x : z) sum += std::exp(static_cast<double>(x) - static_cast<double>(*largest));
    const auto right = static_cast<std::size_t>(answer);
    score.loss += std::log(sum) + static_cast<double>(*largest) - static_cast<double>(z[right]);
    score.accuracy += static_cast<std::size_t>(largest - z.begin()) == right;
    ++asked;
  }
  if (asked > 0) score.loss /= asked, score.accuracy /= asked;
  return score;
}

Trainer::Trainer(Backend& backend, TrainingSpec spec, const std::optional<TrainingBatch>& batch)
    : backend_(backend), spec_(std::move(spec)) {
  if (const std::string why = training_refusal(spec_); !why.empty()) throw Error(why, Fault::option);
  parameters_ = parameters_of(spec_.model, spec_.task);
  training_ = build_training(spec_, initial_parameters(parameters_, spec_.seed), batch);
  std::vector<StageIndex> kept{training_.input, training_.target, training_.model.logits,
                               training_.model.loss};
  kept.insert(kept.end(), training_.gradients.begin(), training_.gradients.end());
  program_ = backend_.compile(training_.graph, kept);
  for (StageIndex i = 0; i < training_.graph.stages.size(); ++i) {
    if (training_.graph.stages[i].given()) continue;
    all_.push_back(i);
    if (training_.forward[i]) forward_.push_back(i);
  }
}

void Trainer::set_number(StageIndex stage, double number) {
  program_->set(stage, Source{Tensor({1, 1, 1}, {static_cast<float>(number)})});
}

std::size_t Trainer::run_piece(std::size_t most) {
  using Clock = std::chrono::steady_clock;
  const std::size_t steps = steps_of_piece(step_seconds_, most);
  if (steps == 0) return 0;
  set_number(training_.place, 0);
  const auto begin = Clock::now();
  for (std::size_t i = 0; i < steps; ++i)
    for (const StageIndex stage : all_) program_->run(stage);
  const Tensor losses = program_->read(training_.losses, {{0, 0, 0}, {1, steps, 1}});
  step_seconds_ = std::chrono::duration<double>(Clock::now() - begin).count() / static_cast<double>(steps);
  for (const float loss : losses.values()) losses_.push_back(static_cast<double>(loss));
  step_ += steps;
  return steps;
}

void Trainer::run(std::size_t steps) {
  for (std::size_t done = 0; done < steps;) done += run_piece(steps - done);
}

void Trainer::forward_at(std::size_t step) {
  set_number(training_.step, static_cast<double>(step));
  for (const StageIndex stage : forward_) program_->run(stage);
}

TrainingScore Trainer::score_batch(std::size_t number) {
  forward_at(TaskRows::kHeldOut + number);
  const TrainingScore score =
      score_of(program_->read(training_.model.logits), program_->read(training_.target));
  set_number(training_.step, static_cast<double>(step_));
  return score;
}

TrainingScore Trainer::score(std::size_t batches) {
  TrainingScore mean;
  for (std::size_t i = 0; i < batches; ++i) {
    const TrainingScore one = score_batch(i);
    mean.loss += one.loss / static_cast<double>(batches);
    mean.accuracy += one.accuracy / static_cast<double>(batches);
  }
  return mean;
}

std::vector<Tensor> Trainer::read_all(const std::vector<StageIndex>& stages) {
  std::vector<Tensor> all;
  for (const StageIndex stage : stages) all.push_back(program_->read(stage));
  return all;
}

TrainingState Trainer::state() {
  return {step_, read_all(training_.model.parameters), read_all(training_.moments)};
}

void Trainer::go_on(const TrainingState& state) {
  for (std::size_t i = 0; i < state.parameters.size(); ++i)
    program_->set(training_.model.parameters[i], Source{state.parameters[i]});
  for (std::size_t i = 0; i < state.moments.size(); ++i)
    program_->set(training_.moments[i], Source{state.moments[i]});
  step_ = state.step, losses_.clear();
  set_number(training_.step, static_cast<double>(step_));
}

std::vector<Tensor> Trainer::gradients() {
  return read_all(training_.gradients);
}

TrainingBatch Trainer::batch() {
  return {program_->read(training_.input), program_->read(training_.target)};
}

TrainingBatch Trainer::batch_at(std::size_t step) {
  forward_at(step);
  const TrainingBatch drawn = batch();
  set_number(training_.step, static_cast<double>(step_));
  return drawn;
}

}  // namespace attn

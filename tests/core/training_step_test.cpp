// A step of training opened: lengths of gradients by group, a head's weights, the arithmetic of one number,
// its gradient in double, and what permuted inputs show.
#include "core/learning/step_arithmetic.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/checks/training_difference.h"
#include "core/learning/evidence.h"
#include "core/learning/runner.h"
#include "core/reference/backend.h"
#include "tests/core/learning_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

StepTaken step_taken(const TrainingSpec& spec, Backend& backend, std::size_t before) {
  Trainer trainer(backend, spec);
  trainer.run(before);
  StepTaken taken{.before = trainer.state(), .after = {}, .gradients = {}, .batch = {}};
  trainer.run(1);
  taken.after = trainer.state(), taken.gradients = trainer.gradients(), taken.batch = trainer.batch();
  return taken;
}

double length_of_all(const std::vector<Tensor>& tensors) {
  double sum = 0;
  for (const Tensor& tensor : tensors)
    for (const float x : tensor.values()) sum += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(sum);
}

double number_of(const GroupNorms& norms, ParameterGroup group) {
  return norms[static_cast<std::size_t>(group)];
}

}  // namespace

TEST_CASE("the arithmetic of a step arrives at the parameter that the device has") {
  TrainingDevice device;
  const auto reference = make_reference_backend();
  for (const auto kind : {OptimizerKind::adam, OptimizerKind::adamw, OptimizerKind::sgd})
    for (const std::size_t before : {0, 4, 30}) {
      TrainingSpec spec = small_training(TrainingTaskKind::sort);
      spec.optimizer.kind = kind, spec.optimizer.decay = 0.1, spec.optimizer.warm_up = 8;
      for (Backend* backend : {device.backend.get(), reference.get()}) {
        const StepTaken taken = step_taken(spec, *backend, before);
        for (std::size_t p = 0; p < taken.gradients.size(); ++p) {
          const Shape shape = taken.gradients[p].shape();
          for (std::size_t i = 0; i < shape.size(); i += 7) {
            const Cell cell = cell_at(shape, i);
            const auto a = step_arithmetic(spec.optimizer, taken, {p, cell.row, cell.column});
            CHECK(std::abs(a.difference()) <= 1e-6 * std::max(1.0, std::abs(a.after)));
            CHECK(a.t == before + 1);
            CHECK(a.rate == doctest::Approx(3e-3 * std::min(1.0, static_cast<double>(before + 1) / 8)));
          }
        }
      }
    }
}

TEST_CASE("the arithmetic of a step, by hand") {
  const auto one = [](float x) { return Tensor({1, 1, 1}, {x}); };
  StepTaken taken{
      .before = {.step = 1, .parameters = {one(0.5f)}, .moments = {Tensor({2, 1, 1}, {0.25f, 0.5f})}},
      .after = {.step = 2, .parameters = {one(0.4f)}, .moments = {}},
      .gradients = {one(2)},
      .batch = {}};
  ParameterStep adam{.rate = 0.1, .beta1 = 0.5, .beta2 = 0.75, .epsilon = 0, .warm_up = 4};
  const auto a = step_arithmetic(adam, taken, {});
  CHECK(a.rate == 0.05);  // 0.1·2 ÷ 4
  CHECK(a.m == 1.125);    // 0.5·0.25 + 0.5·2
  CHECK(a.v == 1.375);    // 0.75·0.5 + 0.25·4
  CHECK(a.m_hat == 1.5);  // ÷ (1 − 0.25)
  CHECK(a.v_hat == doctest::Approx(1.375 / 0.4375).epsilon(1e-15));
  CHECK(a.step == doctest::Approx(-0.05 * 1.5 / std::sqrt(1.375 / 0.4375)).epsilon(1e-15));
  CHECK(a.after == doctest::Approx(0.5 + a.step).epsilon(1e-15));
  CHECK(a.difference() == doctest::Approx(static_cast<double>(0.4f) - a.after).epsilon(1e-12));
  adam.kind = OptimizerKind::adamw, adam.decay = 2;
  CHECK(step_arithmetic(adam, taken, {}).after == doctest::Approx(0.45 + a.step).epsilon(1e-15));
  adam.kind = OptimizerKind::adam;
  CHECK(step_arithmetic(adam, taken, {}).decayed == 3);  // 2 + 2·0.5
  adam.kind = OptimizerKind::sgd;
  CHECK(step_arithmetic(adam, taken, {}).after == doctest::Approx(0.5 - 0.05 * (2 + 1)).epsilon(1e-15));
}

TEST_CASE("lengths of gradients by group add up to that of all") {
  const auto backend = make_reference_backend();
  for (const TrainingTaskText& text : kTrainingTasks) {
    const TrainingSpec spec = small_training(text.kind);
    const StepTaken taken = step_taken(spec, *backend, 2);
    const auto parameters = parameters_of(spec.model, spec.task);
    const GroupNorms norms = gradient_norms(spec.model, parameters, taken.gradients);
    double squares = 0;
    for (const double norm : norms) squares += norm > 0 ? norm * norm : 0;
    CAPTURE(text.word);
    CHECK(std::sqrt(squares) == doctest::Approx(length_of_all(taken.gradients)).epsilon(1e-12));
    CHECK((number_of(norms, ParameterGroup::feed_forward) < 0) == (spec.model.inner == 0));
    CHECK(number_of(norms, ParameterGroup::head) > 0);
    double queries = 0;  // the first d rows of each in_proj_weight
    for (std::size_t p = 0; p < parameters.size(); ++p)
      if (parameters[p].name.ends_with("in_proj_weight") && parameters[p].first_row == 0)
        for (std::size_t i = 0; i < spec.model.width * spec.model.width; ++i)
          queries += std::pow(static_cast<double>(taken.gradients[p].values()[i]), 2);
    CHECK(number_of(norms, ParameterGroup::queries) == doctest::Approx(std::sqrt(queries)).epsilon(1e-12));
  }
  TrainingSpec bare = small_training(TrainingTaskKind::reverse);
  bare.model.position = TrainingPosition::none, bare.model.tied = true;
  const StepTaken taken = step_taken(bare, *backend, 0);
  const GroupNorms norms = gradient_norms(bare.model, parameters_of(bare.model, bare.task), taken.gradients);
  CHECK(number_of(norms, ParameterGroup::positions) < 0);
  CHECK(number_of(norms, ParameterGroup::head) < 0);
}

TEST_CASE("a head’s weights are its columns, and their cells where they come from") {
  const TrainingSpec spec = small_training(TrainingTaskKind::copy);
  const auto parameters = parameters_of(spec.model, spec.task);
  const auto numbers = initial_parameters(parameters, 3);
  const std::size_t width = spec.model.width / spec.model.heads;
  for (const std::string attention : {"encoder.layers.0.self_attn", "decoder.layers.0.multihead_attn"})
    for (const auto matrix : {HeadMatrix::query, HeadMatrix::key, HeadMatrix::value})
      for (std::size_t head = 0; head < 2; ++head) {
        const Tensor w = head_weights(spec.model, parameters, numbers, attention, head, matrix);
        CHECK(w.shape() == Shape{1, spec.model.width, width});
        for (const auto& [row, column] : {std::pair(0, 0), std::pair(5, 3), std::pair(15, 7)}) {
          const auto r = static_cast<std::size_t>(row), c = static_cast<std::size_t>(column);
          const ParameterCell at = head_cell(spec.model, parameters, attention, head, matrix, r, c);
          CHECK(numbers[at.parameter][{0, at.row, at.column}] == w[{0, r, c}]);
          CHECK(parameters[at.parameter].name == attention + ".in_proj_weight");
          CHECK(parameters[at.parameter].first_row + at.row ==
                static_cast<std::size_t>(matrix) * spec.model.width + head * width + c);
        }
        CHECK(moved(w, w) == 0);
      }
  CHECK(moved(Tensor({1, 1, 2}, {3, 1}), Tensor({1, 1, 2}, {3, 4})) == doctest::Approx(0.6));
}

TEST_CASE("a gradient of training is the slope of its batch’s loss, in double") {
  TrainingDevice device;
  for (const auto kind : {TrainingTaskKind::reverse, TrainingTaskKind::copy, TrainingTaskKind::induction,
                          TrainingTaskKind::dates}) {
    TrainingSpec spec = small_training(kind);
    spec.batch = 2;
    if (kind == TrainingTaskKind::dates) spec.model.decoder = TrainingDecoder::written;
    spec.model.scale = kind != TrainingTaskKind::copy;
    spec.model.residual = kind != TrainingTaskKind::induction;
    const StepTaken taken = step_taken(spec, *device.backend, 3);
    for (const std::size_t p : {std::size_t{0}, std::size_t{4}, taken.gradients.size() - 1}) {
      TrainingDifference difference(spec, taken, {p, 0, 2});
      while (!difference.step()) {
      }
      const Difference found = difference.found();
      CAPTURE(task_text(kind).word);
      CHECK(found.share <= 1);
      CHECK(std::abs(difference.of_device() - found.gradient) <= 1e-5);
    }
  }
}

TEST_CASE("without positions a permuted input permutes the output, with them it does not") {
  TrainingDevice device;
  for (const auto kind : {TrainingTaskKind::reverse, TrainingTaskKind::copy, TrainingTaskKind::sort}) {
    TrainingSpec spec = small_training(kind);
    spec.optimizer.rate = 0.1;
    for (const bool positions : {true, false}) {
      spec.model.position = positions ? TrainingPosition::learned : TrainingPosition::none;
      Trainer trainer(*device.backend, spec);
      trainer.run(5);
      const auto found = permutation_evidence(*device.backend, spec, trainer.state().parameters);
      CAPTURE(task_text(kind).word);
      REQUIRE(found);
      REQUIRE(found->bound);
      CHECK(found->bound->loss == bound_without_positions(spec.task, spec.model.decoder)->loss);
      if (positions)
        CHECK(found->off > 0.01 * found->largest);
      else
        CHECK(found->off <= 1e-5 * found->largest);
    }
  }
  const TrainingSpec causal = small_training(TrainingTaskKind::induction);
  const auto first = initial_parameters(parameters_of(causal.model, causal.task), 7);
  CHECK_FALSE(permutation_evidence(*device.backend, causal, first));
}

TEST_CASE("milestones are the first snapshots that are so good") {
  TrainingLog log;
  log.spec = default_training(TrainingTaskKind::reverse);
  const auto add = [&](std::size_t step, double loss, double accuracy) {
    auto made = std::make_shared<TrainingSnapshot>();
    made->state.step = step, made->score = {loss, accuracy};
    log.snapshots.push_back(std::move(made));
  };
  add(0, 2.3, 0.1), add(10, 1.57, 0.4), add(20, 1.569, 0.5), add(30, 1.6, 0.98), add(40, 0.1, 0.995);
  const Milestones found = milestones_of(log);
  CHECK(found.below_bound == 20);
  CHECK(found.half == 20);
  CHECK(found.nearly_all == 40);
  log.spec = default_training(TrainingTaskKind::induction);
  CHECK_FALSE(milestones_of(log).below_bound);
}

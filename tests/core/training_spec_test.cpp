// What the workspace of training trains: specs made of its settings, and which of them can be.
#include "core/training/spec.h"

#include <doctest/doctest.h>

#include "core/document/document.h"
#include "core/document/limits.h"
#include "core/training/fields.h"
#include "core/training/plan.h"

using namespace attn;

TEST_CASE("what the workspace of training begins with is the drawn run, and can be trained") {
  const PlannedRun run = planned_run({});
  CHECK(run.refusal.empty());
  CHECK(run.spec.task.kind == TrainingTaskKind::reverse);
  CHECK(length_of(run.spec.task) == 8);
  CHECK(symbols_of(run.spec.task) == 10);
  CHECK(run.spec.model.sides == TrainingSides::encoder);
  CHECK(run.spec.model.layers == 2);
  CHECK(run.spec.model.width == 32);
  CHECK(run.spec.batch == 64);
  CHECK(run.spec.optimizer.warm_up == 40);
  const auto bound = bound_without_positions(run.spec.task, run.spec.model.decoder);
  REQUIRE(bound);
  CHECK(bound->loss == doctest::Approx(1.5699).epsilon(1e-4));
  CHECK(bound->accuracy == doctest::Approx(0.3172).epsilon(1e-4));
}

TEST_CASE("every task begins with what it can be learnt by, keeping the seed") {
  for (const TrainingTaskText& task : kTrainingTasks) {
    CAPTURE(task.word);
    TrainingSettings before;
    before.seed = 41;
    const TrainingSettings settings = settings_for(before, task.kind);
    CHECK(settings.task == task.kind);
    CHECK(settings.seed == 41);
    CHECK(planned_run(settings).refusal.empty());
    Document document;
    document.training = settings;
    CHECK_NOTHROW(check_limits(document));
    if (task.kind == TrainingTaskKind::reverse || task.kind == TrainingTaskKind::own) continue;
    TrainingSpec known = default_training(task.kind);
    known.seed = 41;
    CHECK(planned_run(settings).spec == known);
  }
}

TEST_CASE("what a decoder reads is said to tasks that have one") {
  TrainingSettings settings = settings_for({}, TrainingTaskKind::dates);
  CHECK(settings.decoder == TrainingDecoder::slots);
  settings.decoder = TrainingDecoder::written;
  CHECK(planned_run(settings).spec.model.decoder == TrainingDecoder::written);
  CHECK(planned_run(settings).refusal.empty());
  settings.task = TrainingTaskKind::sort;
  CHECK(planned_run(settings).spec.model.decoder == TrainingDecoder::slots);
  CHECK(planned_run(settings).refusal.empty());
}

TEST_CASE("run B is A with one change, and none that A has already") {
  TrainingSettings settings;
  const TrainingSpec a = planned_run(settings).spec;
  const auto beside = [&](RunDifference difference) {
    settings.beside = difference;
    return planned_beside(settings)->spec;
  };
  TrainingSpec expected = a;
  expected.model.position = TrainingPosition::none;
  CHECK(beside(RunDifference::no_position) == expected);
  expected = a, expected.model.scale = false;
  CHECK(beside(RunDifference::scale_off) == expected);
  expected = a, expected.model.heads = 1;
  CHECK(beside(RunDifference::one_head) == expected);
  expected = a, expected.model.residual = false;
  CHECK(beside(RunDifference::no_residual) == expected);
  settings.beside = RunDifference::none;
  CHECK_FALSE(planned_beside(settings));
  settings.beside = RunDifference::one_head, settings.heads = 1;
  CHECK_FALSE(planned_beside(settings));
  CHECK(difference_refusal(settings, RunDifference::one_head) == "A has one head already");
  CHECK(run_name({}, RunDifference::none) == "learned positions");
  CHECK(run_name({}, RunDifference::no_position) == "no positions");
}

TEST_CASE("a change of rate or batch goes on, one of parameters or data begins anew") {
  const TrainingSettings settings;
  const TrainingSpec spec = planned_run(settings).spec;
  const auto with = [&](auto member, auto value) {
    TrainingSettings changed = settings;
    changed.*member = value;
    return planned_run(changed).spec;
  };
  CHECK(goes_on(spec, with(&TrainingSettings::rate, 0.01)));
  CHECK(goes_on(spec, with(&TrainingSettings::batch, std::size_t{32})));
  CHECK(goes_on(spec, with(&TrainingSettings::warm_up, std::size_t{0})));
  CHECK_FALSE(goes_on(spec, with(&TrainingSettings::width, std::size_t{64})));
  CHECK_FALSE(goes_on(spec, with(&TrainingSettings::seed, std::size_t{8})));
  CHECK_FALSE(goes_on(spec, with(&TrainingSettings::symbols, std::size_t{9})));
  CHECK_FALSE(goes_on(spec, with(&TrainingSettings::optimizer, OptimizerKind::sgd)));
}

TEST_CASE("what cannot be trained says what to change, and makes no exception of the document") {
  TrainingSettings settings;
  settings.heads = 3;
  CHECK(planned_run(settings).refusal.find("do not divide the width of 32") != std::string::npos);
  settings = {};
  settings.task = TrainingTaskKind::own, settings.pairs = {"no pair"};
  CHECK(planned_run(settings).refusal.find("line 1") != std::string::npos);
  Document document;
  document.training = settings;
  CHECK(build_training_steps(document).graph.stages.empty());
}

TEST_CASE("the steps of the stage bar name the optimiser") {
  Document document;
  const auto title = [&] { return build_training_steps(document).graph.steps[4].title; };
  CHECK(title() == "Adam");
  document.training.optimizer = OptimizerKind::sgd;
  CHECK(title() == "SGD");
}

// Runs of training in pieces: the same bits however they are interrupted, any step again, budgets, branches,
// and what stops a run.
#include <doctest/doctest.h>

#include <cmath>

#include "core/learning/runner.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/core/learning_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

bool same_run_state(const TrainingState& a, const TrainingState& b) {
  return a.step == b.step && a.parameters == b.parameters && a.moments == b.moments;
}

TrainingState straight_to(const TrainingSpec& spec, Backend& backend, std::size_t step) {
  Trainer trainer(backend, spec);
  trainer.run(step);
  return trainer.state();
}

std::vector<std::size_t> snapshot_steps(const TrainingLog& log) {
  std::vector<std::size_t> steps;
  for (const auto& snapshot : log.snapshots) steps.push_back(snapshot->state.step);
  return steps;
}

void work_to_end(TrainingRunner& runner, Backend& backend) {
  while (runner.work(backend)) {
  }
}

std::shared_ptr<const TrainingVisit> visited(TrainingRunner& runner, Backend& backend, std::size_t step) {
  runner.visit(step);
  RunView view;
  for (int i = 0; i < 10000; ++i) {
    runner.work(backend);
    runner.update(view);
    if (view.visited && view.visited->step == step) return view.visited;
  }
  return {};
}

std::shared_ptr<const TrainingSnapshot> snapshot_at(std::size_t step) {
  auto made = std::make_shared<TrainingSnapshot>();
  made->state.step = step;
  made->state.parameters.emplace_back(Shape{1, 10, 10}, std::vector<float>(100));
  return made;
}

// A backend that gives up after so many calls, until it is mended.
class LostBackend : public Backend {
 public:
  std::string name() const override { return "lost"; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    if (calls-- <= 0) throw Error("the device is gone", Fault::device);
    return reference->run(operation, inputs, wanted);
  }
  std::unique_ptr<Backend> reference = make_reference_backend();
  long calls = 0;
};

}  // namespace

TEST_CASE("a full log loses every second snapshot, and never the first and the last") {
  TrainingLog log;
  const std::size_t room = 5 * snapshot_at(0)->bytes();
  for (std::size_t step = 0; step <= 100; step += 10) {
    log.add(snapshot_at(step), room);
    CAPTURE(step);
    CHECK(log.bytes() <= room);
    CHECK(log.snapshots.front()->state.step == 0);
    CHECK(log.snapshots.back()->state.step == step);
  }
  CHECK(snapshot_steps(log) == std::vector<std::size_t>{0, 60, 80, 90, 100});
  CHECK(log.nearest(0).state.step == 0);
  CHECK(log.nearest(59).state.step == 0);
  CHECK(log.nearest(79).state.step == 60);
  CHECK(log.nearest(80).state.step == 80);
  CHECK(log.nearest(1000).state.step == 100);
  TrainingLog tiny;
  for (std::size_t step = 0; step < 5; ++step) tiny.add(snapshot_at(step), 1);
  CHECK(snapshot_steps(tiny) == std::vector<std::size_t>{0, 4});
}

TEST_CASE("a run that is interrupted in any way has the bits of one that went straight") {
  TrainingDevice device;
  const auto reference = make_reference_backend();
  for (Backend* backend : {device.backend.get(), reference.get()})
    for (const auto kind : {TrainingTaskKind::reverse, TrainingTaskKind::copy, TrainingTaskKind::modular}) {
      const TrainingSpec spec = small_training(kind);
      Trainer straight(*backend, spec);
      straight.run(24);
      TrainingRunner runner(spec, {.steps = 24, .snapshot_every = 5, .held_out_batches = 2});
      RunView view;
      for (int piece = 0; runner.work(*backend); ++piece) {
        if (piece % 3 == 0) runner.update(view);        // a window looks
        if (piece == 4 || piece == 9) runner.let_go();  // another work takes the device
        if (piece == 6 || piece == 7) runner.visit(3 + static_cast<std::size_t>(piece));  // time is dragged
      }
      runner.update(view);
      CAPTURE(task_text(kind).word);
      CHECK(snapshot_steps(view.log) == std::vector<std::size_t>{0, 5, 10, 15, 20, 24});
      CHECK(same_run_state(view.log.snapshots.back()->state, straight.state()));
      REQUIRE(view.log.losses.size() == 24);
      for (std::size_t i = 0; i < 24; ++i)
        CHECK(view.log.losses[i] == static_cast<float>(straight.losses()[i]));
      const TrainingScore score = straight.score(2), shown = view.log.snapshots.back()->score;
      CHECK(shown.loss == score.loss);
      CHECK(shown.accuracy == score.accuracy);
      for (const std::size_t step : {0, 1, 5, 13, 24}) {
        CAPTURE(step);
        const auto visit = visited(runner, *backend, step);
        REQUIRE(visit);
        CHECK(same_run_state(visit->at.state, straight_to(spec, *backend, step)));
        const std::size_t end = std::max<std::size_t>(1, step);
        CHECK(same_run_state(visit->taken->after, straight_to(spec, *backend, end)));
        CHECK(same_run_state(visit->taken->before, straight_to(spec, *backend, end - 1)));
      }
    }
}

TEST_CASE("a visit knows the step’s batch, gradients and score") {
  const auto backend = make_reference_backend();
  const TrainingSpec spec = small_training(TrainingTaskKind::sort);
  TrainingRunner runner(spec, {.steps = 10, .snapshot_every = 5, .held_out_batches = 3});
  work_to_end(runner, *backend);
  const auto visit = visited(runner, *backend, 7);
  REQUIRE(visit);
  Trainer trainer(*backend, spec);
  trainer.run(7);
  CHECK(visit->taken->gradients == trainer.gradients());
  CHECK(visit->taken->batch.input == trainer.batch().input);
  CHECK(visit->taken->batch.target == trainer.batch().target);
  CHECK(visit->at.score.loss == trainer.score(3).loss);
  CHECK(runner.step() == 10);
  CHECK_FALSE(runner.has_work());
  const auto last = visited(runner, *backend, 10);
  REQUIRE(last);
  RunView view;
  runner.update(view);
  CHECK(last->at.norms == view.log.snapshots.back()->norms);
}

TEST_CASE("a run goes on when it is given more steps, and stops where it is told to") {
  const auto backend = make_reference_backend();
  const TrainingSpec spec = small_training(TrainingTaskKind::reverse);
  TrainingRunner runner(spec, {.steps = 6, .held_out_batches = 1});
  work_to_end(runner, *backend);
  CHECK(runner.step() == 6);
  runner.order_steps(9);
  CHECK(runner.has_work());
  work_to_end(runner, *backend);
  CHECK(runner.step() == 9);
  RunView view;
  CHECK(runner.update(view));
  CHECK_FALSE(runner.update(view));
  CHECK(same_run_state(view.log.snapshots.back()->state, straight_to(spec, *backend, 9)));
}

TEST_CASE("a branch begins at a snapshot, with another rate or optimiser") {
  const auto backend = make_reference_backend();
  TrainingSpec spec = small_training(TrainingTaskKind::reverse);
  TrainingRunner runner(spec, {.steps = 8, .snapshot_every = 4, .held_out_batches = 1});
  work_to_end(runner, *backend);
  RunView view;
  runner.update(view);
  const auto from = view.log.snapshots[1];
  spec.optimizer.rate *= 3;
  TrainingRunner branch(spec, {.steps = 7, .held_out_batches = 1}, from);
  work_to_end(branch, *backend);
  RunView other;
  branch.update(other);
  CHECK(other.log.first_step == 4);
  CHECK(other.log.losses.size() == 3);
  CHECK(other.log.losses.front() == view.log.losses[4]);  // of the same parameters and batch
  Trainer by_hand(*backend, spec);
  by_hand.go_on(from->state);
  by_hand.run(3);
  CHECK(same_run_state(other.log.snapshots.back()->state, by_hand.state()));
  const auto before = visited(branch, *backend, 4);
  REQUIRE(before);
  CHECK(same_run_state(before->at.state, from->state));
  spec.optimizer.kind = OptimizerKind::sgd;
  TrainingRunner plain(spec, {.steps = 6, .held_out_batches = 1}, from);
  work_to_end(plain, *backend);
  plain.update(other = {});
  CHECK(other.log.snapshots.back()->state.moments.empty());
  spec.optimizer.kind = OptimizerKind::adam;
  TrainingRunner back(spec, {.steps = 8, .held_out_batches = 1}, other.log.snapshots.back());
  work_to_end(back, *backend);
  CHECK(back.step() == 8);
}

TEST_CASE("a full budget spreads a run’s snapshots over all of it") {
  const auto backend = make_reference_backend();
  const TrainingSpec spec = small_training(TrainingTaskKind::reverse);
  Trainer one(*backend, spec);
  TrainingSnapshot snapshot{.state = one.state(), .score = {}};
  const std::size_t room = 6 * snapshot.bytes() + 1000;
  TrainingRunner runner(spec, {.steps = 40, .snapshot_every = 1, .held_out_batches = 1, .most_bytes = room});
  work_to_end(runner, *backend);
  RunView view;
  runner.update(view);
  CHECK(view.log.bytes() <= room);
  const std::vector<std::size_t> steps = snapshot_steps(view.log);
  CHECK(steps.front() == 0);
  CHECK(steps.back() == 40);
  CHECK(steps.size() >= 3);
  for (std::size_t i = 1; i < steps.size(); ++i) CHECK(steps[i] - steps[i - 1] <= 8);
  const auto visit = visited(runner, *backend, 23);
  REQUIRE(visit);
  CHECK(same_run_state(visit->at.state, straight_to(spec, *backend, 23)));
}

TEST_CASE("numbers beyond all bounds stop a run, and name the stage and what helps") {
  const auto backend = make_reference_backend();
  TrainingSpec spec = small_training(TrainingTaskKind::sort);
  spec.optimizer = {.kind = OptimizerKind::sgd, .rate = 100};
  TrainingRunner runner(spec, {.steps = 4000, .snapshot_every = 2, .held_out_batches = 1});
  work_to_end(runner, *backend);
  RunView view;
  runner.update(view);
  REQUIRE(view.stop);
  CHECK(view.stop->why == RunStop::not_finite);
  CHECK_FALSE(view.stop->stage.empty());
  CHECK(view.stop->words.find("half the rate, 50,") != std::string::npos);
  CHECK_FALSE(runner.has_work());
  for (const float loss : view.log.losses) CHECK(std::isfinite(loss));
  for (const Tensor& parameter : view.log.snapshots.back()->state.parameters)
    for (const float x : parameter.values()) CHECK(std::isfinite(x));
  const auto visit = visited(runner, *backend, view.log.snapshots.back()->state.step);
  REQUIRE(visit);
  CHECK(same_run_state(visit->at.state, view.log.snapshots.back()->state));
  CHECK(half_rate(spec).optimizer.rate == 50);
}

TEST_CASE("a run goes on elsewhere from its last snapshot when a device is lost") {
  LostBackend lost;
  lost.calls = 2500;
  const auto reference = make_reference_backend();
  const TrainingSpec spec = small_training(TrainingTaskKind::reverse);
  TrainingRunner runner(spec, {.steps = 60, .snapshot_every = 5, .held_out_batches = 1});
  work_to_end(runner, lost);
  RunView view;
  runner.update(view);
  REQUIRE(view.stop);
  CHECK(view.stop->why == RunStop::device);
  CHECK(view.stop->words.starts_with("the device is gone; everything up to step "));
  REQUIRE_FALSE(view.log.snapshots.empty());
  const std::size_t kept = view.log.snapshots.back()->state.step;
  CHECK(kept > 0);
  CHECK(kept < 60);
  CHECK(view.log.end_step() == kept);
  CHECK_FALSE(runner.work(*reference));  // nobody asked
  runner.go_on();
  work_to_end(runner, *reference);
  runner.update(view);
  CHECK_FALSE(view.stop);
  CHECK(same_run_state(view.log.snapshots.back()->state, straight_to(spec, *reference, 60)));
  CHECK(view.log.losses.size() == 60);
}

TEST_CASE("a run takes about thirty snapshots when nothing else is said") {
  const auto backend = make_reference_backend();
  TrainingSpec spec = small_training(TrainingTaskKind::copy);
  spec.batch = 1;
  TrainingRunner runner(spec, {.steps = 90, .held_out_batches = 1});
  work_to_end(runner, *backend);
  RunView view;
  runner.update(view);
  CHECK(view.log.snapshots.size() == 31);
  TrainingSpec wrong = spec;
  wrong.batch = 0;
  CHECK_THROWS_AS(TrainingRunner(wrong, {.steps = 1}), Error);
}

// Measuring on the engine's worker: shown while it runs, yielding to edits, stopped, lost, kept and found
// again.
#include "core/measure/measure_job.h"

#include <doctest/doctest.h>

#include "core/engine/engine.h"
#include "core/evaluate/fallback.h"
#include "tests/app/scratch_folder.h"
#include "tests/core/clocked.h"
#include "tests/core/edit_documents.h"
#include "tests/graphs.h"

using namespace attn;
using namespace attn::tests;

namespace {

MeasureSpec quick_spec() {
  MeasureSpec spec = small_spec();
  spec.longest = 128, spec.rounds = 3;
  return spec;
}

// Full, flash, window, strided, linear, projections, rest, with and without cache, each at 16, 32, 64, 128.
constexpr std::size_t kPoints = 9 * 4;

}  // namespace

TEST_CASE("a measurement on the worker shows its points and keeps them for the next start") {
  const ScratchFolder folder;
  Clock clock;
  Budget budget;
  Engine engine([&](std::vector<std::string>&) { return std::make_unique<Clocked>(clock); }, budget);
  MeasureJob job(MeasureStore(folder / "kept"), "0.1", clock.surroundings());
  CHECK(job.now().measured == nullptr);
  job.start(engine, quick_spec());
  engine.wait_idle();
  const Measuring shown = job.now();
  REQUIRE(shown.measured);
  CHECK_FALSE(shown.running);
  CHECK(shown.measured->state == MeasureState::done);
  CHECK(shown.measured->points.size() == kPoints);
  CHECK(shown.measured->device == MeasuredDevice{"clocked", "clocked 1", "0.1"});

  MeasureJob next(MeasureStore(folder / "kept"), "0.1", clock.surroundings());
  next.recall(engine, quick_spec().shape);
  engine.wait_idle();
  REQUIRE(next.now().measured);
  CHECK(*next.now().measured == *shown.measured);
  MeasureShape other = quick_spec().shape;
  other.heads = 8;
  next.recall(engine, other);
  engine.wait_idle();
  CHECK(next.now().measured == nullptr);
}

TEST_CASE("a measurement that is stopped half-way shows and keeps its points") {
  const ScratchFolder folder;
  Clock clock;
  Budget budget;
  Engine engine([&](std::vector<std::string>&) { return std::make_unique<Clocked>(clock); }, budget);
  MeasureJob job(MeasureStore(folder / "kept"), "0.1", clock.surroundings());
  clock.look = [&](std::size_t) {
    if (const auto measured = job.now().measured; measured && measured->points.size() == 5) job.stop();
  };
  job.start(engine, quick_spec());
  engine.wait_idle();
  REQUIRE(job.now().measured);
  CHECK_FALSE(job.now().running);
  CHECK(job.now().measured->state == MeasureState::stopped);
  CHECK(job.now().measured->points.size() == 5);
  std::string note;
  const auto kept =
      MeasureStore(folder / "kept").find({"clocked", "clocked 1", "0.1"}, quick_spec().shape, note);
  REQUIRE(kept);
  CHECK(kept->points.size() == 5);
}

TEST_CASE("what was measured is kept when the window closes in the middle") {
  const ScratchFolder folder;
  Clock clock;
  Budget budget;
  Engine engine([&](std::vector<std::string>&) { return std::make_unique<Clocked>(clock); }, budget);
  auto job = std::make_unique<MeasureJob>(MeasureStore(folder / "kept"), "0.1", clock.surroundings());
  clock.look = [&](std::size_t) {
    if (!job) return;
    if (const auto measured = job->now().measured; measured && measured->points.size() == 5) job.reset();
  };
  job->start(engine, quick_spec());
  engine.wait_idle();
  CHECK(job == nullptr);
  std::string note;
  const auto kept =
      MeasureStore(folder / "kept").find({"clocked", "clocked 1", "0.1"}, quick_spec().shape, note);
  REQUIRE(kept);
  CHECK(kept->points.size() == 5);
}

TEST_CASE("an edit comes first and the measurement goes on behind it") {
  Clock clock;
  Budget budget;
  Engine engine([&](std::vector<std::string>&) { return std::make_unique<Clocked>(clock); }, budget);
  MeasureJob job({}, "0.1", clock.surroundings());
  std::size_t points_at_results = 0;
  bool posted = false;
  clock.look = [&](std::size_t) {
    const auto measured = job.now().measured;
    if (!posted && measured && measured->points.size() == 5) {
      posted = true;
      engine.post({projected_document(), &kLayerPlan});
    }
    if (points_at_results == 0 && engine.state().results) points_at_results = measured->points.size();
  };
  job.start(engine, quick_spec());
  engine.wait_idle();
  CHECK(posted);
  REQUIRE(engine.state().results);
  CHECK(points_at_results == 5);
  CHECK(job.now().measured->state == MeasureState::done);
  CHECK(job.now().measured->points.size() == kPoints);
}

TEST_CASE("a device lost while measuring is said with the points kept and the window computes on") {
  const ScratchFolder folder;
  Clock clock;
  Budget budget;
  Engine engine(
      [&](std::vector<std::string>&) {
        auto device = std::make_unique<Clocked>(clock);
        device->products_left = 100;
        return with_fallback(std::move(device));
      },
      budget);
  engine.post({projected_document(), &kLayerPlan});
  engine.wait_idle();
  MeasureJob job(MeasureStore(folder / "kept"), "0.1", clock.surroundings());
  MeasureSpec spec = quick_spec();
  spec.attention_alone = true,
  spec.stages_at = 0;  // what fails reads what is given: the reference can step in
  job.start(engine, spec);
  engine.wait_idle();
  const auto measured = job.now().measured;
  REQUIRE(measured);
  CHECK(measured->state == MeasureState::ended);
  CHECK(measured->why.find("the device was lost: ") == 0);
  CHECK(measured->device.name == "clocked");
  CHECK_FALSE(measured->points.empty());
  std::string note;
  CHECK(MeasureStore(folder / "kept").find(measured->device, measured->shape, note));
  const EngineState state = engine.state();
  CHECK(state.device == kReference);
  CHECK(state.device_error.find("computing on the reference instead: ") == 0);
  REQUIRE(state.results);
  CHECK(state.results->device == kReference);
}

TEST_CASE("a second start takes the place of the first whose points are kept") {
  const ScratchFolder folder;
  Clock clock;
  Budget budget;
  Engine engine([&](std::vector<std::string>&) { return std::make_unique<Clocked>(clock); }, budget);
  MeasureJob job(MeasureStore(folder / "kept"), "0.1", clock.surroundings());
  MeasureSpec second = quick_spec();
  second.shape.heads = second.shape.kv_heads = 8;
  bool started = false;
  clock.look = [&](std::size_t) {
    const auto measured = job.now().measured;
    if (started || !measured || measured->points.size() != 5) return;
    started = true;
    job.start(engine, second);
  };
  job.start(engine, quick_spec());
  engine.wait_idle();
  CHECK(job.now().measured->shape == second.shape);
  CHECK(job.now().measured->state == MeasureState::done);
  std::string note;
  const auto first =
      MeasureStore(folder / "kept").find({"clocked", "clocked 1", "0.1"}, quick_spec().shape, note);
  REQUIRE(first);
  CHECK(first->points.size() == 5);
}

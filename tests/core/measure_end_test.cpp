// Every way in which a measurement ends before it is done: its points are kept, and none of them is wrong.
#include <doctest/doctest.h>

#include "core/evaluate/fallback.h"
#include "core/measure/measure.h"
#include "tests/core/clocked.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("a measurement that is stopped keeps its points") {
  Clock clock;
  Clocked backend(clock);
  Measurement measurement(small_spec(), {}, clock.surroundings());
  while (measurement.measured().of("full").size() < 4) REQUIRE(measurement.step(backend));
  measurement.stop(backend);
  CHECK_FALSE(measurement.step(backend));
  const Measured& measured = measurement.measured();
  CHECK(measured.state == MeasureState::stopped);
  CHECK(measured.of("full").size() >= 3);
  for (const MeasuredPoint& point : measured.points) CHECK_FALSE(point.seconds.empty());
}

TEST_CASE("a sample that is given up is taken again and none of it is kept") {
  Clock clock;
  Clocked backend(clock);
  MeasureSpec spec = small_spec();
  spec.lengths = {64}, spec.attention_alone = true, spec.stages_at = 0, spec.rounds = 2;
  Measurement measurement(spec, {}, clock.surroundings());
  while (measurement.measured().bytes_per_second.empty()) measurement.step(backend);
  int asked = 0;
  CHECK(measurement.step(backend, [&] { return ++asked > 5; }));  // in the middle of the first run
  CHECK(measurement.measured().points.empty());
  const Measured measured = measure_all(measurement, backend);
  CHECK(measured.state == MeasureState::done);
  REQUIRE(measured.find("full", 64) != nullptr);
  CHECK(measured.find("full", 64)->seconds.values.size() == 2);
}

TEST_CASE("a device that is lost ends the measurement in words and its points are kept") {
  Clock clock;
  Clocked backend(clock);
  backend.sums_left = 200;
  Measurement measurement(small_spec(), {}, clock.surroundings());
  const Measured measured = measure_all(measurement, backend);
  CHECK(measured.state == MeasureState::ended);
  CHECK(contains(measured.why, "the device was lost: clocked failed in row_sum"));
  REQUIRE_FALSE(measured.points.empty());
  for (const MeasuredPoint& point : measured.points) CHECK_FALSE(point.seconds.empty());
}

TEST_CASE("times of the reference in a lost device's place are not taken for the device's") {
  Clock clock;
  auto device = std::make_unique<Clocked>(clock);
  device->products_left = 200;
  const auto backend = with_fallback(std::move(device));
  MeasureSpec spec = small_spec();
  spec.attention_alone = true,
  spec.stages_at = 0;  // what fails reads what is given: the reference can step in
  Measurement measurement(spec, {}, clock.surroundings());
  const Measured measured = measure_all(measurement, *backend);
  CHECK(backend->name() == kReference);
  CHECK(measured.device.name == "clocked");
  CHECK(measured.state == MeasureState::ended);
  CHECK(contains(measured.why, "the device was lost: computing on the reference instead: clocked failed"));
  REQUIRE_FALSE(measured.points.empty());
  // The reference takes none of this clock's time.
  for (const MeasuredPoint& point : measured.points) CHECK(point.seconds.least() > Clocked::kLaunch);
}

TEST_CASE("a device that gets a drill wrong is not measured with") {
  Clock clock;
  Clocked backend(clock);
  backend.drills_wrong = true;
  Measurement measurement(small_spec(), {}, clock.surroundings());
  CHECK_FALSE(measurement.step(backend));
  CHECK(contains(measurement.measured().why, "clocked computes wrong numbers"));
}

TEST_CASE("points of two devices are not mixed") {
  Clock clock;
  Clocked one(clock), other(clock, "other");
  Measurement measurement(small_spec(), {}, clock.surroundings());
  while (measurement.measured().of("full").size() < 3) measurement.step(one);
  const std::size_t points = measurement.measured().points.size();
  CHECK_FALSE(measurement.step(other));
  CHECK(measurement.measured().state == MeasureState::ended);
  CHECK(contains(measurement.measured().why, "the device was changed: it computes on other now"));
  CHECK(measurement.measured().points.size() + 1 >= points);
}

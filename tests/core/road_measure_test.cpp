// Roads on the clock: what is measured of them at one n, and what is refused before it is paid for.
#include <doctest/doctest.h>

#include "core/efficient/road_measure.h"
#include "tests/core/clocked.h"

using namespace attn;
using namespace attn::tests;

namespace {

Measured measured_roads(const RoadsMeasured& of, std::uint64_t free) {
  Clock clock;
  Clocked backend(clock);
  Measurement measurement = measure_roads(of, clock.surroundings(free));
  while (measurement.step(backend)) {
  }
  return measurement.measured();
}

}  // namespace

TEST_CASE("every road that has a kernel is measured nine times at one n") {
  const RoadsMeasured of{.n = 256, .heads = 2, .kv_heads = 1, .width = 8, .causal = true};
  const Measured found = measured_roads(of, std::uint64_t{8} << 30);
  CHECK(found.state == MeasureState::done);
  std::size_t roads = 0;
  for (const Road road : of.spec.roads) {
    const MeasuredPoint* point = found.find(road_subject(road), 256);
    CHECK((point != nullptr) == road_not_measured(of, road).empty());
    if (!point) continue;
    CHECK(point->seconds.values.size() == 9);
    ++roads;
  }
  CHECK(roads == of.spec.roads.size());
  CHECK(found.points.front().n == 256);
}

TEST_CASE("full attention too large for the memory is refused in words and the others are measured") {
  const RoadsMeasured of{.n = 2048, .width = 4, .causal = true};
  const Measured found = measured_roads(of, std::uint64_t{1} << 23);
  CHECK_FALSE(found.find("full", 2048));
  const auto out = std::ranges::find(found.not_measured, "full", &NotMeasured::subject);
  REQUIRE(out != found.not_measured.end());
  CHECK(out->why.find("of memory") != std::string::npos);
  CHECK(found.find(road_subject(Road::flash), 2048));
  CHECK(found.find(road_subject(Road::window), 2048));
  CHECK(road_not_measured(of, Road::bigbird).empty());
  CHECK(road_not_measured({.n = 65536, .width = 4}, Road::bigbird) ==
        "random keys are the best of all: drawn for at most 16384 tokens");
}

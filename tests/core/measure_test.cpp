// Measuring on a device with a clock of its own: the order, what is counted, and what is left out.
#include "core/measure/measure.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/measure/measure_fit.h"
#include "tests/core/clocked.h"

using namespace attn;
using namespace attn::tests;

namespace {

// A run of n is `run(n)` and takes a megabyte.
Contender running(const std::string& name, const std::function<void(std::size_t n)>& run) {
  const auto work = [](std::size_t n) { return Work{.operations = static_cast<double>(n)}; };
  return {.name = name,
          .work = work,
          .needs = [](std::size_t) { return Needs{.held = 1 << 20}; },
          .make =
              [=](std::size_t n) {
                return Trial{.work = work(n), .run = [=](Backend&, const GiveUp&) {
                               run(n);
                               return true;
                             }};
              }};
}

// Notes its runs; each takes a second of the clock.
Contender noting(const std::string& name, std::vector<std::string>& log, Clock& clock) {
  return running(name, [name, &log, &clock](std::size_t n) {
    log.push_back(name + std::to_string(n));
    clock.now += 1;
  });
}

}  // namespace

TEST_CASE("points are measured in turn: all of a round before the next and what is compared side by side") {
  Clock clock;
  Clocked backend(clock);
  std::vector<std::string> log;
  MeasureSpec spec = small_spec();
  spec.lengths = {16, 32, 64}, spec.rounds = 3;
  Measurement measurement(spec, {noting("a", log, clock), noting("b", log, clock)}, clock.surroundings());
  const Measured measured = measure_all(measurement, backend);
  CHECK(measured.state == MeasureState::done);
  // In the first round a run to compile, one to see how long it takes, and the sample.
  const std::vector<std::string> first{"a16", "a16", "a16", "b16", "b16", "b16", "a32", "a32", "a32",
                                       "b32", "b32", "b32", "a64", "a64", "a64", "b64", "b64", "b64"};
  const std::vector<std::string> next{"a16", "b16", "a32", "b32", "a64", "b64"};
  std::vector<std::string> right = first;
  for (int round = 1; round < 3; ++round) right.insert(right.end(), next.begin(), next.end());
  CHECK(log == right);
  CHECK(measured.find("a", 32)->seconds.values == std::vector<double>{1, 1, 1});
}

TEST_CASE("the time of full attention on a device that works at one rate grows by n to the power of 2") {
  Clock clock;
  Clocked backend(clock);
  Measurement measurement(small_spec(), {}, clock.surroundings());
  const Measured measured = measure_all(measurement, backend);
  const auto fit = fit_power(measured, "full");
  REQUIRE(fit);
  CHECK(fit->holds);
  CHECK(std::abs(fit->exponent - 2) < 0.2);
  CHECK(fit->last == 2048);
  const auto cached = fit_power(measured, "cached"), uncached = fit_power(measured, "uncached");
  REQUIRE((cached && uncached));
  CHECK(cached->exponent < 1);  // launches and its one row of projections are nearly all of it
  CHECK(measured.find("uncached", 2048)->seconds.median() > measured.find("cached", 2048)->seconds.median());
}

TEST_CASE("every length is measured as often as there are rounds and its median is the time of a run") {
  Clock clock;
  Clocked backend(clock);
  Measurement measurement(small_spec(), {}, clock.surroundings());
  const Measured measured = measure_all(measurement, backend);
  const auto points = measured.of("full");
  REQUIRE(points.size() == 8);
  for (const MeasuredPoint* point : points) {
    CHECK(point->seconds.values.size() == 4);
    const double n = static_cast<double>(point->n), nnh = n * n * 4;
    // Two products of d_k = 16 and four stages of the scores' size; two of a number for each row.
    const double counted = 2 * 2 * nnh * 16 + 3 * nnh + 2 * n * 4;
    CHECK(point->seconds.median() ==
          doctest::Approx(7 * Clocked::kLaunch + counted / Clocked::kRate).epsilon(1e-9));
  }
}

TEST_CASE("operations are counted as the costs count them and bytes as stages read and write") {
  // n = 8, d = 64, 4 heads of 16, 2 key/value heads. Scores and weights·V 2·8·8·16·4 each, scaling 8·8·4,
  // softmax five times that.
  const MeasureShape shape{.d = 64, .heads = 4, .kv_heads = 2, .feed_forward = 256};
  const Work full = contender_of(measure_subjects().front(), shape).work(8);
  CHECK(full.operations == 2 * 8192 + 6 * 256);
  const MeasureLayer layer = build_measured_layer(shape, 8, LayerInputs::shapes);
  std::map<std::string, double> operations, bytes;
  for (const MeasureGroup& group : layer.groups)
    for (const StageIndex i : group.stages) {
      operations[group.name] += work_of(layer.graph, i).operations;
      bytes[group.name] += work_of(layer.graph, i).bytes;
    }
  CHECK(operations["q"] == 2 * 8 * 64 * 64);
  CHECK(operations["k"] == 2 * 8 * 64 * 32);
  CHECK(operations["v"] == 2 * 8 * 64 * 32);
  CHECK(operations["scores"] == 8192);
  CHECK(operations["scaled"] == 256);
  CHECK(operations["weights"] == 5 * 256);
  CHECK(operations["head_output"] == 8192);
  CHECK(operations["output"] == 2 * 8 * 64 * 64);
  CHECK(operations["feed_forward"] == 4 * 8 * 64 * 256);
  CHECK(bytes["scores"] == 4 * (8 * 64 + 8 * 32 + 256));
  CHECK(bytes["q"] == 4 * (8 * 64 + 64 * 64 + 8 * 64));
}

TEST_CASE("the stages of a layer are timed one by one") {
  Clock clock;
  Clocked backend(clock);
  Measurement measurement(small_spec(), {}, clock.surroundings());
  const Measured measured = measure_all(measurement, backend);
  CHECK(measured.stages_n == 128);
  REQUIRE(measured.stages.size() == 9);
  const MeasuredStage& scores = measured.stages[3];
  CHECK(scores.name == "scores");
  CHECK(scores.operations == 2.0 * 128 * 128 * 64);
  CHECK(scores.seconds.values.size() == 4);
  CHECK(scores.seconds.median() == doctest::Approx(Clocked::kLaunch + scores.operations / Clocked::kRate));
}

TEST_CASE("peak and bandwidth are what the multiply-add and the copy kernel reach") {
  Clock clock;
  Clocked backend(clock);
  Measurement measurement(small_spec(), {}, clock.surroundings());
  const Measured measured = measure_all(measurement, backend);
  CHECK(measured.peak() == doctest::Approx(Clocked::kPeak));
  CHECK(measured.bandwidth() == doctest::Approx(Clocked::kBandwidth));
  CHECK(measured.operations_per_second.values.size() == 4);
}

TEST_CASE("a mechanism without a kernel is said not to be measured") {
  Clock clock;
  const Measurement measurement(small_spec(), {}, clock.surroundings());
  const NotMeasured* left = left_out(measurement.measured(), "recurrent");
  REQUIRE(left != nullptr);
  CHECK(left->why == "not measured: no kernel yet");
  CHECK(left_out(measurement.measured(), "full") == nullptr);
}

TEST_CASE("flash attention of heads that are too wide for it is said not to be measured") {
  Clock clock;
  MeasureSpec spec = small_spec();
  spec.shape.d = 514, spec.shape.heads = spec.shape.kv_heads = 2;
  const Measurement measurement(spec, {}, clock.surroundings());
  const NotMeasured* left = left_out(measurement.measured(), "flash");
  REQUIRE(left != nullptr);
  CHECK(left->why == "heads are 257 wide; it takes at most 256");
}

TEST_CASE("a run that would take too long is left out with all that are longer and never begun") {
  Clock clock;
  Clocked backend(clock);
  MeasureSpec spec = small_spec();
  spec.attention_alone = true, spec.seconds_of_run = 4e-3;  // n = 1024 takes 2.95 ms, 2048 four times that
  Measurement measurement(spec, {}, clock.surroundings());
  const Measured measured = measure_all(measurement, backend);
  CHECK(measured.state == MeasureState::done);
  CHECK(measured.of("full").back()->n == 1024);
  const NotMeasured* left = left_out(measured, "full");
  REQUIRE(left != nullptr);
  CHECK(left->n == 2048);
  CHECK(contains(left->why, "a run would take about 0.01"));
  CHECK(clock.now < 2);
}

TEST_CASE("a run that something else held up does not leave out longer ones") {
  Clock clock;
  Clocked backend(clock);
  int runs_of_32 = 0;
  const Contender contender = running("a", [&](std::size_t n) {
    const bool held_up = n == 32 && ++runs_of_32 == 2;  // the run by which the next length is weighed
    clock.now += held_up ? 1 : 1e-3;
  });
  MeasureSpec spec = small_spec();
  spec.lengths = {16, 32, 64}, spec.alone.emplace(), spec.stages_at = 0, spec.seconds_of_run = 0.5;
  Measurement measurement(spec, {contender}, clock.surroundings());
  const Measured measured = measure_all(measurement, backend);
  CHECK(measured.of("a").size() == 3);
  CHECK(left_out(measured, "a") == nullptr);
}

TEST_CASE("a first length beyond what the peak allows is not begun either") {
  Clock clock;
  Clocked backend(clock);
  MeasureSpec spec = small_spec();
  spec.lengths = {8192}, spec.alone = {"full"}, spec.stages_at = 0, spec.seconds_of_run = 1e-3;
  Measurement measurement(spec, {}, clock.surroundings());
  const Measured measured = measure_all(measurement, backend);
  CHECK(measured.of("full").empty());
  CHECK(left_out(measured, "full") != nullptr);
}

TEST_CASE("all runs together are held to their limit") {
  Clock clock;
  Clocked backend(clock);
  MeasureSpec spec = small_spec();
  spec.attention_alone = true, spec.seconds_of_all = 0.05;
  Measurement measurement(spec, {}, clock.surroundings());
  const Measured measured = measure_all(measurement, backend);
  const NotMeasured* left = left_out(measured, "full");
  REQUIRE(left != nullptr);
  CHECK(contains(left->why, "all runs up to it would take about"));
  CHECK_FALSE(measured.points.empty());
}

TEST_CASE("what does not fit into the memory is left out before a number of it is made" *
          doctest::test_suite("unsanitized")) {
  Clock clock;
  Clocked backend(clock);
  MeasureSpec spec = small_spec();
  spec.attention_alone = true, spec.longest = std::size_t{1} << 20;
  // Scores and scaled of 4 heads of 4096² numbers are 512 MiB; 256 MiB are left to others.
  Measurement measurement(spec, {}, clock.surroundings(std::uint64_t{768} << 20));
  Measured measured = measure_all(measurement, backend);
  CHECK(measured.of("full").back()->n == 2048);
  REQUIRE(left_out(measured, "full") != nullptr);
  CHECK(left_out(measured, "full")->n == 4096);
  CHECK(contains(left_out(measured, "full")->why, "and 512 MiB are free for it in this machine"));
  // A device with memory of its own is held to that.
  backend.said.memory = std::uint64_t{1} << 40, backend.said.largest = std::uint64_t{128} << 20;
  Measurement there(spec, {}, clock.surroundings(0));
  measured = measure_all(there, backend);
  CHECK(measured.of("full").back()->n == 2048);
  CHECK(contains(left_out(measured, "full")->why, "larger than the 128 MiB that the device takes"));
  backend.said = {.version = "clocked 1", .memory = std::uint64_t{800} << 20};
  Measurement little(spec, {}, clock.surroundings(0));
  measured = measure_all(little, backend);
  CHECK(measured.of("full").back()->n == 2048);
  CHECK(contains(left_out(measured, "full")->why, "and 444 MiB are free for it on the device"));
}

TEST_CASE("progress comes to its end with the measurement and tells what it does") {
  Clock clock;
  Clocked backend(clock);
  Measurement measurement(small_spec(), {}, clock.surroundings());
  double seconds_left = 0;
  while (measurement.measured().find("full", 2048) == nullptr) measurement.step(backend);
  const double begun = clock.now;
  measurement.step(backend);
  seconds_left = measurement.progress().seconds_left;
  CHECK(contains(measurement.progress().doing, "n = 2048"));
  CHECK(measurement.progress().done < measurement.progress().planned);
  measure_all(measurement, backend);
  CHECK(measurement.progress().done == measurement.progress().planned);
  CHECK(measurement.progress().seconds_left == 0);
  // It said a quarter more or less than what it took.
  CHECK(seconds_left == doctest::Approx(clock.now - begun).epsilon(0.25));
}

TEST_CASE("heads that do not fit the width cannot be measured") {
  MeasureSpec spec = small_spec();
  spec.shape.heads = 3;
  CHECK_THROWS_WITH_AS(Measurement{spec}, doctest::Contains("divided among 3 heads"), Error);
  spec = small_spec();
  spec.shape.kv_heads = 3;
  CHECK_THROWS_AS(Measurement{spec}, Error);
}

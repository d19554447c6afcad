// What a measurement finds wrong before it is timed, and what it lets go when it is done with it.
#include "core/measure/measure_check.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/core/clocked.h"

using namespace attn;
using namespace attn::tests;

namespace {

// The reference, but for the last number of flash attention of this many tokens.
class Mistaken : public Backend {
 public:
  explicit Mistaken(std::size_t from) : from_(from) {}
  std::string name() const override { return "mistaken"; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers) override {
    const Tensor right = reference_->run(operation, inputs);
    if (!std::holds_alternative<FlashAttention>(operation) || right.rows() < from_) return right;
    std::vector<float> values(right.values().begin(), right.values().end());
    values.back() += 1e-3f;
    return {right.shape(), std::move(values)};
  }

 private:
  std::size_t from_;
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

MeasureSurroundings checking(Clock& clock) {
  MeasureSurroundings surroundings = clock.surroundings();
  surroundings.checks = true;
  return surroundings;
}

// Notes how many of it are there at once, and at each n how many were made.
struct Noted {
  std::size_t there = 0, most = 0;
  std::map<std::size_t, std::size_t> made = {};
};

Contender taking(std::uint64_t bytes, Noted& noted) {
  const auto work = [](std::size_t n) { return Work{.operations = static_cast<double>(n)}; };
  return {.name = "taking",
          .work = work,
          .needs = [=](std::size_t) { return Needs{.held = bytes}; },
          .make =
              [=, &noted](std::size_t n) {
                ++noted.made[n];
                noted.most = std::max(noted.most, ++noted.there);
                const std::shared_ptr<Noted> mine(&noted, [](Noted* of) { --of->there; });
                return Trial{.work = work(n), .run = [mine](Backend&, const GiveUp&) { return true; }};
              }};
}

}  // namespace

TEST_CASE(
    "a device that computes what is measured wrongly ends the measurement, and is named with the cell") {
  Clock clock;
  Mistaken backend(32);
  MeasureSpec spec = small_spec();
  spec.lengths = {16, 32, 64};
  Measurement measurement(spec, {}, checking(clock));
  const Measured measured = measure_all(measurement, backend);
  CHECK(measured.state == MeasureState::ended);
  CHECK(contains(measured.why, "mistaken computes wrong numbers: flash, n = 32, flash[3, 31, 16] is "));
  CHECK(contains(measured.why, ", on the reference "));
  CHECK(measured.find("flash", 16) != nullptr);
  CHECK(measured.find("flash", 32) == nullptr);
}

TEST_CASE("a device that is right passes the check of everything that is measured") {
  Clock clock;
  Mistaken backend(1000);
  MeasureSpec spec = small_spec();
  spec.lengths = {1, 2, 33}, spec.stages_at = 33, spec.rounds = 1;
  std::vector<Contender> alongside;
  for (const auto build : {build_causal_flash, build_flash_weights, build_product})
    alongside.push_back(contender_of({.name = "added", .title = "added", .build = build}, spec.shape));
  Measurement measurement(spec, alongside, checking(clock));
  const Measured measured = measure_all(measurement, backend);
  CHECK(measured.why == "");
  CHECK(measured.state == MeasureState::done);
  CHECK(measured.stages_n == 33);
}

TEST_CASE("what takes much memory is let go after each of its samples and the rest after its last") {
  for (const bool large : {false, true}) {
    Clock clock;
    Clocked backend(clock);
    MeasureSpec spec = small_spec();
    spec.lengths = {16, 32, 64}, spec.rounds = 3, spec.attention_alone = true, spec.stages_at = 0;
    Noted noted;
    Measurement measurement(spec, {taking(large ? std::uint64_t{1} << 30 : 1 << 20, noted)},
                            clock.surroundings());
    std::size_t there = 0;
    while (measurement.step(backend)) there = noted.there;
    CHECK(noted.most == (large ? 1 : 3));
    CHECK(there == (large ? 0 : 1));  // before the last sample
    CHECK(noted.there == 0);
    for (const auto& [n, made] : noted.made) CHECK(made == (large ? 3 : 1));
    CHECK(measurement.measured().find("taking", 64)->seconds.values.size() == 3);
  }
}

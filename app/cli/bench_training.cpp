// bench training: a step, and the products in it, in turn; and how long induction takes to be learnt.
#include <array>

#include "app/cli/bench.h"
#include "core/learning/training.h"
#include "core/system/error.h"

namespace attn::bench {
namespace {

constexpr std::size_t kStepsOfSample = 20;
constexpr double kMostMultiple = 2, kLearntIn = 3, kLearnt = 0.99;
constexpr std::size_t kMostInductionSteps = 4000;

struct TimedModel {
  std::string words;
  std::size_t inner;
  double target;  // milliseconds of a step
};

TrainingSpec timed_spec(const TimedModel& of) {
  TrainingSpec spec = default_training(TrainingTaskKind::induction);
  spec.model.inner = of.inner;
  return spec;
}

std::vector<Measure> steps_and_products(const TimedModel& of, Backend& backend, const Amount& amount,
                                        Calibration& calibration) {
  const TrainingSpec spec = timed_spec(of);
  Trainer trainer(backend, spec);
  const auto products = backend.compile(products_of(spec), {});
  trainer.run(kStepsOfSample), products->run_all(), backend.finish();
  Times steps, alone, multiples;
  for (int sample = 0; sample < amount.samples; ++sample) {
    const auto each = [&](Times& to, const auto& work) {
      const Stopwatch watch;
      work();
      backend.finish();
      to.wall.push_back(watch.wall() / kStepsOfSample),
          to.processor.push_back(watch.processor() / kStepsOfSample);
    };
    each(steps, [&] { trainer.run(kStepsOfSample); });
    each(alone, [&] { products->run_all(kStepsOfSample); });
    multiples.wall.push_back(steps.wall.back() / alone.wall.back());
    multiples.processor.push_back(steps.processor.back() / alone.processor.back());
    calibration.sample();
  }
  Measure multiple = measure_of(of.words + ": a step ÷ its products", multiples, kMostMultiple);
  multiple.unit = "×";
  return {measure_of(of.words + ": a step", steps, of.target),
          measure_of(of.words + ": its products alone", alone, std::nullopt), std::move(multiple)};
}

Measure induction_learnt(Backend& backend, const Amount& amount) {
  Times times;
  std::string note;
  for (int run = 0; run < std::min(amount.samples, 3); ++run) {
    TrainingSpec spec = default_training(TrainingTaskKind::induction);
    spec.seed += static_cast<std::uint64_t>(run);
    Trainer trainer(backend, spec);
    const Stopwatch watch;
    bool learnt = false;
    while (!learnt && trainer.step() < kMostInductionSteps)
      trainer.run(25), learnt = trainer.score(2).accuracy >= kLearnt;
    times.wall.push_back(watch.wall() / 1000), times.processor.push_back(watch.processor() / 1000);
    if (!learnt) note = "not learnt";
  }
  Measure row = measure_of("induction, learnt to 99 %", times, kLearntIn);
  row.unit = "s", row.note = note;
  return row;
}

}  // namespace

std::vector<Measure> training(const TimedDevice& device, const Amount& amount, Calibration& calibration) {
  Budget budget;
  std::vector<std::string> notes;
  const auto backend = device.devices->choose(device.word, budget, notes);
  std::vector<Measure> rows;
  const std::string sizes = "2 layers, d 64, 4 heads, 32 × 32 tokens, ";
  for (const TimedModel& of :
       {TimedModel{sizes + "attention alone", 0, 2.5}, TimedModel{sizes + "feed-forward of 256", 256, 5}})
    for (Measure& row : steps_and_products(of, *backend, amount, calibration)) rows.push_back(std::move(row));
  rows.push_back(induction_learnt(*backend, amount));
  return rows;
}

}  // namespace attn::bench

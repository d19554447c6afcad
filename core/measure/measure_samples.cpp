// One sample of a measurement: of a kernel, of a point, of a layer's stages; and which are worth beginning.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/measure/measure.h"
#include "core/measure/measure_check.h"
#include "core/system/memory.h"

namespace attn {
namespace {

constexpr double kLeastSample = 0.01;  // seconds: a thread that wakes up, and cold caches, are little of it
constexpr std::size_t kMostRepeats = 64;  // runs of one sample
constexpr double kAsksFrom = 0.1;         // seconds of a run, from which on it asks whether to give up
constexpr double kDrillRun = 0.01;        // seconds: many that are short find a moment when nothing else runs
constexpr int kDrillRuns = 8;             // of which the best counts
constexpr int kMostCalibrations = 16;
constexpr std::uint64_t kKept = std::uint64_t{64} << 20;  // bytes that a point may keep from round to round

std::string seconds_text(double seconds) {
  char text[32];
  if (seconds < 120)
    std::snprintf(text, sizeof text, "%.2g s", seconds);
  else
    std::snprintf(text, sizeof text, "%.0f min", seconds / 60);
  return text;
}

}  // namespace

// Passes are multiplied until a run takes long enough; then the best of some, each checked. The kernel comes
// and goes with the sample, for its buffers are large.
bool Measurement::perform_drill(DrillKind kind, Backend& backend) {
  const Drill drill = backend.drill(kind);
  if (!drill.run) return true;
  const auto run = [&](std::size_t passes) {
    const double before = surroundings_.clock();
    drill.run(passes);
    const double seconds = surroundings_.clock() - before;
    drill.check();
    return seconds;
  };
  std::size_t& passes = passes_[kind];
  if (passes == 0) {
    passes = 1;
    run(1);  // compiles
    for (int i = 0; i < kMostCalibrations; ++i) {
      const double seconds = run(passes);
      if (seconds >= kDrillRun || passes >= drill.most_passes) break;
      const double factor = seconds > 0 ? std::min(8.0, 1.2 * kDrillRun / seconds) : 8.0;
      passes = std::min(drill.most_passes,
                        static_cast<std::size_t>(std::ceil(factor * static_cast<double>(passes))));
    }
  }
  passes = std::min(passes, drill.most_passes);
  const double start = surroundings_.clock();
  double best = run(passes);
  for (int i = 1; i < kDrillRuns; ++i) best = std::min(best, run(passes));
  Timings& rates = kind == DrillKind::copy ? measured_.bytes_per_second : measured_.operations_per_second;
  if (best > 0) rates.values.push_back(drill.unit * static_cast<double>(passes) / best);
  drill_seconds_ = surroundings_.clock() - start;
  return true;
}

// The time of `repeats` runs, for each of them; none when it gave up.
std::optional<double> Measurement::time(Backend& backend, const Course& course, std::size_t repeats,
                                        const GiveUp& give_up) {
  const bool asks = course.seconds == 0 || course.seconds > kAsksFrom;
  const double start = surroundings_.clock();
  for (std::size_t i = 0; i < repeats; ++i)
    if (!course.trial.run(backend, asks ? give_up : GiveUp())) return std::nullopt;
  return (surroundings_.clock() - start) / static_cast<double>(repeats);
}

// The first run of a point is not its sample: kernels compile in it. What a sample is made of follows from
// the second.
bool Measurement::begin_course(const Task& task, Backend& backend, const GiveUp& give_up, Course& course) {
  const Runner& runner = runners_[task.contender];
  course.trial = runner.contender.make(task.n);
  if (!time(backend, course, 1, give_up)) return false;
  if (surroundings_.checks && course.trial.check) course.trial.check(backend, words(task));
  const auto seconds = time(backend, course, 1, give_up);
  if (!seconds) return false;
  course.seconds = *seconds;
  const double repeats = *seconds > 0 ? std::ceil(kLeastSample / *seconds) : 1.0;
  course.repeats = static_cast<std::size_t>(std::clamp(repeats, 1.0, static_cast<double>(kMostRepeats)));
  const Needs needs = runner.contender.needs(task.n);
  course.kept = needs.given + needs.held <= kKept;
  course.point = measured_.points.size();
  measured_.points.push_back({.subject = runner.contender.name,
                              .n = task.n,
                              .operations = course.trial.work.operations,
                              .bytes = course.trial.work.bytes});
  return true;
}

// A short one finds the caches as another left them, a new one its memory untouched: a run warms them.
bool Measurement::warm(const Task& task, Backend& backend, const GiveUp& give_up, Course& course) {
  const bool made = !course.trial.run;
  if (made) course.trial = runners_[task.contender].contender.make(task.n);
  if (!made && course.repeats == 1) return true;
  const bool done = time(backend, course, 1, made ? give_up : GiveUp()).has_value();
  if (!done) let_go(backend, course);
  return done;
}

void Measurement::let_go(Backend& backend, Course& course) {
  course.trial.run = {}, course.trial.check = {};
  backend.release_unheld();
  if (!course.kept) give_back_memory();
}

bool Measurement::perform_point(const Task& task, Backend& backend, const GiveUp& give_up) {
  Runner& runner = runners_[task.contender];
  if (!runner.courses.contains(task.n)) {
    if (runner.ended) return true;
    if (const std::string why = refused(runner, task.n, backend); !why.empty()) {
      runner.ended = true;
      leave_out(runner.contender.name, task.n, why);
      return true;
    }
    Course& begun = runner.courses[task.n];  // so that end() finds it, whatever is thrown
    if (!begin_course(task, backend, give_up, begun)) {
      runner.courses.erase(task.n);
      return false;
    }
  }
  Course& course = runner.courses.at(task.n);
  if (!warm(task, backend, give_up, course)) return false;
  const auto seconds = time(backend, course, course.repeats, give_up);
  if (!seconds) return false;
  course.seconds = std::min(course.seconds, *seconds);  // a run that was held up says nothing of longer ones
  if (backend.failure().empty()) measured_.points[course.point].seconds.values.push_back(*seconds);
  if (!course.kept || round_ >= spec_.rounds) let_go(backend, course);
  return true;
}

// A layer at the longest n up to `stages_at` that attention was measured at; none where there is no such.
bool Measurement::begin_stages(Backend& backend, const GiveUp& give_up) {
  std::size_t n = 0;
  for (const MeasuredPoint* point : measured_.of(runners_.front().contender.name))
    if (point->n <= spec_.stages_at) n = point->n;
  if (n == 0) return true;
  if (const std::string why =
          too_large(needs_of(build_measured_layer(spec_.shape, n, LayerInputs::shapes).graph), backend,
                    surroundings_.free_memory());
      !why.empty()) {
    leave_out("stages", n, why);
    spec_.stages_at = 0;
    return true;
  }
  layer_ = build_measured_layer(spec_.shape, n, LayerInputs::numbers);
  layer_program_ = backend.compile(layer_->graph, std::array{checked_stage(layer_->graph)});
  if (!run_on(backend, *layer_program_, give_up)) {
    layer_program_.reset();
    layer_.reset();
    return false;
  }
  if (surroundings_.checks)
    check_program(backend, *layer_program_, layer_->graph, "stages, n = " + std::to_string(n));
  measured_.stages_n = n;
  for (const MeasureGroup& group : layer_->groups) {
    MeasuredStage stage{.name = group.name, .title = group.title};
    for (const StageIndex i : group.stages) {
      const Work work = work_of(layer_->graph, i);
      stage.operations += work.operations, stage.bytes += work.bytes;
    }
    measured_.stages.push_back(std::move(stage));
  }
  return true;
}

bool Measurement::perform_stages(Backend& backend, const GiveUp& give_up) {
  if (!layer_ && !begin_stages(backend, give_up)) return false;
  if (!layer_) return true;
  const double start = surroundings_.clock();
  std::vector<double> seconds;
  if (!run_on(backend, *layer_program_, give_up, StageClock{surroundings_.clock, seconds})) return false;
  stages_seconds_ = surroundings_.clock() - start;
  if (!backend.failure().empty()) return true;
  for (std::size_t g = 0; g < layer_->groups.size(); ++g) {
    double sum = 0;
    for (const StageIndex i : layer_->groups[g].stages) sum += seconds[i];
    measured_.stages[g].seconds.values.push_back(sum);
  }
  return true;
}

// The time of a run, from the longest that was measured on, growing by what the last two say, or by what is
// counted, whichever is more; where nothing was measured, 0, or what the device takes at its best.
double Measurement::expected(const Runner& runner, std::size_t n) const {
  const auto after = runner.courses.upper_bound(n);
  if (after == runner.courses.begin()) {
    const double peak = measured_.peak();
    return peak > 0 ? runner.contender.work(n).operations / peak : 0;
  }
  const auto last = std::prev(after);
  const double seconds = last->second.seconds, length = static_cast<double>(last->first);
  if (last->first == n) return seconds;
  const double longer = static_cast<double>(n) / length;
  double growth =
      std::log(runner.contender.work(n).operations / last->second.trial.work.operations) / std::log(longer);
  if (last != runner.courses.begin()) {
    const auto before = std::prev(last);
    if (before->second.seconds > 0 && seconds > 0)
      growth = std::max(growth, std::log(seconds / before->second.seconds) /
                                    std::log(length / static_cast<double>(before->first)));
  }
  return seconds * std::pow(longer, growth);
}

double Measurement::seconds_of(const Task& task) const {
  if (task.kind == Task::stages) return stages_seconds_;
  if (task.kind != Task::point) return drill_seconds_;
  const Runner& runner = runners_[task.contender];
  const auto found = runner.courses.find(task.n);
  if (found != runner.courses.end())
    return found->second.seconds * static_cast<double>(found->second.repeats + found->second.warmed());
  return std::max(3 * expected(runner, task.n), kLeastSample);
}

double Measurement::seconds_of_round() const {
  double sum = 0;
  for (std::size_t r = 0; r < runners_.size(); ++r)
    for (const auto& [n, course] : runners_[r].courses)
      sum += seconds_of({.kind = Task::point, .contender = r, .n = n});
  return sum;
}

// Weighed before it is paid for.
std::string Measurement::refused(const Runner& runner, std::size_t n, const Backend& backend) const {
  if (std::string why = too_large(runner.contender.needs(n), backend, surroundings_.free_memory());
      !why.empty())
    return why;
  const double run = expected(runner, n);
  if (run > spec_.seconds_of_run)
    return "a run would take about " + seconds_text(run) + ", and at most " +
           seconds_text(spec_.seconds_of_run) + " are allowed";
  const double all = (seconds_of_round() + run) * spec_.rounds;
  if (all > spec_.seconds_of_all)
    return "all runs up to it would take about " + seconds_text(all) + ", and at most " +
           seconds_text(spec_.seconds_of_all) + " are allowed";
  return {};
}

}  // namespace attn

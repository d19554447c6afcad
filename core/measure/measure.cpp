// The rounds of a measurement: what is next, what became of it, and how it ends.
#include "core/measure/measure.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <new>
#include <utility>

#include "core/measure/contender.h"
#include "core/measure/measure_check.h"
#include "core/system/error.h"
#include "core/system/memory.h"

namespace attn {
namespace {

constexpr std::size_t kShortest = 16;

std::vector<std::size_t> doubled(std::size_t longest) {
  std::vector<std::size_t> lengths;
  for (std::size_t n = kShortest; n <= longest; n *= 2) lengths.push_back(n);
  return lengths;
}

}  // namespace

MeasureSurroundings this_machine() {
  return {.clock =
              [] {
                const auto now = std::chrono::steady_clock::now().time_since_epoch();
                return std::chrono::duration<double>(now).count();
              },
          .free_memory = [] { return attn::free_memory().bytes; }};
}

Contender contender_of(const MeasureSubject& subject, const MeasureShape& shape) {
  Contender contender = contender_of(
      std::string(subject.name),
      [build = subject.build, shape](std::size_t n, LayerInputs inputs) { return build(shape, n, inputs); });
  contender.longest = subject.longest;
  return contender;
}

Contender contender_of(const std::string& name, const ContenderGraph& build) {
  // It is asked for at each step, and patterns of many tokens take a while to count.
  const auto works = std::make_shared<std::map<std::size_t, Work>>();
  return {.name = name,
          .work =
              [=](std::size_t n) {
                const auto known = works->find(n);
                if (known != works->end()) return known->second;
                return works->emplace(n, work_of(build(n, LayerInputs::shapes))).first->second;
              },
          .needs = [=](std::size_t n) { return needs_of(build(n, LayerInputs::shapes)); },
          .make =
              [=](std::size_t n) {
                struct Held {
                  Graph graph;
                  std::unique_ptr<Program> program = {};
                };
                const auto held = std::make_shared<Held>(Held{build(n, LayerInputs::numbers)});
                return Trial{.work = work_of(held->graph),
                             .run =
                                 [held](Backend& backend, const GiveUp& give_up) {
                                   const Graph& graph = held->graph;
                                   if (!held->program)
                                     held->program = backend.compile(graph, std::array{checked_stage(graph)});
                                   return run_on(backend, *held->program, give_up);
                                 },
                             .check =
                                 [held](const Backend& backend, const std::string& what) {
                                   check_program(backend, *held->program, held->graph, what);
                                 }};
              }};
}

Measurement::Measurement(MeasureSpec spec, std::vector<Contender> alongside, MeasureSurroundings surroundings)
    : spec_(std::move(spec)), surroundings_(std::move(surroundings)) {
  check_measurable(spec_.shape);
  if (spec_.lengths.empty()) spec_.lengths = doubled(spec_.longest);
  std::ranges::sort(spec_.lengths);
  spec_.lengths.erase(std::unique(spec_.lengths.begin(), spec_.lengths.end()), spec_.lengths.end());
  measured_.shape = spec_.shape;
  for (const MeasureSubject& subject : measure_subjects()) {
    if (subject.part != MeasuredPart::attention && spec_.attention_alone) continue;
    if (spec_.alone && !std::ranges::count(*spec_.alone, subject.name)) continue;
    if (const std::string why = subject.why_not(spec_.shape); why.empty())
      runners_.push_back({.contender = contender_of(subject, spec_.shape), .courses = {}});
    else
      leave_out(std::string(subject.name), 0, why);
  }
  for (Contender& contender : alongside)
    runners_.push_back({.contender = std::move(contender), .courses = {}});
}

// The first round tries every length; the others measure what the first has.
void Measurement::begin_round() {
  tasks_ = {{.kind = Task::multiply_add}, {.kind = Task::copy}};
  for (const std::size_t n : spec_.lengths)
    for (std::size_t r = 0; r < runners_.size(); ++r)
      if (round_ == 0 ? n <= runners_[r].contender.longest : runners_[r].courses.contains(n))
        tasks_.push_back({.kind = Task::point, .contender = r, .n = n});
  if (spec_.stages_at > 0) tasks_.push_back({.kind = Task::stages});
  ++round_;
}

// Whoever else may have changed it: numbers of two devices are never mixed.
bool Measurement::on_same_device(Backend& backend) {
  const MeasuredDevice now{
      .name = backend.name(), .version = backend.facts().version, .program = spec_.program};
  if (measured_.state == MeasureState::waiting) {
    measured_.device = now;
    measured_.state = MeasureState::running;
  }
  if (measured_.device == now) return true;
  end(backend, MeasureState::ended,
      backend.failure().empty() ? "the device was changed: it computes on " + now.name + " now"
                                : "the device was lost: " + backend.failure());
  return false;
}

bool Measurement::step(Backend& backend, const GiveUp& give_up) {
  const bool begun = measured_.state == MeasureState::running;
  if ((!begun && measured_.state != MeasureState::waiting) || !on_same_device(backend)) return false;
  try {
    if (tasks_.empty()) begin_round();
    plan_progress();
    if (!perform(tasks_.front(), backend, give_up)) return true;  // given up: again the next time
    if (!on_same_device(backend)) return false;                   // lost meanwhile
    tasks_.pop_front();
    if (tasks_.empty() && round_ >= spec_.rounds) end(backend, MeasureState::done, {});
  } catch (const Error& error) {
    end(backend, MeasureState::ended,
        error.fault() == Fault::device ? std::string("the device was lost: ") + error.what() : error.what());
  } catch (const std::bad_alloc&) {
    end(backend, MeasureState::ended, "there was not enough memory: measure fewer tokens");
  }
  return measured_.state == MeasureState::running;
}

void Measurement::stop(Backend& backend) {
  if (measured_.state == MeasureState::waiting || measured_.state == MeasureState::running)
    end(backend, MeasureState::stopped, "stopped");
}

void Measurement::end(Backend& backend, MeasureState state, const std::string& why) {
  measured_.state = state;
  measured_.why = why;
  // What was just begun has no time.
  std::erase_if(measured_.points, [](const MeasuredPoint& point) { return point.seconds.empty(); });
  std::erase_if(measured_.stages, [](const MeasuredStage& stage) { return stage.seconds.empty(); });
  tasks_.clear();
  for (Runner& runner : runners_) runner.courses.clear();
  layer_program_.reset();
  layer_.reset();
  backend.release_unheld();
  give_back_memory();
  progress_.seconds_left = 0;
  progress_.doing.clear();
}

void Measurement::leave_out(const std::string& subject, std::size_t n, const std::string& why) {
  measured_.not_measured.push_back({subject, n, why});
}

bool Measurement::perform(const Task& task, Backend& backend, const GiveUp& give_up) {
  if (give_up && give_up()) return false;
  bool done = false;
  switch (task.kind) {
    case Task::multiply_add:
      done = perform_drill(DrillKind::multiply_add, backend);
      break;
    case Task::copy:
      done = perform_drill(DrillKind::copy, backend);
      break;
    case Task::point:
      done = perform_point(task, backend, give_up);
      break;
    case Task::stages:
      done = perform_stages(backend, give_up);
      break;
  }
  progress_.done += done;
  return done;
}

std::string Measurement::words(const Task& task) const {
  switch (task.kind) {
    case Task::multiply_add:
      return "multiply-adds";
    case Task::copy:
      return "copies";
    case Task::stages:
      return "stages";
    case Task::point:
      break;
  }
  return runners_[task.contender].contender.name + ", n = " + std::to_string(task.n);
}

// What of this round is left, and the rounds behind it.
void Measurement::plan_progress() {
  const auto later = static_cast<std::size_t>(std::max(0, spec_.rounds - round_));
  std::size_t of_round = 2 + (spec_.stages_at > 0), left = 0;
  double seconds = 0, of_rounds = drill_seconds_ * 2 + stages_seconds_;
  for (const Runner& runner : runners_)
    for (const std::size_t n : spec_.lengths) {
      const Task task{
          .kind = Task::point, .contender = static_cast<std::size_t>(&runner - runners_.data()), .n = n};
      const bool measured = runner.courses.contains(n);
      if (!measured && (runner.ended || round_ > 1)) continue;
      if (expected(runner, n) > spec_.seconds_of_run) continue;
      ++of_round;
      of_rounds += seconds_of(task);
    }
  for (const Task& task : tasks_) {
    if (task.kind == Task::point && expected(runners_[task.contender], task.n) > spec_.seconds_of_run)
      continue;
    ++left;
    seconds += seconds_of(task);
  }
  progress_.doing = words(tasks_.front());
  progress_.planned = progress_.done + left + later * of_round;
  progress_.seconds_left = seconds + static_cast<double>(later) * of_rounds;
}

}  // namespace attn

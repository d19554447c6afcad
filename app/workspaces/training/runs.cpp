// Which runs there are follows from the settings: what changes parameters or data begins anew, what changes
// how a step is made goes on.
#include "app/workspaces/training/runs.h"

#include <algorithm>
#include <utility>

#include "app/theme/toolkit.h"
#include "core/system/memory.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr std::size_t kMostEarlierRuns = 3;
constexpr std::size_t kMostEarlierBytes = std::size_t{64} << 20;  // of one: beyond, it is not kept
constexpr const char* kStudy = "training";

void keep_earlier(TrainingRuns& runs, std::optional<TrainedRun>& run) {
  if (!run) return;
  read_run(*run);
  if (run->end() > 0 && run->log.bytes() <= kMostEarlierBytes) {
    run->seen.visited = nullptr, run->asked.reset();
    runs.earlier.push_back(std::move(*run));
  }
  run.reset();
  if (runs.earlier.size() > kMostEarlierRuns) runs.earlier.erase(runs.earlier.begin());
}

// The very run, where it was trained before: an undone change brings it back.
std::optional<TrainedRun> take_earlier(TrainingRuns& runs, char letter, const TrainingSpec& spec) {
  for (std::size_t i = runs.earlier.size(); i-- > 0;) {
    TrainedRun& kept = runs.earlier[i];
    if (kept.letter != letter || !(*kept.spec == spec)) continue;
    std::optional<TrainedRun> found = std::move(kept);
    runs.earlier.erase(runs.earlier.begin() + static_cast<std::ptrdiff_t>(i));
    return found;
  }
  return std::nullopt;
}

// Whether it is another run than before.
bool follow_one(TrainingRuns& runs, std::optional<TrainedRun>& run, char letter, const PlannedRun& planned) {
  if (run && *run->spec == planned.spec) return false;
  if (run && goes_on(*run->spec, planned.spec)) {
    const bool stopped = run->seen.stop.has_value();
    if (stopped || run->end() < runs.settings.steps) go_on_as(*run, planned.spec, runs.settings);
    return false;  // what came to its end stays as it is, until one plays on from an earlier step
  }
  keep_earlier(runs, run);
  run = take_earlier(runs, letter, planned.spec);
  if (!run) run = new_run(letter, planned.spec, runs.settings);
  return true;
}

std::string memory_refusal(const TrainingSpec& spec) {
  const auto wanted = static_cast<std::uint64_t>(bytes_of_training(spec));
  const FreeMemory free = free_memory();
  if (wanted <= free.bytes) return {};
  return "a step takes about " + bytes_text(wanted) + ", and " + bytes_text(free.bytes) + " are free " +
         free.where + ": take a smaller batch, or a smaller model";
}

// The settings as they are now; those of a run that is refused stand still.
void plan_runs(TrainingRuns& runs, const TrainingSettings& settings) {
  runs.settings = settings;
  runs.planned = planned_run(settings);
  if (runs.planned.refusal.empty()) runs.planned.refusal = memory_refusal(runs.planned.spec);
  runs.beside = planned_beside(settings);
  if (runs.beside && !runs.beside->refusal.empty()) runs.beside.reset();
}

// While a hand drags a number, its runs stay: one for each number in between would be made for nothing.
void follow_settings(Frame& frame, TrainingRuns& runs) {
  const TrainingSettings& settings = frame.draft.training;
  if (runs.followed && (runs.settings == settings || (runs.a && ImGui::IsAnyItemActive()))) return;
  runs.followed = true;
  TrainingView& view = frame.view.of<TrainingView>();
  plan_runs(runs, settings);
  if (!runs.planned.refusal.empty()) return;
  const bool begun = runs.a.has_value();
  const bool other = follow_one(runs, runs.a, 'A', runs.planned) && begun;
  if (runs.beside)
    follow_one(runs, runs.b, 'B', *runs.beside);
  else
    keep_earlier(runs, runs.b);
  if (other) {
    keep_earlier(runs, runs.c);
    view.at = TrainingView::kNewest, view.branch = false;
  }
  runs.a->name = run_name(settings, RunDifference::none);
  if (runs.b) runs.b->name = run_name(settings, settings.beside);
  const auto behind = [&](const TrainedRun* run) {
    return run && !run->seen.stop && run->end() < settings.steps;
  };
  const bool goes = behind(&*runs.a) || behind(runs.b ? &*runs.b : nullptr);
  if (goes && !runs.waits) frame.canvas().playing = true;
}

void work_on(Frame& frame, TrainingRuns& runs) {
  struct Turn {
    std::shared_ptr<TrainingBench> bench;
    std::uint64_t number = 0;
    bool operator==(const Turn&) const = default;
  };
  struct Worked {};
  const auto follow = [&] {
    return frame.studies.of<Worked>(kStudy, Turn{runs.bench, runs.turn}, [&]() -> StudyStep<Worked> {
      return [bench = runs.bench](Worked&, Backend& backend) { return !bench->work(backend); };
    });
  };
  const Study<Worked> study = follow();
  runs.error = study.error;
  if (!study.done || !study.error.empty() || !runs.bench->has_work()) return;
  ++runs.turn;
  follow();
}

// From an earlier step: with other steps than those that were taken it branches off, else they are shown
// again.
void begin_playing(View& view, TrainingRuns& runs, const TrainingSettings& settings) {
  TrainingView& own = view.of<TrainingView>();
  const TrainedRun& run = *runs.seen(own);
  const std::size_t step = shown_step(own, run);
  own.replayed.reset();
  if (step >= run.end()) return;
  if (run.letter != 'B' && !(*run.spec == runs.planned.spec)) return branch_off(view, settings, step);
  own.replayed = static_cast<double>(step);
}

void replay(TrainingView& view, const TrainedRun& run) {
  constexpr double kWholeRun = 4;  // seconds, as fast as it goes
  if (view.replayed) {
    const double whole = static_cast<double>(std::max<std::size_t>(1, run.end()));
    const double speed = view.speed < training_view_field::kMostSpeed ? view.speed : whole / kWholeRun;
    *view.replayed += static_cast<double>(ImGui::GetIO().DeltaTime) * speed;
    view.at = static_cast<std::size_t>(*view.replayed);
    if (view.at >= run.end()) view.replayed.reset();
  }
  if (!view.replayed) view.at = TrainingView::kNewest;
}

}  // namespace

std::vector<TrainedRun*> TrainingRuns::shown() {
  std::vector<TrainedRun*> all;
  for (std::optional<TrainedRun>* run : {&a, &b, &c})
    if (*run) all.push_back(&**run);
  return all;
}

TrainedRun* TrainingRuns::seen(const TrainingView& view) {
  if (view.branch && c) return &*c;
  if (view.other && b) return &*b;
  return a ? &*a : nullptr;
}

void follow_runs(Frame& frame) {
  TrainingView& view = frame.view.of<TrainingView>();
  if (!view.runs) view.runs = std::make_shared<TrainingRuns>();
  TrainingRuns& runs = *view.runs;
  follow_settings(frame, runs);
  if (!runs.a) return;
  bool& playing = frame.canvas().playing;
  const std::string& device = frame.engine.device;
  if (runs.waits && !device.empty() && device != kReference) {
    runs.waits = false, playing = true;
    if (view.at != TrainingView::kNewest) view.back_to = view.at;
  }
  if (playing) runs.waits = false;
  if (playing && !view.played) begin_playing(frame.view, runs, frame.draft.training);
  std::vector<std::shared_ptr<TrainingRunner>> runners;
  bool going = false;
  for (TrainedRun* run : runs.shown()) {
    read_run(*run);
    runners.push_back(run->runner);
    going = going || (!run->seen.stop && run->end() < runs.settings.steps);
  }
  runs.bench->set_runs(std::move(runners));
  if (playing) replay(view, *runs.seen(view));
  if (playing && !view.replayed && !going) {
    playing = false;
    if (!view.played && !runs.a->seen.stop)
      frame.view.say("All " + std::to_string(runs.settings.steps) +
                     " steps are done: set more steps under Run, or go back in time to see them again");
    if (const auto step = std::exchange(view.back_to, std::nullopt)) view.at = *step;
  }
  if (playing && going) {
    const bool limited = view.speed < training_view_field::kMostSpeed;
    runs.bench->play(runs.settings.steps, limited ? std::optional(view.speed) : std::nullopt);
  } else {
    runs.bench->pause();
  }
  view.played = playing;
  if (!runs.waits) work_on(frame, runs);
}

void reset_runs(View& view) {
  TrainingView& own = view.of<TrainingView>();
  if (!own.runs || !own.runs->a) return;
  TrainingRuns& runs = *own.runs;
  const bool beside = runs.b.has_value();
  keep_earlier(runs, runs.c);
  keep_earlier(runs, runs.b);
  keep_earlier(runs, runs.a);
  if (runs.planned.refusal.empty()) {
    runs.a = new_run('A', runs.planned.spec, runs.settings);
    runs.a->name = run_name(runs.settings, RunDifference::none);
    if (beside && runs.beside) {
      runs.b = new_run('B', runs.beside->spec, runs.settings);
      runs.b->name = run_name(runs.settings, runs.settings.beside);
    }
  }
  view.canvas().playing = false;
  own.at = TrainingView::kNewest, own.branch = false;
}

void branch_off(View& view, const TrainingSettings& settings, std::size_t step) {
  TrainingView& own = view.of<TrainingView>();
  if (!own.runs || !own.runs->a || !own.runs->planned.refusal.empty()) return;
  TrainingRuns& runs = *own.runs;
  TrainedRun& from = own.branch && runs.c ? *runs.c : *runs.a;
  read_run(from);
  const auto& visited = from.seen.visited;
  std::shared_ptr<const TrainingSnapshot> begin;
  for (const auto& snapshot : from.log.snapshots)
    if (snapshot->state.step <= step) begin = snapshot;
  if (visited && visited->step == step) begin = {visited, &visited->at};
  if (!begin) return;
  TrainedRun branch{.letter = 'C', .log = from.log, .begins = begin->state.step};
  branch.name = "from step " + std::to_string(branch.begins);
  go_on_from(branch, begin, runs.planned.spec, settings);
  keep_earlier(runs, runs.c);
  runs.c = std::move(branch);
  own.branch = true, own.other = false, own.at = TrainingView::kNewest;
  view.canvas().playing = true;
}

void show_step(View& view, std::size_t step) {
  TrainingView& own = view.of<TrainingView>();
  own.at = step, own.replayed.reset(), own.back_to.reset();
  view.canvas().playing = false;
}

std::size_t shown_step(const TrainingView& view, const TrainedRun& run) {
  return std::min(view.at, run.end());
}

}  // namespace attn

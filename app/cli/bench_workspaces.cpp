// Workspaces drawn by OpenGL without a display: from a change to the finished picture of what follows from
// it; and what else is measured of them.
#include <algorithm>
#include <functional>
#include <utility>

#include "app/cli/bench.h"
#include "app/host/offscreen.h"
#include "core/checks/edit_reach.h"
#include "core/opencl/devices.h"
#include "core/opencl/watched.h"

namespace attn::bench {
namespace {

constexpr int kWorkspaceWarmUp = 4;
constexpr int kMostFrames = 1000;   // of one edit, before its results are given up
constexpr double kGoesOn = 60'000;  // milliseconds in which work without an end goes on, its kernels compiled

struct TimedSamples {
  Times times;
  std::vector<double> operations;  // that ran, as a multiple of those that were reached
  int stale = 0;
};

// One window, in which the edits follow each other.
class EditTimer {
 public:
  EditTimer(const Workspace& workspace, const TimedEdit& timed, const TimedDevice& device)
      : timed_(timed), budget_(std::make_shared<Budget>()), screen_(options(device)) {
    screen_.app().show(workspace);
    settle();
  }

  void sample(int i, TimedSamples* samples) {
    Application& app = screen_.app();
    if (timed_.busy && !goes_on()) idle_ = true;
    const auto before = app.engine_state().results;
    Document changed = app.document();
    timed_.edit(changed, app.view(), i);
    edit_ = [&] { app.change(changed); };
    const Stopwatch watch;
    draw();
    for (int frame = 1; timed_.waits && !is_shown() && frame < kMostFrames; ++frame) draw();
    if (!samples) return settle();
    samples->times.add(watch);
    samples->stale += !is_shown();
    if (timed_.waits && is_shown()) {
      const EditOperations count = edit_operations(*before, *app.engine_state().results);
      samples->operations.push_back(count.done / count.reached);
    }
  }

  // Work without an end did not go on before some edit.
  bool idle() const { return idle_; }

 private:
  Headless::Options options(const TimedDevice& device) {
    return {.document = timed_.document,
            .settings = Settings{},
            .size = timed_.window,
            .backend = opencl::watched(device.devices, device.word, budget_),
            .budget = budget_,
            .on_top = [this] {
              if (edit_) std::exchange(edit_, {})();
            }};
  }
  // Work without an end rests behind an edit: draws until it goes on again. False: it does not.
  bool goes_on() {
    const std::size_t before = timed_.busy(screen_.app().view());
    for (const Stopwatch watch; !idle_ && watch.wall() < kGoesOn;) {
      draw();
      if (timed_.busy(screen_.app().view()) != before) return true;
    }
    return false;
  }
  void settle() {
    if (!timed_.busy) screen_.lab().settle();
  }
  // Within a frame, as by the mouse: it waits for what follows.
  void draw() {
    screen_.lab().frame();
    screen_.finish();
  }
  bool is_shown() {
    const auto results = screen_.app().engine_state().results;
    return results && results->document == screen_.app().document();
  }

  const TimedEdit& timed_;
  bool idle_ = false;
  std::shared_ptr<Budget> budget_;
  std::function<void()> edit_;  // of this frame
  Offscreen screen_;
};

Measure row_of(const std::string& what, const std::vector<double>& multiples, double target) {
  Measure row = measure_of(what, Times{.wall = multiples, .processor = {}}, target);
  row.processor.reset();
  row.unit = "×";
  return row;
}

std::vector<Measure> edit_rows(const Workspace& workspace, const TimedEdit& timed, const TimedDevice& device,
                               const Amount& amount, Calibration& calibration) {
  constexpr double kMostOperations = 1.2;
  EditTimer timer(workspace, timed, device);
  TimedSamples taken;
  const int warm_up = timed.waits ? 1 : kWorkspaceWarmUp;
  const int samples =
      std::min(timed.waits ? amount.large_samples : amount.samples, timed.most_samples - warm_up);
  for (int i = 0; i < samples + warm_up; ++i) {
    timer.sample(i, i < warm_up ? nullptr : &taken);
    if (i >= warm_up) calibration.sample();
  }
  const std::string what(timed.what);
  std::vector<Measure> rows{measure_of(
      what + (timed.waits ? ": to the picture of it" : ": to the frame of it"), taken.times, timed.target)};
  if (timer.idle()) rows[0].note = "nothing went on meanwhile";
  if (taken.stale > 0) rows[0].note = std::to_string(taken.stale) + " frames showed old numbers";
  if (timed.waits)
    rows.push_back(row_of(what + ": operations ÷ those that it reaches", taken.operations, kMostOperations));
  return rows;
}

}  // namespace

std::vector<Measure> timed_rows(const Workspace& workspace, const TimedDevice& device, const Amount& amount,
                                Calibration& calibration) {
  std::vector<Measure> rows;
  for (const TimedEdit& timed : workspace.timed())
    for (Measure& row : edit_rows(workspace, timed, device, amount, calibration))
      rows.push_back(std::move(row));
  return rows;
}

std::vector<Measure> own_rows(const Workspace& workspace, const TimedDevice& device, const Amount& amount,
                              Calibration& calibration) {
  std::vector<Measure> rows;
  const OwnBench& own = workspace.own_bench;
  if (own.edits)
    for (const TimedEdit& timed : own.edits(amount.quick()))
      for (Measure& row : edit_rows(workspace, timed, device, amount, calibration))
        rows.push_back(std::move(row));
  if (!own.work) return rows;
  Budget budget;
  std::vector<std::string> notes;
  const auto backend = device.devices->choose(device.word, budget, notes);
  for (const TimedWork& work : own.work(*backend, amount.large_samples, amount.quick()))
    rows.push_back(row_of(work.what, work.times, work.target));
  return rows;
}

}  // namespace attn::bench

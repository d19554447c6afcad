// Workspaces drawn by OpenGL without a display: from a change to the finished picture of what follows from
// it.
#include <algorithm>
#include <functional>
#include <utility>

#include "app/cli/bench.h"
#include "app/host/offscreen.h"
#include "core/opencl/watched.h"

namespace attn::bench {
namespace {

constexpr int kWorkspaceWarmUp = 4;

// Within a frame, as by the mouse: it waits for what follows.
Measure timed_row(const Workspace& workspace, const TimedEdit& timed, const TimedDevice& device,
                  const Amount& amount, Calibration& calibration) {
  std::function<void()> edit;  // of this frame
  const auto budget = std::make_shared<Budget>();
  Offscreen screen({.document = timed.document,
                    .settings = Settings{},
                    .size = timed.window,
                    .backend = opencl::watched(device.devices, device.word, budget),
                    .budget = budget,
                    .on_top = [&] {
                      if (edit) std::exchange(edit, {})();
                    }});
  Application& app = screen.app();
  app.show(workspace);
  screen.lab().settle();
  Times times;
  int stale = 0;
  const int samples = std::min(amount.samples, timed.most_samples - kWorkspaceWarmUp);
  for (int i = 0; i < samples + kWorkspaceWarmUp; ++i) {
    Document changed = app.document();
    timed.edit(changed, app.view(), i);
    edit = [&] { app.change(changed); };
    const Stopwatch watch;
    screen.lab().frame();
    screen.finish();
    if (i < kWorkspaceWarmUp) continue;
    times.add(watch);
    const auto results = app.engine_state().results;
    stale += !(results && results->document == app.document());
    calibration.sample();
  }
  Measure row = measure_of(std::string(timed.what) + ": to the frame of it", times, timed.target);
  if (stale > 0) row.note = std::to_string(stale) + " frames showed old numbers";
  return row;
}

}  // namespace

std::vector<Measure> timed_rows(const Workspace& workspace, const TimedDevice& device, const Amount& amount,
                                Calibration& calibration) {
  std::vector<Measure> rows;
  for (const TimedEdit& timed : workspace.timed())
    rows.push_back(timed_row(workspace, timed, device, amount, calibration));
  return rows;
}

}  // namespace attn::bench

// The workspace of kernels drawn by OpenGL without a display: from a point that moves to the finished picture
// of the curves that follow.
#include "app/cli/bench.h"
#include "app/host/offscreen.h"
#include "app/workspaces/workspaces.h"
#include "core/kernels/kernels_graph.h"
#include "core/opencl/devices.h"

namespace attn::bench {
namespace {

const ImVec2 kWindow{1600, 1000};
constexpr std::size_t kPoints = 10'000, kQueries = 1'000;
constexpr int kWarmUp = 4;
constexpr std::chrono::seconds kPatience{10};

const Workspace& kernels_workspace() {
  for (const Workspace& workspace : workspaces())
    if (workspace.build == kKernelsPlan.build) return workspace;
  throw Error("bench: there is no workspace of kernels");
}

bool is_shown(const Application& app) {
  const auto results = app.engine_state().results;
  return results && results->document == app.document();
}

}  // namespace

std::vector<Measure> kernels(const std::string& device, const Amount& amount, Calibration& calibration) {
  constexpr double kTarget = 1000.0 / 60;
  const auto budget = std::make_shared<Budget>();
  Document document;
  KernelsSpec& spec = document.kernels;
  spec.count = kPoints, spec.queries = kQueries;
  spec.kernels = {Kernel::gaussian};
  own_points(spec);
  Offscreen screen(
      {.document = std::move(document),
       .settings = Settings{},
       .size = kWindow,
       .backend =
           [&](std::vector<std::string>& notes) { return opencl::choose_backend(device, *budget, notes); },
       .budget = budget});
  Application& app = screen.app();
  app.show(kernels_workspace());
  screen.lab().settle();
  Times times;
  int stale = 0;
  for (int i = 0; i < amount.samples + kWarmUp; ++i) {
    Document changed = app.document();
    move_point(changed.kernels, kPoints / 2, 2.5f, static_cast<float>(i % 50) / 10);
    const Stopwatch watch;
    app.change(changed);
    screen.lab().frame();
    if (!is_shown(app)) {  // the window sleeps until results wake it
      app.wait_for_results(kPatience);
      screen.lab().frame();
    }
    screen.finish();
    if (i < kWarmUp) continue;
    times.add(watch);
    stale += !is_shown(app);
    calibration.sample();
  }
  std::vector<Measure> rows{
      measure_of("kernels, 1000 queries × 10000 points, one dragged: to the frame of it", times, kTarget)};
  if (stale > 0) rows.back().note = std::to_string(stale) + " frames showed old numbers";
  return rows;
}

}  // namespace attn::bench

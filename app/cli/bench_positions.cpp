// The workspace of positions drawn by OpenGL without a display: from a change to the finished picture of it,
// in a window so tall that every part is in sight.
#include "app/cli/bench.h"
#include "app/host/offscreen.h"
#include "app/workspaces/workspaces.h"
#include "core/opencl/devices.h"
#include "core/positions/positions_graph.h"

namespace attn::bench {
namespace {

const ImVec2 kWindow{1600, 2000};
constexpr std::size_t kLength = 512, kWidth = 128;
constexpr int kWarmUp = 4;
constexpr std::chrono::seconds kPatience{10};

const Workspace& positions_workspace() {
  for (const Workspace& workspace : workspaces())
    if (workspace.build == kPositionsPlan.build) return workspace;
  throw Error("bench: there is no workspace of positions");
}

bool is_shown(const Application& app) {
  const auto results = app.engine_state().results;
  return results && results->document == app.document();
}

}  // namespace

std::vector<Measure> positions(const std::string& device, const Amount& amount, Calibration& calibration) {
  constexpr double kTarget = 33;
  const auto budget = std::make_shared<Budget>();
  Document document;
  document.positions.length = kLength, document.positions.width = kWidth;
  document.positions.trained = kLength * 3 / 4;
  Offscreen screen(
      {.document = std::move(document),
       .settings = Settings{},
       .size = kWindow,
       .backend =
           [&](std::vector<std::string>& notes) { return opencl::choose_backend(device, *budget, notes); },
       .budget = budget});
  Application& app = screen.app();
  app.show(positions_workspace());
  screen.lab().settle();
  std::vector<Measure> rows;
  const auto measure = [&](const char* what, const std::function<void(Document&, View&, int)>& change) {
    Times times;
    int stale = 0;
    for (int i = 0; i < amount.samples + kWarmUp; ++i) {
      Document changed = app.document();
      change(changed, app.view(), i);
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
    rows.push_back(
        measure_of(std::string("positions 512×128, ") + what + ": to the frame of it", times, kTarget));
    if (stale > 0) rows.back().note = std::to_string(stale) + " frames showed old numbers";
  };
  measure("base", [](Document& d, View&, int i) {
    std::get<Sinusoidal>(d.positions.encodings[0]).base = 10000 + 10 * i;
  });
  // Widths that were not there before, or they would be remembered.
  measure("width d", [](Document& d, View&, int i) { d.positions.width = kWidth - 2 * (1 + i % 60); });
  measure("p", [](Document&, View& v, int i) { v.positions.p = static_cast<std::size_t>(i) % kLength; });
  measure("Δ", [](Document&, View& v, int i) { v.positions.delta = i % 200 - 100; });
  return rows;
}

}  // namespace attn::bench

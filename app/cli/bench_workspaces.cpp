// Workspaces drawn by OpenGL without a display: from a change to the finished picture of what follows from
// it.
#include <algorithm>
#include <functional>
#include <utility>

#include "app/cli/bench.h"
#include "app/host/offscreen.h"
#include "app/input.h"
#include "app/workspaces/workspaces.h"
#include "core/cost/cost_plan.h"
#include "core/heads/heads_plan.h"
#include "core/kernels/kernels_graph.h"
#include "core/opencl/watched.h"
#include "core/positions/positions_graph.h"
#include "core/softmax/softmax_graph.h"

namespace attn::bench {
namespace {

constexpr int kWorkspaceWarmUp = 4;

const Workspace& workspace_of(const Plan& plan) {
  return *std::ranges::find(workspaces(), plan.build, &Workspace::build);
}

// A window that stands on a workspace.
class Bench {
 public:
  Bench(const Plan& plan, Document document, ImVec2 window, const TimedDevice& device,
        Calibration& calibration)
      : screen_({.document = std::move(document),
                 .settings = Settings{},
                 .size = window,
                 .backend = opencl::watched(device.devices, device.word, budget_),
                 .budget = budget_,
                 .on_top =
                     [this] {
                       if (edit_) std::exchange(edit_, {})();
                     }}),
        calibration_(calibration) {
    screen_.app().show(workspace_of(plan));
    screen_.lab().settle();
  }

  // Within a frame, as by the mouse: it waits for what follows. `change` makes the i-th sample's document, or
  // looks elsewhere.
  Measure row(const std::string& what, double target, int samples,
              const std::function<void(Document&, View&, int)>& change) {
    Times times;
    int stale = 0;
    Application& app = screen_.app();
    for (int i = 0; i < samples + kWorkspaceWarmUp; ++i) {
      Document changed = app.document();
      change(changed, app.view(), i);
      edit_ = [&] { app.change(changed); };
      const Stopwatch watch;
      screen_.lab().frame();
      screen_.finish();
      if (i < kWorkspaceWarmUp) continue;
      times.add(watch);
      stale += !is_shown();
      calibration_.sample();
    }
    Measure row = measure_of(what + ": to the frame of it", times, target);
    if (stale > 0) row.note = std::to_string(stale) + " frames showed old numbers";
    return row;
  }

 private:
  bool is_shown() {
    const auto results = screen_.app().engine_state().results;
    return results && results->document == screen_.app().document();
  }

  std::function<void()> edit_;  // of this frame
  std::shared_ptr<Budget> budget_ = std::make_shared<Budget>();
  Offscreen screen_;
  Calibration& calibration_;
};

}  // namespace

std::vector<Measure> positions(const TimedDevice& device, const Amount& amount, Calibration& calibration) {
  constexpr std::size_t kLength = 512, kWidth = 128;
  constexpr double kTarget = 33;
  constexpr int kWidths = 60;
  Document document;
  document.positions.length = kLength, document.positions.width = kWidth;
  document.positions.trained = kLength * 3 / 4;
  // So tall that every part is in sight.
  Bench bench(kPositionsPlan, std::move(document), {1600, 2000}, device, calibration);
  const auto row = [&](const char* what, int samples,
                       const std::function<void(Document&, View&, int)>& change) {
    return bench.row(std::string("positions 512×128, ") + what, kTarget, samples, change);
  };
  std::vector<Measure> rows;
  rows.push_back(row("base", amount.samples, [](Document& d, View&, int i) {
    std::get<Sinusoidal>(d.positions.encodings[0]).base = 10000 + 10 * i;
  }));
  // No width comes twice: what has been computed before is remembered.
  rows.push_back(row("width d", std::min(amount.samples, kWidths - kWorkspaceWarmUp),
                     [](Document& d, View&, int i) { d.positions.width = kWidth - 2 * (1 + i % kWidths); }));
  rows.push_back(row("p", amount.samples, [](Document&, View& v, int i) {
    v.positions.p = static_cast<std::size_t>(i) % kLength;
  }));
  rows.push_back(
      row("Δ", amount.samples, [](Document&, View& v, int i) { v.positions.delta = i % 200 - 100; }));
  return rows;
}

std::vector<Measure> kernels(const TimedDevice& device, const Amount& amount, Calibration& calibration) {
  constexpr std::size_t kPoints = 10'000, kQueries = 1'000;
  Document document;
  KernelsSpec& spec = document.kernels;
  spec.count = kPoints, spec.queries = kQueries;
  spec.kernels = {Kernel::gaussian};
  own_points(spec);
  Bench bench(kKernelsPlan, std::move(document), {1600, 1000}, device, calibration);
  return {bench.row("kernels, 1000 queries × 10000 points, one dragged", 1000.0 / 60, amount.samples,
                    [](Document& d, View&, int i) {
                      move_point(d.kernels, kPoints / 2, 2.5f, static_cast<float>(i) / 40);
                    })};
}

std::vector<Measure> softmax(const TimedDevice& device, const Amount& amount, Calibration& calibration) {
  constexpr std::size_t kPairs = 100'000, kWidths = 500;
  Document document = read_document("the-cat-sat-on-mat");
  document.softmax.pairs = kPairs;
  Bench bench(kSoftmaxPlan, std::move(document), {1600, 1000}, device, calibration);
  // As a hand drags it: on and on, so that no width has been computed before.
  return {
      bench.row("softmax, d_k dragged over 100000 random products", 1000.0 / 60,
                std::min(amount.samples, static_cast<int>(kWidths) - kWorkspaceWarmUp),
                [](Document& d, View&, int i) { d.softmax.width = 65 + 2 * static_cast<std::size_t>(i); })};
}

std::vector<Measure> cost(const TimedDevice& device, const Amount& amount, Calibration& calibration) {
  Bench bench(kCostPlan, read_document("the-cat-sat-on-mat"), {1600, 1000}, device, calibration);
  return {bench.row("cost, the marker n dragged", 1000.0 / 60, amount.samples,
                    [](Document& d, View&, int i) { d.cost.n = 1024 + 64 * static_cast<std::size_t>(i); }),
          bench.row("cost, the width d stepped", 33, amount.samples, [](Document& d, View&, int i) {
            d.cost.d = d.cost.heads * (16 + static_cast<std::size_t>(i));
          })};
}

// Of the kinds that compare them, all of a layer's heads at once.
std::vector<Measure> heads(const TimedDevice& device, const Amount& amount, Calibration& calibration) {
  constexpr Sizes kLayer{64, 512, 64};
  Bench bench(kHeadsPlan, layer_of(kLayer), {1600, 1000}, device, calibration);
  return {bench.row("heads, 64 of 64×64, X edited", 33, amount.samples, [](Document& d, View&, int i) {
    d.layer().x = with_value(d.layer().x, {0, 8, 4}, static_cast<float>(i) / 40);
  })};
}

}  // namespace attn::bench

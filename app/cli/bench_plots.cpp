// Plots drawn by OpenGL without a display, their data new in every frame.
#include <cmath>
#include <random>

#include "app/cli/bench.h"
#include "app/host/offscreen.h"
#include "app/plot/plot.h"
#include "app/program/input.h"

namespace attn::bench {
namespace {

const Rect kArea{{40, 60}, {1000, 660}};  // about what a workspace gives its largest plot

// The time of a frame whose plot is `plot(frame number)`.
Times frames_of(const std::function<Plot(int)>& plot, const Amount& amount, Calibration& calibration) {
  Offscreen* running = nullptr;
  Plot shown;
  PlotView view;
  Offscreen screen({.document = read_document("three-tokens"), .settings = Settings{}, .on_top = [&] {
                      if (!running) return;
                      ImGui::SetNextWindowPos({0, 0});
                      ImGui::SetNextWindowSize({kArea.max.x + 40, kArea.max.y + 40});
                      ImGui::Begin("plots", nullptr, ImGuiWindowFlags_NoDecoration);
                      draw_plot(running->lab().theme(), running->app().textures(), running->app().memos(),
                                shown, view, kArea);
                      ImGui::End();
                    }});
  running = &screen;
  Times times;
  constexpr int kPlotWarmUp = 10;
  for (int i = 0; i < amount.samples + kPlotWarmUp; ++i) {
    shown = plot(i);
    const Stopwatch watch;
    screen.lab().frame();
    screen.finish();
    if (i < kPlotWarmUp) continue;
    times.add(watch);
    calibration.sample();
  }
  return times;
}

}  // namespace

// Waves of growing length with a little noise, as training curves and encodings are.
Measure curves(const Amount& amount, Calibration& calibration) {
  constexpr std::size_t kCurves = 20, kSamples = 1'000;
  std::mt19937 random(3);
  std::normal_distribution<float> noise(0, 0.002f);
  const auto plot = [&](int frame) {
    Plot made{.id = "curves", .title = "20 curves", .x = {.title = "step"}};
    for (std::size_t c = 0; c < kCurves; ++c) {
      std::vector<float> y(kSamples);
      const float speed = 0.05f / (1 + static_cast<float>(c)), phase = 0.02f * static_cast<float>(frame);
      for (std::size_t i = 0; i < kSamples; ++i)
        y[i] = std::sin(static_cast<float>(i) * speed + phase) + 0.1f * static_cast<float>(c) + noise(random);
      made.series.push_back({.name = "curve " + std::to_string(c), .y = Samples::of(std::move(y))});
    }
    return made;
  };
  return measure_of("plot of 20 curves of 1\u2009000 points, all new", frames_of(plot, amount, calibration),
                    4);
}

Measure scatter(const Amount& amount, Calibration& calibration) {
  constexpr std::size_t kPoints = 100'000;
  std::mt19937 random(4);
  std::normal_distribution<float> normal;
  std::vector<float> x(kPoints), y(kPoints);
  for (std::size_t i = 0; i < kPoints; ++i) x[i] = normal(random), y[i] = 0.5f * x[i] + normal(random);
  const Samples across = Samples::of(x);
  const auto plot = [&](int frame) {
    y[static_cast<std::size_t>(frame) % kPoints] += 0.5f;
    Plot made{.id = "scatter", .title = "100\u2009000 points"};
    made.series.push_back({.name = "points", .kind = SeriesKind::points, .x = across, .y = Samples::of(y)});
    return made;
  };
  return measure_of("plot of 100\u2009000 points, new", frames_of(plot, amount, calibration), 8);
}

}  // namespace attn::bench

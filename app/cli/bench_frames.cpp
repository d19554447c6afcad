// Frames drawn by OpenGL without a display: from an event to the finished picture of what it did.
#include <algorithm>

#include "app/cli/bench.h"
#include "app/host/offscreen.h"
#include "core/measure/measured_layer.h"
#include "core/opencl/watched.h"
#include "core/text/text.h"

namespace attn::bench {
namespace {

constexpr int kWarmUp = 20;

constexpr std::size_t kLargeLayer = 256;  // tokens

bool is_x(const Stage& stage) {
  return stage.role == Role::token && !stage.field.empty();
}

// Scrubs a cell of X from side to side; every sample is one movement of the mouse.
class Scrubber {
 public:
  explicit Scrubber(Offscreen& screen) : screen_(screen), start_(find_cell(screen.lab(), is_x)) {
    const std::size_t row = screen.lab().view().hovered->cell.row;
    const auto results = screen.lab().results();
    const Graph& graph = results->graph;
    watched_ = {graph.stages[*graph.find(Role::weights)].id, {0, row, row}};
    screen.lab().view().pinned = watched_;  // the inspector shows it with all its digits
    screen.lab().frames(3);
    screen.lab().press();
  }

  // The time from the movement until the picture is finished; with `waits`, until the one that shows its
  // results, which for a large layer is not the next.
  Stopwatch move(bool waits) {
    constexpr int kReach = 60;
    constexpr float kPixels = 2;
    const int phase = ++moves_ % (2 * kReach);
    const float x = kPixels * static_cast<float>(phase < kReach ? phase : 2 * kReach - phase);
    before_ = screen_.app().document();
    const Stopwatch watch;
    screen_.lab().move({start_.x + x, start_.y});
    if (waits) screen_.lab().settle();
    screen_.finish();
    return watch;
  }

  // Whether the picture shows the results of the document as the movement left it.
  bool shows_new_weights() {
    const Document& document = screen_.app().document();
    const auto results = screen_.app().engine_state().results;
    return results && !(document == before_) && results->document == document &&
           screen_.lab().shows(shortest(results->output(watched_.stage)[watched_.cell]));
  }

 private:
  Offscreen& screen_;
  ImVec2 start_;
  Spot watched_;
  Document before_;
  int moves_ = 0;
};

}  // namespace

ImVec2 find_cell(Headless& lab, const std::function<bool(const Stage&)>& wanted) {
  constexpr float kStepX = 30, kStepY = 10;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const auto results = lab.results();
  const Graph& graph = results->graph;
  for (float y = kStepY; y < size.y; y += kStepY)
    for (float x = kStepX; x < size.x; x += kStepX) {
      lab.move({x, y});
      const auto& hovered = lab.view().hovered;
      const auto stage = hovered ? graph.find(hovered->stage) : std::nullopt;
      if (stage && wanted(graph.stages[*stage])) return {x, y};
    }
  throw Error("bench: what is to be pointed at is not on screen");
}

std::string words_of(Sizes sizes) {
  return "n=" + std::to_string(sizes.tokens) + " d=" + std::to_string(sizes.width) +
         " heads=" + std::to_string(sizes.heads);
}

Document layer_of(Sizes sizes) {
  return measured_layer(sizes.tokens, sizes.width, sizes.heads);
}

Measure scrub(Sizes sizes, std::optional<double> target, const TimedDevice& device, const Amount& amount,
              Calibration& calibration) {
  const bool large = sizes.tokens >= kLargeLayer;
  const int samples = large ? amount.large_samples : amount.samples;
  const auto budget = std::make_shared<Budget>();
  Settings settings;
  settings.inspector_width = 420;  // room for all digits of a small weight
  Offscreen screen({.document = layer_of(sizes),
                    .settings = settings,
                    .backend = opencl::watched(device.devices, device.word, budget),
                    .budget = budget});
  Scrubber scrubber(screen);
  for (int i = 0; i < (large ? 2 : kWarmUp); ++i) scrubber.move(large);
  Times times;
  int stale = 0;
  for (int i = 0; i < samples; ++i) {
    times.add(scrubber.move(large));
    stale += !scrubber.shows_new_weights();
    calibration.sample();
  }
  screen.lab().release();
  Measure row = measure_of("scrub X, " + words_of(sizes) + ": event to " + (large ? "its results" : "frame"),
                           times, target);
  if (stale > 0) row.note = std::to_string(stale) + " frames showed old weights";
  return row;
}

Measure rest(Sizes sizes, const Amount& amount, Calibration& calibration) {
  constexpr double kTarget = 2;
  Headless lab({.document = layer_of(sizes), .settings = Settings{}});
  lab.settle();
  Times times;
  for (int i = 0; i < amount.samples; ++i) {
    const Stopwatch watch;
    lab.frame();
    times.add(watch);
    calibration.sample();
  }
  return measure_of("at rest, " + words_of(sizes) + ": a frame without pixels", times, kTarget);
}

Measure maps(const Amount& amount, Calibration& calibration) {
  constexpr std::size_t kMaps = 144, kSide = 128;
  constexpr int kColumns = 16;
  constexpr float kPitch = 98, kDrawn = 94;  // pixels
  const Tensor values = measured_numbers({kMaps, kSide, kSide});
  Application* app = nullptr;
  float range = 3;
  Offscreen screen({.document = layer_of({4, 4, 1}), .settings = Settings{}, .on_top = [&] {
                      if (!app) return;
                      const Theme theme = make_theme(ThemeName::dark, 1, {});
                      for (std::size_t i = 0; i < kMaps; ++i) {
                        const float x = kPitch * static_cast<float>(i % kColumns);
                        const float y = kPitch * static_cast<float>(i / kColumns);
                        app->textures().draw(
                            *ImGui::GetForegroundDrawList(), {x, y}, {x + kDrawn, y + kDrawn},
                            {.values = values, .mask = {}, .head = i, .map = {.range = range}}, theme);
                      }
                    }});
  app = &screen.app();
  screen.lab().frame();  // the first one makes the textures
  screen.finish();
  Times times;
  for (int i = 0; i < amount.samples; ++i) {
    range += 0.01f;  // so that every map changes
    const Stopwatch watch;
    screen.lab().frame();
    screen.finish();
    times.add(watch);
    calibration.sample();
  }
  return measure_of("144 maps of 128×128 in a frame, after the first", times, 16.7);
}

}  // namespace attn::bench

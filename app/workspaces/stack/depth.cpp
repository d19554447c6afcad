// How much of the stream rank 1 misses, over depth: as the stack is, without residuals, and of attention
// alone.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "app/plot/plot_numbers.h"
#include "app/theme/toolkit.h"
#include "app/workspaces/stack/rows_maps.h"
#include "core/stack/rank_depth.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr const char* kDepthStudy = "stack.depth";
constexpr double kLeastRank = 1e-12;   // nothing below it is drawn: rounding is near
constexpr std::size_t kMostDots = 17;  // on a curve; of one layer there are only dots
constexpr double kBesideEnds = 0.03, kAboveOne = 4, kBelowLeast = 4;  // of the axes, beyond the data

// Of two other stacks over the same inputs, in double by the reference.
struct ResidualFound {
  std::array<std::vector<std::optional<double>>, 2> others = {};  // without residuals, attention alone
};

struct ResidualKey {
  std::shared_ptr<const StackSpec> stack = {};
  bool decoder = false;
  bool operator==(const ResidualKey& other) const {
    return decoder == other.decoder && (stack == other.stack || *stack == *other.stack);
  }
};

class ResidualRun {
 public:
  explicit ResidualRun(ResidualKey key) : key_(std::move(key)) {}
  // Some milliseconds; whether both are done.
  bool step(ResidualFound& found) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds kSlice{3};
    for (const Clock::time_point until = Clock::now() + kSlice; Clock::now() < until;) {
      if (!run_)
        run_ = std::make_shared<RankRun>(
            which_ == 0 ? without_residual(*key_.stack) : attention_alone(*key_.stack), key_.decoder);
      const bool done = run_->step();
      found.others[which_] = run_->residuals();
      if (!done) continue;
      run_ = nullptr;
      if (++which_ == found.others.size()) return true;
    }
    return false;
  }

 private:
  ResidualKey key_;
  std::size_t which_ = 0;
  std::shared_ptr<RankRun> run_ = {};
};

// Not before the checks are known: of a large stack a step takes as long as an edit may, and while a hand
// edits there is no time for it.
Study<ResidualFound> study_depth(const StackScene& scene) {
  if (!scene.frame.engine.checks) {
    scene.frame.studies.forget(kDepthStudy);
    return {};
  }
  const ResidualKey key{scene.stack, scene.decoder()};
  const auto begin = [&]() -> StudyStep<ResidualFound> {
    return [run = std::make_shared<ResidualRun>(key)](ResidualFound& found, Backend&) {
      return run->step(found);
    };
  };
  return scene.frame.studies.of<ResidualFound>(kDepthStudy, key, begin);
}

struct ResidualCurve {
  std::string name;
  std::vector<std::optional<double>> residuals;
  ImU32 colour;
  bool dashed = false;
};

// "2e−12"; "< 1e−12" of what is drawn at the lower end.
std::string rank_text(double value) {
  if (value < kLeastRank) return "< 1e−12";
  if (value >= 0.01) return decimal_text(value, 2);
  const int power = static_cast<int>(std::floor(std::log10(value)));
  const double digit = std::round(value / std::pow(10.0, power));
  const std::string minus = "e−";
  const bool carried = digit >= 10;
  return std::to_string(carried ? 1 : static_cast<int>(digit)) + minus +
         std::to_string(carried ? -power - 1 : -power);
}

std::vector<ResidualCurve> depth_curves(const StackScene& scene, const Study<ResidualFound>& study) {
  ResidualCurve built{"as built", {scene.memo.rank_residual_in}, series_colour(2)};
  for (const LayerMeasures& layer : scene.memo.layers) built.residuals.push_back(layer.rank_residual);
  std::vector<ResidualCurve> curves{built};
  if (!study.found || study.stale) return curves;
  // What the device computed in floats ends where they do; without residuals this is the same stack.
  const auto& others = study.found->others;
  if (!scene.spec().residual && others[0].size() == built.residuals.size()) curves[0].residuals = others[0];
  curves.push_back({"no residual", others[0], series_colour(6)});
  curves.push_back({"attention alone", others[1], series_colour(1), true});
  return curves;
}

// What is drawn of a number.
std::optional<double> clipped(const std::optional<double>& residual) {
  return residual ? std::optional(std::max(*residual, kLeastRank)) : std::nullopt;
}

std::string name_with_end(const ResidualCurve& curve, std::size_t places) {
  const bool ended = curve.residuals.size() == places && curve.residuals.back();
  return curve.name + (ended ? " " + rank_text(*curve.residuals.back()) : std::string());
}

void add_curve(Plot& plot, const ResidualCurve& curve, std::size_t places) {
  std::vector<float> y;
  for (const auto& residual : curve.residuals)
    y.push_back(static_cast<float>(clipped(residual).value_or(std::nan(""))));
  if (y.empty()) return;
  Series line{.name = name_with_end(curve, places),
              .y = Samples::of(y),
              .colour = curve.colour,
              .dashed = curve.dashed};
  Series dots = line;
  dots.kind = SeriesKind::points;
  if (places > 2) plot.series.push_back(line);
  if (places <= kMostDots) plot.series.push_back(dots);
}

double least_of(const std::vector<ResidualCurve>& curves) {
  double least = 1;
  for (const ResidualCurve& curve : curves)
    for (const auto& residual : curve.residuals) least = std::min(least, clipped(residual).value_or(1));
  return least;
}

Plot depth_plot(const StackScene& scene, const Study<ResidualFound>& study) {
  Plot plot{.id = "rank residual", .title = "rank residual", .subtitle = {{"what rank 1 misses", true}}};
  const std::vector<ResidualCurve> curves = depth_curves(scene, study);
  const std::size_t places = scene.layers() + 1;
  for (const ResidualCurve& curve : curves) add_curve(plot, curve, places);
  if (!study.error.empty())
    plot.subtitle = {{"no others: " + study.error, true}};
  else if (!study.done)
    plot.subtitle.push_back({"computing the others…", true});
  auto names = std::make_shared<std::vector<std::string>>(1, "in");
  for (std::size_t layer = 0; layer < scene.layers(); ++layer) names->push_back(std::to_string(layer));
  const double beside = kBesideEnds * static_cast<double>(places);
  plot.x = {.title = "after layer",
            .low = -beside,
            .high = static_cast<double>(scene.layers()) + beside,
            .names = std::move(names)};
  plot.y = {.log = true, .low = least_of(curves) / kBelowLeast, .high = kAboveOne};
  plot.legend = PlotLegend::below;
  plot.cursor_hint = "click a dot: that layer";
  return plot;
}

}  // namespace

void draw_rank_residual(StackScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  if (!scene.memo.rank_residual_in) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_title(list, theme, area.min, theme.text, "rank residual", {{"what rank 1 misses"}}, area.width());
    const bool one = scene.stage(scene.side().input).shape.rows < 2;
    const std::string words = !scene.memo.ranked_in ? "– it is being measured"
                              : one                 ? "– one token: rank 1 is all of it"
                                                    : "– what goes in is 0 or no number";
    draw_text(list, theme.fonts.small, {area.min.x, area.min.y + theme.px(kTitleHeight + 4)}, theme.dim,
              words);
    return;
  }
  const PlotEvents events = draw_plot(scene.frame, depth_plot(scene, study_depth(scene)), area);
  if (events.clicked_sample && events.clicked_sample->sample > 0)
    look_at_layer(scene, events.clicked_sample->sample - 1);
}

}  // namespace attn

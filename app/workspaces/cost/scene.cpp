// What is counted once for each change of the study, and how it is written.
#include "app/workspaces/cost/scene.h"

#include <algorithm>
#include <cmath>

#include "app/workspaces/cost/view.h"
#include "core/cost/fields.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr double kNearPower = 0.02;

}  // namespace

MechanismKind CostScene::shown() const {
  const auto& mechanisms = study().mechanisms;
  const MechanismKind opened = view().opened.mechanism;
  return std::ranges::count(mechanisms, opened) > 0 ? opened : mechanisms.front();
}

std::optional<CostScene> cost_scene(Frame& frame) {
  try {
    check_study(frame.draft.cost);
  } catch (const Error&) {  // the notice over the canvas says why
    return std::nullopt;
  }
  CostScene scene{frame, frame.memos.of<CostMemo>()};
  frame.measured_shape = measured_shape(scene.study());
  keep_counts(scene.memo, frame);
  keep_bars(scene.memo, scene.shown());
  return scene;
}

MeasureShape measured_shape(const CostStudy& study) {
  return {.d = study.d,
          .heads = study.heads,
          .kv_heads = study.kv_heads,
          .feed_forward = study.feed_forward == 0 ? 4 * study.d : study.feed_forward};
}

std::string_view why_not_measured(MechanismKind kind) {
  const std::string_view name = kMechanismWords[static_cast<std::size_t>(kind)];
  for (const MeasureSubject& subject : measure_subjects())
    if (subject.name == name) return subject.build ? std::string_view() : subject.why;
  return {};
}

std::optional<MeasuredTime> measured_time(const MeasuredCurve& points, double n) {
  for (std::size_t i = 0; i < points.n.count; ++i) {
    if (points.n[i] == n) return MeasuredTime{points.median[i]};
    if (i == 0 || points.n[i] < n || points.n[i - 1] > n) continue;
    const double along = std::log(n / points.n[i - 1]) / std::log(points.n[i] / points.n[i - 1]);
    return MeasuredTime{points.median[i - 1] * std::pow(points.median[i] / points.median[i - 1], along),
                        true};
  }
  return std::nullopt;
}

ImU32 mechanism_colour(MechanismKind kind) {
  return series_colour(static_cast<std::size_t>(kind));
}

std::string mechanism_title(const CostStudy& study, MechanismKind kind) {
  const std::string title(cost_field::kMechanismTexts[static_cast<std::size_t>(kind)].title);
  if (kind == MechanismKind::window) return title + " " + grouped(study.window);
  if (kind == MechanismKind::strided)
    return title + (study.stride == 0 ? " √n" : " " + grouped(study.stride));
  return title;
}

std::size_t round_tokens(double n) {
  n = std::clamp(n, 1.0, static_cast<double>(cost_field::kMostTokens));
  const double power = std::exp2(std::round(std::log2(n)));
  if (std::abs(n - power) <= kNearPower * power) return static_cast<std::size_t>(power);
  const double unit = std::max(1.0, std::pow(10, std::floor(std::log10(n)) - 2));
  return static_cast<std::size_t>(std::round(n / unit) * unit);
}

void take_tokens(CostStudy& study, double n) {
  study.n = std::min(round_tokens(n), cost_field::kMostTokens);
}

// A formula holds of a layer as the papers have it; of others the number alone is true.
std::string crossing_text(const CostStudy& study, const Crossover& crossing) {
  if (!crossing.n) return "nowhere";
  const CostSpec spec = spec_of(study, MechanismKind::full);
  const bool plain = spec.kv_heads == spec.heads && spec.inner_width() == 4 * spec.d && !spec.gated;
  return (plain ? std::string(crossing.formula) : "n") + " = " + grouped(*crossing.n);
}

void open_cost(View& view, OpenedCost opened) {
  view.of<CostView>().opened = opened;
}

PlotAxis tokens_axis() {
  return {.title = "tokens n", .log = true, .log_base = 2, .low = kFirstTokens, .high = kLastTokens};
}

PlotMarker tokens_marker(const CostScene& scene) {
  return {.id = "n",
          .at = std::clamp(static_cast<double>(scene.n()), kFirstTokens, kLastTokens),
          .label = "n " + grouped(scene.n()),
          .colour = scene.frame.theme.outline,
          .dashed = false,
          .draggable = true,
          .dots = true};
}

void follow_tokens(CostScene& scene, const PlotEvents& events) {
  if (events.marker) take_tokens(scene.study(), events.marker->to);
}

ImU32 run_colour(const Theme& theme, std::size_t run) {
  const std::array<ImU32, kStageRuns.size()> colours{series_colour(0), series_colour(1),
                                                     series_colour(4), series_colour(2),
                                                     series_colour(3), mix(theme.dim, theme.canvas, 0.25f)};
  return colours[run];
}

}  // namespace attn

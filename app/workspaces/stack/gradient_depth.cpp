// Gradient by depth: of fresh stacks, with norms before, after or none.
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "app/inspector/inspector_flow.h"
#include "app/inspector/inspector_numbers.h"
#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "app/workspaces/stack/scene.h"
#include "core/stack/depth_gradients.h"
#include "core/transformer/fields.h"

namespace attn {
namespace {

using namespace inspector;

constexpr float kDepthPlot = 104, kDepthSwatch = 10, kDepthLine = 24, kDepthNames = 0.36f;
constexpr std::array<std::size_t, 3> kDepthColours{2, 1, 6};  // before, after, none

struct DepthMemo {
  DepthTask task = {};
  std::size_t bytes() const { return 0; }  // its tensors are the document's
};

// As they are drawn.
struct DepthSamples {
  std::shared_ptr<const DepthGradients> of = {};
  std::vector<Samples> curves = {};
  std::size_t bytes() const { return bytes_of(curves); }
};

std::string_view name_of(NormAt at) {
  return stack_field::norm_at.word_of(at);
}

// The curves that are found.
Study<DepthGradients> study_depth(Frame& frame) {
  const DepthMemo& memo = frame.memos.of<DepthMemo>(
      frame.engine.results,
      [](DepthMemo& made, const Results& results) { made.task = depth_task(shown_stack(results.document)); });
  return frame.studies.of<DepthGradients>("stack.gradient by depth", memo.task, [&] {
    return [task = memo.task, run = std::shared_ptr<DepthRun>()](DepthGradients& found,
                                                                 Backend& backend) mutable {
      if (!run) run = std::make_shared<DepthRun>(task);
      return run->step(found, backend);
    };
  });
}

const std::vector<Samples>& depth_samples(Frame& frame, const Study<DepthGradients>& study) {
  DepthSamples& memo = frame.memos.of<DepthSamples>();
  if (memo.of == study.found) return memo.curves;
  memo = {study.found, {}};
  for (const DepthCurve& curve : study.found->curves)
    memo.curves.push_back(Samples::of({curve.norms.begin(), curve.norms.end()}));
  return memo.curves;
}

std::string times_text(double ratio) {
  if (!std::isfinite(ratio)) return "–";
  return "×" + (ratio >= 0.01 && ratio < 1000 ? write(ratio, {ratio < 1    ? 2
                                                              : ratio < 10 ? 1
                                                                           : 0,
                                                              false})
                                              : write_distance(ratio));
}

// Names, and the first layer's norm over the last one's.
void draw_depth_legend(Flow& flow, const Study<DepthGradients>& study, Rect area) {
  const Theme& theme = flow.theme();
  for (std::size_t i = 0; i < kDepthNorms.size(); ++i) {
    const float y = area.min.y + static_cast<float>(i) * flow.px(kDepthLine);
    const float middle = y + line_height(flow) / 2;
    const ImU32 colour = set_off(theme, series_colour(kDepthColours[i]), theme.panel, 2);
    flow.list.AddRectFilled({area.min.x, middle - flow.px(1.5f)},
                            {area.min.x + flow.px(kDepthSwatch), middle + flow.px(1.5f)}, colour,
                            flow.px(1.5f));
    const Rect line{{area.min.x + flow.px(kDepthSwatch + kTableGap), y}, {area.max.x, y + line_height(flow)}};
    put(flow, line, std::string(name_of(kDepthNorms[i])), theme.text);
    const bool found = i < study.found->curves.size();
    put(flow, line, found ? times_text(study.found->curves[i].first_over_last()) : "…", theme.dim, 1);
  }
}

void draw_depth_plot(Flow& flow, const Study<DepthGradients>& study, Rect area) {
  Plot plot{.id = "gradient by depth", .y = {.log = true}, .legend = PlotLegend::none};
  plot.x.low = 0, plot.x.high = static_cast<double>(kDepthLayers - 1);
  const std::vector<Samples>& curves = depth_samples(flow.frame, study);
  for (std::size_t i = 0; i < curves.size(); ++i)
    plot.series.push_back({.name = std::string(name_of(kDepthNorms[i])),
                           .y = curves[i],
                           .colour = series_colour(kDepthColours[i]),
                           .emphasised = !study.stale});
  const PlotEvents events = draw_plot(flow.frame, plot, area);
  if (!events.nearest || events.nearest->series >= curves.size()) return;
  const std::size_t layer = events.nearest->sample;
  show_tooltip("norm " + plot.series[events.nearest->series].name + ": ‖∂L/∂x‖ at the entry of layer " +
               std::to_string(layer) + " is " + write(curves[events.nearest->series][layer]));
}

}  // namespace

void inspect_gradient_by_depth(Frame& frame, inspector::Flow& flow) {
  if (!has_numbers(frame.engine.results)) return;
  const std::string layers = std::to_string(kDepthLayers);
  add_heading(flow, ("Gradient by depth, " + layers + " fresh layers").c_str());
  const Study<DepthGradients> study = study_depth(frame);
  if (!study.error.empty()) return add_text(flow, study.error, flow.theme().dim);
  if (!study.found) return add_text(flow, "computing…", flow.theme().dim);
  const Rect area{{flow.left, flow.y}, {flow.right, flow.y + flow.px(kDepthPlot)}};
  const float split = area.max.x - std::max(kDepthNames * area.width(), flow.px(96));
  draw_depth_plot(flow, study, {area.min, {split - flow.px(kWordGap), area.max.y}});
  draw_depth_legend(flow, study, {{split, area.min.y}, area.max});
  flow.y = area.max.y + flow.px(kSignGap);
  add_text(flow,
           "‖∂L/∂x‖ at the entry of each layer, L = Σ G ⊙ output, G random; × is the first over the last.",
           flow.theme().faint, flow.theme().fonts.small);
}

}  // namespace attn

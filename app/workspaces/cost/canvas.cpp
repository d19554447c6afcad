// The canvas of the workspace of costs: its parts, laid out, scrolled to the step of the stage bar.
#include "app/workspaces/cost/row.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/canvas/parts.h"
#include "app/canvas/steps.h"
#include "app/workspaces/cost/scene.h"
#include "core/cost/fields.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr float kCostGapY = 14;
constexpr float kLeastPlot = 220, kLeastAlone = 300, kMostPlot = 460, kStages = 220, kTriple = 900,
                kTableHead = 92, kCurvesTitle = 30, kExponent = 22;

// Side by side where there is room, else below each other.
void place(Shelf& shelf, const Theme& theme, float height,
           std::initializer_list<std::pair<Rect*, float>> parts) {
  const float below = theme.px(kCostGapY);
  if (shelf.right - shelf.left >= theme.px(kRoomyScene))
    return shelf.side_by_side(parts, height, theme.px(kSceneGap), below);
  for (const auto& part : parts) *part.first = shelf.take(height, below);
}

CostAreas lay_out(const CostScene& scene, ImVec2 canvas) {
  CostAreas a;
  const Theme& theme = scene.frame.theme;
  const std::size_t mechanisms = scene.memo.curves.size();
  const float margin = theme.px(kSceneMargin);
  Shelf shelf{margin, canvas.x - margin, theme.px(8)};
  const bool wide =
      shelf.right - shelf.left >= theme.px(kRoomyScene);  // else the legend covers much of a plot
  const auto part = [&](float share, float least) {
    return std::clamp(canvas.y * share, theme.px(least), theme.px(kMostPlot));
  };
  place(shelf, theme, part(0.4f, wide ? kLeastPlot : kLeastAlone), {{&a.time, 0.56f}, {&a.memory, 0.44f}});
  const float table = kTableHead + kTableLine * static_cast<float>(mechanisms);
  place(shelf, theme, theme.px(std::max(kStages, table)), {{&a.stages, 0.52f}, {&a.table, 0.48f}});
  const float last =
      std::max(part(0.222f, 170), theme.px(kCurvesTitle + kExponent * static_cast<float>(mechanisms)));
  if (shelf.right - shelf.left >= theme.px(kTriple)) {
    place(shelf, theme, last, {{&a.decoding, 0.37f}, {&a.roofline, 0.31f}, {&a.exponents, 0.32f}});
  } else {
    place(shelf, theme, last, {{&a.decoding, 1}});
    place(shelf, theme, last, {{&a.roofline, 0.55f}, {&a.exponents, 0.45f}});
  }
  a.content = {canvas.x, shelf.y};
  return a;
}

// The step's chip was pressed, or ← and → came to it.
std::optional<Rect> revealed(const CostScene& scene, const CostAreas& areas) {
  if (std::exchange(scene.frame.canvas().reveal, "").empty()) return std::nullopt;
  const auto step = place_of(scene.frame.steps, scene.frame.canvas().step);
  if (!step) return std::nullopt;
  return std::array{areas.time, areas.roofline, areas.decoding}[*step];
}

}  // namespace

std::vector<StepChip> cost_steps(const Graph& graph, const View&) {
  std::vector<StepChip> chips;
  for (const Step& step : graph.steps)
    chips.push_back({.id = step.title, .title = step.title, .says = step.says, .stages = {}});
  return chips;
}

void draw_cost(Frame& frame, Rect canvas) {
  using Areas = CostAreas;
  draw_parts<CostScene, Areas>(frame, canvas,
                               {cost_scene,
                                lay_out,
                                revealed,
                                {{&Areas::time, draw_cost_time},
                                 {&Areas::memory, draw_cost_memory},
                                 {&Areas::stages, draw_cost_stages},
                                 {&Areas::table, draw_cost_table},
                                 {&Areas::decoding, draw_decoding},
                                 {&Areas::roofline, draw_roofline},
                                 {&Areas::exponents, draw_exponents}}});
}

std::optional<Spot> look_at_tokens(Document& document, View&, const Results&, const std::vector<double>& at) {
  const double n = at[0];
  if (n < 1 || n != std::floor(n) || n > static_cast<double>(cost_field::kMostTokens))
    throw Error(
        "n is a whole number from 1 to " + std::to_string(cost_field::kMostTokens) + ", not " + brief(n),
        Fault::option);
  document.cost.n = static_cast<std::size_t>(n);
  return std::nullopt;
}

}  // namespace attn

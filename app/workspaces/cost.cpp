// The canvas of the workspace of costs: its parts, laid out, scrolled to the step of the stage bar.
#include "app/workspaces/cost.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/workspaces/canvas.h"
#include "app/workspaces/cost_scene.h"
#include "app/workspaces/notice.h"
#include "app/workspaces/progress.h"
#include "app/workspaces/steps.h"
#include "core/cost/study_fields.h"
#include "core/error.h"
#include "core/text.h"

namespace attn {
namespace {

constexpr float kCostGapY = 14;
constexpr float kLeastPlot = 220, kLeastAlone = 300, kMostPlot = 460, kStages = 220, kTriple = 900,
                kTableHead = 92, kTableLine = 24, kCurvesTitle = 30, kExponent = 22;

// Side by side where there is room, else below each other.
void place(Shelf& shelf, const Theme& theme, float height,
           std::initializer_list<std::pair<Rect*, float>> parts) {
  const bool wide = shelf.right - shelf.left >= theme.px(kRoomyScene);
  Rect row{};
  float all = 0, from = 0;
  for (const auto& part : parts) all += part.second;
  if (wide) row = shelf.take(height, theme.px(kCostGapY));
  for (const auto& [rect, share] : parts) {
    *rect = wide ? part_of(row, from / all, (from + share) / all, theme.px(kSceneGap))
                 : shelf.take(height, theme.px(kCostGapY));
    from += share;
  }
}

// The step's chip was pressed, or ← and → came to it.
void reveal(CostScene& scene, const CostAreas& areas, Rect canvas) {
  if (std::exchange(scene.frame.canvas().reveal, "").empty()) return;
  const auto step = place_of(scene.frame.steps, scene.frame.canvas().step);
  if (!step) return;
  const std::array<Rect, 3> to{areas.time, areas.roofline, areas.decoding};
  scroll_to(scene.frame, canvas, areas.content, to[*step]);
}

void draw_parts(CostScene& scene, const CostAreas& areas, Rect canvas) {
  const ImVec2 origin = canvas_origin(scene.frame.canvas(), canvas, areas.content);
  const auto draw = [&](Rect area, auto part) {
    const Rect place = moved(area, origin);
    if (in_sight(place, canvas)) part(scene, place);
  };
  draw(areas.time, draw_cost_time);
  draw(areas.memory, draw_cost_memory);
  draw(areas.stages, draw_cost_stages);
  draw(areas.table, draw_cost_table);
  draw(areas.decoding, draw_decoding);
  draw(areas.roofline, draw_roofline);
  draw(areas.exponents, draw_exponents);
}

}  // namespace

std::vector<StepChip> cost_steps(const Graph& graph, const View&) {
  std::vector<StepChip> chips;
  for (const Step& step : graph.steps)
    chips.push_back({.id = step.title, .title = step.title, .says = step.says, .stages = {}});
  return chips;
}

CostAreas cost_areas(const Theme& theme, ImVec2 canvas, std::size_t mechanisms) {
  CostAreas a;
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

void draw_cost(Frame& frame, Rect canvas) {
  canvas.min.y += draw_notice(frame, canvas);
  begin_canvas(frame, canvas);
  ImVec2 content{canvas.width(), canvas.height()};
  if (auto scene = cost_scene(frame)) {
    const float zoom = frame.canvas().zoom;
    const CostAreas areas =
        cost_areas(frame.theme, {canvas.width() * zoom, canvas.height() * zoom}, scene->memo.curves.size());
    content = areas.content;
    reveal(*scene, areas, canvas);
    draw_parts(*scene, areas, canvas);
  }
  end_canvas(frame, canvas, content);
  draw_progress(frame, canvas);
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

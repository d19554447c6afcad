// What presenting changes of the view, and what it leaves alone.
#include "app/canvas/presenting.h"

#include <algorithm>
#include <utility>

#include "app/canvas/blocks.h"
#include "app/canvas/step_stages.h"
#include "app/canvas/steps.h"
#include "app/frame/look.h"
#include "app/frame/present_view.h"

namespace attn {
namespace {

constexpr float kMargin = 16;             // points
constexpr float kLeastShare = 0.5f;       // of its usual height, that a part can be drawn in
constexpr std::size_t kMostMatrices = 4;  // of a step; more are seen in a part

bool is_part(const Rect& area) {
  return area.width() > 0 && area.height() > 0;
}

ImVec2 middle_of(const Rect& area) {
  return {(area.min.x + area.max.x) / 2, (area.min.y + area.max.y) / 2};
}

// What is lit, else what is of the present step, where they are few.
std::vector<StageIndex> matrices_of_step(const Frame& frame) {
  const StepChip* step = frame.results ? frame.step() : nullptr;
  std::vector<StageIndex> found = frame.results ? lit_stages(frame) : std::vector<StageIndex>();
  if (found.empty() && step) found = shown_stages(frame, *step);
  if (found.size() > kMostMatrices) found.clear();
  return found;
}

}  // namespace

void begin_presenting(View& view) {
  const CanvasView& canvas = view.canvas();
  view.of<PresentView>() = {
      .on = true, .first_workspace = view.workspace, .first_step = canvas.step, .step_before = canvas.step};
  view.controls.fold(), view.inspector.fold();
}

void begin_presenting(View& view, const Graph& graph, const std::vector<StepChip>& steps) {
  begin_presenting(view);
  const CanvasView& canvas = view.canvas();
  const auto pinned = view.pinned ? step_of(view.pinned->stage, graph, steps) : std::nullopt;
  if (pinned)
    step_to(view, steps, place_of(steps, pinned).value_or(0));
  else if (!canvas.step)
    step_to(view, steps, 0);
  view.of<PresentView>().first_step = canvas.step;
}

void present_anew(View& view) {
  PresentView& present = view.of<PresentView>();
  present.sight = {};
  present.shown = 0;
  present.fresh = true;
}

void end_presenting(View& view) {
  const PresentView present = std::exchange(view.of<PresentView>(), {});
  CanvasView& canvas = view.canvas();
  if (view.workspace != present.first_workspace || canvas.step != present.first_step) return;
  canvas.step = present.step_before;
  canvas.step_fade = 1;
}

void present_another(View& view, int direction) {
  PresentView& present = view.of<PresentView>();
  const std::size_t back = direction < 0 ? present.count - 1 : 1;
  present.shown = (present.shown + back) % std::max<std::size_t>(1, present.count);
  present.sight = {};
}

PresentedSight::PresentedSight(View& view) : view_(view) {
  PresentView& present = view.of<PresentView>();
  CanvasView& canvas = view.canvas();
  if (present.workspace != view.workspace || present.step != canvas.step) {
    present_anew(view);
    if (present.workspace != view.workspace) present.part.reset();
    if (canvas.step) canvas.reveal = *canvas.step;
  }
  present.workspace = view.workspace, present.step = canvas.step;
  present.count = 1;
  present.parted = false;
  swap();
}

void PresentedSight::swap() {
  std::swap(static_cast<Viewport&>(view_.canvas()), view_.of<PresentView>().sight);
}

std::optional<std::size_t> presented_one(View& view, std::size_t count) {
  PresentView& present = view.of<PresentView>();
  if (!present.on || present.parted || count < 2) return std::nullopt;
  present.count = count + 1;
  return present.shown == 0 || present.shown > count ? std::nullopt : std::optional(present.shown - 1);
}

Presented choose_presented(Frame& frame, const std::vector<Rect>& parts, const std::optional<Rect>& revealed,
                           bool plot_first) {
  PresentView& present = frame.view.of<PresentView>();
  const std::vector<StageIndex> stages = matrices_of_step(frame);
  std::vector<std::size_t> there;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (is_part(parts[i])) there.push_back(i);
  const std::size_t matrices = stages.size() < 2 ? stages.size() : stages.size() + 1;
  const std::size_t first_part = plot_first ? 0 : matrices, first_matrix = plot_first ? there.size() : 0;
  const auto show = [&](std::size_t part) {
    const auto found = std::ranges::find(there, part);
    if (found != there.end()) present.shown = first_part + static_cast<std::size_t>(found - there.begin());
  };
  if (std::exchange(present.fresh, false)) {
    present.shown = plot_first ? 0 : first_presented(frame, stages);
    if (present.part && matrices > 0) show(*present.part);
  }
  if (revealed && matrices == 0 && !plot_first)
    for (const std::size_t i : there)
      if (parts[i].contains(middle_of(*revealed))) show(i);
  present.parted = true;
  present.count = std::max<std::size_t>(1, matrices + there.size());
  present.shown = std::min(present.shown, present.count - 1);
  present.part.reset();
  if (present.shown >= first_matrix && present.shown < first_matrix + matrices) {
    const std::size_t one = present.shown - first_matrix;
    return {one == 0 ? stages : std::vector{stages[one - 1]}};
  }
  if (!there.empty()) present.part = there[present.shown - first_part];
  return {{}, present.part};
}

void draw_presented(Frame& frame, Rect canvas, const std::vector<StageIndex>& matrices) {
  BlockGroup group;
  for (const StageIndex stage : matrices) {
    const Stage& of = frame.graph.stages[stage];
    const std::size_t shared =
        std::max<std::size_t>(1, heads_of(frame.graph, of.part) / std::max<std::size_t>(1, of.shape.stack));
    group.blocks.push_back(matrix_block(frame, stage, frame.view.layer.head / shared));
  }
  draw_blocks(frame, canvas, {std::move(group)});
}

ImVec2 presented_content(const Frame& frame, Rect canvas, Rect part) {
  const float zoom = frame.canvas().zoom;
  const float height = canvas.height() < kLeastShare * part.height() ? part.height() : canvas.height();
  return {canvas.width() * zoom, height * zoom};
}

Rect within_margin(const Theme& theme, ImVec2 content) {
  const float margin = theme.px(kMargin);
  return {{margin, margin / 2}, {content.x - margin, content.y - margin / 2}};
}

}  // namespace attn

// Which stages of a step the view shows.
#include "app/canvas/step_stages.h"

#include <algorithm>
#include <utility>

#include "app/canvas/blocks.h"
#include "app/frame/lit.h"
#include "app/frame/present_view.h"
#include "app/frame/visible_stages.h"

namespace attn {
namespace {

// Points: of a cell with its number, and of what a matrix has around its cells.
constexpr float kReadableColumn = 27, kReadableRow = 20, kAroundColumns = 50, kAroundRows = 80;

}  // namespace

std::vector<StageIndex> shown_stages(const Frame& frame, const StepChip& step) {
  std::vector<StageIndex> shown;
  for (const StageIndex i : step.stages) {
    const Stage& stage = frame.graph.stages[i];
    if (stage.drawn != Drawn::parameters && on_screen(stage, frame.view)) shown.push_back(i);
  }
  return shown;
}

std::vector<StageIndex> lit_stages(const Frame& frame) {
  const Lit& lit = std::as_const(frame.view).of<Lit>();
  std::vector<StageIndex> shown;
  if (lit.cells.empty()) return shown;
  for (StageIndex i = 0; i < frame.graph.stages.size(); ++i) {
    const Stage& stage = frame.graph.stages[i];
    const bool has_matrix = stage.drawn == Drawn::parameters || on_screen(stage, frame.view);
    if (has_matrix && lights(lit, stage.id)) shown.push_back(i);
  }
  return shown;
}

std::size_t first_presented(const Frame& frame, const std::vector<StageIndex>& stages) {
  if (stages.size() < 2) return 0;
  float width = 0, height = 0;
  const StepChip* step = frame.step();
  std::size_t result = step ? 1 : stages.size();
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Stage& stage = frame.graph.stages[stages[i]];
    width += kAroundColumns + kReadableColumn * static_cast<float>(stage.shape.columns);
    height = std::max(height, kAroundRows + kReadableRow * static_cast<float>(stage.shape.rows));
    if (step && stage.id == step->id) result = i + 1;
  }
  const Theme& theme = frame.theme;
  return theme.px(width) <= frame.area.width() && theme.px(height) <= frame.area.height() ? 0 : result;
}

void begin_with_readable(const Frame& frame, const std::vector<Block>& blocks) {
  PresentView& present = frame.view.of<PresentView>();
  if (!present.on || !std::exchange(present.fresh, false)) return;
  std::vector<StageIndex> stages;
  for (const Block& block : blocks) stages.push_back(block.stage);
  present.shown = first_presented(frame, stages);
}

}  // namespace attn

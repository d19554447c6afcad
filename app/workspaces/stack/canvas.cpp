// The canvas of the workspace of stacks: its parts, laid out.
#include <algorithm>

#include "app/canvas/parts.h"
#include "app/canvas/steps.h"
#include "app/workspaces/stack/row.h"
#include "app/workspaces/stack/scene.h"

namespace attn {
namespace {

constexpr float kStackGapY = 12;

// As drawn: the diagram left of the rows, below both decoding and other weights.
void lay_out_wide(const Theme& theme, ImVec2 canvas, Shelf& shelf, StackAreas& a) {
  const float gap = theme.px(kSceneGap), below = theme.px(kStackGapY);
  const float top = std::max(theme.px(560), canvas.y * 0.69f),
              bottom = std::max(theme.px(240), canvas.y - top - theme.px(40));
  const Rect upper = shelf.take(top, below);
  a.architecture = part_of(upper, 0, 0.36f, gap);
  const Rect right = part_of(upper, 0.36f, 1, gap);
  a.rows = right, a.rows.max.y = right.min.y + right.height() * 0.635f;
  Rect measures = right;
  measures.min.y = a.rows.max.y + below;
  a.depth = part_of(measures, 0, 0.45f, gap), a.last = part_of(measures, 0.45f, 0.736f, gap);
  a.rollout = part_of(measures, 0.736f, 1, gap);
  const Rect lower = shelf.take(bottom, theme.px(kSceneMargin));
  a.decoding = part_of(lower, 0, 0.62f, gap), a.other = part_of(lower, 0.62f, 1, gap);
}

StackAreas lay_out(const StackScene& scene, ImVec2 canvas) {
  StackAreas a;
  const Theme& theme = scene.frame.theme;
  const float margin = theme.px(kSceneMargin), below = theme.px(kStackGapY);
  Shelf shelf{margin, canvas.x - margin, theme.px(8)};
  if (canvas.x >= theme.px(kRoomyScene + 2 * kSceneMargin)) {
    lay_out_wide(theme, canvas, shelf, a);
  } else {
    a.architecture = shelf.take(theme.px(560), below);
    a.rows = shelf.take(theme.px(360), below);
    a.depth = shelf.take(theme.px(220), below);
    shelf.side_by_side({{&a.last, 0.5f}, {&a.rollout, 0.5f}}, theme.px(240), theme.px(kSceneGap), below);
    a.decoding = shelf.take(theme.px(300), below);
    a.other = shelf.take(theme.px(260), margin);
  }
  a.content = {canvas.x, shelf.y};
  return a;
}

std::optional<Rect> revealed(const StackScene& scene, const StackAreas& areas) {
  const auto stage = take_revealed(scene.frame, scene.results.graph);
  return stage ? std::optional(areas.rows) : std::nullopt;
}

}  // namespace

void draw_stack(Frame& frame, Rect canvas) {
  follow_steps(frame);
  if (draw_opened_box(frame, canvas)) return;
  using Areas = StackAreas;
  draw_parts<StackScene, Areas>(frame, canvas,
                                {stack_scene,
                                 lay_out,
                                 revealed,
                                 {{&Areas::architecture, draw_architecture},
                                  {&Areas::rows, draw_layer_rows},
                                  {&Areas::depth, draw_rank_residual},
                                  {&Areas::last, draw_last_layer},
                                  {&Areas::rollout, draw_rollout},
                                  {&Areas::decoding, draw_decoding},
                                  {&Areas::other, draw_other_weights}}});
}

}  // namespace attn

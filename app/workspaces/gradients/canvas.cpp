// The canvas of the workspace of gradients: its parts, laid out, scrolled to the step of the stage bar.
#include <algorithm>
#include <array>

#include "app/canvas/parts.h"
#include "app/canvas/steps.h"
#include "app/workspaces/gradients/row.h"
#include "app/workspaces/gradients/scene.h"

namespace attn {
namespace {

constexpr float kGradientsGapY = 12, kProjectedShare = 0.76f, kAttentionShare = 0.68f;

GradientsAreas lay_out(const GradientsScene& scene, ImVec2 canvas) {
  GradientsAreas a;
  const Theme& theme = scene.frame.theme;
  const float margin = theme.px(kSceneMargin), gap = theme.px(kSceneGap), below = theme.px(kGradientsGapY);
  Shelf shelf{margin, canvas.x - margin, theme.px(8)};
  const auto part = [&](float share, float least) { return std::max(canvas.y * share, least); };
  const bool roomy = canvas.x >= theme.px(kRoomyScene + 2 * kSceneMargin);
  const float width = canvas.x - 2 * margin;
  const float projected = least_projected(scene, roomy ? width * kProjectedShare - gap / 2 : width);
  const float attention = least_attention(scene, roomy ? width * kAttentionShare - gap / 2 : width);
  if (roomy) {
    shelf.side_by_side({{&a.projected, kProjectedShare}, {&a.size, 1 - kProjectedShare}},
                       part(0.35f, projected), gap, below);
    shelf.side_by_side({{&a.attention, kAttentionShare}, {&a.proof, 1 - kAttentionShare}},
                       part(0.34f, attention), gap, below);
    shelf.side_by_side({{&a.noise, 0.36f}, {&a.descend, 0.64f}}, part(0.27f, theme.px(220)), gap, margin);
  } else {
    a.projected = shelf.take(projected, below);
    a.attention = shelf.take(attention, below);
    shelf.side_by_side({{&a.size, 0.45f}, {&a.proof, 0.55f}}, theme.px(290), gap, below);
    a.noise = shelf.take(theme.px(220), below);
    a.descend = shelf.take(theme.px(240), margin);
  }
  a.content = {canvas.x, shelf.y};
  return a;
}

// Of what stands in one place, that which is asked for is shown: tokens and projections, or parameters.
std::optional<Rect> revealed(const GradientsScene& scene, const GradientsAreas& areas) {
  const auto stage = take_revealed(scene.frame, scene.results.graph);
  if (!stage) return std::nullopt;
  const GradientsPlaces& places = scene.places();
  if (*stage == places.wanted) return areas.descend;
  const StageIndex of = scene.stage(*stage).gradient_of.value_or(*stage);
  const auto among = [&](const std::vector<StageIndex>& shown) { return std::ranges::count(shown, of) > 0; };
  if (among(places.parameters)) scene.view().weights = true;
  if (among(places.tokens) || among(places.projected)) scene.view().weights = false;
  constexpr std::array kProjected{Role::token, Role::query, Role::key, Role::value};
  const bool above = among(places.parameters) || std::ranges::count(kProjected, scene.stage(of).role) > 0;
  return above ? projected_place(scene, areas.projected, of) : attention_place(scene, areas.attention, of);
}

}  // namespace

std::vector<StepChip> gradient_steps(const Graph& graph, const View& view) {
  std::vector<StepChip> chips = graph_steps(graph, view);
  std::erase_if(chips, [&](const StepChip& chip) {
    const Role role = graph.stages[chip.stages.front()].role;
    return role != Role::gradient && role != Role::loss;
  });
  return chips;
}

void draw_gradients(Frame& frame, Rect canvas) {
  using Areas = GradientsAreas;
  const std::optional<Spot> pinned = frame.view.pinned;
  draw_parts<GradientsScene, Areas>(frame, canvas,
                                    {gradients_scene,
                                     lay_out,
                                     revealed,
                                     {{&Areas::projected, draw_projected},
                                      {&Areas::attention, draw_attention_pairs},
                                      {&Areas::size, draw_sizes},
                                      {&Areas::proof, draw_proof},
                                      {&Areas::noise, draw_noise},
                                      {&Areas::descend, draw_descent}}});
  if (frame.view.pinned != pinned) aim_one_hot(frame);
}

}  // namespace attn

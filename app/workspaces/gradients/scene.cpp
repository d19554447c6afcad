// What is looked at: one number of the layer, or its gradient.
#include "app/workspaces/gradients/scene.h"

#include <algorithm>

namespace attn {
namespace {

// The stage that a number is of, or that its gradient is of.
std::optional<GradientsScene::Looked> looked(const Results& results, const std::optional<Spot>& spot) {
  const auto stage = spot ? results.graph.find(spot->stage) : std::nullopt;
  if (!stage) return std::nullopt;
  const StageIndex of = results.graph.stages[*stage].gradient_of.value_or(*stage);
  const auto& places = *results.places.as<GradientsPlaces>();
  if (!places.gradients.find(of) || !holds(results.graph.stages[of].shape, spot->cell)) return std::nullopt;
  return GradientsScene::Looked{of, spot->cell};
}

// An input that is clicked stays the one to be proved when it is let go.
void follow_input(const Frame& frame, const Results& results) {
  const auto now = looked(results, frame.view.pinned);
  if (now && results.graph.stages[now->stage].given())
    frame.view.of<GradientsView>().input = frame.view.pinned;
}

}  // namespace

std::optional<GradientsScene::Looked> GradientsScene::looked_at() const {
  if (const auto pinned = looked(results, frame.view.pinned)) return pinned;
  return looked(results, frame.view.hovered);
}

std::optional<GradientsScene::Looked> GradientsScene::input() const {
  if (const auto chosen = looked(results, view().input)) return chosen;
  for (const auto* shown : {&places().tokens, &places().projected, &places().parameters})
    if (!shown->empty()) return Looked{shown->front(), {}};
  return std::nullopt;
}

std::optional<GradientsScene> gradients_scene(Frame& frame) {
  if (!has_numbers(frame.engine.results)) return std::nullopt;
  const Results& results = *frame.results;
  follow_input(frame, results);
  GradientsScene scene{.frame = frame, .results = results, .spec = results.document.gradients};
  scene.head = std::min(frame.view.layer.head, heads_of(results.graph, scene.places().part) - 1);
  return scene;
}

}  // namespace attn

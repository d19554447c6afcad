// The head that is shown, and the row that is followed.
#include "app/workspaces/efficient/scene.h"

#include <algorithm>

namespace attn {
namespace {

// The stage of the pinned number, where its rows are the queries.
std::optional<StageIndex> pinned_of_query(const Results& results, const View& view) {
  const auto& pinned = view.pinned;
  const auto stage = pinned ? results.graph.find(pinned->stage) : std::nullopt;
  if (!stage || results.graph.stages[*stage].rows.along != Axis::queries ||
      !holds(results.graph.stages[*stage].shape, pinned->cell))
    return std::nullopt;
  return stage;
}

std::size_t last_row(const Results& results) {
  return results.graph.stages[results.places.as<EfficientPlaces>()->layer.scores].shape.rows - 1;
}

}  // namespace

std::size_t shown_head(const Results& results, const View& view) {
  return std::min(view.layer.head, heads_of(results.graph, results.places.as<EfficientPlaces>()->part) - 1);
}

std::size_t followed_row(const Results& results, const View& view) {
  const bool pinned = pinned_of_query(results, view).has_value();
  return std::min(pinned ? view.pinned->cell.row : view.of<EfficientView>().row, last_row(results));
}

const Tensor* device_output(const Results& results, Road road) {
  for (const RoadStage& laid : results.places.as<EfficientPlaces>()->roads)
    if (laid.road == road && results.outputs[laid.stage].here()) return &results.outputs[laid.stage].whole();
  return nullptr;
}

void follow_row(const Results& results, View& view, std::size_t row) {
  row = std::min(row, last_row(results));
  view.of<EfficientView>().row = row;
  if (pinned_of_query(results, view)) view.pinned->cell.row = row;
}

std::size_t EfficientScene::row() const {
  return followed_row(results, frame.view);
}

void follow_row(const EfficientScene& scene, std::size_t row) {
  follow_row(scene.results, scene.frame.view, row);
}

std::optional<EfficientScene> efficient_scene(Frame& frame) {
  if (!has_numbers(frame.engine.results)) return std::nullopt;
  const Results& results = *frame.results;
  return EfficientScene{.frame = frame,
                        .results = results,
                        .spec = results.document.efficient,
                        .head = shown_head(results, frame.view)};
}

}  // namespace attn

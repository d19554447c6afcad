// The canvas of the workspace of positions: its parts, laid out, scrolled to the step of the stage bar.
#include "app/workspaces/positions/row.h"

#include <algorithm>
#include <cmath>

#include "app/canvas/parts.h"
#include "app/workspaces/positions/scene.h"
#include "app/workspaces/positions/view.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr double kPositionsPerSecond = 6;

// The part of the canvas that a step of the stage bar is about.
std::optional<Rect> revealed(const PositionsScene& scene, const PositionsAreas& areas) {
  const auto stage = take_revealed(scene.frame, scene.results.graph);
  if (!stage) return std::nullopt;
  const std::size_t part = scene.results.graph.stages[*stage].part;
  const PositionsPlaces& places = scene.places;
  if (part == places.map) return areas.map;
  if (part <= places.rest) return areas.similarity;
  if (part == places.turns) return areas.turns;
  if (part <= places.difference) return areas.scores;
  return part < places.first_order ? areas.distance : areas.orders;
}

// The rows that there are to look at are those of the results.
PositionsAreas lay_out(const PositionsScene& scene, ImVec2 canvas) {
  scene.view().rows = rows_of(fitted(scene.shown(), scene.spec), scene.spec.length);
  return positions_areas(scene, canvas);
}

}  // namespace

void draw_positions(Frame& frame, Rect canvas) {
  using Areas = PositionsAreas;
  draw_parts<PositionsScene, Areas>(frame, canvas,
                                    {positions_scene,
                                     lay_out,
                                     revealed,
                                     {{&Areas::map, draw_position_map},
                                      {&Areas::dimensions, draw_dimensions},
                                      {&Areas::waves, draw_waves},
                                      {&Areas::similarity, draw_similarity},
                                      {&Areas::alike, draw_alike},
                                      {&Areas::turns, draw_turns},
                                      {&Areas::scores, draw_scores_under},
                                      {&Areas::distance, draw_far_scores},
                                      {&Areas::far_weights, draw_far_weights},
                                      {&Areas::stretches, draw_stretches},
                                      {&Areas::orders, draw_orders}}});
}

std::optional<Spot> look_at_position(Document& document, View& view, const Results& results,
                                     const std::vector<double>& at) {
  const Graph& graph = results.graph;
  const auto stage = shown_stage(graph, results.places.as<PositionsPlaces>()->map);
  if (!stage) throw Error("without an encoding there is no row to look at", Fault::option);
  const Shape shape = graph.stages[*stage].shape;
  const auto whole = [](double number) {
    if (number < 0 || number != std::floor(number) || number > 1e9)
      throw Error("positions and dimensions are whole numbers from 0 on, not " + brief(number),
                  Fault::option);
    return static_cast<std::size_t>(number);
  };
  const Cell cell{0, whole(at[0]), whole(at[1])};
  if (cell.row >= shape.rows || cell.column >= shape.columns)
    throw Error("the encoding is " + to_string(shape) + ": it has no place " + std::to_string(cell.row) +
                    "," + std::to_string(cell.column) + " (positions and dimensions are counted from 0)",
                Fault::option);
  view.of<PositionsView>().p = cell.row;
  draw_dimension(document.positions, cell.column);
  return Spot{graph.stages[*stage].id, cell};
}

void play_positions(View& view, const Document&, double seconds) {
  PositionsView& at = view.of<PositionsView>();
  at.turned += seconds * kPositionsPerSecond;
  const auto whole = static_cast<std::size_t>(std::max(0.0, std::floor(at.turned)));
  at.turned -= static_cast<double>(whole);
  at.p += whole;
  if (at.p >= at.rows) at.p = 0;
}

}  // namespace attn

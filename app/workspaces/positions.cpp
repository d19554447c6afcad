// The canvas of the workspace of positions: its parts, laid out, scrolled to the step of the stage bar.
#include "app/workspaces/positions.h"

#include <algorithm>
#include <cmath>

#include "app/workspaces/canvas.h"
#include "app/workspaces/notice.h"
#include "app/workspaces/positions_scene.h"
#include "app/workspaces/progress.h"
#include "core/error.h"
#include "core/text.h"

namespace attn {
namespace {

constexpr double kPositionsPerSecond = 6;

// The part of the canvas that a step of the stage bar is about.
Rect area_of(const PositionsScene& scene, const PositionsAreas& areas, StageIndex stage) {
  const std::size_t part = scene.results.graph.stages[stage].part;
  const PositionsPlaces& places = scene.places;
  if (part == places.map) return areas.map;
  if (part <= places.rest) return areas.similarity;
  if (part == places.turns) return areas.turns;
  if (part <= places.difference) return areas.scores;
  return part < places.first_order ? areas.distance : areas.orders;
}

void reveal(PositionsScene& scene, const PositionsAreas& areas, Rect canvas) {
  const auto stage = take_revealed(scene.frame, scene.results.graph);
  if (!stage) return;
  scroll_to(scene.frame, canvas, areas.content, area_of(scene, areas, *stage));
}

void draw_parts(PositionsScene& scene, const PositionsAreas& areas, Rect canvas) {
  const ImVec2 origin = canvas_origin(scene.frame.canvas(), canvas, areas.content);
  const auto draw = [&](Rect area, auto part) {
    const Rect place = moved(area, origin);
    if (in_sight(place, canvas)) part(scene, place);
  };
  draw(areas.map, draw_position_map);
  draw(areas.dimensions, draw_dimensions);
  draw(areas.waves, draw_waves);
  draw(areas.similarity, draw_similarity);
  draw(areas.alike, draw_alike);
  draw(areas.turns, draw_turns);
  draw(areas.scores, draw_scores_under);
  const Rect weights = moved(areas.far_weights, origin), stretches = moved(areas.stretches, origin);
  if (in_sight(moved(areas.distance, origin), canvas) || in_sight(stretches, canvas))
    draw_far(scene, moved(areas.distance, origin), weights, stretches);
  draw(areas.orders, draw_orders);
}

}  // namespace

void draw_positions(Frame& frame, Rect canvas) {
  canvas.min.y += draw_notice(frame, canvas);
  begin_canvas(frame, canvas);
  ImVec2 content{canvas.width(), canvas.height()};
  if (auto scene = positions_scene(frame)) {
    const float zoom = frame.canvas().zoom;
    frame.view.positions.rows = rows_of(fitted(scene->shown(), scene->spec), scene->spec.length);
    const std::size_t maps = scene->places.scores.size() + (scene->places.mixed ? 1 : 0);
    const PositionsAreas areas = positions_areas(frame.theme, {canvas.width() * zoom, canvas.height() * zoom},
                                                 maps, scene->places.order.size());
    content = areas.content;
    reveal(*scene, areas, canvas);
    draw_parts(*scene, areas, canvas);
  }
  end_canvas(frame, canvas, content);
  draw_progress(frame, canvas);
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
  view.positions.p = cell.row;
  draw_dimension(document.positions, cell.column);
  return Spot{graph.stages[*stage].id, cell};
}

void play_positions(View& view, const Document&, double seconds) {
  PositionsView& at = view.positions;
  at.turned += seconds * kPositionsPerSecond;
  const auto whole = static_cast<std::size_t>(std::max(0.0, std::floor(at.turned)));
  at.turned -= static_cast<double>(whole);
  at.p += whole;
  if (at.p >= at.rows) at.p = 0;
}

}  // namespace attn

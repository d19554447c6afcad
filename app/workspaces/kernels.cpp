// The canvas of the workspace of kernels: its parts, laid out, scrolled to the step of the stage bar.
#include "app/workspaces/kernels.h"

#include <algorithm>
#include <cmath>

#include "app/workspaces/canvas.h"
#include "app/workspaces/kernels_scene.h"
#include "app/workspaces/notice.h"
#include "app/workspaces/progress.h"
#include "core/error.h"
#include "core/kernels/kernels_fields.h"
#include "core/text.h"

namespace attn {
namespace {

constexpr double kQuerySweep = 6;  // seconds from the first query to the last

// Every step of the stage bar is seen in the maps, and the last in the curves.
void reveal(KernelsScene& scene, const KernelsAreas& areas, Rect canvas) {
  const auto stage = take_revealed(scene.frame, scene.results.graph);
  if (!stage || scene.curves.empty()) return;
  const Graph& graph = scene.results.graph;
  const auto& layer = scene.places().layer;
  const bool in_layer = layer && graph.stages[*stage].part == layer->part;
  scroll_to(scene.frame, canvas, areas.content, in_layer ? areas.layer : areas.weights);
}

void draw_parts(KernelsScene& scene, const KernelsAreas& areas, Rect canvas) {
  const ImVec2 origin = canvas_origin(scene.frame.canvas(), canvas, areas.content);
  const auto draw = [&](Rect area, auto part) {
    const Rect place = moved(area, origin);
    if (in_sight(place, canvas)) part(scene, place);
  };
  draw(areas.estimate, draw_estimate);
  draw(areas.kernels, draw_kernel_shapes);
  draw(areas.left_out, draw_left_out);
  draw(areas.weights, draw_kernel_weights);
  draw(areas.layer, draw_same_layer);
  draw(areas.table, draw_points_table);
}

}  // namespace

void draw_kernels(Frame& frame, Rect canvas) {
  canvas.min.y += draw_notice(frame, canvas);
  begin_canvas(frame, canvas);
  ImVec2 content{canvas.width(), canvas.height()};
  if (auto scene = kernels_scene(frame)) {
    const float zoom = frame.canvas().zoom;
    const KernelsAreas areas =
        kernels_areas(frame.theme, {canvas.width() * zoom, canvas.height() * zoom}, scene->curves.size());
    content = areas.content;
    reveal(*scene, areas, canvas);
    draw_parts(*scene, areas, canvas);
  }
  end_canvas(frame, canvas, content);
  draw_progress(frame, canvas);
}

void take_kernel_points(Document& document, View& view, const Tensor& points) {
  if (points.rows() > kernels_field::kMostPoints)
    throw Error("there are " + std::to_string(points.rows()) + " points, and at most " +
                std::to_string(kernels_field::kMostPoints) + " are taken");
  take_points(document.kernels, points);
  view.kernels.selected.reset();
  view.kernels.value = 0;
  view.kernels.q = (document.kernels.first + document.kernels.last) / 2;
}

void play_kernels(View& view, const Document& document, double seconds) {
  const KernelsSpec& spec = document.kernels;
  KernelsView& at = view.kernels;
  at.q += (spec.last - spec.first) * seconds / kQuerySweep;
  const auto [low, high] = std::minmax(spec.first, spec.last);
  if (!(at.q >= low && at.q <= high)) at.q = spec.first;
}

std::optional<Spot> look_at_query(Document& document, View& view, const Results& results,
                                  const std::vector<double>& at) {
  const KernelsSpec& spec = document.kernels;
  const auto [low, high] = std::minmax(spec.first, spec.last);
  if (!(at[0] >= low && at[0] <= high))
    throw Error("the estimates are read from " + brief(low) + " to " + brief(high) + ": there is no query " +
                    brief(at[0]),
                Fault::option);
  if (results.places.as<KernelsPlaces>()->curves.empty())
    throw Error("there are no points: nothing is estimated", Fault::option);
  view.kernels.q = at[0];
  return std::nullopt;  // the inspector opens the query by itself
}

}  // namespace attn

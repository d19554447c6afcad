// The canvas of the workspace of kernels: its parts, laid out, scrolled to the step of the stage bar.
#include "app/workspaces/kernels/row.h"

#include <algorithm>

#include "app/canvas/parts.h"
#include "app/workspaces/kernels/scene.h"
#include "app/workspaces/kernels/view.h"
#include "core/kernels/fields.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr double kQuerySweep = 6;  // seconds from the first query to the last

// Every step of the stage bar is seen in the maps, and the last in the curves.
std::optional<Rect> revealed(const KernelsScene& scene, const KernelsAreas& areas) {
  const auto stage = take_revealed(scene.frame, scene.results.graph);
  if (!stage || scene.curves.empty()) return std::nullopt;
  const auto& layer = scene.places().layer;
  const bool in_layer = layer && scene.results.graph.stages[*stage].part == layer->part;
  return in_layer ? areas.layer : areas.weights;
}

}  // namespace

void draw_kernels(Frame& frame, Rect canvas) {
  using Areas = KernelsAreas;
  draw_parts<KernelsScene, Areas>(frame, canvas,
                                  {kernels_scene,
                                   kernels_areas,
                                   revealed,
                                   {{&Areas::estimate, draw_estimate},
                                    {&Areas::kernels, draw_kernel_shapes},
                                    {&Areas::left_out, draw_left_out},
                                    {&Areas::weights, draw_kernel_weights},
                                    {&Areas::layer, draw_same_layer},
                                    {&Areas::table, draw_points_table}},
                                   true});
}

void take_kernel_points(Document& document, View& view, const ImportedContent& taken) {
  const Tensor& points = taken.points;
  if (points.rows() > kernels_field::kMostPoints)
    throw Error("there are " + std::to_string(points.rows()) + " points, and at most " +
                std::to_string(kernels_field::kMostPoints) + " are taken");
  take_points(document.kernels, points);
  view.of<KernelsView>().selected.reset();
  view.of<KernelsView>().value = 0;
  view.of<KernelsView>().q = (document.kernels.first + document.kernels.last) / 2;
}

void play_kernels(View& view, const Document& document, double seconds) {
  const KernelsSpec& spec = document.kernels;
  KernelsView& at = view.of<KernelsView>();
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
  view.of<KernelsView>().q = at[0];
  return std::nullopt;  // the inspector opens the query by itself
}

}  // namespace attn

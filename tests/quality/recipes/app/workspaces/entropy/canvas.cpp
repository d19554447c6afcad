// The canvas of the workspace of entropy: a curve for each head, over the temperature.
#include <algorithm>

#include "app/canvas/parts.h"
#include "app/plot/plot.h"
#include "app/workspaces/entropy/row.h"
#include "app/workspaces/entropy/view.h"
#include "core/entropy/graph.h"

namespace attn {
namespace {

constexpr std::size_t kNamed = 12;  // heads in the legend; of more only the strong one
constexpr float kLeastPlot = 240;

struct EntropyScene {
  Frame& frame;
  const Results& results;
};

std::optional<EntropyScene> entropy_scene(Frame& frame) {
  if (!has_numbers(frame.engine.results)) return std::nullopt;
  return EntropyScene{frame, *frame.results};
}

struct EntropyAreas {
  Rect plot;
  ImVec2 content;
};

EntropyAreas lay_out(const EntropyScene& scene, ImVec2 canvas) {
  const float margin = scene.frame.theme.px(kSceneMargin);
  canvas.y = std::max(canvas.y, scene.frame.theme.px(kLeastPlot));
  return {{{margin, margin}, {canvas.x - margin, canvas.y - margin}}, canvas};
}

// A click on a curve makes it the strong one.
void draw_curves(EntropyScene& scene, Rect area) {
  const EntropyPlaces& places = *scene.results.places.as<EntropyPlaces>();
  const std::size_t heads = scene.results.outputs[places.entropy[0]].stack();
  std::size_t& strong = scene.frame.view.of<EntropyView>().head;
  Plot plot{.id = "mean entropy",
            .title = "mean entropy",
            .subtitle = {{"of the weights of all queries, in nats"}},
            .x = {.title = "temperature T", .log = true},
            .y = {.low = 0}};
  for (std::size_t head = 0; head < heads; ++head) {
    std::vector<float> means;
    for (const StageIndex stage : places.entropy) means.push_back(scene.results.outputs[stage][{head, 0, 0}]);
    const bool is_strong = head == std::min(strong, heads - 1);
    plot.series.push_back({.name = is_strong || heads <= kNamed ? "head " + std::to_string(head) : "",
                           .x = Samples::of(places.temperatures),
                           .y = Samples::of(std::move(means)),
                           .colour = series_colour(head),
                           .thickness = is_strong ? 3.0f : 1.75f,
                           .emphasised = is_strong});
  }
  plot.markers.push_back({.id = "layer", .at = 1, .label = "the layer’s scores", .dots = true});
  const PlotEvents events = draw_plot(scene.frame, plot, area);
  if (events.clicked_sample) strong = events.clicked_sample->series;
}

}  // namespace

void draw_entropy(Frame& frame, Rect canvas) {
  const auto revealed = [](const EntropyScene&, const EntropyAreas&) -> std::optional<Rect> { return {}; };
  draw_parts<EntropyScene, EntropyAreas>(
      frame, canvas, {entropy_scene, lay_out, revealed, {{&EntropyAreas::plot, draw_curves}}});
}

}  // namespace attn

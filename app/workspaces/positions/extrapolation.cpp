// Beyond the training length: scores and weights of keys far away, and how RoPE is stretched to reach them;
// and one bag of tokens in two orders.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/inspector/inspector_numbers.h"
#include "app/plot/plot.h"
#include "app/theme/toolkit.h"
#include "app/workspaces/positions/scene.h"
#include "core/attention/position_fields.h"
#include "core/positions/fields.h"

namespace attn {
namespace {

constexpr double kLeastScore = -12;   // what falls farther leaves the plot, and the others can be told apart
constexpr double kLeastDrawn = 1e-8;  // drawn: smaller ones are as good as 0

PlotMarker training_marker(const PositionsScene& scene, bool vertical) {
  return {.id = "L_max",
          .vertical = vertical,
          .at = static_cast<double>(scene.spec.trained),
          .label = "L_max",
          .colour = scene.frame.theme.bad,
          .draggable = vertical};
}

bool is_stretched(const PositionsPart& part) {
  const auto* rotary = std::get_if<Rotary>(&part.position);
  return rotary && rotary->stretch != Stretch::none;
}

// The stretches have colours that no encoding has.
ImU32 colour_of(const PositionsScene& scene, const PositionsPart& part) {
  if (!is_stretched(part)) return scene.colour(part.encoding);
  switch (std::get<Rotary>(part.position).stretch) {
    case Stretch::interpolation:
      return series_colour(5);
    case Stretch::ntk:
      return series_colour(6);
    case Stretch::yarn_released:
      return scene.frame.theme.dim;
    case Stretch::llama3:
      return mix(series_colour(5), series_colour(3), 0.6f);
    default:
      return scene.frame.theme.text;
  }
}

// A curve for each encoding over the distance of the keys.
void add_far_series(PositionsScene& scene, Plot& plot, bool weights) {
  for (const PositionsPart& part : scene.places.far) {
    const auto stage = weights ? scene.weights(part) : scene.read_by_softmax(part);
    if (!stage) continue;
    const Tensor& numbers = scene.numbers(*stage);
    Samples row = Samples::of(numbers);
    plot.shows.push_back(*stage);
    row.first = std::min(scene.head, numbers.stack() - 1) * numbers.columns(), row.count = numbers.columns();
    const bool wide = is_stretched(part);
    plot.series.push_back({.name = part.title,
                           .y = row,
                           .colour = colour_of(scene, part),
                           .dashed = wide,
                           .thickness = wide ? 1.2f : 1.75f});
  }
  plot.markers = {training_marker(scene, true)};
}

void set_training(PositionsScene& scene, const PlotEvents& events) {
  if (!events.marker) return;
  const double most = static_cast<double>(positions_field::kMostPositions);
  scene.frame.draft.positions.trained =
      static_cast<std::size_t>(std::clamp(std::round(events.marker->to), 1.0, most));
}

void caption(const PositionsScene& scene, Rect area, const std::string& words, ImU32 colour) {
  const ImFont* font = scene.frame.theme.fonts.small;
  draw_text(*ImGui::GetWindowDrawList(), font, {area.min.x, area.max.y - font_size(font)}, colour,
            elided(font, words, area.width()));
}

}  // namespace

void draw_far_scores(PositionsScene& scene, Rect area) {
  const std::string reach = "one query, the same key at every distance";
  Plot scores{.id = "far scores",
              .title = "beyond training",
              .subtitle = {{"score"}, {reach}},
              .x = {.title = "distance of the key"},
              .y = {.low = kLeastScore}};
  add_far_series(scene, scores, false);
  set_training(scene, draw_plot(scene.frame, scores, area));
}

void draw_far_weights(PositionsScene& scene, Rect area) {
  Plot shares{.id = "far weights",
              .title = "weights that result",
              .subtitle = {{"where positions end, weights end"}},
              .x = {.title = "distance of the key"},
              .y = {.log = true, .low = kLeastDrawn},
              .legend = PlotLegend::none};
  add_far_series(scene, shares, true);
  set_training(scene, draw_plot(scene.frame, shares, area));
}

// Wavelengths pair by pair, as they are and in each stretch.
void draw_stretches(PositionsScene& scene, Rect area) {
  Plot plot{.id = "stretches",
            .title = "RoPE stretched",
            .subtitle = {{"wavelength of each pair"}, {"p / s, NTK-aware, YaRN, Llama 3"}},
            .x = {.title = "pair"},
            .y = {.log = true}};
  for (const PositionsPart& part : scene.places.far) {
    if (!std::holds_alternative<Rotary>(part.position)) continue;
    std::vector<float> waves;
    for (const double frequency : pair_frequencies(part.position, scene.spec.width))
      waves.push_back(static_cast<float>(2 * std::numbers::pi / frequency));
    const bool wide = is_stretched(part);
    const Stretch stretch = std::get<Rotary>(part.position).stretch;
    plot.series.push_back(
        {.name = std::string(position_field::stretch.words[position_field::stretch.index_of(stretch)].title),
         .y = Samples::of(std::move(waves)),
         .colour = colour_of(scene, part),
         .dashed = wide});
  }
  if (plot.series.empty()) return;
  plot.markers = {training_marker(scene, false)};
  draw_plot(scene.frame, plot, area);
}

// The outputs of both orders, and how far they differ once B is put back into A's order.
void draw_orders(PositionsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "order",
             {{"the same tokens, in B every second one first"}, {"outputs"}}, area.width());
  const Rect room{{area.min.x, area.min.y + theme.px(24)}, area.max};
  const std::vector<PositionsPart>& parts = scene.places.order;
  const std::vector<Rect> places = shared_out(theme, room, parts.size());
  std::size_t difference = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Rect place = places[i];
    const auto stage = parts[i].part ? scene.results.graph.find(Role::output, parts[i].part) : std::nullopt;
    if (!stage) {
      caption(scene, place, parts[i].title + ": " + parts[i].why, theme.bad);
      continue;
    }
    place.max.y -= theme.px(16);
    Grid grid = fitted_grid(scene.frame, *stage, scene.head, place);
    grid.title = parts[i].title;
    grid.subtitle = {};
    draw_grid(scene.frame, grid);
    if (!parts[i].reordered) continue;
    const auto between = scene.stage(scene.places.order_difference, difference++);
    if (!between) continue;
    const float largest = scene.results.summaries[*between].largest();
    const bool same = largest < 1e-5f;
    caption(scene, places[i],
            "outputs differ by up to " + inspector::write_distance(static_cast<double>(largest)),
            same ? theme.dim : theme.good);
    if (same) caption(scene, places[i - 1], "order makes no difference", theme.dim);
  }
}

}  // namespace attn

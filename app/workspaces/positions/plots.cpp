// The encoding's dimensions along the positions, the wavelengths of its pairs, and similarities by offset.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/plot/plot.h"
#include "app/workspaces/positions/scene.h"
#include "core/attention/position_fields.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr const char *kHere = "p", *kThere = "p+Δ";  // markers

PlotMarker position_marker(const char* id, double at, ImU32 colour, const char* label) {
  return {.id = id, .at = at, .label = label, .colour = colour, .draggable = true, .dots = true};
}

std::size_t whole(double value, std::size_t most) {
  return static_cast<std::size_t>(std::clamp(std::round(value), 0.0, static_cast<double>(most)));
}

// A dragged marker, and the cell that the pointer is about: the map and the inspector follow.
void follow(PositionsScene& scene, const PlotEvents& events, const Plot& plot, StageIndex stage,
            const std::vector<std::size_t>& dimensions) {
  const Shape shape = scene.numbers(stage).shape();
  PositionsView& view = scene.view();
  if (events.marker) {
    const std::size_t to = whole(events.marker->to, shape.rows - 1);
    if (events.marker->id == kHere)
      view.p = to;
    else
      view.delta = static_cast<std::ptrdiff_t>(to) - static_cast<std::ptrdiff_t>(view.p);
  }
  if (!events.hovered || !events.nearest || events.nearest->series >= dimensions.size()) return;
  const double x = plot.series[events.nearest->series].x_at(events.nearest->sample);
  const Cell cell{0, whole(x, shape.rows - 1), dimensions[events.nearest->series]};
  scene.frame.view.hovered = Spot{scene.results.graph.stages[stage].id, cell};
}

// The row that another view points at.
std::optional<double> linked_row(const PositionsScene& scene, StageIndex stage) {
  const auto& hovered = scene.frame.view.hovered;
  if (!hovered || hovered->stage != scene.results.graph.stages[stage].id) return std::nullopt;
  return static_cast<double>(hovered->cell.row);
}

}  // namespace

void draw_dimensions(PositionsScene& scene, Rect area) {
  const auto stage = scene.stage(scene.places.map);
  if (!stage) return;
  const Tensor& numbers = scene.numbers(*stage);
  Plot plot{.id = "dimensions",
            .title = "dimensions",
            .subtitle = {{"along the positions"}, {"click a column of the map"}},
            .x = {.title = "position"},
            .legend = PlotLegend::right};
  plot.shows = {*stage};
  std::vector<std::size_t> dimensions;
  std::size_t colour = 0;
  for (const std::size_t dimension : scene.spec.dimensions) {
    const ImU32 ink = series_colour(colour++);
    if (dimension >= numbers.columns()) continue;
    Samples column = Samples::of(numbers);
    column.first = dimension, column.stride = numbers.columns(), column.count = numbers.rows();
    plot.series.push_back({.name = std::to_string(dimension), .y = column, .colour = ink});
    dimensions.push_back(dimension);
  }
  const TwoPositions at = two_positions(scene.view(), numbers.rows());
  if (has_rows(fitted(scene.shown(), scene.spec))) {
    plot.markers = {position_marker(kThere, static_cast<double>(at.q), scene.frame.theme.warning, "p+Δ"),
                    position_marker(kHere, static_cast<double>(at.p), scene.frame.theme.outline, "p")};
    plot.linked_x = linked_row(scene, *stage);
  }
  follow(scene, draw_plot(scene.frame, plot, area), plot, *stage, dimensions);
}

void draw_waves(PositionsScene& scene, Rect area) {
  const Position shown = fitted(scene.shown(), scene.spec);
  const auto position = pair_frequencies(shown, scene.spec.width).empty() ? turning(scene.spec) : shown;
  if (!position) return;
  const std::vector<double> frequencies = pair_frequencies(*position, scene.spec.width);
  const std::vector<std::size_t> chosen = chosen_pairs(scene.spec, *position);
  std::vector<float> waves, picked;
  for (std::size_t pair = 0; pair < frequencies.size(); ++pair) {
    const auto wave = static_cast<float>(2 * std::numbers::pi / frequencies[pair]);
    const bool is_chosen = std::ranges::count(chosen, pair) > 0;
    waves.push_back(is_chosen ? std::nanf("") : wave);
    picked.push_back(is_chosen ? wave : std::nanf(""));
  }
  Plot plot{.id = "waves",
            .title = "wavelength",
            .subtitle = {{"of each pair"},
                         {"2π/ω positions"},
                         {.text = "above the line none comes round", .essential = true},
                         {std::string(position_text(*position).title)}},
            .x = {.title = "pair"},
            .y = {.log = true},
            .legend = PlotLegend::none};
  const ImU32 accent = scene.frame.theme.accent;
  const auto bars = [&](std::vector<float> heights, ImU32 colour) {
    plot.series.push_back({.kind = SeriesKind::bars,
                           .y = Samples::of(std::move(heights)),
                           .base = 1,
                           .width = 0.6,
                           .colour = colour});
  };
  bars(std::move(waves), mix(scene.frame.theme.canvas, accent, 0.55f));
  bars(std::move(picked), accent);
  if (const auto map = scene.stage(scene.places.map)) plot.shows = {*map};
  plot.markers = {{.id = "length",
                   .vertical = false,
                   .at = static_cast<double>(scene.spec.length),
                   .label = "length " + std::to_string(scene.spec.length)}};
  const PlotEvents events = draw_plot(scene.frame, plot, area);
  if (!events.clicked_sample) return;
  // A clicked pair is drawn by its first dimension, in the map's columns.
  const auto* rotary = std::get_if<Rotary>(&*position);
  const std::size_t pair = events.clicked_sample->sample;
  const std::size_t dimension = rotary && rotary->pairing == Pairing::half ? pair : 2 * pair;
  draw_dimension(scene.frame.draft.positions, dimension);
}

namespace {

// Of rows that are added, with that of p; else what the encoding makes of a score.
std::optional<Series> similarity_series(const PositionsScene& scene, std::size_t encoding,
                                        std::size_t& others) {
  const PositionsSpec& spec = scene.spec;
  const Position position = fitted(spec.encodings[encoding], spec);
  Series series{.name = std::string(position_text(position).title), .colour = scene.colour(encoding)};
  std::optional<StageIndex> rows;
  if (encoding == 0)
    rows = scene.stage(scene.places.map);
  else if (has_rows(position))
    rows = scene.stage(scene.places.rest, others++);
  if (is_added(position)) {
    if (!rows) return std::nullopt;
    const TwoPositions at = two_positions(scene.view(), scene.numbers(*rows).rows());
    series.y = Samples::of(similarity_to(scene.numbers(*rows), at.p));
    series.x = Samples::range(-static_cast<double>(at.p), 1, series.y.count);
    return series;
  }
  series.y = Samples::of(scene.memo.by_offset[encoding]);
  series.x = Samples::range(-static_cast<double>(scene.memo.reach), 1, series.y.count);
  if (std::holds_alternative<Rotary>(position)) series.name += ", one q·k";
  if (std::holds_alternative<Alibi>(position))
    series.name += ", slope " + shortest(static_cast<float>(alibi_slope(scene.head, spec.heads)));
  return series;
}

double lowest_of(const Series& series) {
  double lowest = series.y[0];
  for (std::size_t i = 1; i < series.y.count; ++i) lowest = std::min(lowest, series.y[i]);
  return lowest;
}

}  // namespace

void draw_similarity(PositionsScene& scene, Rect area) {
  const auto reach = static_cast<double>(scene.memo.reach);
  Plot plot{.id = "similarity",
            .title = "similarity",
            .subtitle = {{"with what is Δ away"}, {"1 at Δ = 0"}},
            .x = {.title = "offset Δ", .low = -reach, .high = reach},
            .legend = PlotLegend::right};
  for (const std::size_t part : {scene.places.map, scene.places.alike})
    if (const auto stage = scene.stage(part)) plot.shows.push_back(*stage);
  std::size_t others = 0;
  double lowest = 0;
  for (std::size_t i = 0; i < scene.spec.encodings.size(); ++i)
    if (auto series = similarity_series(scene, i, others)) {
      if (!std::holds_alternative<Alibi>(scene.spec.encodings[i]))
        lowest = std::min(lowest, lowest_of(*series));
      plot.series.push_back(std::move(*series));
    }
  // ALiBi falls without end: it leaves the plot where others are to be seen.
  if (plot.series.size() > 1) plot.y.low = lowest - 0.1;
  PositionsView& view = scene.view();
  plot.markers = {position_marker(kThere, static_cast<double>(view.delta), scene.frame.theme.warning, "Δ")};
  if (const auto map = scene.stage(scene.places.map))
    if (const auto row = linked_row(scene, *map)) plot.linked_x = *row - static_cast<double>(view.p);
  const PlotEvents events = draw_plot(scene.frame, plot, area);
  if (events.marker)
    view.delta = static_cast<std::ptrdiff_t>(std::clamp(std::round(events.marker->to), -reach, reach));
}

}  // namespace attn

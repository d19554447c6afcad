// The scores as bars that are dragged by their ends, and the weights that they become, under one rule or
// several.
#include <algorithm>
#include <cmath>

#include "app/canvas/edits.h"
#include "app/fields/slider.h"
#include "app/workspaces/softmax/scene.h"
#include "core/softmax/fields.h"
#include "core/text/special.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr const char* kScoresHint = "drag a bar · double-click types · wheel: temperature";
constexpr const char* kWeightsHint = "wheel: temperature";
constexpr double kBarShare = 0.62, kGroupShare = 0.8;  // of a key's width
constexpr double kRoom = 0.18;                         // above and below the bars, for their numbers

// Which bars a series of the scores has.
enum Part { kPositive, kNegative, kHiddenPart, kParts };

Part part_of(const SoftmaxScene& scene, std::size_t key, float score) {
  if (is_hidden(scene, key)) return kHiddenPart;
  return score < 0 ? kNegative : kPositive;
}

// One series for each colour; a bar's sample is its key in all of them.
void add_scores(SoftmaxScene& scene, Plot& plot, const std::vector<float>& scores) {
  const Theme& theme = scene.frame.theme;
  const std::array<ImU32, kParts> colours{theme.cell_positive, theme.cell_negative, theme.faint};
  std::array<std::vector<float>, kParts> bars;
  for (auto& values : bars) values.assign(scores.size(), static_cast<float>(kNan));
  double low = 0, high = 0;
  for (std::size_t key = 0; key < scores.size(); ++key) {
    if (!std::isfinite(scores[key])) continue;
    bars[part_of(scene, key, scores[key])][key] = scores[key];
    low = std::min(low, static_cast<double>(scores[key]));
    high = std::max(high, static_cast<double>(scores[key]));
  }
  for (std::size_t part = 0; part < kParts; ++part)
    plot.series.push_back({.kind = SeriesKind::bars,
                           .x = Samples::range(0, 1, scores.size()),
                           .y = Samples::of(std::move(bars[part])),
                           .width = kBarShare,
                           .colour = colours[part],
                           .numbers = true,
                           .draggable = true,
                           .emphasised = part != kHiddenPart});
  const double span = high > low ? high - low : 1;
  plot.y.low = low < 0 ? low - kRoom * span : -0.04 * span;
  plot.y.high = high > 0 ? high + kRoom * span : 0.04 * span;
}

// What a bar cannot say.
void add_notes(const SoftmaxScene& scene, Plot& plot, const std::vector<float>& scores) {
  for (std::size_t key = 0; key < scores.size() && scores.size() <= 64; ++key) {
    const bool hidden = is_hidden(scene, key);
    if (!hidden && std::isfinite(scores[key])) continue;
    const std::string what = std::isnan(scores[key]) ? "NaN" : scores[key] > 0 ? "∞" : "−∞";
    plot.notes.push_back({.x = static_cast<double>(key),
                          .y = 0,
                          .text = hidden ? "masked" : what,
                          .colour = hidden ? scene.frame.theme.dim : scene.frame.theme.warning,
                          .mark = PlotNote::ring});
  }
}

std::string whose_row(const SoftmaxScene& scene) {
  if (!scene.places().from) return "your own scores";
  const LayerRow& from = *scene.places().from;
  const Axis& rows = scene.stage(scene.places().scores).rows;  // of a softmax over queries keys
  const std::string one =
      from.label.empty() ? std::string(rows.name) + " " + std::to_string(from.query) : "“" + from.label + "”";
  const LayerSpec& layer = scene.results.document.layer();
  if (is_over_heads(layer)) return one + " of the layer, over heads";
  return one + ", head " + std::to_string(from.head) + " of the layer" +
         (is_over_queries(layer) ? ", over queries" : "");
}

// Two digits behind the point, or three digits: more are not aimed at.
float aimed(double score) {
  return static_cast<float>(std::abs(score) < 100 ? std::round(score * 100) / 100 : three_digits(score));
}

void answer_scores(SoftmaxScene& scene, const PlotEvents& events, const std::vector<float>& scores) {
  Frame& frame = scene.frame;
  SoftmaxView& view = scene.view();
  if (events.wheel != 0) turn_temperature(scene.draft(), static_cast<double>(events.wheel));
  follow_sample(scene, events, [&](PlotSpot at) { return scene.spot(scene.places().scores, at.sample); });
  if (events.clicked_sample) view.key = events.clicked_sample->sample;
  if (events.moved) {
    view.key = events.moved->spot.sample;
    attempt(frame, [&](LayerAt in) {
      set_score(in.document, *view.key, aimed(events.moved->to.y), scene.places().from);
    });
    frame.view.hovered = scene.spot(scene.places().softmax.weights, *view.key);
  } else if (events.opened) {
    view.key = events.opened->sample;
    type_score(frame.view, shortest(scores[*view.key]));
  } else if (events.removed) {
    frame.commands.emplace_back("softmax.remove_key");
  }
}

// Side by side at their key; the first has its numbers above.
void add_weights(SoftmaxScene& scene, Plot& plot) {
  const SoftmaxPlaces& places = scene.places();
  std::vector<const WeightingStages*> shown;
  if (std::ranges::count(scene.spec.weightings, Weighting::softmax) > 0) shown.push_back(&places.softmax);
  for (const WeightingStages& other : places.others) shown.push_back(&other);
  const double width = kGroupShare / static_cast<double>(std::max<std::size_t>(1, shown.size()));
  const auto swept = swept_row(scene);
  double high = 1;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const bool softmax = shown[i] == &places.softmax;
    if (swept && !softmax) continue;  // the curves are the softmax's
    Samples y = Samples::of(scene.numbers(shown[i]->weights));
    if (swept) {
      y = Samples::of(scene.numbers(places.curves.weights));
      y.first = *swept * scene.keys(), y.count = scene.keys();
    }
    for (std::size_t key = 0; key < y.count; ++key)
      if (std::isfinite(y[key])) high = std::max(high, y[key]);
    const double offset = (static_cast<double>(i) + 0.5) * width - kGroupShare / 2;
    plot.series.push_back({.name = std::string(weighting_text(shown[i]->weighting).title),
                           .kind = SeriesKind::bars,
                           .x = Samples::range(offset, 1, y.count),
                           .y = y,
                           .width = width * 0.92,
                           .colour = series_colour(static_cast<std::size_t>(shown[i]->weighting)),
                           .numbers = i == 0});
  }
  if (places.softmax.weighting == Weighting::hard && !plot.series.empty())
    plot.series[0].name = "softmax, T → 0";
  plot.y.low = 0, plot.y.high = high * 1.12;
}

// The stage behind each series of the weights.
StageIndex weights_at(const SoftmaxScene& scene, const Plot& plot, std::size_t series) {
  const SoftmaxPlaces& places = scene.places();
  const std::size_t own = std::ranges::count(scene.spec.weightings, Weighting::softmax) > 0 ? 1 : 0;
  if (series < own || plot.series.size() == 1 || series - own >= places.others.size())
    return own == 1 ? places.softmax.weights : places.others[series].weights;
  return places.others[series - own].weights;
}

PlotAxis keys_axis(const SoftmaxScene& scene) {
  return {.low = -0.5, .high = static_cast<double>(scene.keys()) - 0.5, .names = scene.memo.names};
}

std::optional<double> linked_key(const SoftmaxScene& scene) {
  const auto key = looked_at(scene);
  return key ? std::optional(static_cast<double>(*key)) : std::nullopt;
}

}  // namespace

void draw_score_bars(SoftmaxScene& scene, Rect area) {
  const std::vector<float> scores = shown_scores(scene);
  Plot plot{.id = "row",
            .title = "row",
            .subtitle = {{whose_row(scene), true}, {"dragged by the ends"}},
            .x = keys_axis(scene),
            .linked_x = linked_key(scene),
            .legend = PlotLegend::none,
            .wheel_zooms = false,
            .cursor_hint = kScoresHint};
  add_scores(scene, plot, scores);
  add_notes(scene, plot, scores);
  if (const auto key = scene.view().key; key && std::isfinite(scores[*key]))
    plot.selected = PlotSpot{part_of(scene, *key, scores[*key]), *key};
  plot.shows = {scene.places().scores, scene.places().input, scene.places().tempered};
  answer_scores(scene, draw_plot(scene.frame, plot, area), scores);
}

void draw_weight_bars(SoftmaxScene& scene, Rect area) {
  const double t = shown_temperature(scene);
  Plot plot{.id = "weights",
            .title = "weights",
            .subtitle = {{swept_row(scene) ? "at T " + brief(three_digits(t)) : "of the row", true}},
            .x = keys_axis(scene),
            .linked_x = linked_key(scene),
            .wheel_zooms = false,
            .cursor_hint = kWeightsHint};
  add_weights(scene, plot);
  plot.shows = {scene.places().softmax.weights};
  for (const WeightingStages& other : scene.places().others) plot.shows.push_back(other.weights);
  const PlotEvents events = draw_plot(scene.frame, plot, area);
  if (events.wheel != 0) turn_temperature(scene.draft(), static_cast<double>(events.wheel));
  follow_sample(scene, events,
                [&](PlotSpot at) { return scene.spot(weights_at(scene, plot, at.series), at.sample); });
}

}  // namespace attn

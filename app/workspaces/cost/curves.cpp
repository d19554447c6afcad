// Time and memory over n, both logarithmic, with the marker n and what was measured, and what the next token
// costs.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "app/workspaces/cost/scene.h"

namespace attn {
namespace {

constexpr const char* kLengthHint = "drag n · click a curve for its arithmetic";
constexpr float kPoint = 3.4f;
constexpr double kBelowZero = -0.03;  // of the highest: a curve near 0 lies above the axis

float thickness_of(const CostScene& scene, MechanismKind kind, bool held) {
  const OpenedCost& opened = scene.view().opened;
  return opened.held == held && opened.mechanism == kind ? 3.0f : 1.75f;
}

// The median as points over the quartiles as a band. They go by the name of their curve, to be hidden with
// it.
std::vector<Series> points_of(const std::string& name, const MeasuredCurve& points, ImU32 colour) {
  if (points.n.empty()) return {};
  return {{.name = name,
           .kind = SeriesKind::band,
           .x = points.n,
           .y = points.low,
           .y2 = points.high,
           .colour = colour},
          {.name = name,
           .kind = SeriesKind::points,
           .x = points.n,
           .y = points.median,
           .colour = colour,
           .radius = kPoint}};
}

// A plot whose curves and points each open a number when they are clicked.
struct OpeningPlot {
  Plot plot;
  std::vector<OpenedCost> opens = {};  // for each series of the plot

  void add(std::vector<Series> series, const OpenedCost& opened) {
    for (Series& one : series) {
      plot.series.push_back(std::move(one));
      opens.push_back(opened);
    }
  }
  void draw(CostScene& scene, Rect area) {
    plot.markers.push_back(tokens_marker(scene));
    const PlotEvents events = draw_plot(scene.frame, plot, area);
    follow_tokens(scene, events);
    if (events.clicked_sample) open_cost(scene.frame.view, opens[events.clicked_sample->series]);
  }
};

void add_crossings(const CostScene& scene, Plot& plot) {
  for (const Crossover& crossing : scene.memo.crossings) {
    if (!crossing.n || static_cast<double>(*crossing.n) > kLastTokens ||
        static_cast<double>(*crossing.n) < kFirstTokens)
      continue;
    plot.markers.push_back(
        {.id = std::string(crossing.name),
         .at = static_cast<double>(*crossing.n),
         .label = crossing_text(scene.study(), crossing) + ": " + std::string(crossing.title),
         .colour = scene.frame.theme.dim});
  }
}

// The curves lie below the points.
void add_costs(const CostScene& scene, OpeningPlot& to) {
  const Theme& theme = scene.frame.theme;
  const CostMemo& memo = scene.memo;
  for (const CostCurve& curve : memo.curves)
    to.add({{.name = mechanism_title(scene.study(), curve.kind),
             .x = memo.n,
             .y = curve.cost.drawn,
             .colour = mechanism_colour(curve.kind),
             .thickness = thickness_of(scene, curve.kind, false)}},
           {curve.kind});
  // Told in the subtitle: in the legend they would cover more of the plot. Where they are measured too, their
  // points have to be told apart.
  const std::array<std::string, 2> names{scene.timed() ? "Q K V W_O" : "",
                                         scene.timed() ? "+ feed-forward" : ""};
  const OpenedCost projections{scene.shown(), CostStage::q}, rest{scene.shown(), CostStage::feed_forward};
  const std::array<ImU32, 2> colours{theme.dim, theme.faint};
  const auto dashed = [&](const CountedCurve& curve, std::size_t i) {
    return std::vector<Series>{{.name = names[i],
                                .x = memo.n,
                                .y = curve.drawn,
                                .colour = colours[i],
                                .dashed = true,
                                .thickness = 1.2f}};
  };
  to.add(dashed(memo.projections, 0), projections);
  to.add(dashed(memo.rest, 1), rest);
  if (!scene.timed()) return;
  for (const CostCurve& curve : memo.curves)
    to.add(points_of(mechanism_title(scene.study(), curve.kind), curve.points, mechanism_colour(curve.kind)),
           {curve.kind});
  for (std::size_t i = 0; i < memo.baselines.size(); ++i)
    to.add(points_of(names[i], memo.baselines[i], colours[i]), i == 0 ? projections : rest);
}

Subtitle time_subtitle(const CostScene& scene) {
  if (scene.timed()) return {{"dots measured", true}};
  return {{"M measures times", true}, {"dashed: Q K V W_O, + feed-forward"}};
}

// Where the memory of the device ends each mechanism.
void add_ends(const CostScene& scene, Plot& plot) {
  const auto memory = static_cast<double>(scene.memo.memory);
  if (memory <= 0) return;
  plot.markers.push_back({.id = "memory",
                          .vertical = false,
                          .at = memory,
                          .label = "this device: " + short_bytes(memory),
                          .colour = scene.frame.theme.bad});
  for (const CostCurve& curve : scene.memo.curves)
    if (static_cast<double>(curve.longest) <= kLastTokens && curve.longest > 0)
      plot.notes.push_back({.x = static_cast<double>(curve.longest),
                            .y = memory,
                            .text = "n " + grouped(curve.longest),
                            .colour = mechanism_colour(curve.kind)});
}

// Points of more tokens are measured too: the axis is for those that are seen.
double highest_until(const Plot& plot, double x) {
  double highest = 0;
  for (const Series& series : plot.series)
    for (std::size_t i = 0; i < series.count(); ++i)
      if (series.x_at(i) <= x)
        highest = std::max({highest, series.y[i], series.y2.empty() ? 0 : series.y2[i]});
  return highest > 0 ? highest : 1;
}

}  // namespace

void draw_cost_time(CostScene& scene, Rect area) {
  OpeningPlot time{{.id = "time",
                    .title = scene.timed() ? "time of attention" : "operations of attention",
                    .subtitle = time_subtitle(scene),
                    .x = tokens_axis(),
                    .y = {.format = scene.timed() ? PlotAxis::seconds : PlotAxis::number, .log = true},
                    .cursor_hint = kLengthHint}};
  add_costs(scene, time);
  add_crossings(scene, time.plot);
  time.draw(scene, area);
}

void draw_cost_memory(CostScene& scene, Rect area) {
  const auto& format = kFormatWords[static_cast<std::size_t>(scene.study().format)];
  OpeningPlot memory{
      {.id = "memory",
       .title = "memory of attention",
       .subtitle = {{std::string(format), true}, {"queries, keys, values, weights"}, {"dots: the longest n"}},
       .x = tokens_axis(),
       .y = {.format = PlotAxis::bytes, .log = true},
       .legend = PlotLegend::none,
       .cursor_hint = kLengthHint}};
  for (const CostCurve& curve : scene.memo.curves)
    memory.add({{.name = mechanism_title(scene.study(), curve.kind),
                 .x = scene.memo.n,
                 .y = curve.held,
                 .colour = mechanism_colour(curve.kind),
                 .thickness = thickness_of(scene, curve.kind, true)}},
               {curve.kind, std::nullopt, true});
  add_ends(scene, memory.plot);
  memory.draw(scene, area);
}

// What is measured of the next token comes in the order of the counted curves: with the cache, then without.
void draw_decoding(CostScene& scene, Rect area) {
  const CostMemo& memo = scene.memo;
  Plot plot{.id = "decoding",
            .title = "decoding",
            .subtitle = {{"attention of the next token, one layer"}},
            .x = {.title = "tokens so far"},
            .y = scene.timed() ? PlotAxis{.title = "time", .format = PlotAxis::seconds}
                               : PlotAxis{.title = "operations"}};
  plot.x.low = 0, plot.x.high = std::max(1.0, static_cast<double>(scene.n()));
  const std::array<std::string, 2> names{"cache", "K and V again"};
  const std::array<const CountedCurve*, 2> counted{&memo.cached, &memo.again};
  for (std::size_t i = 0; i < names.size(); ++i)
    plot.series.push_back(
        {.name = names[i], .x = memo.past, .y = counted[i]->drawn, .colour = series_colour(i)});
  plot.series.push_back({.name = "all again",
                         .x = memo.past,
                         .y = memo.recomputed.drawn,
                         .colour = scene.frame.theme.dim,
                         .dashed = true});
  if (scene.timed())
    for (std::size_t i = 0; i < std::min(memo.tokens.size(), names.size()); ++i)
      std::ranges::move(points_of(names[i], memo.tokens[i], series_colour(i)),
                        std::back_inserter(plot.series));
  const double highest = highest_until(plot, *plot.x.high);
  plot.y.low = kBelowZero * highest, plot.y.high = 1.08 * highest;
  draw_plot(scene.frame, plot, area);
}

}  // namespace attn

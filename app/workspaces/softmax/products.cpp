// Why scores are divided by √d_k: products of random vectors, the weights that they would become, and how
// widely they spread as d_k grows.
#include <algorithm>
#include <cmath>

#include "app/plot/plot_numbers.h"
#include "app/theme/toolkit.h"
#include "app/workspaces/softmax/scene.h"
#include "core/softmax/fields.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr std::size_t kBins = 61, kShares = 40;
constexpr double kBinReach = 4;       // standard deviations that bins reach to
constexpr double kMostPoints = 1024;  // d_k

// Of a tensor that is another than last time: equal bins from `low` to `high`, as densities.
void measure(Bins& bins, const Tensor& numbers, double low, double high, std::size_t count) {
  if (bins.of == numbers.id()) return;
  bins = {.of = numbers.id(), .width = (high - low) / static_cast<double>(count)};
  bins.moments = moments_of(numbers.values());
  const double each = 1 / (static_cast<double>(numbers.values().size()) * bins.width);
  std::vector<float> density;
  for (const std::size_t in : histogram(numbers.values(), low, high, count)) {
    density.push_back(static_cast<float>(static_cast<double>(in) * each));
    bins.most = std::max(bins.most, static_cast<double>(density.back()));
  }
  bins.x = Samples::range(low + bins.width / 2, bins.width, count);
  bins.density = Samples::of(std::move(density));
}

bool shows(const SoftmaxScene& scene, ProductScale scale) {
  return scene.spec.products == scale || scene.spec.products == ProductScale::both;
}

std::string root_text(const SoftmaxScene& scene) {
  const double root = std::sqrt(static_cast<double>(scene.spec.width));
  return root == std::floor(root) ? brief(root) : "√" + std::to_string(scene.spec.width);
}

void add_bins(Plot& plot, const Bins& bins, const std::string& name, ImU32 colour) {
  plot.series.push_back({.name = name,
                         .kind = SeriesKind::bars,
                         .x = bins.x,
                         .y = bins.density,
                         .width = bins.width,
                         .colour = colour});
}

std::string whole_percent(double share) {
  const double percent = 100 * share;
  if (percent > 0 && percent < 0.5) return "under 1 %";
  return decimal_text(std::round(percent), 0) + " %";
}

std::size_t count_of(const SoftmaxScene& scene) {
  return scene.numbers(scene.places().products.raw).values().size();
}

ImU32 raw_colour() {
  return series_colour(1);
}

ImU32 scaled_colour() {
  return series_colour(0);
}

// Worked out once for each tensor.
const ProductFigures& figures_of(SoftmaxScene& scene) {
  ProductFigures& figures = scene.memo.products;
  const ProductStages& stages = scene.places().products;
  const double root = std::sqrt(static_cast<double>(scene.spec.width));
  measure(figures.raw, scene.numbers(stages.raw), -kBinReach * root, kBinReach * root, kBins);
  measure(figures.scaled, scene.numbers(stages.scaled), -kBinReach, kBinReach, kBins);
  for (const auto& [bins, stage] : {std::pair{&figures.raw_largest, stages.raw_largest},
                                    std::pair{&figures.scaled_largest, stages.scaled_largest}}) {
    measure(*bins, scene.numbers(stage), 0, 1, kShares);
    bins->over = share_over(scene.numbers(stage).values(), kMuch);
  }
  figures.sd.resize(stages.widths.size());
  for (std::size_t i = 0; i < stages.widths.size(); ++i) {
    const Tensor& products = scene.numbers(stages.of_width[i]);
    if (figures.sd[i].first != products.id())
      figures.sd[i] = {products.id(), moments_of(products.values()).sd};
  }
  return figures;
}

}  // namespace

void draw_products(SoftmaxScene& scene, Rect area) {
  const ProductFigures& figures = figures_of(scene);
  Plot plot{.id = "products",
            .title = "why 1/√d_k",
            .subtitle = {{decimal_text(static_cast<double>(count_of(scene)), 0) + " random q·k"},
                         {"d_k " + std::to_string(scene.spec.width), true},
                         {"seed " + std::to_string(scene.spec.seed)}},
            .x = {.title = "score"},
            .y = {.low = 0}};
  double most = 0;
  if (shows(scene, ProductScale::raw)) {
    add_bins(plot, figures.raw, "raw, sd " + four_digits(figures.raw.moments.sd), raw_colour());
    most = std::max(most, figures.raw.most);
  }
  if (shows(scene, ProductScale::scaled)) {
    add_bins(plot, figures.scaled, "÷ " + root_text(scene) + ", sd " + four_digits(figures.scaled.moments.sd),
             scaled_colour());
    most = std::max(most, figures.scaled.most);
  }
  plot.y.high = 1.08 * std::max(most, 1e-6);
  plot.shows = scene.places().products.of_width;
  plot.shows.insert(plot.shows.end(), {scene.places().products.raw, scene.places().products.scaled});
  draw_plot(scene.frame, plot, area);
}

void draw_largest(SoftmaxScene& scene, Rect area) {
  const ProductFigures& figures = figures_of(scene);
  Plot plot{
      .id = "largest",
      .title = "largest weight",
      .subtitle =
          {{"of " + std::to_string(scene.spec.row_keys) + (scene.spec.row_keys == 1 ? " key" : " keys"),
            true},
           {"over " +
            decimal_text(static_cast<double>(scene.numbers(scene.places().products.raw_largest).rows()), 0) +
            " rows"}},
      .x = {.title = "a_max", .low = 0, .high = 1},
      .y = {.low = 0},
      .legend = PlotLegend::none};
  if (shows(scene, ProductScale::raw)) add_bins(plot, figures.raw_largest, "raw", raw_colour());
  if (shows(scene, ProductScale::scaled))
    add_bins(plot, figures.scaled_largest, "÷ " + root_text(scene), scaled_colour());
  plot.markers.push_back({.id = "much", .at = kMuch, .label = "0.9", .colour = scene.frame.theme.dim});
  plot.shows = {scene.places().products.raw_largest, scene.places().products.scaled_largest};
  draw_plot(scene.frame, plot, area);
}

void draw_widths(SoftmaxScene& scene, Rect area) {
  const ProductStages& stages = scene.places().products;
  const ProductFigures& figures = figures_of(scene);
  std::vector<float> widths, raw, scaled, root;
  for (std::size_t i = 0; i < stages.widths.size(); ++i) {
    const double sd = figures.sd[i].second, expected = std::sqrt(static_cast<double>(stages.widths[i]));
    widths.push_back(static_cast<float>(stages.widths[i]));
    raw.push_back(static_cast<float>(sd));
    scaled.push_back(static_cast<float>(sd / expected));
    root.push_back(static_cast<float>(expected));
  }
  const Samples x = Samples::of(std::move(widths));
  Plot plot{.id = "widths",
            .title = "sd against d_k",
            .subtitle = {{"grows as √d_k"}},
            .x = {.title = "d_k", .log = true, .log_base = 2, .low = 0.8, .high = 1.25 * kMostPoints},
            .y = {.log = true, .log_base = 2, .low = 0.5, .high = 48},
            .legend = PlotLegend::none,
            .clickable = true,
            .cursor_hint = "drag d_k"};
  plot.series.push_back({.name = "√d_k",
                         .x = x,
                         .y = Samples::of(std::move(root)),
                         .colour = scene.frame.theme.dim,
                         .dashed = true});
  if (shows(scene, ProductScale::raw))
    plot.series.push_back({.name = "raw",
                           .kind = SeriesKind::points,
                           .x = x,
                           .y = Samples::of(std::move(raw)),
                           .colour = raw_colour()});
  if (shows(scene, ProductScale::scaled))
    plot.series.push_back({.name = "÷ √d_k",
                           .kind = SeriesKind::points,
                           .x = x,
                           .y = Samples::of(std::move(scaled)),
                           .colour = scaled_colour()});
  plot.markers.push_back({.id = "d_k",
                          .at = static_cast<double>(scene.draft().width),
                          .label = std::to_string(scene.draft().width),
                          .colour = scene.frame.theme.outline,
                          .draggable = true});
  plot.shows = stages.of_width;
  plot.shows.insert(plot.shows.end(), {stages.raw, stages.scaled});
  const PlotEvents events = draw_plot(scene.frame, plot, area);
  const auto take = [&](double width) {
    scene.draft().width = static_cast<std::size_t>(
        std::clamp(std::round(width), 1.0, static_cast<double>(softmax_field::kMostWidth)));
  };
  if (events.marker)
    take(events.marker->to);
  else if (events.clicked_sample)
    take(plot.series[events.clicked_sample->series].x[events.clicked_sample->sample]);
}

void draw_share(SoftmaxScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  const ProductFigures& figures = figures_of(scene);
  const std::string words = "raw, " + whole_percent(figures.raw_largest.over) +
                            " of the rows put more than 0.9 on one key; ÷ √d_k, " +
                            whole_percent(figures.scaled_largest.over);
  draw_text(*ImGui::GetWindowDrawList(), theme.fonts.body, area.min, theme.warning,
            elided(theme.fonts.body, words, area.width()));
}

}  // namespace attn

// The content of the drawings of Cost, Kernels, Positions and Softmax, with numbers like theirs.
#include "tests/app/plot_gallery.h"

#include <algorithm>
#include <array>
#include <random>

#include "tests/app/plot_lab.h"

namespace attn::tests {
namespace {

const std::array<const char*, 6> kMechanisms{"full", "flash", "window 256", "strided", "linear", "recurrent"};

}  // namespace

Plot time_plot() {
  Plot plot{.id = "time", .title = "time of one layer"};
  plot.subtitle = {{"lines counted, dots measured on this device", true}};
  plot.x = {.title = "tokens n", .log = true, .log_base = 2};
  plot.y = {.format = PlotAxis::seconds, .log = true, .low = 1e-6, .high = 1e6};
  const double slope[] = {2, 2, 1.1, 1.5, 1, 1}, at_16[] = {1.5e-5, 7e-6, 9e-6, 7e-6, 3e-5, 8e-4};
  for (std::size_t m = 0; m < kMechanisms.size(); ++m) {
    std::vector<double> x, y, measured_x, measured_y;
    for (double n = 16; n <= 1048576; n *= 2) {
      x.push_back(n), y.push_back(at_16[m] * std::pow(n / 16, slope[m]));
      if (n >= 32 && n <= 8192) measured_x.push_back(n), measured_y.push_back(y.back() * 1.1);
    }
    plot.series.push_back({.name = kMechanisms[m], .x = samples(x), .y = samples(y)});
    Series measured = points(kMechanisms[m], measured_x, measured_y);
    plot.series.push_back(std::move(measured));
  }
  plot.markers = {{.id = "n", .at = 4096, .label = "n 4\u2009096", .dashed = false, .draggable = true},
                  {.id = "6d", .at = 4608, .label = "n = 6d: attention = the rest"}};
  return plot;
}

Plot memory_plot(const Theme& theme) {
  Plot plot = time_plot();
  plot.id = plot.title = "memory of one layer";
  plot.subtitle = {{"weights, queries, keys, values", true}, {"float16", false}};
  plot.y = {.format = PlotAxis::bytes, .log = true};
  for (Series& series : plot.series) {
    std::vector<double> bytes;
    for (std::size_t i = 0; i < series.count(); ++i) bytes.push_back(series.y[i] * 3e9);
    series.y = samples(bytes);
  }
  std::erase_if(plot.series, [](const Series& s) { return s.kind == SeriesKind::points; });
  plot.legend = PlotLegend::none;
  plot.markers = {
      {.id = "n", .at = 4096, .dashed = false},
      {.id = "device", .vertical = false, .at = 24e9, .label = "this device: 24 GB", .colour = theme.bad}};
  plot.notes = {{.x = 16 * std::sqrt(24e9 / 4.5e4),
                 .y = 24e9,
                 .text = "full ends at n = 11\u2009685",
                 .colour = theme.bad}};
  return plot;
}

Plot decoding_plot() {
  Plot plot{.id = "decoding", .title = "decoding"};
  plot.subtitle = {{"cost of the next token", true}, {"with cache, and without", true}};
  plot.x = {.title = "tokens so far"};
  plot.y = {.format = PlotAxis::seconds};
  plot.series = {function_curve("cache", 65, 64, [](double) { return 0.8e-3; }),
                 function_curve("no cache", 65, 64, [](double n) { return 0.015e-3 * n + 3.5e-9 * n * n; })};
  return plot;
}

Plot estimate_plot() {
  Plot plot{.id = "estimate", .title = "estimate"};
  plot.subtitle = {{"points, true curve, four kernels", true}, {"σ 0.45", true}};
  plot.x = {.title = "x"};
  std::mt19937 random(7);
  std::normal_distribution<double> noise;
  std::uniform_real_distribution<double> place(0, 5);
  const auto truth = [](double x) { return 2 * std::sin(x) + x; };
  std::vector<double> x, y, shade, weight;
  for (int i = 0; i < 40; ++i) x.push_back(place(random));
  std::ranges::sort(x);
  for (const double at : x) {
    y.push_back(truth(at) + noise(random));
    shade.push_back(std::exp(-std::pow((at - 2.4) / 0.45, 2) / 2));
    weight.push_back(-2.5 + 1.8 * shade.back());
  }
  const auto estimate = [&](double at, const auto& kernel) {
    double sum = 0, all = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double k = kernel((at - x[i]) / 0.45);
      sum += k * y[i], all += k;
    }
    return sum / all;
  };
  const auto add = [&](const char* name, const auto& kernel) {
    plot.series.push_back(function_curve(name, 501, 0.01, [&](double at) { return estimate(at, kernel); }));
  };
  add("Gaussian", [](double u) { return std::exp(-u * u / 2); });
  add("boxcar", [](double u) { return std::abs(u) < 1 ? 1.0 : 0.0; });
  add("Epanechnikov", [](double u) { return std::max(0.0, 1 - u * u); });
  add("triangular", [](double u) { return std::max(0.0, 1 - std::abs(u)); });
  Series true_curve = function_curve("true curve", 501, 0.01, truth);
  true_curve.colour = IM_COL32(0x9a, 0x9e, 0xa9, 255), true_curve.dashed = true;
  plot.series.push_back(true_curve);
  Series data = points("", x, y);
  data.shade = samples(shade), data.draggable = true;
  plot.series.push_back(data);
  Series kernel = function_curve(
      "", 501, 0.01, [](double at) { return -2.5 + 2 * std::exp(-std::pow((at - 2.4) / 0.45, 2) / 2); });
  kernel.kind = SeriesKind::band, kernel.base = -2.5, kernel.colour = series_colour(0);
  plot.series.push_back(kernel);
  Series stems{.kind = SeriesKind::stems,
               .x = samples(x),
               .y = samples(weight),
               .base = -2.5,
               .colour = series_colour(0),
               .thickness = 3};
  plot.series.push_back(stems);
  plot.markers = {{.id = "q", .at = 2.4, .draggable = true}};
  plot.notes = {{.x = 2.4,
                 .y = estimate(2.4, [](double u) { return std::exp(-u * u / 2); }),
                 .text = "f(2.4) = 3.718",
                 .mark = PlotNote::ring}};
  plot.clickable = true;
  plot.cursor_hint = "click adds a point";
  return plot;
}

Plot kernels_plot() {
  Plot plot{.id = "kernels", .title = "kernels", .legend = PlotLegend::none};
  plot.subtitle = {{"κ(u), u = (q−x)/σ", true}};
  const auto add = [&](const char* name, const auto& f) {
    Series series = function_curve(name, 601, 0.01, [&](double u) { return f(u - 3); });
    series.x = Samples::range(-3, 0.01, 601);
    plot.series.push_back(series);
  };
  add("Gaussian", [](double u) { return std::exp(-u * u / 2); });
  add("boxcar", [](double u) { return std::abs(u) < 1 ? 1.0 : 0.0; });
  add("Epanechnikov", [](double u) { return std::max(0.0, 0.75 * (1 - u * u)); });
  add("triangular", [](double u) { return std::max(0.0, 1 - std::abs(u)); });
  return plot;
}

Plot dimensions_plot() {
  Plot plot{.id = "dimensions", .title = "dimensions", .legend = PlotLegend::right};
  plot.subtitle = {{"along the positions", true}, {"click a column of the map", false}};
  plot.x = {.title = "position"};
  for (const int d : {0, 6, 7, 14, 24})
    plot.series.push_back(function_curve(std::to_string(d), 631, 0.1, [&](double p) {
      const double angle = p * std::pow(10000.0, -(d - d % 2) / 32.0);
      return d % 2 ? std::cos(angle) : std::sin(angle);
    }));
  plot.markers = {{.id = "p", .at = 17, .draggable = true, .dots = true}};
  return plot;
}

Plot wavelength_plot() {
  Plot plot{.id = "wavelength", .title = "wavelength"};
  plot.subtitle = {{"of each pair, in positions", true}, {"2π/ωᵢ", false}};
  plot.x = {.title = "dimension"};
  plot.y = {.log = true};
  std::vector<double> x, y, shade;
  for (int i = 0; i < 16; ++i) x.push_back(2 * i), y.push_back(2 * M_PI * std::pow(10000.0, i / 16.0));
  Series bars{
      .kind = SeriesKind::bars, .x = samples(x), .y = samples(y), .width = 0.7, .colour = series_colour(0)};
  plot.series.push_back(bars);
  plot.markers = {
      {.id = "length", .vertical = false, .at = 64, .label = "length 64: longer waves never come round"}};
  return plot;
}

Plot similarity_plot() {
  Plot plot{.id = "similarity", .title = "similarity"};
  plot.subtitle = {{"with the position Δ away", true}, {"each ÷ its value at Δ = 0", true}};
  plot.x = {.title = "offset Δ"};
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, 0.2);
  const auto add = [&](const char* name, const auto& f) {
    Series series = function_curve(name, 63, 1, [&](double i) { return f(i - 31); });
    series.x = Samples::range(-31, 1, 63);
    plot.series.push_back(series);
  };
  add("sinusoidal", [](double d) {
    double sum = 0;
    for (int i = 0; i < 16; ++i) sum += std::cos(d * std::pow(10000.0, -i / 16.0)) / 16;
    return sum;
  });
  add("RoPE, this q·k", [](double d) { return 0.8 + 0.2 * std::cos(d / 3) * std::exp(-std::abs(d) / 9); });
  add("ALiBi, slope 1/16", [](double d) { return 1 - std::abs(d) / 16; });
  add("learned, seed 7", [&](double d) { return d == 0 ? 1.0 : noise(random); });
  plot.markers = {{.id = "offset", .at = 5, .colour = IM_COL32(240, 228, 66, 255)}};
  return plot;
}

Plot histogram_plot() {
  Plot plot{.id = "variance", .title = "why 1/√d_k"};
  plot.subtitle = {{"4\u2009096 random q·k, d_k 64", true}};
  plot.x = {.title = "score"};
  std::mt19937 random(5);
  for (const auto& [name, deviation] : {std::pair{"raw, sd 7.92", 7.92}, std::pair{"÷ 8, sd 0.991", 0.991}}) {
    const double width = deviation / 5;
    std::vector<double> counts(60);
    std::normal_distribution<double> normal(0, deviation);
    for (int i = 0; i < 4096; ++i) {
      const double bin = std::floor(normal(random) / width) + 30;
      if (bin >= 0 && bin < 60) counts[static_cast<std::size_t>(bin)] += 1 / (4096 * width);
    }
    plot.series.push_back({.name = name,
                           .kind = SeriesKind::bars,
                           .x = Samples::range(-30 * width + width / 2, width, 60),
                           .y = samples(counts),
                           .width = width,
                           .colour = series_colour(plot.series.empty() ? 1 : 0)});
  }
  return plot;
}

Plot scores_plot() {
  Plot plot{.id = "row", .title = "row"};
  plot.subtitle = {{"softmax, and two others", true}};
  plot.x.names =
      std::make_shared<std::vector<std::string>>(std::vector<std::string>{"the", "cat", "sat", "on", "mat"});
  const std::vector<double> weights[] = {
      {0.704, 0.129, 0.078, 0.071, 0.019}, {0.66, 0.12, 0.074, 0.067, 0.018}, {1, 0, 0, 0, 0}};
  const char* names[] = {"softmax", "softmax-1, 1 in the sum", "sparsemax"};
  for (int k = 0; k < 3; ++k)
    plot.series.push_back({.name = names[k],
                           .kind = SeriesKind::bars,
                           .x = Samples::range(-0.27 + 0.27 * k, 1, 5),
                           .y = samples(weights[k]),
                           .width = 0.26,
                           .numbers = true});
  plot.y = {.format = PlotAxis::percent};
  return plot;
}

Plot temperature_plot() {
  Plot plot{.id = "temperature", .title = "temperature"};
  plot.subtitle = {{"the same scores from 0.05 to 20", true}};
  plot.x = {.title = "T", .log = true};
  const double scores[] = {2.5, 0.8, 0.3, 0.2, -1.1};
  const char* names[] = {"the", "cat", "sat", "on", "mat"};
  std::vector<double> x;
  for (int i = 0; i <= 200; ++i) x.push_back(0.05 * std::pow(400, i / 200.0));
  for (int k = 0; k < 5; ++k) {
    std::vector<double> y;
    for (const double t : x) {
      double sum = 0;
      for (const double s : scores) sum += std::exp((s - 2.5) / t);
      y.push_back(std::exp((scores[k] - 2.5) / t) / sum);
    }
    plot.series.push_back({.name = names[k], .x = samples(x), .y = samples(y)});
  }
  plot.markers = {{.id = "T", .at = 1, .dashed = false, .draggable = true},
                  {.id = "uniform", .vertical = false, .at = 0.2, .label = "uniform, 1/5"}};
  return plot;
}

Plot scatter_plot() {
  Plot plot{.id = "scatter", .title = "many points"};
  plot.subtitle = {{"20\u2009000 of them", true}};
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  std::vector<float> x, y;
  for (int i = 0; i < 20000; ++i) {
    const float a = normal(random), side = i % 3 == 0 ? 2.5f : -1;
    x.push_back(a + side), y.push_back(0.5f * a + 0.6f * normal(random) - side / 2);
  }
  plot.series.push_back(
      {.name = "keys", .kind = SeriesKind::points, .x = Samples::of(x), .y = Samples::of(y)});
  return plot;
}

Plot confidence_plot() {
  Plot plot{.id = "training", .title = "training"};
  plot.x = {.title = "step"};
  plot.y = {.title = "loss, nats"};
  std::mt19937 random(13);
  std::normal_distribution<double> noise;
  std::vector<double> loss, low, high;
  for (int i = 0; i < 4000; ++i) {
    loss.push_back(0.3 + 2 * std::exp(-i / 700.0) + 0.05 * noise(random));
    low.push_back(0.3 + 2 * std::exp(-i / 700.0) - 0.15),
        high.push_back(0.3 + 2 * std::exp(-i / 700.0) + 0.15);
  }
  loss[2000] = kNan;
  plot.series.push_back({.name = "spread",
                         .kind = SeriesKind::band,
                         .y = samples(low),
                         .y2 = samples(high),
                         .colour = series_colour(0)});
  plot.series.push_back({.name = "loss", .y = samples(loss), .colour = series_colour(0), .thickness = 1});
  return plot;
}

}  // namespace attn::tests

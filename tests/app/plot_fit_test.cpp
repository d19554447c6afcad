// What the data of a plot amount to, and the ranges that show them.
#include <random>

#include "app/plot/plot_axis.h"
#include "app/plot/plot_facts.h"
#include "tests/app/plot_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

PlotFit fit_of(const Plot& plot, bool log_x = false, bool log_y = false) {
  std::vector<SeriesFacts> facts;
  for (const Series& series : plot.series) facts.push_back(facts_of(series, log_x, log_y));
  std::vector<const SeriesFacts*> shown;
  for (const SeriesFacts& f : facts) shown.push_back(&f);
  return fitted(plot, log_x, log_y, shown);
}

Plot plot_of(std::vector<Series> series) {
  Plot plot{.id = "p"};
  plot.series = std::move(series);
  return plot;
}

bool holds(const PlotRange& range, double value) {
  return range.low <= value && value <= range.high;
}

}  // namespace

TEST_CASE("samples are every so many numbers of a tensor or an even row") {
  const Tensor tensor({1, 2, 3}, {0, 1, 2, 3, 4, 5});
  Samples column = Samples::of(tensor);
  column.first = 1, column.stride = 3, column.count = 2;
  CHECK(column[0] == 1);
  CHECK(column[1] == 4);
  CHECK(Samples::of(tensor).count == 6);
  CHECK(Samples::range(-3, 0.5, 4)[3] == -1.5);
  CHECK(Samples().empty());
}

TEST_CASE("facts of a series leave out what has no place") {
  const Series series = points("", {1, 2, -3, 4, kNan, 6}, {1, kNan, 2, kInfinity, 5, -6});
  const SeriesFacts linear = facts_of(series, false, false);
  CHECK(linear.shown == 3);
  CHECK(linear.left_out == 0);
  CHECK(linear.x == PlotRange{-3, 6});
  CHECK(linear.y == PlotRange{-6, 2});
  CHECK_FALSE(linear.ordered);
  const SeriesFacts log = facts_of(series, true, true);
  CHECK(log.shown == 1);
  CHECK(log.left_out == 2);
  CHECK(facts_of(curve("", {1, 2, 3}), false, false).ordered);
  CHECK(facts_of({}, false, false).shown == 0);
}

TEST_CASE("keys of samples tell different numbers apart") {
  const Samples a = samples({1, 2, 3, 4});
  Samples b = a;
  CHECK(key_of(a) == key_of(b));
  for (std::size_t Samples::*member : {&Samples::first, &Samples::stride, &Samples::count}) {
    b = a;
    b.*member += 1;
    CHECK(key_of(a) != key_of(b));
  }
  CHECK(key_of(a) != key_of(samples({1, 2, 3, 4})));
  CHECK(key_of(Samples::range(0, 1, 5)) != key_of(Samples::range(0, 2, 5)));
}

TEST_CASE("the fit of a plot holds all its data on both kinds of axis") {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> exponent(-6, 6), sign(-1, 1);
  for (int i = 0; i < 300; ++i) {
    std::vector<double> x, y;
    for (int k = 0; k < 20; ++k) {
      x.push_back(std::pow(10, exponent(random)) * (sign(random) < 0 ? -1 : 1));
      y.push_back(std::pow(10, exponent(random)) * (sign(random) < 0 ? -1 : 1));
    }
    const bool log = i % 2 == 0;
    Series series = points("", x, y);
    series.kind = static_cast<SeriesKind>(i % 5);
    const PlotFit fit = fit_of(plot_of({series}), log, log);
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (log && (x[k] <= 0 || y[k] <= 0)) continue;
      CHECK(holds(fit.x, series.x[k]));
      CHECK(holds(fit.y, series.y[k]));
    }
  }
}

TEST_CASE("curves reach the sides of a plot and points do not") {
  const PlotFit of_curve = fit_of(plot_of({curve("", {1, 2, 3})}));
  CHECK(of_curve.x == PlotRange{0, 2});
  CHECK(of_curve.y.low < 1);
  CHECK(of_curve.y.high > 3);
  const PlotFit of_points = fit_of(plot_of({points("", {0, 2}, {1, 3})}));
  CHECK(of_points.x.low < 0);
  CHECK(of_points.x.high > 2);
}

TEST_CASE("bars stand on the axis and fit with their width") {
  Series bars{.kind = SeriesKind::bars, .y = samples({2, 5, 3}), .width = 0.8};
  const PlotFit fit = fit_of(plot_of({bars}));
  CHECK(fit.y.low == 0);
  CHECK(fit.y.high > 5);
  CHECK(holds(fit.x, -0.4));
  CHECK(holds(fit.x, 2.4));
  bars.y = samples({2, -5, 3});
  CHECK(fit_of(plot_of({bars})).y.low < -5);
}

TEST_CASE("both edges of a band are in the fit") {
  const Series band{.kind = SeriesKind::band, .y = samples({1, 2}), .y2 = samples({-4, 9})};
  const PlotFit fit = fit_of(plot_of({band}));
  CHECK(holds(fit.y, -4));
  CHECK(holds(fit.y, 9));
}

TEST_CASE("an axis that says its ends has them") {
  Plot plot = plot_of({curve("", {1, 2, 3})});
  plot.y.low = 0, plot.y.high = 10;
  CHECK(fit_of(plot).y == PlotRange{0, 10});
  plot.y.low = -5;
  CHECK(fit_of(plot, false, true).y.low > 0);
}

TEST_CASE("odd data have sensible ranges") {
  const std::vector<std::vector<double>> all{
      {},  {7},     {3, 3, 3}, {kNan, kNan}, {kInfinity, -kInfinity}, {1e38, -1e38}, {1e-40, 2e-40},
      {0}, {-5, -2}};
  for (const auto& y : all)
    for (const bool log : {false, true}) {
      const PlotFit fit = fit_of(plot_of({curve("", y)}), log, log);
      for (const PlotRange& range : {fit.x, fit.y}) {
        CHECK(std::isfinite(range.low));
        CHECK(std::isfinite(range.high));
        CHECK(range.low < range.high);
      }
    }
}

TEST_CASE("the first sample from a value on is found") {
  const Series series = points("", {1, 2, 2, 5}, {0, 0, 0, 0});
  CHECK(first_from(series, 0) == 0);
  CHECK(first_from(series, 2) == 1);
  CHECK(first_from(series, 3) == 3);
  CHECK(first_from(series, 6) == 4);
}

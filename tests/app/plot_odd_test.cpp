// Data and views that nobody wishes for: no assert, no hang, sensible axes.
#include <random>

#include "tests/app/plot_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

Samples range_of(double start, double step, std::size_t count) {
  return Samples::range(start, step, count);
}

std::vector<Series> odd_series() {
  std::vector<Series> all;
  const std::vector<Samples> odd{{},
                                 samples({1}),
                                 samples({0, 0, 0}),
                                 samples({kNan, kNan}),
                                 samples({kInfinity, -kInfinity, 1}),
                                 samples({-1, -2, -3}),
                                 samples({1e38, -1e38}),
                                 samples({1e-45, 2e-45}),
                                 range_of(1e300, 1e299, 5),
                                 range_of(-1e308, 5e307, 4),
                                 range_of(1e-300, 1e-301, 4),
                                 range_of(1, 1e-15, 4),
                                 range_of(5, 0, 4),
                                 range_of(9, -3, 6)};
  for (int kind = 0; kind < 5; ++kind)
    for (const Samples& y : odd) {
      Series series{.name = "odd", .kind = static_cast<SeriesKind>(kind), .y = y};
      all.push_back(series);
      series.x = y;
      all.push_back(series);
      series.x = samples({3, 1, kNan, 2});
      series.shade = y, series.y2 = y, series.numbers = series.dashed = series.draggable = true;
      all.push_back(series);
    }
  return all;
}

void poke(PlotLab& lab) {
  const ImVec2 middle = centre(lab.shown.area);
  lab->move(middle);
  lab->wheel({middle.x + 30, middle.y + 20}, 3);
  lab->drag(middle, {middle.x + 40, middle.y + 10}, 2);
  lab->drag(middle, {middle.x + 60, middle.y + 50}, 2, 1);
  lab->double_click(middle);
}

void check_axes(PlotLab& lab) {
  const PlotLayout layout = lab.layout();
  for (const AxisScale* axis : {&layout.x, &layout.y}) {
    CHECK(std::isfinite(axis->range().low));
    CHECK(std::isfinite(axis->range().high));
    CHECK(axis->range().low < axis->range().high);
  }
  CHECK(layout.x_ticks.size() >= 2);
}

}  // namespace

TEST_CASE("odd data are plotted on every kind of axis") {
  Plot plot{.id = "odd", .clickable = true};
  PlotLab lab(plot);
  int n = 0;
  for (const Series& series : odd_series()) {
    plot.series = {series};
    plot.x.log = n % 2 == 0, plot.y.log = n % 4 < 2;
    plot.y.format = static_cast<PlotAxis::Format>(n % 4);
    CAPTURE(n);
    ++n;
    lab.show(plot, {{100, 80}, {500, 380}});
    check_axes(lab);
    if (n % 5 == 0) poke(lab);
    check_axes(lab);
  }
}

TEST_CASE("views and markers beyond all data are plotted") {
  Plot plot{.id = "far"};
  plot.series = {curve("a", {1, 2, 3}), points("b", {1, 2}, {2, 3})};
  for (const double far : {1e300, -1e300, 1e-300, kNan, kInfinity, -kInfinity}) {
    plot.markers = {{.id = "m", .at = far, .label = "far", .draggable = true, .dots = true},
                    {.id = "l", .vertical = false, .at = far, .label = "far"}};
    plot.notes = {{.x = far, .y = far, .text = "far"}};
    plot.linked_x = far;
    plot.selected = PlotSpot{7, 9};
    plot.x.low = far, plot.y.high = far;
    PlotLab lab(plot);
    check_axes(lab);
    poke(lab);
    lab.shown.view.x = PlotRange{far, far};
    lab.shown.view.y = PlotRange{1, far};
    lab->frames(2);
    CHECK(std::isfinite(lab.layout().x.range().low));
    poke(lab);
  }
}

TEST_CASE("series may come and go while they are hidden or dragged or selected") {
  std::mt19937 random(9);
  Plot plot{.id = "p", .clickable = true};
  PlotLab lab(plot);
  for (int i = 0; i < 60; ++i) {
    plot.series.clear();
    for (unsigned k = 0; k < random() % 4; ++k) {
      Series series = points("s" + std::to_string(k), {1, 2, 3}, {1, static_cast<double>(random() % 9), 3});
      series.kind = static_cast<SeriesKind>(random() % 5), series.draggable = true;
      plot.series.push_back(series);
    }
    plot.selected = PlotSpot{random() % 3, random() % 4};
    lab.shown.plot = plot;
    if (random() % 3 == 0) lab.shown.view.hidden.insert("s1");
    const ImVec2 at{120 + static_cast<float>(random() % 560), 90 + static_cast<float>(random() % 380)};
    lab->move(at);
    if (random() % 2 == 0) lab->press();
    lab->move({at.x + 30, at.y});
    if (random() % 2 == 0) lab->release();
  }
  lab->release();
  CHECK(lab.shown.view.drag == PlotView::none);
}

TEST_CASE("a plot zoomed in a thousand times still answers") {
  PlotLab lab([] {
    Plot plot{.id = "deep"};
    plot.series = {function_curve("a", 1000, 0.01, [](double x) { return std::sin(x); })};
    return plot;
  }());
  const ImVec2 at = lab.at(5, std::sin(5));
  for (int i = 0; i < 120; ++i) lab->wheel(at, 2);
  check_axes(lab);
  for (int i = 0; i < 300; ++i) lab->wheel(at, -2);
  check_axes(lab);
}

// Pixels of plots.
#include <random>

#include "tests/app/picture_lab.h"
#include "tests/app/plot_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// A plot on its own.
struct PaintedPlot {
  Picture picture;
  PlotLayout layout;
  Theme theme;

  ImVec2 at(double x, double y) const { return {layout.x.pixel(x), layout.y.pixel(y)}; }
  Pixel pixel(double x, double y) const { return pixel_at(picture, at(x, y)); }
  bool has(ImVec2 place, Pixel colour, int reach = 1) const {
    for (int dx = -reach; dx <= reach; ++dx)
      for (int dy = -reach; dy <= reach; ++dy)
        if (distance(pixel_at(picture, {place.x + static_cast<float>(dx), place.y + static_cast<float>(dy)}),
                     colour) < 40)
          return true;
    return false;
  }
};

PaintedPlot drawn(const Plot& plot, ThemeName name = ThemeName::dark, float scale = 1) {
  Settings settings;
  settings.theme = name;
  const Rect area{{100 * scale, 80 * scale}, {700 * scale, 480 * scale}};
  PlotScreen screen(plot, area, settings, scale, {1024 * scale, 640 * scale});
  screen.lab().frame();
  const Theme theme = screen.lab().theme();
  const PlotFit range{{0, 10}, {0, 10}};
  return {screen.picture(), plot_layout(theme, plot, screen.shown.view, range, area), theme};
}

Series coloured(Series series, ImU32 colour) {
  series.colour = colour;
  return series;
}

constexpr ImU32 kOrange = IM_COL32(230, 159, 0, 255);
const Pixel kInk{230, 159, 0};

}  // namespace

TEST_CASE("the pixels of a curve have its colour where the data say in every theme") {
  for (const ThemeName name : kThemes)
    for (const float scale : {1.0f, 2.0f}) {
      const PaintedPlot d =
          drawn(plain({coloured(function_curve("", 101, 0.1, [](double x) { return 5 + 3 * std::sin(x); }),
                                kOrange)}),
                name, scale);
      for (double x = 0.3; x < 9.9; x += 0.37) {
        CAPTURE(x);
        CHECK(d.has(d.at(x, 5 + 3 * std::sin(x)), kInk));
        CHECK_FALSE(d.has(d.at(x, 5 + 3 * std::sin(x) + 1.2), kInk, 2));
      }
    }
}

TEST_CASE("a gap in a curve is a gap in its line") {
  const PaintedPlot d =
      drawn(plain({coloured(points("", {0, 2, 4, 5, 6, 10}, {5, 5, 5, kNan, 5, 5}), kOrange)}));
  Plot plot = plain({coloured(points("", {0, 2, 4, 5, 6, 10}, {5, 5, 5, kNan, 5, 5}), kOrange)});
  plot.series[0].kind = SeriesKind::curve;
  const PaintedPlot line = drawn(plot);
  CHECK(line.has(line.at(3, 5), kInk));
  CHECK(line.has(line.at(8, 5), kInk));
  CHECK_FALSE(line.has(line.at(5, 5), kInk, 3));
  CHECK(d.has(d.at(2, 5), kInk));
  CHECK_FALSE(d.has(d.at(3, 5), kInk, 3));
}

TEST_CASE("a level line on whole pixels is as thick as it should be") {
  Series series = coloured(function_curve("", 11, 1, [](double) { return 5; }), kOrange);
  series.thickness = 2;
  const PaintedPlot d = drawn(plain({series}));
  const ImVec2 at = d.at(3.3, 5);
  float ink = 0;
  const Pixel ground = pixel_of(d.theme.panel);
  for (int dy = -6; dy <= 6; ++dy) {
    const Pixel p = pixel_at(d.picture, {at.x, at.y + static_cast<float>(dy)});
    ink += static_cast<float>(p.r - ground.r) / static_cast<float>(kInk.r - ground.r);
  }
  CHECK(ink == doctest::Approx(2).epsilon(0.15));
}

TEST_CASE("points are discs and shaded ones have the colours of the map") {
  Series series = points("", {2, 8}, {5, 5});
  series.shade = samples({1, 0.5});
  const PaintedPlot d = drawn(plain({series}));
  CHECK(distance(d.pixel(2, 5), pixel_of(map_colour(d.theme, {MapKind::viridis, 1}, 1))) <= 12);
  CHECK(distance(d.pixel(8, 5), pixel_of(map_colour(d.theme, {MapKind::viridis, 1}, 0.5f))) <= 12);
  const ImVec2 at = d.at(2, 5);
  CHECK(pixel_at(d.picture, {at.x + 7, at.y}) == pixel_of(d.theme.panel));
}

TEST_CASE("bars and stems are filled from the base to their height") {
  Series bars{.kind = SeriesKind::bars, .x = samples({3}), .y = samples({6}), .width = 2, .colour = kOrange};
  Series stem{
      .kind = SeriesKind::stems, .x = samples({8}), .y = samples({4}), .colour = kOrange, .thickness = 3};
  const PaintedPlot d = drawn(plain({bars, stem}));
  CHECK(d.pixel(3, 1) == kInk);
  CHECK(d.pixel(2.2, 5.8) == kInk);
  CHECK(d.pixel(3, 6.3) != kInk);
  CHECK(d.pixel(4.3, 3) != kInk);
  CHECK(d.pixel(8, 2) == kInk);
  CHECK(d.pixel(8, 4.3) != kInk);
}

TEST_CASE("a band is filled between its edges and lies below curves") {
  Series band{.kind = SeriesKind::band,
              .x = Samples::range(0, 1, 11),
              .y = samples(std::vector<double>(11, 3)),
              .y2 = samples(std::vector<double>(11, 7)),
              .colour = IM_COL32(86, 180, 233, 255)};
  const PaintedPlot d =
      drawn(plain({coloured(function_curve("", 11, 1, [](double) { return 5; }), kOrange), band}));
  const Pixel ground = pixel_of(d.theme.panel), filled = d.pixel(3.3, 6.4);  // between lines of the grid
  CHECK(filled != ground);
  CHECK(filled.b > ground.b + 20);
  CHECK(d.pixel(3.3, 3.6) == filled);
  CHECK(d.pixel(3.3, 8.4) == ground);
  CHECK(d.pixel(3.3, 1.6) == ground);
  CHECK(d.has(d.at(3.3, 5), kInk));  // although the band comes last
}

TEST_CASE("a marker with dots has them where it crosses the curves") {
  Plot plot = plain({coloured(function_curve("", 11, 1, [](double x) { return 1 + x / 2; }), kOrange)});
  plot.markers = {
      {.id = "m", .at = 4.5, .colour = IM_COL32(255, 255, 255, 255), .dashed = false, .dots = true}};
  const auto to_the_right = [&](const PaintedPlot& d) {
    const ImVec2 at = d.at(4.5, 3.25);
    return distance(pixel_at(d.picture, {at.x + 1, at.y - 2.5f}), kInk) < 60;
  };
  CHECK(to_the_right(drawn(plot)));
  plot.markers[0].dots = false;
  CHECK_FALSE(to_the_right(drawn(plot)));
  plot.markers[0].dots = true;
  plot.series[0].y = samples({1, 1, 1, 1, kNan, kNan, 1});  // the curve is not there
  CHECK_FALSE(to_the_right(drawn(plot)));
  for (const double start : {6.0, -9.0}) {  // it begins later, or has ended before
    plot.series[0] = coloured(function_curve("", 4, 1, [](double) { return 3.25; }), kOrange);
    plot.series[0].x = Samples::range(start, 1, 4);
    CHECK_FALSE(to_the_right(drawn(plot)));
  }
}

TEST_CASE("a linked place shows where the curves are there") {
  Plot plot = plain({coloured(function_curve("", 11, 1, [](double x) { return 1 + x / 2; }), kOrange)});
  const PaintedPlot before = drawn(plot);
  plot.linked_x = 4.5;
  const PaintedPlot d = drawn(plot);
  CHECK(d.pixel(4.5, 8.5) != before.pixel(4.5, 8.5));
  const ImVec2 at = d.at(4.5, 3.25);
  CHECK(distance(pixel_at(d.picture, {at.x, at.y - 2.5f}), kInk) < 60);
}

TEST_CASE("data are cut at the frame of a plot") {
  Plot plot = plain({coloured(function_curve("", 3, 10, [](double x) { return x * 4 - 20; }), kOrange)});
  plot.series.push_back(coloured(points("", {10}, {5}), kOrange));
  const PaintedPlot d = drawn(plot);
  for (float x = d.layout.inside.min.x; x < d.layout.inside.max.x; x += 1)
    for (const float y : {d.layout.inside.min.y - 3, d.layout.inside.max.y + 2})
      CHECK(distance(pixel_at(d.picture, {x, y}), kInk) > 60);
}

TEST_CASE("very many points are pooled and seen where they are") {
  std::mt19937 random(8);
  std::normal_distribution<float> normal;
  std::vector<float> x, y;
  for (int i = 0; i < 30'000; ++i)
    x.push_back(3 + 0.3f * normal(random)), y.push_back(6 + 0.3f * normal(random));
  x.push_back(9), y.push_back(1);  // one alone
  Series series{.kind = SeriesKind::points, .x = Samples::of(x), .y = Samples::of(y), .colour = kOrange};
  for (const float scale : {1.0f, 2.0f}) {
    const PaintedPlot d = drawn(plain({series}), ThemeName::dark, scale);
    CHECK(distance(d.pixel(3, 6), kInk) < 40);
    const Pixel ground = pixel_of(d.theme.panel), alone = d.pixel(9, 1);
    CHECK(alone.r > ground.r + 40);
    CHECK(alone.r < kInk.r);
    CHECK(d.pixel(6.9, 6.1) == ground);
    CHECK(d.pixel(8.7, 1) == ground);
  }
}

TEST_CASE("the pointer finds pooled points") {
  std::vector<float> x(5'000, 2.0f), y(5'000, 2.0f);
  x[4'321] = 7, y[4'321] = 8;
  PlotLab lab(
      plain({{.name = "many", .kind = SeriesKind::points, .x = Samples::of(x), .y = Samples::of(y)}}));
  lab->move(lab.at(7, 8));
  REQUIRE(lab.shown.events.nearest);
  CHECK(lab.shown.events.nearest->sample == 4'321);
}

TEST_CASE("what changes in a plot is drawn as if all were drawn again") {
  Plot plot = plain(
      {coloured(function_curve("wave", 200, 0.05, [](double x) { return 5 + 3 * std::sin(x); }), kOrange)});
  std::vector<float> x(4'000, 5.0f), y(4'000);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<float>(i) / 400;
  plot.series.push_back(
      {.name = "many", .kind = SeriesKind::points, .x = Samples::of(x), .y = Samples::of(y)});
  Settings settings;
  PlotScreen screen(plot, {{100, 80}, {700, 480}}, settings);
  for (const ImVec2 at : {ImVec2{300, 200}, ImVec2{320, 260}, ImVec2{600, 400}}) {
    screen.lab().move(at);
    const Picture partly = screen.picture();
    screen.draw_whole();
    screen.lab().frame();
    CHECK(screen.picture() == partly);
  }
}

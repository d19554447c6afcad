// Dragging what belongs to the data: markers and points.
#include <algorithm>

#include "tests/app/plot_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

Plot with_marker(bool log) {
  Plot plot{.id = "m"};
  plot.x.log = plot.y.log = log;
  plot.series = {function_curve("curve", 100, 1, [](double x) { return 1 + x * x; })};
  plot.series[0].x = Samples::range(1, 1, 100);
  plot.markers = {{.id = "n", .at = 20, .label = "n 20", .draggable = true},
                  {.id = "level", .vertical = false, .at = 3000, .draggable = true}};
  return plot;
}

// What the workspace does with the events: the marker and the points follow.
void follow(Shown& shown) {
  const PlotEvents& events = shown.events;
  for (PlotMarker& marker : shown.plot.markers)
    if (events.marker && events.marker->id == marker.id) marker.at = events.marker->to;
  if (!events.moved) return;
  Series& series = shown.plot.series[events.moved->spot.series];
  std::vector<double> x, y;
  for (std::size_t i = 0; i < series.count(); ++i) {
    const bool moved = i == events.moved->spot.sample;
    x.push_back(moved ? events.moved->to.x : series.x[i]);
    y.push_back(moved ? events.moved->to.y : series.y[i]);
  }
  series.x = samples(x), series.y = samples(y);
}

Plot with_points(bool log) {
  Plot plot{.id = "p", .clickable = true};
  plot.x.log = plot.y.log = log;
  plot.series = {points("data", {1, 10, 60, 100}, {1, 20, 5, 100})};
  plot.series[0].draggable = true;
  return plot;
}

}  // namespace

TEST_CASE("a draggable marker follows the pointer on both kinds of axis") {
  for (const bool log : {false, true}) {
    PlotLab lab(with_marker(log));
    lab.shown.obey = follow;
    const Rect inside = lab.layout().inside;
    const ImVec2 from{lab.layout().x.pixel(20) + 1, inside.max.y - 40};
    const double wanted = lab.layout().x.value(from.x + 100 - 1);
    lab->drag(from, {from.x + 100, from.y - 30});
    CHECK(lab.shown.plot.markers[0].at == doctest::Approx(wanted).epsilon(1e-4));
    CHECK_FALSE(lab.shown.view.x);  // it is no pan
    const ImVec2 level{inside.max.x - 30, lab.layout().y.pixel(3000)};
    const double height = lab.layout().y.value(level.y + 60);
    lab->drag(level, {level.x + 20, level.y + 60});
    CHECK(lab.shown.plot.markers[1].at == doctest::Approx(height).epsilon(1e-3));
  }
}

TEST_CASE("a marker is dragged by its label too") {
  PlotLab lab(with_marker(false));
  lab.shown.obey = follow;
  const ImVec2 label = centre(*lab.find("n 20"));
  const float moved = lab.layout().x.pixel(20) + 60;
  lab->drag(label, {label.x + 60, label.y});
  CHECK(lab.shown.plot.markers[0].at == doctest::Approx(lab.layout().x.value(moved)).epsilon(1e-3));
}

TEST_CASE("a dragged marker stays on the axis and says so in every frame") {
  PlotLab lab(with_marker(false));
  lab.shown.obey = follow;
  lab.shown.all.clear();
  const ImVec2 from{lab.layout().x.pixel(20), lab.layout().inside.max.y - 40};
  lab->drag(from, {from.x + 5000, from.y}, 10);
  CHECK(lab.shown.plot.markers[0].at == doctest::Approx(100));
  const auto moved =
      std::ranges::count_if(lab.shown.all, [](const PlotEvents& e) { return e.marker.has_value(); });
  CHECK(moved >= 10);
  const auto active = std::ranges::count_if(lab.shown.all, [](const PlotEvents& e) { return e.active; });
  CHECK(active == moved);
  CHECK_FALSE(lab.shown.events.active);
}

TEST_CASE("a marker that cannot be dragged is panned over") {
  Plot plot = with_marker(false);
  plot.markers[0].draggable = false;
  PlotLab lab(plot);
  const ImVec2 from{lab.layout().x.pixel(20), lab.layout().inside.max.y - 40};
  lab->drag(from, {from.x + 50, from.y});
  CHECK(lab.shown.view.x);
}

TEST_CASE("a draggable point follows the pointer on both kinds of axis") {
  for (const bool log : {false, true}) {
    PlotLab lab(with_points(log));
    lab.shown.obey = follow;
    const PlotLayout layout = lab.layout();
    const ImVec2 from = lab.at(10, 20), to{from.x + 60, from.y + 50};
    lab->drag({from.x + 2, from.y - 2}, {to.x + 2, to.y - 2});
    const Series& data = lab.shown.plot.series[0];
    const double x = layout.x.value(to.x), y = layout.y.value(to.y);
    CHECK(std::abs(data.x[1] - x) <= 1.5 * layout.x.resolution(x));  // from is a whole pixel
    CHECK(std::abs(data.y[1] - y) <= 1.5 * layout.y.resolution(y));
    CHECK(data.x[0] == 1);
    CHECK_FALSE(lab.shown.view.x);
  }
}

TEST_CASE("axes stand still while a point is dragged and fit again afterwards") {
  PlotLab lab(with_points(false));
  lab.shown.obey = follow;
  const PlotRange fitted = lab.layout().y.range();
  const ImVec2 from = lab.at(100, 100);
  lab->move(from);
  lab->press();
  lab->move({from.x - 20, from.y + 150});
  lab->frames(2);
  CHECK(lab.layout().y.range() == fitted);
  lab->release();
  lab->frames(2);
  CHECK(lab.layout().y.range() != fitted);
}

TEST_CASE("a dragged point stays within the axes") {
  PlotLab lab(with_points(true));
  lab.shown.obey = follow;
  const PlotLayout layout = lab.layout();
  lab->drag(lab.at(10, 20), {-500, 5000});
  CHECK(lab.shown.plot.series[0].x[1] == doctest::Approx(layout.x.range().low));
  CHECK(lab.shown.plot.series[0].y[1] == doctest::Approx(layout.y.range().low));
}

TEST_CASE("points that cannot be dragged are panned over") {
  Plot plot = with_points(false);
  plot.series[0].draggable = false;
  PlotLab lab(plot);
  const ImVec2 from = lab.at(10, 20);
  lab->drag(from, {from.x + 30, from.y});
  CHECK(lab.shown.view.x);
}

TEST_CASE("Delete removes the selected point while the plot is in use") {
  Plot plot = with_points(false);
  plot.selected = PlotSpot{0, 2};
  PlotLab lab(plot);
  const auto removed = [](const PlotEvents& e) { return e.removed.has_value(); };
  lab.shown.all.clear();
  lab->key(GLFW_KEY_DELETE);
  CHECK(std::ranges::none_of(lab.shown.all, removed));  // neither hovered nor focused
  lab->move(centre(lab.layout().inside));
  lab->key(GLFW_KEY_DELETE);
  REQUIRE(std::ranges::count_if(lab.shown.all, removed) == 1);
  CHECK(*std::ranges::find_if(lab.shown.all, removed)->removed == PlotSpot{0, 2});
  lab.shown.all.clear();
  lab->key(GLFW_KEY_BACKSPACE);
  CHECK(std::ranges::count_if(lab.shown.all, removed) == 1);
  lab.shown.plot.selected.reset();
  lab.shown.all.clear();
  lab->key(GLFW_KEY_DELETE);
  CHECK(std::ranges::none_of(lab.shown.all, removed));
}

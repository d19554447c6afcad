// The mouse on a plot: pan, zoom, box, fit, legend and clicks.
#include <algorithm>

#include "tests/app/plot_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

Plot two_curves(bool log = false) {
  Plot plot{.id = "two", .title = "two curves"};
  plot.x = {.title = "x", .log = log};
  plot.y = {.log = log};
  plot.series = {function_curve("rising", 100, 1, [](double x) { return x + 1; }),
                 function_curve("falling", 100, 1, [](double x) { return 100 - x; })};
  for (Series& series : plot.series) series.x = Samples::range(1, 1, 100);
  return plot;
}

ImVec2 middle(PlotLab& lab) {
  return centre(lab.layout().inside);
}

double near(double value) {
  return value;
}

doctest::Approx about(double value) {
  return doctest::Approx(near(value)).epsilon(1e-5);
}

}  // namespace

TEST_CASE("dragging a plot pans it so that the value stays under the pointer") {
  for (const bool log : {false, true}) {
    PlotLab lab(two_curves(log));
    const ImVec2 from = middle(lab), to{from.x + 90, from.y - 40};
    const PlotLayout before = lab.layout();
    lab->drag(from, to);
    const PlotLayout after = lab.layout();
    CHECK(after.x.value(to.x) == about(before.x.value(from.x)));
    CHECK(after.y.value(to.y) == about(before.y.value(from.y)));
    CHECK(lab.shown.view.drag == PlotView::none);
  }
}

TEST_CASE("dragging an axis of a plot pans that axis only") {
  PlotLab lab(two_curves());
  const PlotLayout before = lab.layout();
  const ImVec2 below{centre(before.x_axis).x, before.x_axis.min.y + 10};
  lab->drag(below, {below.x + 80, below.y + 30});
  CHECK(lab.shown.view.x);
  CHECK_FALSE(lab.shown.view.y);
  CHECK(lab.layout().x.value(below.x + 80) == about(before.x.value(below.x)));
  const ImVec2 left{before.y_axis.max.x - 10, centre(before.y_axis).y};
  lab->drag(left, {left.x, left.y + 50});
  CHECK(lab.layout().y.value(left.y + 50) == about(before.y.value(left.y)));
}

TEST_CASE("the wheel zooms a plot at the pointer") {
  for (const bool log : {false, true}) {
    PlotLab lab(two_curves(log));
    const PlotLayout before = lab.layout();
    const ImVec2 pointer{before.inside.min.x + 100, before.inside.min.y + 60};
    lab->wheel(pointer, 2);
    const PlotLayout after = lab.layout();
    CHECK(after.x.value(pointer.x) == about(before.x.value(pointer.x)));
    CHECK(after.y.value(pointer.y) == about(before.y.value(pointer.y)));
    CHECK(after.x.range().high < before.x.range().high);
    lab->wheel(pointer, -2);
    CHECK(lab.layout().x.range().high == about(before.x.range().high));
  }
}

TEST_CASE("the frame of a plot stands still while its numbers become shorter") {
  Plot plot = two_curves();
  plot.y.low = 0, plot.y.high = 100'000;
  PlotLab lab(plot);
  const float left = lab.layout().inside.min.x;
  lab->wheel({lab.layout().y_axis.max.x - 8, lab.layout().inside.max.y - 2}, 60);
  CHECK(lab.layout().y.range().high < 1'000);
  CHECK(lab.layout().inside.min.x == left);
  lab->double_click(middle(lab));
  CHECK(lab.layout().inside.min.x == left);
}

TEST_CASE("the value under the pointer stays there although the numbers of a plot become longer") {
  PlotLab lab(two_curves());
  const PlotLayout before = lab.layout();
  const ImVec2 pointer{before.inside.min.x + 100, before.inside.min.y + 60};
  lab->wheel(pointer, 40);
  const PlotLayout after = lab.layout();
  CHECK(after.inside.min.x > before.inside.min.x);
  CHECK(after.x.value(pointer.x) == about(before.x.value(pointer.x)));
  CHECK(after.y.value(pointer.y) == about(before.y.value(pointer.y)));
}

TEST_CASE("the wheel over an axis of a plot zooms that axis only") {
  PlotLab lab(two_curves());
  const PlotLayout before = lab.layout();
  lab->wheel({centre(before.x_axis).x, before.x_axis.min.y + 8}, 1);
  CHECK(lab.shown.view.x);
  CHECK_FALSE(lab.shown.view.y);
  lab->wheel({before.y_axis.max.x - 8, centre(before.y_axis).y}, 1);
  CHECK(lab.shown.view.y);
}

TEST_CASE("the wheel with Ctrl is for the canvas and without zoom it is an event") {
  PlotLab lab(two_curves());
  lab->hold({.control = true});
  lab->wheel(middle(lab), 1);
  lab->hold({});
  CHECK_FALSE(lab.shown.view.x);
  lab.shown.plot.wheel_zooms = false;
  lab.shown.all.clear();
  lab->wheel(middle(lab), -1);
  CHECK_FALSE(lab.shown.view.x);
  CHECK(std::ranges::count_if(lab.shown.all, [](const PlotEvents& e) { return e.wheel == -1; }) == 1);
}

TEST_CASE("a box drawn with the right button is zoomed to") {
  for (const bool log : {false, true}) {
    PlotLab lab(two_curves(log));
    const PlotLayout before = lab.layout();
    const ImVec2 from{before.inside.min.x + 80, before.inside.max.y - 50}, to{from.x + 200, from.y - 150};
    lab->drag(from, to, 8, 1);
    REQUIRE(lab.shown.view.x);
    CHECK(lab.shown.view.x->low == about(before.x.value(from.x)));
    CHECK(lab.shown.view.x->high == about(before.x.value(to.x)));
    CHECK(lab.shown.view.y->low == about(before.y.value(from.y)));
    CHECK(lab.shown.view.y->high == about(before.y.value(to.y)));
    CHECK_FALSE(lab.shows("Copy the data"));
  }
}

TEST_CASE("a box that ends outside the plot ends at its side and a slip is no box") {
  PlotLab lab(two_curves());
  const PlotLayout before = lab.layout();
  lab->drag(middle(lab), {before.area.max.x + 100, before.area.min.y - 60}, 8, 1);
  REQUIRE(lab.shown.view.x);
  CHECK(lab.shown.view.x->high == about(before.x.range().high));
  CHECK(lab.shown.view.y->high == about(before.y.range().high));
  PlotLab other(two_curves());
  const ImVec2 from = middle(other);
  other->drag(from, {from.x + 100, from.y + 2}, 8, 1);
  CHECK_FALSE(other.shown.view.x);
}

TEST_CASE("a double click fits a plot to its data again") {
  PlotLab lab(two_curves());
  const PlotRange fitted = lab.layout().x.range();
  lab->wheel(middle(lab), 5);
  CHECK(lab.layout().x.range() != fitted);
  lab->double_click(middle(lab));
  CHECK_FALSE(lab.shown.view.x);
  CHECK_FALSE(lab.shown.view.y);
  CHECK(lab.layout().x.range() == fitted);
}

TEST_CASE("a double click on an axis fits that axis") {
  PlotLab lab(two_curves());
  lab->wheel(middle(lab), 3);
  const PlotLayout layout = lab.layout();
  lab->double_click({centre(layout.x_axis).x, layout.x_axis.min.y + 8});
  CHECK_FALSE(lab.shown.view.x);
  CHECK(lab.shown.view.y);
}

TEST_CASE("a click on a name of the legend hides its series and the next one shows it") {
  PlotLab lab(two_curves());
  const Rect entry = *lab.find("rising");
  lab->click(centre(entry));
  CHECK(lab.shown.view.hidden == std::set<std::string>{"rising"});
  lab->move(lab.at(80, 81));
  CHECK_FALSE(lab.shown.events.nearest);
  REQUIRE(lab.find("rising"));
  lab->click(centre(*lab.find("rising")));
  CHECK(lab.shown.view.hidden.empty());
}

TEST_CASE("hidden series do not count for the fit") {
  Plot plot = two_curves();
  plot.series.push_back(function_curve("huge", 10, 1, [](double) { return 1e6; }));
  PlotLab lab(plot);
  CHECK(lab.layout().y.range().high > 1e6);
  lab->click(centre(*lab.find("huge")));
  CHECK(lab.layout().y.range().high < 200);
}

TEST_CASE("a double click on a name of the legend isolates it and the next one shows all") {
  PlotLab lab(two_curves());
  lab->double_click(centre(*lab.find("falling")));
  CHECK(lab.shown.view.hidden == std::set<std::string>{"rising"});
  lab->double_click(centre(*lab.find("falling")));
  CHECK(lab.shown.view.hidden.empty());
}

TEST_CASE("a click on a sample is an event and a drag is none") {
  PlotLab lab(two_curves());
  lab.shown.all.clear();
  const ImVec2 at = lab.at(30, 30);
  lab->click(at);
  const auto clicked = [](const PlotEvents& e) { return e.clicked_sample.has_value(); };
  REQUIRE(std::ranges::count_if(lab.shown.all, clicked) == 1);
  CHECK(*std::ranges::find_if(lab.shown.all, clicked)->clicked_sample == PlotSpot{0, 29});
  lab.shown.all.clear();
  lab->drag(at, {at.x + 50, at.y});
  CHECK(std::ranges::none_of(lab.shown.all, clicked));
}

TEST_CASE("a click on a clickable plot says where") {
  Plot plot = two_curves();
  plot.clickable = true;
  PlotLab lab(plot);
  lab.shown.all.clear();
  lab->click(lab.at(20, 60));
  const auto clicked = [](const PlotEvents& e) { return e.clicked.has_value(); };
  REQUIRE(std::ranges::count_if(lab.shown.all, clicked) == 1);
  const PlotPoint point = *std::ranges::find_if(lab.shown.all, clicked)->clicked;
  CHECK(point.x == doctest::Approx(20).epsilon(0.01));
  CHECK(point.y == doctest::Approx(60).epsilon(0.01));
  lab.shown.plot.series.push_back(points("data", {20}, {60}));
  lab->frame();
  lab.shown.all.clear();
  lab->click(lab.at(20, 60));  // now a point is there
  CHECK(std::ranges::none_of(lab.shown.all, clicked));
}

TEST_CASE("the wheel that zooms a plot scrolls nothing below it") {
  PlotLab lab(two_curves());
  float left = -1;  // of the wheel, for whoever comes after the plot
  lab.shown.obey = [&](Shown&) { left = std::max(left, std::abs(ImGui::GetIO().MouseWheel)); };
  lab->wheel(middle(lab), -3);
  CHECK(lab.shown.view.x);
  CHECK(left == 0);
  lab->wheel({5, 5}, -3);
  CHECK(left == 3);
}

TEST_CASE("a window that scrolls stands still while the pointer is over a plot in it") {
  Plot plot = two_curves();
  PlotView view;
  Headless* running = nullptr;
  float scrolled = 0;
  Headless lab({.document = read_document("three-tokens"), .settings = Settings{}, .on_top = [&] {
                  if (!running) return;
                  draw_over_program([&] {
                    ImGui::BeginChild("page", {600, 400});
                    const ImVec2 at = ImGui::GetCursorScreenPos();
                    draw_plot(running->theme(), running->app().textures(), running->app().memos(), plot, view,
                              {at, {at.x + 500, at.y + 300}});
                    ImGui::SetCursorPosY(2000);
                    ImGui::Dummy({1, 1});
                    scrolled = ImGui::GetScrollY();
                    ImGui::EndChild();
                  });
                }});
  running = &lab;
  lab.frames(2);
  lab.wheel({300, 150}, -2);
  lab.frames(2);
  CHECK(scrolled == 0);
  CHECK(view.x);
  lab.wheel({550, 350}, -2);
  lab.frames(2);
  CHECK(scrolled > 0);
}

TEST_CASE("a drag that lost its button ends") {
  PlotLab lab(two_curves());
  lab->move(middle(lab));
  lab->press();
  lab->move({middle(lab).x + 40, middle(lab).y});
  CHECK(lab.shown.view.drag == PlotView::pan);
  lab->release();
  lab->frame();
  CHECK(lab.shown.view.drag == PlotView::none);
}

TEST_CASE("linked plots show a crosshair at the value and say where the pointer is") {
  PlotLab lab(two_curves());
  lab->move(lab.at(40, 70));
  CHECK(lab.shown.events.pointer.x == doctest::Approx(40).epsilon(0.01));
  const auto count = [&] { return lab->draw_data().TotalVtxCount; };
  lab->move({5, 5});
  lab->frame();
  const int before = count();
  lab.shown.plot.linked_x = 40;
  lab->frame();
  CHECK(count() > before);
  lab.shown.plot.linked_x = 4000;  // out of sight
  lab->frame();
  CHECK(count() == before);
}

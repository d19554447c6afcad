// What a plot says: titles, ticks, legend, markers, notes and the read-out.
#include <algorithm>

#include "app/theme/hash.h"
#include "tests/app/plot_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

Plot line_plot() {
  Plot plot{.id = "line", .title = "a line"};
  plot.series = {function_curve("growing", 11, 1, [](double x) { return 2 * x; })};
  return plot;
}

}  // namespace

TEST_CASE("a plot writes round numbers along its axes") {
  Plot plot = line_plot();
  plot.y = {.low = 0, .high = 20};
  PlotLab lab(plot);
  for (const char* text : {"0", "2", "4", "6", "8", "10", "20"}) CHECK(lab.find(text));
  lab.shown.plot.y.format = PlotAxis::bytes;
  lab->frame();
  CHECK(lab.find("20 B"));
  lab.shown.plot.x.log = true;
  lab.shown.plot.y = {.format = PlotAxis::percent, .log = true};
  lab->frame();
  CHECK(lab.find("1\u2009000 %"));
}

TEST_CASE("the read-out of a curve names it and the sample nearest to the pointer") {
  PlotLab lab(line_plot());
  lab->move(lab.at(3.2, 6.4));
  CHECK(lab.shown.events.hovered);
  REQUIRE(lab.shown.events.nearest);
  CHECK(*lab.shown.events.nearest == PlotSpot{0, 3});
  const Rect near{{lab.at(3, 6).x - 10, lab.at(3, 6).y - 60}, {lab.at(3, 6).x + 200, lab.at(3, 6).y + 60}};
  std::string words;
  for (const DrawnText& text : lab.texts())
    if (near.contains(centre(text.box))) words += text.text + "|";
  CHECK(words == "growing|3|6|");
  CHECK(lab.shown.events.pointer.x == doctest::Approx(3.2).epsilon(0.01));
  CHECK(lab.shown.events.pointer.y == doctest::Approx(6.4).epsilon(0.02));
}

TEST_CASE("far from all samples the read-out is of the place") {
  PlotLab lab(line_plot());
  lab->move(lab.at(7.013, 2.513));
  CHECK_FALSE(lab.shown.events.nearest);
  CHECK(lab.shows("7.0"));
  CHECK(lab.shows("2.5"));
  lab->move({5, 5});
  CHECK_FALSE(lab.shown.events.hovered);
}

TEST_CASE("points under the pointer win over curves") {
  Plot plot = line_plot();
  plot.series.push_back(points("data", {5}, {11}));
  PlotLab lab(plot);
  const ImVec2 point = lab.at(5, 11);
  lab->move({point.x + 3, point.y + 3});
  REQUIRE(lab.shown.events.nearest);
  CHECK(lab.shown.events.nearest->series == 1);
  lab->move({point.x, point.y + 25});
  REQUIRE(lab.shown.events.nearest);
  CHECK(lab.shown.events.nearest->series == 0);
}

TEST_CASE("the read-out of bars and stems is of the one under the pointer") {
  Plot plot{.id = "bars"};
  plot.series = {{.name = "bars", .kind = SeriesKind::bars, .y = samples({1, 4, 2})},
                 {.name = "stems", .kind = SeriesKind::stems, .x = samples({0.5}), .y = samples({3})}};
  plot.x.names = std::make_shared<std::vector<std::string>>(std::vector<std::string>{"the", "cat", "sat"});
  PlotLab lab(plot);
  lab->move(lab.at(1.1, 2));
  REQUIRE(lab.shown.events.nearest);
  CHECK(*lab.shown.events.nearest == PlotSpot{0, 1});
  int cats = 0;
  for (const DrawnText& text : lab.texts()) cats += text.text == "cat";
  CHECK(cats == 2);  // on the axis and in the read-out
  lab->move(lab.at(0.5, 2));
  REQUIRE(lab.shown.events.nearest);
  CHECK(lab.shown.events.nearest->series == 1);
}

TEST_CASE("samples out of sight are no answer of the read-out") {
  Plot plot{.id = "p"};
  plot.y = {.low = 0, .high = 10};
  plot.series = {points("dots", {1, 5, 9}, {5, 11, 5}),
                 {.name = "stems", .kind = SeriesKind::stems, .x = samples({3}), .y = samples({-4})}};
  PlotLab lab(plot);
  lab->move(lab.at(5, 9.8));
  CHECK_FALSE(lab.shown.events.nearest);
  lab->move(lab.at(3, 5));
  CHECK_FALSE(lab.shown.events.nearest);
  lab->move(lab.at(1, 5));
  CHECK(lab.shown.events.nearest);
}

TEST_CASE("the read-out stays inside the plot and elides long names") {
  Plot plot = line_plot();
  plot.series[0].name =
      "a name that is far too long for any read-out in a plot of this width, or of a wider one";
  plot.legend = PlotLegend::none;
  PlotLab lab(plot, {{100, 80}, {340, 300}});
  const Rect inside = lab.layout().inside;
  for (double x = 0.5; x < 10; x += 1) {
    lab->move({lab.at(x, 2 * x).x + 1, std::clamp(lab.at(x, 2 * x).y, inside.min.y + 2, inside.max.y - 2)});
    REQUIRE(lab.shown.events.nearest);
    bool elided = false;
    for (const DrawnText& text : lab.texts()) {
      if (!text.text.starts_with("a name")) continue;
      elided = text.text.ends_with("…");
      CHECK(text.box.min.x >= inside.min.x);
      CHECK(text.box.max.x <= inside.max.x);
    }
    CHECK(elided);
  }
}

TEST_CASE("samples that are not above zero are counted where the axis is logarithmic") {
  Plot plot{.id = "p"};
  plot.series = {curve("some", {-1, 0, 3, 4})};
  plot.y.log = true;
  PlotLab lab(plot);
  CHECK(lab.shows("2 samples not above 0"));
  lab.shown.plot.series = {curve("none", {-1, -2})};
  lab->frames(2);
  CHECK(lab.shows("2 samples not above 0"));
  lab.shown.plot.y.log = false;
  lab->frames(2);
  CHECK_FALSE(lab.shows("not above 0"));
}

TEST_CASE("a plot without data says so") {
  Plot plot{.id = "p", .title = "empty"};
  PlotLab lab(plot);
  CHECK(lab.shows("no samples"));
  lab.shown.plot.series = {curve("nothing", {kNan, kInfinity})};
  lab->frames(2);
  CHECK(lab.shows("no sample is a finite number"));
}

TEST_CASE("markers have their labels and are left out with them where they are out of sight") {
  Plot plot = line_plot();
  plot.markers = {{.id = "a", .at = 4, .label = "here"},
                  {.id = "b", .vertical = false, .at = 500, .label = "there"}};
  PlotLab lab(plot);
  REQUIRE(lab.find("here"));
  CHECK(lab.find("here")->min.x > lab.at(4, 0).x);
  CHECK_FALSE(lab.find("there"));
}

TEST_CASE("labels of markers go where no curve runs") {
  // The curve runs along the bottom right; the label finds another place next to its line.
  Plot plot{.id = "p", .legend = PlotLegend::none};
  plot.series = {function_curve("low", 101, 0.1, [](double x) { return x < 5 ? 10 : 0.1; })};
  plot.markers = {{.id = "m", .at = 5.5, .label = "a label of some length"}};
  PlotLab lab(plot);
  const auto label = lab.find("a label of some length");
  REQUIRE(label);
  const float curve = lab.at(0, 0.1).y;
  CHECK((curve < label->min.y || curve > label->max.y));
}

TEST_CASE("notes stand next to their places") {
  Plot plot = line_plot();
  plot.notes = {{.x = 5, .y = 4, .text = "worth knowing"}, {.x = 50, .y = 4, .text = "out of sight"}};
  PlotLab lab(plot);
  const auto note = lab.find("worth knowing");
  REQUIRE(note);
  const ImVec2 at = lab.at(5, 4);
  CHECK(std::abs(centre(*note).y - at.y) < 40);
  CHECK(std::min(std::abs(note->min.x - at.x), std::abs(note->max.x - at.x)) < 15);
  CHECK_FALSE(lab.find("out of sight"));
}

TEST_CASE("bars carry their numbers where they fit") {
  Plot plot{.id = "bars", .legend = PlotLegend::none};
  plot.series = {{.kind = SeriesKind::bars, .y = samples({1.3, -2.6, 0.7}), .numbers = true}};
  PlotLab lab(plot);
  REQUIRE(lab.find("1.3"));
  REQUIRE(lab.find("−2.6"));
  CHECK(lab.find("1.3")->max.y <= lab.at(0, 1.3).y);
  CHECK(lab.find("−2.6")->min.y >= lab.at(1, -2.6).y);
  lab.show(plot, {{100, 80}, {190, 200}});
  CHECK_FALSE(lab.find("1.3"));
}

TEST_CASE("quiet words appear while the pointer is over the plot") {
  Plot plot = line_plot();
  plot.cursor_hint = "click adds a point";
  PlotLab lab(plot);
  CHECK_FALSE(lab.shows("click adds"));
  lab->move(lab.at(5, 3));
  CHECK(lab.shows("click adds a point"));
}

TEST_CASE("words over a plot keep clear of its bars, stems and bands where there is room") {
  for (const SeriesKind kind : {SeriesKind::bars, SeriesKind::stems, SeriesKind::band}) {
    Plot plot = line_plot();
    std::vector<float> low(40, 1.0f);  // along the bottom of the plot
    plot.series = {{.kind = kind, .y = Samples::of(low), .width = 0.9}};
    plot.y.low = 0, plot.y.high = 10;
    plot.cursor_hint = "click adds a point";
    plot.markers = {{.id = "much", .at = 20, .label = "0.9"}};
    PlotLab lab(plot);
    lab->move(lab.at(5, 3));
    for (const char* words : {"click adds a point", "0.9"}) {
      CAPTURE(std::string(words));
      REQUIRE(lab.find(words));
      CHECK(lab.find(words)->max.y <= lab.at(5, 1).y);
    }
  }
}

TEST_CASE("a plot that nothing happens to draws the same again") {
  Plot plot = line_plot();
  plot.markers = {{.id = "a", .at = 4, .label = "here", .draggable = true}};
  PlotLab lab(plot);
  const auto vertices = [&] {
    std::uint64_t hash = 0;
    const ImDrawData& data = lab->draw_data();
    for (int i = 0; i < data.CmdListsCount; ++i)
      for (const ImDrawVert& v : data.CmdLists[i]->VtxBuffer)
        hash = mixed(hash, std::bit_cast<std::uint64_t>(v.pos) ^ v.col);
    return hash;
  };
  lab->frames(2);
  const auto before = vertices();
  lab->frames(3);
  CHECK(vertices() == before);
  lab.shown.plot.series[0].y = samples({1, 2, 3});
  lab->frame();
  CHECK(vertices() != before);
}

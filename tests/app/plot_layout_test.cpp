// Where the parts of a plot lie, and that nothing is cut or covers anything else at any size.
#include "tests/app/plot_lab.h"
#include "tests/sanitized.h"

using namespace attn;
using namespace attn::tests;

namespace {

Plot full_plot() {
  Plot plot{.id = "full", .title = "time of one layer"};
  plot.subtitle = {{"lines counted, dots measured on this device", true}, {"float16", false}};
  plot.x = {.title = "tokens n", .log = true, .log_base = 2};
  plot.y = {.title = "time", .format = PlotAxis::seconds, .log = true};
  for (const char* name : {"full", "flash", "window 256", "a mechanism with a very long name indeed"}) {
    const double slope = plot.series.size() % 2 ? 2 : 1;
    std::vector<double> x, y;
    for (double n = 16; n <= 1048576; n *= 2) x.push_back(n), y.push_back(1e-6 * std::pow(n, slope));
    plot.series.push_back({.name = name, .x = samples(x), .y = samples(y)});
  }
  plot.markers = {{.id = "n", .at = 4096, .label = "n 4\u2009096", .draggable = true},
                  {.id = "6d", .at = 4608, .label = "n = 6d: attention = the rest"},
                  {.id = "limit", .vertical = false, .at = 1, .label = "one second"}};
  plot.notes = {{.x = 65536, .y = 0.1, .text = "a note"}, {.x = 65000, .y = 0.1, .text = "another note"}};
  return plot;
}

Plot bar_plot() {
  Plot plot{.id = "bars", .title = "row", .x = {.title = "key"}, .y = {.format = PlotAxis::percent}};
  plot.x.names = std::make_shared<std::vector<std::string>>(
      std::vector<std::string>{"the", "cat", "sat", "on", "an unusually long token", "mat"});
  for (const char* name : {"softmax", "sparsemax"})
    plot.series.push_back({.name = name,
                           .kind = SeriesKind::bars,
                           .x = Samples::range(plot.series.empty() ? -0.2 : 0.2, 1, 6),
                           .y = samples({0.7, 0.12, 0.08, 0.07, 0.02, 0.01}),
                           .width = 0.38,
                           .numbers = true});
  return plot;
}

Plot waves_plot() {
  Plot plot{.id = "waves", .title = "dimensions", .x = {.title = "position"}, .legend = PlotLegend::right};
  for (const double length : {4.0, 9.0, 70.0})
    plot.series.push_back(function_curve("wave " + std::to_string(static_cast<int>(length)), 64, 1,
                                         [&](double p) { return 1e5 * std::sin(p / length); }));
  plot.markers = {{.id = "p", .at = 17, .label = "p", .dots = true}};
  return plot;
}

bool within(const Rect& box, const Rect& area) {
  return box.min.x >= area.min.x - 0.5f && box.max.x <= area.max.x + 0.5f && box.min.y >= area.min.y - 0.5f &&
         box.max.y <= area.max.y + 0.5f;
}

Rect shrunk(Rect box, float by) {
  return {{box.min.x + by, box.min.y + by}, {box.max.x - by, box.max.y - by}};
}

void check_words(PlotLab& lab) {
  const auto texts = lab.texts();
  for (const DrawnText& text : texts) {
    INFO(text.text);
    CHECK(within(text.box, lab.shown.area));
  }
  for (std::size_t i = 0; i < texts.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      INFO(texts[i].text, " over ", texts[k].text);
      CHECK_FALSE(overlap(shrunk(texts[i].box, 1), shrunk(texts[k].box, 1)));
    }
  for (const DrawnText& cut : cut_texts(lab->draw_data(), lab.shown.area)) {
    INFO(cut.text);
    CHECK(texts.empty());  // what is cut has been drawn by the plot
  }
}

}  // namespace

TEST_CASE("words of a plot stay in its area and off each other at every size" *
          doctest::test_suite("unsanitized")) {
  for (const float scale : {1.0f, 2.0f})
    for (const Plot& plot : {full_plot(), bar_plot(), waves_plot()}) {
      if (kSanitized && scale > 1) continue;
      PlotLab lab(plot, {{100, 80}, {700, 480}}, scale);
      for (float width = 10; width < 700; width = width * 1.35f + 3)
        for (float height = 10; height < 480; height = height * 1.5f + 2) {
          lab.show(plot, {{103.4f, 81.7f}, {103.4f + width * scale, 81.7f + height * scale}});
          CAPTURE(plot.id);
          CAPTURE(scale);
          CAPTURE(width);
          CAPTURE(height);
          check_words(lab);
        }
    }
}

TEST_CASE("nothing of a plot is drawn outside its area") {
  PlotLab lab(full_plot());
  for (const Rect area :
       {Rect{{100, 80}, {700, 480}}, Rect{{200, 300}, {330, 390}}, Rect{{5, 5}, {45, 40}}}) {
    lab.show(full_plot(), area);
    lab->move(centre(area));
    const ImDrawData& data = lab->draw_data();
    for (int i = 0; i < data.CmdListsCount; ++i) {
      const ImDrawList& list = *data.CmdLists[i];
      if (std::string_view(list._OwnerName) != "plots") continue;
      for (const ImDrawCmd& command : list.CmdBuffer) {
        if (command.ElemCount == 6 || command.UserCallback) continue;  // the window's own ground
        CHECK(command.ClipRect.x >= area.min.x - 1);
        CHECK(command.ClipRect.y >= area.min.y - 1);
        CHECK(command.ClipRect.z <= area.max.x + 1);
        CHECK(command.ClipRect.w <= area.max.y + 1);
      }
    }
  }
}

TEST_CASE("a plot with room has its title and the titles of its axes and ticks and a legend") {
  PlotLab lab(full_plot());
  lab.show(full_plot(), {{100, 80}, {800, 580}});
  for (const char* text : {"time of one layer", "tokens n", "time", "full", "window 256", "1 ms", "1 s",
                           "one second", "n 4\u2009096", "a note"}) {
    INFO(text);
    CHECK(lab.find(text));
  }
  CHECK(lab.shows("lines counted, dots measured on this device"));
}

TEST_CASE("where a plot is small its ticks thin out then the legend goes then titles are elided") {
  PlotLab lab(full_plot());
  const auto shown_in = [&](ImVec2 size) {
    lab.show(full_plot(), {{100, 80}, {100 + size.x, 80 + size.y}});
    return lab.layout();
  };
  const PlotLayout large = shown_in({800, 600}), medium = shown_in({340, 260}), small = shown_in({170, 130});
  CHECK(large.x_ticks.size() > medium.x_ticks.size());
  CHECK(large.y_ticks.size() > medium.y_ticks.size());
  CHECK_FALSE(medium.legend.entries.empty());
  CHECK(small.legend.entries.empty());
  CHECK(small.x_ticks.size() >= 2);
  CHECK(lab.shows("time of one layer"));
  shown_in({110, 90});
  CHECK(lab.shows("time "));
  CHECK(lab.shows("…"));
}

TEST_CASE("a legend takes smaller letters before it cuts a name") {
  Plot plot{.id = "p"};
  plot.series = {curve("a name of some length", {1, 2, 3})};
  PlotLab lab(plot);
  const ImFont* usual = nullptr;
  bool smaller = false;
  for (float width = 700; width > 200; width -= 10) {
    lab.show(plot, {{100, 80}, {100 + width, 480}});
    const LegendLayout legend = lab.layout().legend;
    if (legend.entries.empty()) continue;
    if (!usual) usual = legend.font;
    const bool whole = legend.entries[0].shown == legend.entries[0].name;
    CAPTURE(width);
    CHECK((whole || legend.font != usual));
    smaller = smaller || (whole && legend.font != usual);
  }
  CHECK(smaller);
}

TEST_CASE("a legend in another language keeps its letters where no name is cut") {
  Plot plot{.id = "p"};
  plot.series = {curve("all again", {1, 2, 3})};
  PlotLab lab(plot, {{100, 80}, {800, 480}}, 1, {.language = "de"});
  const LegendLayout legend = lab.layout().legend;
  REQUIRE(legend.entries.size() == 1);
  CHECK(legend.entries[0].shown != "all again");
  CHECK(legend.font == lab->theme().fonts.body);
}

TEST_CASE("a plot too small for anything draws nothing and does not fail") {
  PlotLab lab(full_plot());
  for (const ImVec2 size : {ImVec2{0, 0}, ImVec2{0, 100}, ImVec2{100, 0}, ImVec2{1, 1}, ImVec2{-50, 40},
                            ImVec2{17, 17}, ImVec2{400, 17}, ImVec2{17, 400}})
    for (const bool hovered : {false, true}) {
      lab.show(full_plot(), {{100, 80}, {100 + size.x, 80 + size.y}});
      if (hovered) lab->move({101, 81});
      lab->frame();
      CHECK(lab.texts().size() < 20);
    }
}

TEST_CASE("a legend stands where the data are not and stays there for small changes") {
  const auto rising = [](double steep) {
    Plot plot{.id = "p"};
    plot.series = {function_curve("a name", 200, 1, [&](double x) { return steep * x; })};
    return plot;
  };
  PlotLab lab(rising(1));
  const auto is_left = [&] { return centre(lab.layout().legend.box).x < centre(lab.layout().inside).x; };
  const auto is_top = [&] { return centre(lab.layout().legend.box).y < centre(lab.layout().inside).y; };
  CHECK(is_left());
  CHECK(is_top());
  lab.shown.plot = rising(-1);  // falls: top left to bottom right
  lab->frames(2);
  CHECK_FALSE(is_left());
  CHECK(is_top());
  // Left and right are equally good for a level curve in the middle; it stays where it was.
  lab.shown.plot.series = {function_curve("a name", 200, 1, [](double) { return 1; })};
  lab->frames(2);
  CHECK_FALSE(is_left());
}

TEST_CASE("a legend rather covers some of a curve than a few points") {
  const auto along = [](const char* name, float x, float y, std::size_t count) {
    std::vector<float> xs, ys;
    for (std::size_t i = 0; i < count; ++i) {
      xs.push_back(x + 0.01f * static_cast<float>(i));
      ys.push_back(y);
    }
    return Series{.name = name, .x = Samples::of(std::move(xs)), .y = Samples::of(std::move(ys))};
  };
  Plot plot{.id = "p"};
  plot.series = {along("top left", 0.3f, 9.7f, 10), along("top right", 9.3f, 9.7f, 40),
                 along("bottom left", 0.3f, 0.3f, 40), points("few", {9.4, 9.5, 9.6}, {0.3, 0.3, 0.3})};
  PlotLab lab(plot);
  const ImVec2 legend = centre(lab.layout().legend.box), middle = centre(lab.layout().inside);
  CHECK(legend.x < middle.x);
  CHECK(legend.y < middle.y);
}

TEST_CASE("a legend does not leave from under the pointer that hides one of its series") {
  Plot plot{.id = "p"};
  plot.series = {
      points("left", {0.2, 0.3, 0.4, 0.2, 0.3, 0.2, 0.4}, {9.8, 9.6, 9.4, 9.7, 9.5, 0.2, 0.4}),
      points("right", {9.6, 9.7, 9.8, 9.8, 9.7, 9.6, 0.2}, {9.6, 9.8, 9.7, 0.2, 0.3, 0.4, 0.2}),
  };
  PlotLab lab(plot);
  const ImVec2 name = centre(*lab.find("left"));
  lab->click(name);
  CHECK(centre(*lab.find("left")).x == name.x);
  lab->click(name);
  CHECK(lab.shown.view.hidden.empty());
  lab->click(name);
  lab->move({5, 5});  // it has gone: now the legend may
  CHECK(centre(*lab.find("left")).x < name.x);
}

TEST_CASE("names of a legend at the right stand right of the plot in their colours") {
  PlotLab lab(waves_plot());
  const PlotLayout layout = lab.layout();
  for (const DrawnText& text : lab.texts()) {
    if (!text.text.starts_with("wave")) continue;
    CHECK(text.box.min.x >= layout.inside.max.x);
    if (text.text == "wave 9") CHECK(text.colour == series_colour(1));
  }
  CHECK(lab.find("wave 70"));
}

TEST_CASE("names of a legend below stand in lines under the numbers and hide their series by a click") {
  Plot plot = waves_plot();
  plot.legend = PlotLegend::below;
  PlotLab lab(plot);
  const PlotLayout layout = lab.layout();
  REQUIRE(layout.legend.entries.size() == 3);
  for (const LegendEntry& entry : layout.legend.entries) {
    CHECK(entry.box.min.y >= layout.x_axis.max.y);
    CHECK(within(entry.box, layout.area));
  }
  CHECK_FALSE(lab.shown.view.hidden.contains("wave 9"));
  lab->click(centre(layout.legend.entries[1].box));
  CHECK(lab.shown.view.hidden.contains("wave 9"));
  Rect narrow = layout.area;
  narrow.max.x = narrow.min.x + 90;  // a name a line
  const auto lines = names_below(lab->theme(), plot, narrow);
  REQUIRE(lines.size() == 3);
  CHECK(lines[1].box.min.y == lines[0].box.max.y);
  narrow.max.y = narrow.min.y + 60;  // they would take most of it
  CHECK(names_below(lab->theme(), plot, narrow).empty());
}

TEST_CASE("series of one name have one entry and one colour") {
  Plot plot{.id = "p"};
  plot.series = {curve("full", {1, 2}), points("full", {0, 1}, {1, 2}), curve("flash", {2, 3}),
                 curve("", {0, 1})};
  PlotLab lab(plot);
  CHECK(lab.layout().legend.entries.size() == 2);
  const auto looks = series_looks(lab->theme(), plot, {});
  CHECK(looks[0].colour == looks[1].colour);
  CHECK(looks[2].colour == series_colour(1));
  CHECK(looks[3].colour == series_colour(2));
}

TEST_CASE("colours that would hardly be seen on the ground of a plot are changed until they are") {
  const Theme dark = make_theme(ThemeName::dark, 1, {}), light = make_theme(ThemeName::light, 1, {});
  const ImU32 yellow = series_colour(4);
  CHECK(seen_colour(dark, yellow) == yellow);
  CHECK(seen_colour(light, yellow) != yellow);
  for (std::size_t i = 0; i < 7; ++i) CHECK(seen_colour(dark, series_colour(i)) == series_colour(i));
}

// A plot as a table.
#include "tests/app/plot_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("the table of a plot has two columns a series") {
  Plot plot{.id = "p", .x = {.title = "position"}};
  plot.series = {curve("a", {0.5, kNan, 2}), points("b", {0.1, 0.2}, {1, -1})};
  CHECK(plot_table(plot, {}) == "position\ta\tposition\tb\n0\t0.5\t0.1\t1\n1\tnan\t0.2\t-1\n2\t2\t\t\n");
}

TEST_CASE("the table of a plot leaves out what is hidden and out of sight") {
  Plot plot{.id = "p"};
  plot.series = {curve("a", {0, 1, 2, 3, 40}), curve("b", {5, 6}), points("c", {1, 2}, {1, 50})};
  PlotView view;
  view.hidden = {"b"};
  view.x = PlotRange{1, 4};
  view.y = PlotRange{0, 10};
  // A curve keeps its samples above and below; points are left out.
  CHECK(plot_table(plot, view) == "x\ta\tx\tc\n1\t1\t1\t1\n2\t2\t\t\n3\t3\t\t\n4\t40\t\t\n");
}

TEST_CASE("the table of a plot has both edges of a band and whole names in one cell") {
  Plot plot{.id = "p"};
  plot.series = {{.name = "a\tb\nc",
                  .kind = SeriesKind::band,
                  .x = Samples::range(0, 0.1, 2),
                  .y = samples({1, 2}),
                  .y2 = samples({3, 4})}};
  CHECK(plot_table(plot, {}) == "x\ta b c\ta b c, other edge\n0\t1\t3\n0.1\t2\t4\n");
}

TEST_CASE("a plot without series has an empty table") {
  CHECK(plot_table({.id = "p"}, {}).empty());
}

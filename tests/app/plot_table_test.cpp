// A plot as a table.
#include <random>

#include "core/io/table_row.h"
#include "core/io/text.h"
#include "core/text/text.h"
#include "tests/app/plot_lab.h"
#include "tests/contains.h"
#include "tests/hostile.h"
#include "tests/seed.h"

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
  CHECK(plot_table(plot, {}) == "x\t\"a\\x09b\\x0ac\"\t\"a\\x09b\\x0ac, other edge\"\n0\t1\t3\n0.1\t2\t4\n");
}

TEST_CASE("names in the table of a plot are no formulas and the table is read back whatever they are") {
  std::mt19937 random(seed(51));
  const std::vector<float> numbers{0, 0.5, 0, 2.5, 1, 1.5, 1, -3.5};
  for (int i = 0; i < 300; ++i) {
    const std::string name = hostile_text(random);
    Plot plot{.id = "p", .x = {.title = hostile_text(random)}};
    plot.series = {curve(name, {0.5, 1.5}), curve("-1+cmd", {2.5, -3.5})};
    const std::string table = plot_table(plot, {});
    const auto names = split_row(std::string_view(table).substr(0, table.find('\n')), '\t');
    REQUIRE(names.size() == 4);
    CHECK(names[0].text == (plot.x.title.empty() ? "x" : printable(plot.x.title)));
    CHECK(names[1].text == (name.empty() ? "y" : printable(name)));
    CHECK(contains(table, "\t\"'-1+cmd\"\n"));
    const ParsedBlock block = parse_block(table);
    CHECK_MESSAGE(block.error.empty(), block.error, table);
    CHECK(block.matrix.values == numbers);
  }
}

TEST_CASE("a plot without series has an empty table") {
  CHECK(plot_table({.id = "p"}, {}).empty());
}

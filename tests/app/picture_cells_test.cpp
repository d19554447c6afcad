// Pixels of the program: the colour of a cell is the colour map of its number.
#include <algorithm>
#include <array>
#include <set>

#include "tests/app/picture_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// The largest magnitude of the numbers that have one: the range that signed values are shown in.
float range_of(const Tensor& values) {
  float largest = 0;
  for (const float v : values.values())
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  return largest;
}

// In a cell, above its digits.
ImVec2 above_digits(Rect cells, Shape shape, std::size_t row, std::size_t column) {
  const float width = cells.width() / static_cast<float>(shape.columns);
  const float height = cells.height() / static_cast<float>(shape.rows);
  return {cells.min.x + width * (static_cast<float>(column) + 0.5f),
          cells.min.y + height * static_cast<float>(row) + 4};
}

Rect cells_of(Offscreen& screen, const std::string& stage) {
  const auto cells = screen.lab().item(stage + "/cells");
  INFO(stage);
  REQUIRE(cells);
  return *cells;
}

void check_colours(Offscreen& screen, const Picture& picture, const std::string& stage, MapKind kind) {
  const Tensor values = screen.lab().results()->output(stage);
  const ColourMap map{kind, kind == MapKind::diverging ? range_of(values) : 1};
  const Theme theme = theme_of(screen.app().view().settings);
  const Rect cells = cells_of(screen, stage);
  for (std::size_t row = 0; row < values.rows(); ++row)
    for (std::size_t column = 0; column < values.columns(); ++column) {
      const float value = values[{0, row, column}];
      CAPTURE(stage);
      CAPTURE(row);
      CAPTURE(column);
      CHECK(pixel_at(picture, above_digits(cells, values.shape(), row, column)) ==
            pixel_of(map_colour(theme, map, value)));
    }
}

// How many pixels have a colour from the middle of a map, where the two maps are far from each other.
std::size_t pixels_of(const Picture& picture, MapKind kind) {
  std::set<std::array<int, 3>> colours;
  const Theme theme = theme_of(Settings{});
  for (float t = 0.35f; t < 0.65f; t += 0.001f) {
    const Pixel of = pixel_of(map_colour(theme, {kind, 1}, t));
    colours.insert({of.r, of.g, of.b});
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i + 2 < picture.rgb.size(); i += 3)
    count += colours.contains({picture.rgb[i], picture.rgb[i + 1], picture.rgb[i + 2]});
  return count;
}

}  // namespace

TEST_CASE("the colour of every cell is the colour map of its number in every theme") {
  for (const ThemeName theme : kThemes) {
    Settings settings;
    settings.theme = theme;
    Offscreen screen({.document = read_document("the-cat-sat-on-mat"), .settings = settings});
    const Picture picture = screen.picture();
    for (const char* stage : {"x", "q", "k", "v", "scores", "scaled", "head_output"})
      check_colours(screen, picture, stage, MapKind::diverging);
    check_colours(screen, picture, "weights", MapKind::viridis);
  }
}

TEST_CASE("no outline and no ring covers a pixel of a number") {
  for (const float scale : {1.0f, 2.0f}) {
    Offscreen screen({.document = read_document("the-cat-sat-on-mat"),
                      .settings = Settings{},
                      .size = {1600 * scale, 1000 * scale},
                      .scale = scale});
    const Picture before = screen.picture();
    const Rect cells = cells_of(screen, "k");
    const ImVec2 pitch{cells.width() / 4, cells.height() / 5};
    View& view = screen.app().view();
    const auto same = [&](std::size_t row, std::size_t column) {
      const Picture now = screen.picture();
      const float left = cells.min.x + pitch.x * static_cast<float>(column) + scale;
      const float top = cells.min.y + pitch.y * static_cast<float>(row) + pitch.y / 4;
      int different = 0;  // in the middle half of the cell, where its digits are
      for (float y = top; y < top + pitch.y / 2; ++y)
        for (float x = left; x < left + pitch.x - 3 * scale; ++x)
          different += distance(pixel_at(now, {x, y}), pixel_at(before, {x, y})) > 0;
      CAPTURE(scale);
      CHECK(different == 0);
    };
    view.pinned = Spot{"scores", {0, 3, 0}};  // made from the first row of K
    screen.lab().settle();
    same(0, 1);
    view.pinned = Spot{"k", {0, 1, 0}};
    screen.lab().settle();
    same(1, 0);
    view.grid.selection = Selection{{"k", {0, 2, 1}}, {0, 2, 1}};
    screen.lab().settle();
    same(2, 1);
  }
}

TEST_CASE("the colour blind map is used where it is chosen") {
  Settings settings;
  settings.weight_colours = WeightColours::cividis;
  Offscreen screen({.document = read_document("the-cat-sat-on-mat"), .settings = settings});
  check_colours(screen, screen.picture(), "weights", MapKind::cividis);
}

TEST_CASE("the map that is chosen for weights is that of every workspace" *
          doctest::test_suite("unsanitized")) {
  constexpr std::size_t kMany = 100;
  Offscreen screen({.document = read_document("dates"), .settings = Settings{}});
  const auto picture_in = [&](WeightColours colours) {
    screen.app().view().settings.weight_colours = colours;
    screen.lab().settle();
    return screen.picture();
  };
  std::size_t with_weights = 0;
  for (const Workspace& workspace : workspaces()) {
    CAPTURE(workspace.title);
    screen.app().show(workspace);
    const std::size_t usual = pixels_of(picture_in(WeightColours::viridis), MapKind::viridis);
    const Picture picture = picture_in(WeightColours::cividis);
    if (usual > kMany) CHECK(pixels_of(picture, MapKind::cividis) > kMany);
    CHECK(pixels_of(picture, MapKind::viridis) <= usual / 10);
    with_weights += usual > kMany;
  }
  CHECK(with_weights >= 6);
}

TEST_CASE("numbers of stages that are still to come can be read in every theme") {
  for (const ThemeName theme : kThemes) {
    Settings settings;
    settings.theme = theme;
    Offscreen screen({.document = read_document("the-cat-sat-on-mat"), .settings = settings});
    screen.app().view().canvas().step = "x";
    screen.lab().settle();
    const Picture picture = screen.picture();
    const Tensor weights = screen.lab().results()->output("weights");
    const Rect cells = cells_of(screen, "weights");
    const ImVec2 pitch{cells.width() / 5, cells.height() / 5};
    for (std::size_t row = 0; row < 5; ++row)
      for (std::size_t column = 0; column < 5; ++column) {
        const ImVec2 above = above_digits(cells, weights.shape(), row, column);
        const float value = weights[{0, row, column}];
        int contrast = 0;
        for (float x = 4 - pitch.x / 2; x < pitch.x / 2 - 4; ++x)
          contrast =
              std::max(contrast, distance(pixel_at(picture, above),
                                          pixel_at(picture, {above.x + x, above.y - 4 + pitch.y / 2})));
        CAPTURE(static_cast<int>(theme));
        CAPTURE(value);
        CHECK(contrast > 24);
      }
  }
}

TEST_CASE("masked cells are hatched in the colours of the theme") {
  Offscreen screen({.document = read_document("the-cat-sat-on-mat-causal"), .settings = Settings{}});
  const Picture picture = screen.picture();
  const Theme theme = theme_of({});
  const Rect cells = cells_of(screen, "weights");
  const ImVec2 pitch{cells.width() / 5, cells.height() / 5};  // cell 0 4 is to the right on top
  int plain = 0, lines = 0, others = 0;
  for (float y = 4; y < pitch.y - 4; ++y)
    for (float x = 4; x < pitch.x - 4; ++x) {
      const Pixel p = pixel_at(picture, {cells.min.x + 4 * pitch.x + x, cells.min.y + y});
      plain += p == pixel_of(theme.masked);
      lines += p != pixel_of(theme.masked) && distance(p, pixel_of(theme.hatch)) < 26;  // lines are blended
      others += distance(p, pixel_of(theme.hatch)) > 26 && distance(p, pixel_of(theme.masked)) > 26;
    }
  CHECK(plain > 0);
  CHECK(lines > 0);
  CHECK(others == 0);
}

TEST_CASE("two runs draw the same bytes") {
  const auto draw = [] {
    Offscreen screen({.document = read_document("the-cat-sat-on-mat-two-heads"), .settings = Settings{}});
    screen.app().view().timeless = true;
    screen.lab().settle();
    return screen.picture();
  };
  const Picture first = draw();
  CHECK(first == draw());
  CHECK(first.width == 1600);
  CHECK(first.height == 1000);
}

TEST_CASE("a picture of a part is that part of the whole picture") {
  Offscreen screen({.document = read_document("three-tokens"), .settings = Settings{}});
  const Picture whole = screen.picture();
  const Picture part = screen.picture(Rect{{100, 50}, {400, 250}});
  CHECK(part.width == 300);
  CHECK(part.height == 200);
  for (const ImVec2 at : {ImVec2{0, 0}, ImVec2{299, 0}, ImVec2{10, 199}, ImVec2{150, 77}})
    CHECK(pixel_at(part, at) == pixel_at(whole, {at.x + 100, at.y + 50}));
}

TEST_CASE("programs side by side draw into pictures of their own") {
  Settings light;
  light.theme = ThemeName::light;
  Offscreen one({.document = read_document("three-tokens"), .settings = Settings{}});
  Offscreen two({.document = read_document("three-tokens"), .settings = light, .size = {1200, 700}});
  one.lab().frame();
  two.lab().frame();
  one.lab().frame();
  const ImVec2 canvas{600, 60};
  CHECK(pixel_at(one.picture(), canvas) == pixel_of(theme_of({}).canvas));
  CHECK(pixel_at(two.picture(), canvas) == pixel_of(theme_of(light).canvas));
  CHECK(two.picture().width == 1200);
}

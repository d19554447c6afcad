// Pixels of large matrices: the shader's colours are the colour map's, its patterns stand where they should.
#include <algorithm>
#include <bit>
#include <random>

#include "core/evaluate/texels.h"
#include "tests/app/picture_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Colours are rounded to 8 bits once in the map and once by OpenGL, from floats that differ in their last
// bits.
constexpr int kRounding = 1;
const ImVec2 kCorner = {300, 100};

Tensor random_matrix(std::size_t rows, std::size_t columns, unsigned seed = 1) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(rows * columns);
  for (float& value : values) value = normal(generator);
  return Tensor({1, rows, columns}, std::move(values));
}

struct PaintedHeatmap {
  Picture picture;
  Theme theme;
  ImVec2 cell;  // pixels
  Pixel at(float row, float column) const {
    return pixel_at(picture, {kCorner.x + cell.x * column, kCorner.y + cell.y * row});
  }
  Pixel middle(std::size_t row, std::size_t column) const {
    return at(static_cast<float>(row) + 0.5f, static_cast<float>(column) + 0.5f);
  }
};

// The matrix over the program, `size` pixels large.
PaintedHeatmap draw(const Textures::Heatmap& heatmap, ImVec2 size, ThemeName name = ThemeName::dark) {
  Settings settings;
  settings.theme = name;
  const Theme theme = theme_of(settings);
  Offscreen* running = nullptr;
  const auto on_top = [&] {
    if (!running) return;
    running->app().textures().draw(*ImGui::GetForegroundDrawList(), kCorner,
                                   {kCorner.x + size.x, kCorner.y + size.y}, heatmap, theme);
  };
  Offscreen screen({.document = read_document("three-tokens"), .settings = settings, .on_top = on_top});
  running = &screen;
  screen.lab().frame();
  return {screen.picture(),
          theme,
          {size.x / static_cast<float>(heatmap.values.columns()),
           size.y / static_cast<float>(heatmap.values.rows())}};
}

Textures::Heatmap heatmap_of(Tensor values, ColourMap map, Tensor mask = {}) {
  return {.values = std::move(values), .mask = std::move(mask), .map = map};
}

}  // namespace

TEST_CASE("the shader colours a cell as the colour map does") {
  const Tensor signed_values = random_matrix(40, 30);
  for (const ThemeName theme : kThemes)
    for (const ColourMap map :
         {ColourMap{MapKind::diverging, 2}, ColourMap{MapKind::viridis, 1.5f}, ColourMap{MapKind::cividis, 3},
          ColourMap{MapKind::diverging, 0}, ColourMap{MapKind::diverging, 2, 3}}) {
      const PaintedHeatmap drawn = draw(heatmap_of(signed_values, map), {300, 400}, theme);
      for (std::size_t row = 0; row < 40; ++row)
        for (std::size_t column = 0; column < 30; ++column)
          CHECK(distance(drawn.middle(row, column),
                         pixel_of(map_colour(drawn.theme, map, signed_values[{0, row, column}]))) <=
                kRounding);
    }
}

TEST_CASE("a dimmed matrix lets the canvas through and an opaque one does not") {
  const ColourMap map{MapKind::viridis, 1};
  const std::vector<float> ones(30 * 30, 1.0f);
  Textures::Heatmap heatmap = heatmap_of(Tensor({1, 30, 30}, ones), map);
  for (const float opacity : {1.0f, 0.22f}) {
    heatmap.opacity = opacity;
    const PaintedHeatmap drawn = draw(heatmap, {300, 300});
    const ImVec2 outside{kCorner.x - 10, kCorner.y + 200};
    CHECK(pixel_at(drawn.picture, outside) == pixel_of(drawn.theme.canvas));
    CHECK(distance(drawn.middle(20, 1),
                   pixel_of(mix(drawn.theme.canvas, map_colour(drawn.theme, map, 1), opacity))) <= 2);
  }
}

TEST_CASE("a pixel of a shrunk matrix shows its number of the largest magnitude") {
  const Tensor values = random_matrix(200, 300);
  const ColourMap map{MapKind::diverging, 4};
  const PaintedHeatmap drawn = draw(heatmap_of(values, map), {60, 50});
  for (std::size_t y = 0; y < 50; ++y)
    for (std::size_t x = 0; x < 60; ++x) {
      float largest = 0;
      for (std::size_t row = 4 * y; row < 4 * y + 4; ++row)
        for (std::size_t column = 5 * x; column < 5 * x + 5; ++column) {
          const float value = values[{0, row, column}];
          if (std::abs(value) > std::abs(largest)) largest = value;
        }
      const Pixel shown = pixel_at(drawn.picture, {kCorner.x + static_cast<float>(x) + 0.5f,
                                                   kCorner.y + static_cast<float>(y) + 0.5f});
      CHECK(distance(shown, pixel_of(map_colour(drawn.theme, map, largest))) <= kRounding);
    }
}

TEST_CASE("a matrix that is shrunk in one direction keeps the cells of the other apart") {
  std::vector<float> values(2 * 500, 0.0f);
  values[137] = 1;         // row 0
  values[500 + 320] = -1;  // row 1
  const PaintedHeatmap drawn =
      draw(heatmap_of(Tensor({1, 2, 500}, values), {MapKind::diverging, 1}), {100, 40});
  const auto shown = [&](float x, float y) {
    return pixel_at(drawn.picture, {kCorner.x + x, kCorner.y + y});
  };
  CHECK(shown(27.5f, 10) == pixel_of(drawn.theme.cell_positive));
  CHECK(shown(27.5f, 30) == pixel_of(drawn.theme.cell_zero));
  CHECK(shown(64.5f, 30) == pixel_of(drawn.theme.cell_negative));
  CHECK(shown(64.5f, 10) == pixel_of(drawn.theme.cell_zero));
}

TEST_CASE("pools put NaN before infinities before numbers and are masked only when all cells are") {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                  kInf = std::numeric_limits<float>::infinity();
  const Tensor values({1, 2, 8}, {1, -3, kInf, 9, 2, kNan, 5, 6,  //
                                  2, 0, 1, -1, kInf, 1, 7, 8});
  const Tensor mask({1, 2, 8}, {0, 1, 0, 0, 0, 0, 1, 1,  //
                                0, 0, 0, 0, 0, 0, 1, 1});
  const Texels texels = make_texels(values, mask, 0, 4, 1);
  CHECK(texels.width == 4);
  CHECK(texels.height == 1);
  CHECK(std::bit_cast<float>(texels.bits[0]) == 2);  // −3 is masked
  CHECK(std::bit_cast<float>(texels.bits[1]) == kInf);
  CHECK(std::isnan(std::bit_cast<float>(texels.bits[2])));
  CHECK(texels.bits[2] != kMaskedTexel);
  CHECK(texels.bits[3] == kMaskedTexel);
  CHECK_FALSE(texels.all_finite());
  CHECK(make_texels(random_matrix(3, 3), {}, 0, 3, 3).all_finite());
}

TEST_CASE("every cell is in some texel whatever the sizes") {
  for (const std::size_t cells : {1u, 2u, 7u, 64u, 101u})
    for (std::size_t texels = 1; texels <= cells; ++texels)
      for (std::size_t marked = 0; marked < cells; ++marked) {
        std::vector<float> values(cells, 0.0f);
        values[marked] = 1;
        const Texels made = make_texels(Tensor({1, 1, cells}, std::move(values)), {}, 0, texels, 1);
        CHECK(std::ranges::count(made.bits, std::bit_cast<std::uint32_t>(1.0f)) >= 1);
      }
}

TEST_CASE("heads choose their matrix and share the masks as the grid does") {
  const Tensor values({4, 1, 1}, {1, 2, 3, 4});
  const Tensor mask({2, 1, 1}, {0, 1});
  const auto texel = [&](std::size_t head) { return make_texels(values, mask, head, 1, 1).bits[0]; };
  CHECK(texel(0) == std::bit_cast<std::uint32_t>(1.0f));
  CHECK(texel(1) == std::bit_cast<std::uint32_t>(2.0f));
  CHECK(texel(2) == kMaskedTexel);
  CHECK(texel(3) == kMaskedTexel);
}

TEST_CASE("masked cells are hatched and NaN is a checker in the shader too") {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const Tensor values({1, 1, 3}, {kNan, 5, 0.5f});
  const Tensor mask({1, 1, 3}, {0, 1, 0});
  const ColourMap map{MapKind::viridis, 1};
  const PaintedHeatmap drawn = draw(heatmap_of(values, map, mask), {120, 40});
  const Theme& t = drawn.theme;
  const Pixel checker = pixel_of(mix(t.cell_zero, t.bad, 0.45f));
  int squares = 0, gaps = 0, lines = 0, plain = 0, others = 0;
  for (float y = 0.5f; y < 40; ++y)
    for (float x = 0.5f; x < 40; ++x) {
      const Pixel nan = pixel_at(drawn.picture, {kCorner.x + x, kCorner.y + y});
      squares += distance(nan, checker) <= kRounding;
      gaps += nan == pixel_of(t.cell_zero);
      const Pixel masked = pixel_at(drawn.picture, {kCorner.x + 40 + x, kCorner.y + y});
      plain += masked == pixel_of(t.masked);
      lines += distance(masked, pixel_of(t.masked)) >= distance(pixel_of(t.hatch), pixel_of(t.masked)) / 2;
      others += masked != pixel_of(t.masked) &&
                distance(masked, pixel_of(t.hatch)) > distance(pixel_of(t.hatch), pixel_of(t.masked));
    }
  CHECK(squares + gaps == 40 * 40);
  CHECK(squares == gaps);  // squares of 5 pixels in a cell of 40
  CHECK(lines > 0);
  CHECK(plain > 0);
  CHECK(others == 0);
  CHECK(distance(drawn.middle(0, 2), pixel_of(map_colour(t, map, 0.5f))) <= kRounding);
}

TEST_CASE("plus infinity is a wedge that points up and minus infinity one that points down") {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const ColourMap map{MapKind::diverging, 1};
  const PaintedHeatmap drawn = draw(heatmap_of(Tensor({1, 1, 2}, {kInf, -kInf}), map), {80, 40});
  const auto ink_pixels = [&](float left, ImU32 background, bool upper) {
    int count = 0;
    for (float y = upper ? 10.5f : 20.5f; y < (upper ? 20 : 30); ++y)
      for (float x = left + 0.5f; x < left + 40; ++x)
        count += pixel_at(drawn.picture, {kCorner.x + x, kCorner.y + y}) == pixel_of(ink_on(background));
    return count;
  };
  const ImU32 high = drawn.theme.cell_positive, low = drawn.theme.cell_negative;
  CHECK(drawn.at(0.1f, 0.1f) == pixel_of(high));
  CHECK(drawn.at(0.1f, 1.1f) == pixel_of(low));
  // The wedge reaches further to the side of its tip, and is wider on the other.
  CHECK(ink_pixels(0, high, true) > 0);
  CHECK(ink_pixels(40, low, false) > 0);
  CHECK(ink_pixels(0, high, true) + ink_pixels(0, high, false) ==
        ink_pixels(40, low, true) + ink_pixels(40, low, false));
  CHECK(ink_pixels(0, high, true) == ink_pixels(40, low, false));
}

TEST_CASE("opacity mixes a matrix with what is below it") {
  Textures::Heatmap faded = heatmap_of(Tensor({1, 1, 1}, {1}), {MapKind::diverging, 1});
  faded.opacity = 0;
  const PaintedHeatmap drawn = draw(faded, {50, 50});
  faded.opacity = 1;
  const PaintedHeatmap solid = draw(faded, {50, 50});
  CHECK(solid.middle(0, 0) == pixel_of(solid.theme.cell_positive));
  CHECK(drawn.middle(0, 0) != pixel_of(solid.theme.cell_positive));
}

TEST_CASE("textures are kept within their budget and come back when they are shown again") {
  std::vector<Tensor> matrices;
  for (unsigned i = 0; i < 6; ++i) matrices.push_back(random_matrix(64, 64, i));
  std::size_t shown = 0;
  Offscreen* running = nullptr;
  const ColourMap map{MapKind::diverging, 3};
  const auto on_top = [&] {
    if (running)
      running->app().textures().draw(*ImGui::GetForegroundDrawList(), kCorner,
                                     {kCorner.x + 128, kCorner.y + 128},
                                     {.values = matrices[shown], .mask = {}, .map = map}, theme_of({}));
  };
  Offscreen screen({.document = read_document("three-tokens"), .settings = Settings{}, .on_top = on_top});
  running = &screen;
  Textures& textures = screen.app().textures();
  const std::size_t one = 64 * 64 * 4;
  textures.limit(2 * one);
  for (const std::size_t i : {0u, 1u, 2u, 3u, 4u, 5u, 0u}) {
    shown = i;
    screen.lab().frame();
    CHECK(textures.bytes() <= 2 * one);
    CHECK(textures.bytes() >= one);
    CHECK(distance(pixel_at(screen.picture(), {kCorner.x + 1, kCorner.y + 1}),
                   pixel_of(map_colour(theme_of({}), map, matrices[i][{0, 0, 0}]))) <= kRounding);
  }
}

// Points as one picture: counted by texel, drawn where there are some, the memory of an old picture used
// again.
#include "app/plot/plot_pool.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/app/picture_lab.h"
#include "tests/app/plot_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr ImU32 kPoints = IM_COL32(230, 159, 0, 255);

}  // namespace

TEST_CASE("new points are pooled anew in the place of those before and old ones are not") {
  std::vector<float> x(5'000), y(5'000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 2 + 1e-4f * static_cast<float>(i), y[i] = 5;
  PlotScreen screen(
      plain({{.kind = SeriesKind::points, .x = Samples::of(x), .y = Samples::of(y), .colour = kPoints}}));
  screen.lab().frame();
  const std::size_t bytes = screen.lab().app().textures().bytes();
  CHECK(bytes > 0);
  screen.lab().frames(5);
  CHECK(screen.lab().app().textures().bytes() == bytes);
  const Picture before = screen.picture();
  const Samples low = screen.shown.plot.series[0].y;
  for (float& v : y) v = 8;
  screen.shown.plot.series[0].y = Samples::of(y);
  screen.lab().frame();
  CHECK(screen.lab().app().textures().bytes() == bytes);
  CHECK(screen.picture() != before);
  screen.lab().frames(3);
  screen.shown.plot.series[0].y = low;
  screen.lab().frame();
  CHECK(screen.picture() == before);
}

TEST_CASE("two pictures of points that change in every frame do not get each other's") {
  const auto level = [](float y) {
    std::vector<float> x(5'000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 2 + 1e-3f * static_cast<float>(i);
    return Series{.kind = SeriesKind::points,
                  .x = Samples::of(x),
                  .y = Samples::of(std::vector<float>(x.size(), y)),
                  .colour = kPoints};
  };
  PlotScreen screen(plain({level(2), level(8)}));
  for (const float moved : {3.0f, 4.0f, 5.0f, 6.0f}) {
    screen.shown.plot.series = {level(moved), level(moved + 3)};
    screen.lab().frame();
    PlotScreen fresh(plain(screen.shown.plot.series));
    fresh.lab().frame();
    CHECK(screen.picture() == fresh.picture());
  }
}

TEST_CASE("a pool counts points by texel and colours by the greatest shade") {
  const Theme theme = make_theme(ThemeName::dark, 1, {});
  Series series = points("", {0.5, 5.5, 5.5, 99}, {9.5, 4.5, 4.5, 99});
  const AxisScale across({0, 10}, false, 100, 110), up({0, 10}, false, 60, 50);
  PoolOptions options{.width = 10, .height = 10, .colour = kPoints, .content = 5};
  const auto pool = pool_points(series, across, up, theme, options);
  const auto alpha = [&](std::size_t x, std::size_t y) {
    return pool->colours[y * 10 + x] >> IM_COL32_A_SHIFT;
  };
  CHECK(alpha(0, 0) > 0);
  CHECK(alpha(1, 1) > 0);
  CHECK(alpha(3, 3) == 0);
  CHECK(alpha(5, 5) > alpha(0, 0));
  CHECK(alpha(9, 9) == 0);
  CHECK((pool->colours[55] & ~IM_COL32_A_MASK) == (kPoints & ~IM_COL32_A_MASK));
  series.shade = samples({0, 0.2, 1, 0});
  const auto shaded = pool_points(series, across, up, theme, options);
  CHECK((shaded->colours[55] & ~IM_COL32_A_MASK) ==
        (map_colour(theme, {MapKind::viridis, 1}, 1) & ~IM_COL32_A_MASK));
  std::size_t covered = 0;
  for (const auto& strip : shaded->strips) covered += (strip.right - strip.left) * (strip.bottom - strip.top);
  CHECK(covered >= 13);
}

TEST_CASE("what holds no point of a pool is not drawn between points of one row") {
  const Theme theme = make_theme(ThemeName::dark, 1, {});
  const Series series = points("", {0, 159, 80}, {20, 20, 0});
  const AxisScale across({0, 160}, false, 0, 160), up({0, 40}, false, 0, 40);
  const auto pool =
      pool_points(series, across, up, theme, {.width = 160, .height = 40, .colour = kPoints, .content = 6});
  std::size_t covered = 0, seen = 0;
  for (const auto& strip : pool->strips) {
    covered += (strip.right - strip.left) * (strip.bottom - strip.top);
    for (std::size_t y = strip.top; y < strip.bottom; ++y)
      for (std::size_t x = strip.left; x < strip.right; ++x) seen += pool->colours[y * 160 + x] != 0;
  }
  CHECK(covered <= 6 * 16 * 16);
  CHECK(seen == std::ranges::count_if(pool->colours, [](ImU32 colour) { return colour != 0; }));
}

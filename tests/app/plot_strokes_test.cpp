// Lines and discs of the fonts' texture.
#include "app/widgets/strokes.h"
#include "tests/app/painted.h"

using namespace attn;
using namespace attn::tests;

namespace {

Painted stroke(const std::vector<ImVec2>& points, float thickness = 2) {
  return painted(
      [&](ImDrawList& list, const Theme& theme) { draw_stroke(list, theme, points, ~0u, thickness); });
}

}  // namespace

TEST_CASE("a stroke has two triangles a piece and shares its corners") {
  const Painted line = stroke({{0, 0}, {10, 2}, {20, 0}, {30, 5}});
  CHECK(line.indices == 3 * 6);
  CHECK(line.corners.size() == 4 * 2);
}

TEST_CASE("a level stroke is as thick as asked with half a pixel of softness on each side") {
  for (const ImVec2 p : stroke({{10, 50}, {90, 50}}, 3).corners)
    CHECK(std::abs(p.y - 50) == doctest::Approx(2));
}

TEST_CASE("sharp turns of a stroke grow no spikes") {
  std::vector<ImVec2> zigzag;
  for (int i = 0; i < 40; ++i)
    zigzag.push_back({100 + 0.5f * static_cast<float>(i), i % 2 == 0 ? 100.0f : 200.0f});
  for (const ImVec2 p : stroke(zigzag).corners) {
    CHECK(p.y > 96);
    CHECK(p.y < 204);
    CHECK(p.x > 97);
    CHECK(p.x < 123);
  }
}

TEST_CASE("strokes of nothing and of one place draw nothing") {
  CHECK(stroke({}).indices == 0);
  CHECK(stroke({{5, 5}}).indices == 0);
  CHECK(stroke({{5, 5}, {5, 5}, {5, 5}}).indices == 0);
}

TEST_CASE("a stroke of a hundred thousand points is drawn in pieces") {
  std::vector<ImVec2> points;
  for (int i = 0; i < 100'000; ++i)
    points.push_back({static_cast<float>(i % 1000), static_cast<float>(i) * 0.01f});
  const Painted line = stroke(points);
  CHECK(line.indices == 6 * 99'999);
}

TEST_CASE("dashes cover their share of a line and go round its corners") {
  const std::vector<ImVec2> corner{{0, 0}, {53, 0}, {53, 47}};
  const Painted dashes =
      painted([&](ImDrawList& list, const Theme& theme) { draw_dashes(list, theme, corner, ~0u, 2, 6, 4); });
  CHECK(dashes.indices == 11 * 6);  // ten of ten pixels, and the corner in one of them
  const Painted none =
      painted([&](ImDrawList& list, const Theme& theme) { draw_dashes(list, theme, {}, ~0u, 2, 6, 4); });
  CHECK(none.indices == 0);
}

TEST_CASE("a disc is one rectangle around its place") {
  const Painted disc = painted([](ImDrawList& list, const Theme& theme) {
    draw_disc(list, theme, {50, 60}, 3.5f, ~0u);
  });
  CHECK(disc.indices == 6);
  for (const ImVec2 p : disc.corners) {
    CHECK(std::abs(p.x - 50) == doctest::Approx(4).epsilon(0.03));
    CHECK(std::abs(p.y - 60) == doctest::Approx(4).epsilon(0.03));
  }
}

TEST_CASE("without brushes strokes and discs are the toolkit's own") {
  const Theme bare = make_theme(ThemeName::dark, 1, {});
  const Painted line = painted([&](ImDrawList& list, const Theme&) {
    draw_stroke(list, bare, std::vector<ImVec2>{{0, 0}, {10, 10}}, ~0u, 2);
    draw_disc(list, bare, {50, 50}, 4, ~0u);
  });
  CHECK(line.indices > 12);
}

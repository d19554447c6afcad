// Outlines: borders of what polygons fill, whatever their order.
#include "app/host/outline.h"

#include <doctest/doctest.h>

#include <vector>

using namespace attn;

namespace {

Loops outline_of(const std::vector<std::vector<ImVec2>>& polygons) {
  Outline outline;
  for (const auto& polygon : polygons) outline.add(polygon);
  return outline.take();
}

}  // namespace

TEST_CASE("two triangles of a square have its border, whichever way they turn") {
  const std::vector<OutlinePoint> square{{0, 0}, {100, 0}, {100, 100}, {0, 100}};
  CHECK(outline_of({{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}}) == Loops{square});
  CHECK(outline_of({{{0, 0}, {0, 1}, {1, 1}}, {{1, 1}, {1, 0}, {0, 0}}}) == Loops{square});
}

TEST_CASE("corners on a straight side are left out, a hole is a loop of its own") {
  std::vector<std::vector<ImVec2>> ring;
  for (float x = 0; x < 3; ++x)
    for (float y = 0; y < 3; ++y)
      if (x != 1 || y != 1) ring.push_back({{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}});
  const Loops loops = outline_of(ring);
  REQUIRE(loops.size() == 2);
  CHECK(loops[0] == std::vector<OutlinePoint>{{0, 0}, {300, 0}, {300, 300}, {0, 300}});
  CHECK(loops[1] == std::vector<OutlinePoint>{{100, 100}, {100, 200}, {200, 200}, {200, 100}});
}

TEST_CASE("what has no area has no outline, and an outline is taken once") {
  Outline outline;
  outline.add(std::vector<ImVec2>{{0, 0}, {1, 1}, {2, 2}});
  outline.add(std::vector<ImVec2>{{0, 0}, {0.001f, 0}, {0, 0.001f}});
  CHECK(outline.empty());
  outline.add(std::vector<ImVec2>{{0, 0}, {1, 0}, {0, 1}});
  CHECK(outline.take().size() == 1);
  CHECK(outline.empty());
}

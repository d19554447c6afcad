// Bars as rectangles: what they are made of.
#include "app/widgets/bars.h"
#include "tests/app/painted.h"

using namespace attn;
using namespace attn::tests;

namespace {

Painted bar(Rect area, double fraction) {
  return painted(
      [&](ImDrawList& list, const Theme& theme) { draw_bar(list, area, fraction, 0, ~0u, theme); });
}

}  // namespace

TEST_CASE("a bar thinner than its round corners is two triangles on whole rows of pixels") {
  const Painted thin = bar({{10, 20.4f}, {110, 21.9f}}, 0.5);
  CHECK(thin.indices == 6);
  REQUIRE(thin.corners.size() == 4);
  CHECK(thin.corners[0].x == 10);
  CHECK(thin.corners[2].x == 60);
  CHECK(thin.corners[0].y == 20);
  CHECK(thin.corners[2].y == 22);
  CHECK(bar({{10, 20.4f}, {110, 20.6f}}, 1).corners[2].y == 21);
  CHECK(bar({{10, 20}, {110, 32}}, 0.5).indices > 6);
}

// Laying blocks out as pure arithmetic: none overlap, what fits the canvas keeps its size, what does not
// shrinks or scrolls. The sizes are those of the program's own matrices.
#include <doctest/doctest.h>

#include "app/canvas/block_layout.h"

using namespace attn;

namespace {

const LayoutRules kRules{.canvas = {1014, 880}, .margin = 22, .gap_x = 34, .gap_y = 26};

// A matrix of n × m cells of the usual size, with its titles and labels.
Extent matrix(float rows, float columns) {
  return {{36, 62}, {38 * columns, 28 * rows}, 104};
}

// x and position, the projections, scores to masked, weights to arcs.
std::vector<LayoutGroup> layer(float tokens, float width) {
  const Extent input = matrix(tokens, width), square = matrix(tokens, tokens);
  return {{{input, input}},
          {{input, input, input}, true},
          {{square, square, square}},
          {{square, input, {{230, 62}, {0, 28 * tokens}}}}};
}

bool places_overlap(const Place& a, const Place& b) {
  return a.position.x < b.position.x + b.size.x && b.position.x < a.position.x + a.size.x &&
         a.position.y < b.position.y + b.size.y && b.position.y < a.position.y + a.size.y;
}

void check_apart(const CanvasLayout& layout) {
  for (std::size_t i = 0; i < layout.places.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(places_overlap(layout.places[i], layout.places[j]));
}

bool fits(const CanvasLayout& layout, const LayoutRules& rules) {
  return layout.size.x <= rules.canvas.x && layout.size.y <= rules.canvas.y;
}

}  // namespace

TEST_CASE("five tokens fill the canvas of the drawing in three rows") {
  const CanvasLayout layout = lay_out(layer(5, 4), kRules);
  CHECK(fits(layout, kRules));
  CHECK(layout.places.back().row == 2);
  for (const Place& place : layout.places) CHECK(place.factor.y > 0.9f);
  check_apart(layout);
}

TEST_CASE("sixteen tokens are seen at once on the canvas of the drawing") {
  const CanvasLayout layout = lay_out(layer(16, 8), kRules);
  CHECK(fits(layout, kRules));
  check_apart(layout);
}

TEST_CASE("a canvas that is too small scrolls and keeps the numbers readable") {
  LayoutRules rules = kRules;
  rules.canvas = {438, 520};
  rules.least = 0.72f;
  const CanvasLayout layout = lay_out(layer(5, 4), rules);
  CHECK(layout.size.x <= rules.canvas.x);
  CHECK(layout.size.y > rules.canvas.y);
  for (const Place& place : layout.places) CHECK(place.factor.x * 38 >= 30);
  check_apart(layout);
}

TEST_CASE("a matrix larger than the canvas shrinks until it can be seen whole") {
  const CanvasLayout layout = lay_out(layer(200, 512), kRules);
  for (const Place& place : layout.places) {
    CHECK(place.size.x <= kRules.canvas.x);
    CHECK(place.size.y <= kRules.canvas.y);
    CHECK(place.factor.x > 0);
    CHECK(place.factor.y > 0);
  }
  check_apart(layout);
}

TEST_CASE("zoom keeps the rows and enlarges the cells") {
  const std::vector<LayoutGroup> groups = layer(5, 4);
  const CanvasLayout fitted = lay_out(groups, kRules), close = zoomed(fitted, groups, kRules, 3);
  for (std::size_t i = 0; i < fitted.places.size(); ++i) {
    CHECK(close.places[i].row == fitted.places[i].row);
    CHECK(close.places[i].size.y > fitted.places[i].size.y);
  }
  check_apart(close);
}

TEST_CASE("no canvas is too small and no layer too empty to be laid out") {
  LayoutRules rules = kRules;
  rules.canvas = {40, 10};
  check_apart(lay_out(layer(5, 4), rules));
  CHECK(lay_out({}, kRules).places.empty());
}

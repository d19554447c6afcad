// Which cells a number of the start example was made from and goes into, named by hand: directly, through a
// closed softmax, into an open one, and where there are none.
#include "app/frame/links.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "app/program/input.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("a score links to its query row and key row and to its scaled number") {
  const Links links = make_links(evaluated(read_document(kStartExample)), {"scores", {0, 3, 0}}, {});
  CHECK(links.sources.at("q") == std::vector<Cell>{{0, 3, 0}, {0, 3, 1}, {0, 3, 2}, {0, 3, 3}});
  CHECK(links.sources.at("k") == std::vector<Cell>{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {0, 0, 3}});
  CHECK(links.targets.size() == 1);
  CHECK(links.targets.at("scaled") == std::vector<Region>{region({0, 3, 0})});
}

TEST_CASE("a weight links through the closed softmax to its whole masked row") {
  const Links links = make_links(evaluated(read_document(kStartExample)), {"weights", {0, 1, 0}}, {});
  CHECK(links.sources.size() == 1);
  CHECK(links.sources.at("masked").size() == 5);
  CHECK(links.targets.at("head_output") == std::vector<Region>{{{0, 1, 0}, {1, 2, 4}}});
}

TEST_CASE("a masked score goes through the closed softmax into every weight of its row") {
  const Links links = make_links(evaluated(read_document(kStartExample)), {"masked", {0, 1, 0}}, {});
  const std::vector<Region>& weights = links.targets.at("weights");
  CHECK(std::ranges::any_of(weights, [](const Region& r) { return r.contains({0, 1, 4}); }));
  CHECK(std::ranges::none_of(weights, [](const Region& r) { return r.contains({0, 2, 0}); }));
}

TEST_CASE("with the softmax open a weight links to its exponential and its row sum") {
  View view;
  view.layer.open_softmax = true;
  const Links links = make_links(evaluated(read_document(kStartExample)), {"weights", {0, 1, 0}}, view);
  CHECK(links.sources.at("exp") == std::vector<Cell>{{0, 1, 0}});
  CHECK(links.sources.at("row_sum") == std::vector<Cell>{{0, 1, 0}});
}

TEST_CASE("an overridden number has no sources and a spot outside has no links") {
  Document document = read_document(kStartExample);
  document.overrides = {typed("scores", {0, 0, 0}, 1)};
  const Results results = evaluated(document);
  CHECK(make_links(results, {"scores", {0, 0, 0}}, {}).sources.empty());
  CHECK(make_links(results, {"scores", {0, 1, 0}}, {}).sources.at("q").size() == 4);
  CHECK(make_links(results, {"scores", {0, 9, 0}}, {}).sources.empty());
  CHECK(make_links(results, {"nothing", {}}, {}).targets.empty());
}

// Cross-attention by hand, from a layer without a memory to one of another length, and back.
#include <doctest/doctest.h>

#include "app/program/input.h"
#include "tests/app/controls_lab.h"
#include "tests/app/grid_lab.h"

using namespace attn;
using namespace attn::tests;

void rename(GridLab& lab, const char* label, const char* name) {
  lab.double_click(centre(*lab.item(label)));
  lab.frames(2);
  lab.type(name);
  lab.key(GLFW_KEY_ENTER);
  lab.settle();
}

TEST_CASE("a memory is added with its tokens edited and removed again") {
  GridLab lab(read_document("the-cat-sat-on-mat"), {1600, 1400});
  const Document before = lab.document();
  choose(lab, "keys from", "memory");
  CHECK(lab.layer().memory_tokens == before.layer().tokens);
  CHECK(lab.step_name() == "add memory");
  lab.click_item("memory/add token");
  lab.settle();
  CHECK(lab.results()->output("weights").shape() == Shape{1, 5, 6});
  rename(lab, "memory/5/row", "rug");
  CHECK(lab.layer().memory_tokens == Labels{"the", "cat", "sat", "on", "mat", "rug"});
  CHECK(lab.layer().tokens == before.layer().tokens);
  lab.drag(centre(*lab.item("memory/5/row")), centre(*lab.item("memory/0/row")));
  lab.settle();
  CHECK(lab.layer().memory_tokens[0] == "rug");
  for (const char* stage : {"k", "v"}) {
    const auto index = lab.results()->graph.find(stage);
    REQUIRE(index);
    CHECK(lab.results()->graph.stages[*index].rows.labels->at(0) == "rug");
  }
  const auto scores = lab.results()->graph.find("scores");
  REQUIRE(scores);
  CHECK(lab.results()->graph.stages[*scores].columns.labels->at(0) == "rug");
  CHECK(lab.results()->graph.stages[*scores].rows.labels->at(0) == "the");
  lab.view().pinned = Spot{"scores", {0, 1, 0}};
  lab.frames(2);
  CHECK(lab.shows("“cat” looks at “rug”"));
  enter(lab, "##keys", "3");
  CHECK(lab.layer().memory.rows() == 3);
  lab.click_item("causal");
  lab.settle();
  CHECK(lab.item("mask0.align"));
  lab.click_item("causal");
  choose(lab, "keys from", "X");
  CHECK(lab.step_name() == "remove memory");
  CHECK(lab.document() == before);
}

TEST_CASE("the example of cross attention has fewer queries than keys and labels for both") {
  GridLab lab(read_document("cross-attention"));
  CHECK(lab.layer().tokens.size() == 3);
  CHECK(lab.layer().memory_tokens.size() == 5);
  CHECK(lab.shows("chat"));
  CHECK(lab.shows("asleep"));
  CHECK(lab.results()->output("weights").shape() == Shape{1, 3, 5});
  CHECK(lab.text_in({{1200, 0}, {1600, 1000}}).find("outputs moved along") != std::string::npos);
}

TEST_CASE("keys and values that are given get a memory with tokens of its own and lose it again") {
  GridLab lab(read_document("three-tokens"), {1600, 1400});
  const Document before = lab.document();
  REQUIRE(lab.layer().direct);
  choose(lab, "keys from", "memory");
  CHECK(lab.layer().memory_tokens.size() == 3);
  lab.click_item("k/add token");
  lab.settle();
  CHECK(lab.layer().q.rows() == 3);
  CHECK(lab.layer().v.rows() == 4);
  CHECK(lab.results()->output("weights").shape() == Shape{1, 3, 4});
  rename(lab, "k/3/row", "rug");
  lab.drag(centre(*lab.item("v/3/row")), centre(*lab.item("v/0/row")));
  lab.settle();
  CHECK(lab.layer().memory_tokens[0] == "rug");
  CHECK(lab.layer().k[{0, 0, 0}] == 0);
  CHECK(lab.layer().k[{0, 1, 0}] == before.layer().k[{0, 0, 0}]);
  const Graph& graph = lab.results()->graph;
  for (const char* stage : {"scores", "scaled", "weights"})
    CHECK(graph.stages[*graph.find(stage)].columns.labels->at(0) == "rug");
  const Rect arcs = *lab.item("arcs");
  CHECK(lab.text_in({arcs.min, {arcs.max.x + 100, arcs.max.y}}).find("rug") != std::string::npos);
  lab.view().pinned = Spot{"weights", {0, 1, 0}};
  lab.settle();
  lab.frames(2);
  CHECK(lab.text_in({{1200, 0}, {1600, 1400}}).find("“rug”") != std::string::npos);
  enter(lab, "##keys", "3");
  CHECK(lab.layer().q.rows() == 3);
  CHECK(lab.layer().memory_tokens.size() == 3);
  choose(lab, "keys from", "Q");
  CHECK(lab.layer().memory_tokens.empty());
  CHECK(lab.layer().k.rows() == 3);
}

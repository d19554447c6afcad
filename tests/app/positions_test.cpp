// The workspace of positions looked at as a person does: links between its views, drags, playing, stepping.
#include "app/workspaces/positions/view.h"
#include "core/operations/offset.h"
#include "core/text/text.h"
#include "tests/app/positions_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("a click on a cell of the map looks at its position and draws its dimension") {
  PositionsLab lab;
  const PositionsSpec before = lab.spec();
  lab.click(lab.cell("encoding", 9, 12));
  lab.settle();
  CHECK(lab.at().p == 9);
  CHECK(lab.view().pinned == spot("encoding", 9, 12));
  CHECK(lab.spec().dimensions == std::vector<std::size_t>{0, 6, 7, 12, 14, 24});
  CHECK(lab.shows("p = 9 into p+Δ = 14"));
  check_undo(lab, before, "choose dimensions");
}

TEST_CASE("pointing at the map opens its number and sets the crosshair of the curves and of the similarity") {
  PositionsLab lab;
  lab.move(lab.cell("encoding", 30, 6));
  lab.frames(2);
  CHECK(lab.view().hovered == spot("encoding", 30, 6));
  CHECK(lab.shows("PE[30, 6]"));
  CHECK(lab.spec().dimensions.size() == 5);
}

TEST_CASE("a drag over the map takes the position along") {
  PositionsLab lab;
  lab.drag(lab.cell("encoding", 4, 3), lab.cell("encoding", 50, 20));
  CHECK(lab.at().p == 50);
  CHECK(lab.steps() == 0);
}

TEST_CASE("pointing at a curve points at its number on the map") {
  PositionsLab lab;
  const auto plot = lab.item("dimensions/plot");
  REQUIRE(plot);
  lab.move(centre(*plot));
  lab.frames(2);
  const auto hovered = lab.view().hovered;
  REQUIRE(hovered);
  CHECK(hovered->stage == "encoding");
  const std::size_t column = hovered->cell.column;
  CHECK(std::ranges::count(lab.spec().dimensions, column) == 1);
}

TEST_CASE("a cell of the similarities sets both positions") {
  PositionsLab lab;
  lab.click(lab.cell("similarity", 40, 33));
  CHECK(lab.at().p == 40);
  CHECK(lab.at().delta == -7);
  lab.drag(lab.cell("similarity", 40, 33), lab.cell("similarity", 10, 15));
  CHECK(lab.at().p == 10);
  CHECK(lab.at().delta == 5);
}

TEST_CASE("the position and the offset are dragged along their tracks and no edit") {
  PositionsLab lab;
  lab.slide("##positions.p", 0);
  CHECK(lab.at().p == 0);
  lab.slide("##positions.delta", 1);
  CHECK(lab.at().delta == 32);
  CHECK(lab.steps() == 0);
  CHECK(lab.shows("p = 0 into p+Δ = 32"));
}

TEST_CASE("every view of the scores is a chip and C goes from one to the next") {
  PositionsLab lab;
  lab.click_item("shown scores");
  lab.frames(2);
  CHECK(lab.item("rope.scaled/cells"));
  CHECK_FALSE(lab.item("rope.weights/cells"));
  lab.click_item("shown difference");
  lab.frames(2);
  CHECK(lab.item("rope.difference/cells"));
  lab.key(GLFW_KEY_C);
  lab.frames(2);
  CHECK(lab.at().shown == PositionsView::distance);
  CHECK(lab.item("by distance/plot"));
  lab.key(GLFW_KEY_C);
  lab.frames(2);
  CHECK(lab.item("rope.weights/cells"));
  CHECK(lab.steps() == 0);
}

TEST_CASE("chips that need a second line keep off the matrices below") {
  for (const auto& [size, scale] :
       {std::pair(ImVec2{880, 3600}, 1.0f), std::pair(ImVec2{1760, 6000}, 2.0f)}) {
    PositionsLab lab({}, size, scale);
    const auto first = lab.item("shown weights"), last = lab.item("shown by distance");
    const auto title = lab.item("sinusoidal./title");
    REQUIRE(first);
    REQUIRE(last);
    REQUIRE(title);
    CHECK(last->min.y > first->max.y);
    CHECK(last->max.y <= title->min.y);
  }
}

TEST_CASE("lines of a hint end at spaces and take no number apart") {
  PositionsSpec spec;
  spec.heads = 12;
  PositionsLab lab(spec);
  REQUIRE(lab.reveal("##positions.seed"));
  std::vector<std::string> words;
  for (const DrawnText& text : lab.texts())
    for (std::size_t at = 0; at < text.text.size();) {
      const std::size_t end = std::min(text.text.find_first_of(" \n", at), text.text.size());
      words.push_back(text.text.substr(at, end - at));
      at = end + 1;
    }
  for (std::size_t head = 0; head < spec.heads; ++head)
    CHECK(std::ranges::count(words, shortest(static_cast<float>(alibi_slope(head, spec.heads)))) > 0);
}

TEST_CASE("mixed pairings are shown with the right ones with what is wrong") {
  PositionsLab lab;
  CHECK(lab.item("mixed.weights/cells"));
  CHECK(lab.shows("pairs mixed: broken"));
  CHECK(lab.shows("not by j − i: "));
  CHECK(lab.shows("by j − i alone: "));
}

TEST_CASE("order makes no difference without position and one with it") {
  PositionsLab lab;
  CHECK(lab.shows("order makes no difference"));
  CHECK(lab.shows("outputs differ by up to "));
}

TEST_CASE("Space turns the position and stops it") {
  PositionsLab lab;
  const std::size_t from = lab.at().p;
  lab.key(GLFW_KEY_SPACE);
  CHECK(lab.view().canvas().playing);
  lab.frames(60);
  CHECK(lab.at().p > from + 4);
  CHECK(lab.at().p < from + 9);
  CHECK_FALSE(lab.view().canvas().step);
  lab.key(GLFW_KEY_SPACE);
  const std::size_t to = lab.at().p;
  lab.frames(30);
  CHECK(lab.at().p == to);
  CHECK(lab.steps() == 0);
}

TEST_CASE("the position that plays begins again behind the last row") {
  PositionsLab lab;
  lab.view().of<PositionsView>().p = 63;
  lab.key(GLFW_KEY_SPACE);
  lab.frames(15);
  CHECK(lab.at().p <= 2);
}

TEST_CASE("a drag over the circles turns them") {
  PositionsLab lab;
  const auto circles = lab.item("turns");
  REQUIRE(circles);
  const ImVec2 from = centre(*circles);
  lab.drag(from, {from.x + 40, from.y});
  CHECK(lab.at().p == 27);
}

TEST_CASE("the stage bar walks through the parts") {
  PositionsLab lab({}, {1024, 640});
  std::string chips;
  for (const StepChip& step : lab.app().steps()) chips += step.title + "|";
  CHECK(chips == "encoding|similarity|shift = rotation|in the scores|beyond training|order|");
  lab.key(GLFW_KEY_END);
  lab.frames(20);
  CHECK(lab.item("order.none.a.head_output/cells"));
}

TEST_CASE("the inspector has the pair and its shift and the row and what scores depend on") {
  PositionsLab lab;
  lab.click(lab.cell("encoding", 17, 6));
  lab.frames(2);
  for (const char* words :
       {"PE[17, 6]", "Pair 3 at p = 17", "Shift by Δ = 5", "35.33 positions", "R(ωΔ)·PE[17] − PE[22]",
        "4.000000 = √(d/2) ✓", "Past L_max = 48", "no row: refused", "keeps falling"}) {
    INFO(words);
    CHECK(lab.shows(words));
  }
}

TEST_CASE("what is pinned in one of the scores is ringed in all and gives the row against distance") {
  PositionsLab lab;
  lab.click(lab.cell("rope.weights", 4, 2));
  lab.frames(2);
  CHECK(lab.view().pinned == spot("rope.weights", 4, 2));
  lab.click_item("shown by distance");
  lab.frames(2);
  CHECK(lab.shows("of query 6"));  // weights are no scores: the middle one
  lab.click_item("shown scores");
  lab.frames(2);
  lab.click(lab.cell("rope.scaled", 4, 2));
  lab.click_item("shown by distance");
  lab.frames(2);
  CHECK(lab.shows("of query 4"));
}

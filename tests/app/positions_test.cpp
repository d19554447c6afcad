// The workspace of positions worked as a person does: every link and drag, each edit taken back, playing.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/workspaces/workspaces.h"
#include "core/positions/positions_graph.h"
#include "tests/app/grid_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// So tall that every part is in sight.
class PositionsLab : public Headless {
 public:
  explicit PositionsLab(PositionsSpec spec = {}, ImVec2 size = {1600, 2200})
      : Headless({.document = with(std::move(spec)), .settings = Settings{}, .size = size}) {
    app().show(workspace());
    settle();
    frames(2);
  }
  static const Workspace& workspace() {
    return *std::ranges::find(workspaces(), kPositionsPlan.name, &Workspace::name);
  }
  const PositionsSpec& spec() const { return document().positions; }
  const PositionsView& at() { return view().positions; }
  std::size_t steps() { return app().history().steps().size() - 1; }
  std::string step_name() { return app().history().steps().back().name; }
  ImVec2 cell(const std::string& stage, std::size_t row, std::size_t column) {
    const auto box = item(stage + "/cells");
    INFO(stage);
    REQUIRE(box);
    const Shape shape = results()->output(stage).shape();
    return {
        box->min.x + box->width() * (static_cast<float>(column) + 0.5f) / static_cast<float>(shape.columns),
        box->min.y + box->height() * (static_cast<float>(row) + 0.5f) / static_cast<float>(shape.rows)};
  }
  // A slider dragged from its middle by pixels.
  void slide(const char* slider, float share) {
    const auto box = item(slider);
    INFO(slider);
    REQUIRE(box);
    const ImVec2 to{box->min.x + share * box->width(), centre(*box).y};
    drag({to.x - 12, to.y}, to);
    settle();
  }
  Tensor output(const std::string& stage) { return results()->output(stage); }

 private:
  static Document with(PositionsSpec spec) {
    Document document = read_document("the-cat-sat-on-mat");
    document.positions = std::move(spec);
    return document;
  }
};

// The edit is one step with this name, and a step back undoes it.
void check_undo(PositionsLab& lab, const PositionsSpec& before, const char* name) {
  const PositionsSpec after = lab.spec();
  CHECK_FALSE(after == before);
  CHECK(lab.steps() == 1);
  CHECK(lab.step_name().find(name) != std::string::npos);
  lab.key(GLFW_KEY_Z, {.control = true});
  lab.settle();
  CHECK(lab.spec() == before);
  lab.key(GLFW_KEY_Z, {.control = true, .shift = true});
  lab.settle();
  CHECK(lab.spec() == after);
}

}  // namespace

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
  lab.slide("##positions.p", 0.5f);
  CHECK(lab.at().p == 31);
  lab.slide("##positions.delta", 0.75f);
  CHECK(lab.at().delta == 16);
  CHECK(lab.steps() == 0);
  CHECK(lab.shows("p = 31 into p+Δ = 47"));
}

TEST_CASE("the base dragged changes every number after it in one step") {
  PositionsLab lab;
  const PositionsSpec before = lab.spec();
  const Tensor rows = lab.output("encoding");
  lab.slide("##positions.base slider", 0.25f);
  const double base = std::get<Sinusoidal>(lab.spec().encodings[0]).base;
  CHECK(base == doctest::Approx(std::pow(1e9, 0.25)).epsilon(0.2));
  CHECK_FALSE(lab.output("encoding") == rows);
  check_undo(lab, before, "base");
}

TEST_CASE("width and length are dragged and stepped") {
  PositionsLab lab;
  const PositionsSpec before = lab.spec();
  lab.slide("##positions.width slider", 1);
  CHECK(lab.spec().width == 512);
  CHECK(lab.output("encoding").columns() == 512);
  check_undo(lab, before, "width 512");
  lab.click_item("positions.length+");
  lab.settle();
  CHECK(lab.output("encoding").rows() == 65);
}

TEST_CASE("the training length is dragged on its track and in the plots of far keys") {
  PositionsLab lab;
  const PositionsSpec before = lab.spec();
  lab.slide("##positions.trained slider", 0.1f);
  CHECK(lab.spec().trained < 20);
  CHECK(lab.output("far.learned.weights").columns() == lab.spec().trained);
  check_undo(lab, before, "training length");
  lab.slide("##positions.reach slider", 0.9f);
  CHECK(lab.spec().reach > 1000);
  CHECK(lab.output("far.alibi.weights").columns() == lab.spec().reach);
}

TEST_CASE("a shift of every position says how far each encoding's scores move") {
  PositionsLab lab;
  const PositionsSpec before = lab.spec();
  CHECK(lab.shows("shift +100: scores move"));  // before one is chosen
  CHECK(lab.shows("shift +100: nothing moves"));
  CHECK(lab.shows("shift +100: no row there"));
  lab.slide("##positions.shift slider", 0.3f);
  const std::string by = "shift +" + std::to_string(lab.spec().shift) + ": ";
  CHECK(lab.spec().shift > 200);
  CHECK(lab.shows(by + "scores move"));
  CHECK(lab.shows(by + "nothing moves"));
  CHECK(lab.shows(by + "no row there"));
  check_undo(lab, before, "shift positions by");
}

TEST_CASE("another kind is shown from the list and in exchange from its name in the scores") {
  PositionsLab lab;
  const PositionsSpec before = lab.spec();
  lab.click_item("##positions.kind");
  lab.frames(2);
  lab.click_item("RoPE");
  lab.settle();
  CHECK(lab.spec().encodings[0].index() == Position(Rotary()).index());
  CHECK(lab.spec().encodings[2].index() == Position(Sinusoidal()).index());
  check_undo(lab, before, "show RoPE");
  lab.click_item("alibi./title");
  lab.settle();
  CHECK(std::holds_alternative<Alibi>(lab.spec().encodings[0]));
}

TEST_CASE("kinds are compared and compared no more by their chips") {
  PositionsLab lab;
  const PositionsSpec before = lab.spec();
  lab.click_item("compare t5");
  lab.settle();
  CHECK(lab.item("t5.weights/cells"));
  check_undo(lab, before, "compare with T5");
  lab.click_item("compare t5");
  lab.settle();
  CHECK(lab.spec() == before);
  CHECK_FALSE(lab.item("t5.weights/cells"));
}

TEST_CASE("a chosen dimension is drawn no more by its chip") {
  PositionsLab lab;
  const PositionsSpec before = lab.spec();
  lab.click_item("dimension 14");
  lab.settle();
  CHECK(lab.spec().dimensions == std::vector<std::size_t>{0, 6, 7, 24});
  check_undo(lab, before, "choose dimensions");
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

TEST_CASE("mixed pairings stand beside the right ones with what is wrong") {
  PositionsLab lab;
  CHECK(lab.item("mixed.weights/cells"));
  CHECK(lab.shows("Q and K in different pairs: broken"));
  CHECK(lab.shows("not by j − i: "));
  CHECK(lab.shows("by j − i alone: "));
}

TEST_CASE("order makes no difference without position and one with it") {
  PositionsLab lab;
  CHECK(lab.shows("order makes no difference"));
  CHECK(lab.shows("largest difference of outputs: "));
}

TEST_CASE("Space turns the position and stops it") {
  PositionsLab lab;
  const std::size_t from = lab.at().p;
  lab.key(GLFW_KEY_SPACE);
  CHECK(lab.view().canvas().playing);
  lab.frames(60);
  CHECK(lab.at().p == from + 6);
  CHECK_FALSE(lab.view().canvas().step);
  lab.key(GLFW_KEY_SPACE);
  const std::size_t to = lab.at().p;
  lab.frames(30);
  CHECK(lab.at().p == to);
  CHECK(lab.steps() == 0);
}

TEST_CASE("the position that plays begins again behind the last row") {
  PositionsLab lab;
  lab.view().positions.p = 63;
  lab.key(GLFW_KEY_SPACE);
  lab.frames(15);
  CHECK(lab.at().p <= 1);
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

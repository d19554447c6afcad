// The workspace that compares, as a person uses it: chips, links, edits of either layer, undo.
#include <cmath>
#include <functional>

#include "app/inspector/inspector_numbers.h"
#include "core/compare/edit.h"
#include "core/compare/figures.h"
#include "core/document/edit.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "tests/app/compare_lab.h"
#include "tests/app/scratch_folder.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("layers without a difference say so and offer differences") {
  CompareLab lab;
  lab.make_equal();
  CHECK_FALSE(lab.figures().first);
  CHECK(lab.shows("equal at every stage"));
  CHECK(lab.shows("No difference left: B is A"));
  lab.press("differ temperature-3");
  CHECK(lab.document().layer(kLayerB).temperature == 3);
  CHECK_FALSE(lab.shows("No difference left"));
}

TEST_CASE("an edit of the controls is of the compared layer and undo takes it back") {
  CompareLab lab;
  const Document before = lab.document();
  lab.click_item("##temperature");
  lab.enter("3");
  REQUIRE(lab.document().layers.size() == 2);
  CHECK(lab.document().layer(kLayerB).temperature == 3);
  CHECK(lab.document().layer() == before.layer());
  CHECK(lab.shows("first difference"));
  check_undo(lab, before, "B: temperature 3");
}

TEST_CASE("the controls of A are live and B follows in what it shares") {
  CompareLab lab;
  lab.make_equal();
  lab.press("compare.a");
  lab.click_item("##temperature");
  lab.enter("2");
  CHECK(lab.document().layer().temperature == 2);
  CHECK(lab.document().layer(kLayerB).temperature == 2);
  CHECK_FALSE(lab.figures().first);
}

TEST_CASE("a key swaps the layers and again brings them back") {
  CompareLab lab;
  lab.click_item("##temperature");
  lab.enter("3");
  const Document before = lab.document();
  lab.press_key(GLFW_KEY_X);
  CHECK(lab.document().layer() == before.layer(kLayerB));
  CHECK(lab.document().layer(kLayerB) == before.layer());
  lab.press("compare.swap");
  CHECK(lab.document() == before);
}

TEST_CASE("more layers are added shown and removed") {
  CompareLab lab;
  lab.press("compare.add");
  CHECK(lab.document().layers.size() == 3);
  CHECK(lab.document().compare.shown == 1);
  lab.press("compare.b");
  CHECK(lab.document().compare.shown == 0);
  lab.press("compare.remove");
  CHECK(lab.document().layers.size() == 2);
}

TEST_CASE("figures and colours are chosen by chips") {
  CompareLab lab;
  lab.make_equal();
  lab.press("show ratio");
  CHECK(lab.document().compare.figure == Compared::ratio);
  for (const ComparedStage& row : lab.figures().stages)
    for (const float value : lab.results()->outputs[*row.difference].whole().values()) CHECK(value == 1);
  lab.press("show distance");
  CHECK(lab.document().compare.figure == Compared::distance);
  lab.press("same colours");
  CHECK_FALSE(lab.document().compare.same_colours);
}

TEST_CASE("a pinned number is opened in both layers and where they part leads to a stage") {
  CompareLab lab;
  lab.make_equal();
  lab.click_item("##temperature");
  lab.enter("3");
  lab.view().pinned = Spot{"weights", {0, 2, 1}};
  lab.frames(3);
  CHECK(lab.shows("This number in both"));
  CHECK(lab.shows("In all"));
  CHECK(lab.shows("In A"));
  CHECK(lab.shows("In B"));
  for (const char* prefix : {"", "b."}) {  // the sum that each divides by, in its own arithmetic
    const double sum = lab.results()->output(std::string(prefix) + "row_sum")[{0, 2, 0}];
    CHECK(lab.shows(inspector::write(sum, {4, false})));
  }
  CHECK(lab.shows("–"));  // of the keys that both mask
  lab.press("part scaled");
  REQUIRE(lab.view().pinned);
  CHECK(lab.view().pinned->stage == "scaled");
}

TEST_CASE("the heads of the columns say what stands there and the table has the row of each number") {
  CompareLab lab;
  lab.make_equal();
  lab.click_item("##temperature");
  lab.enter("3");
  lab.frames(2);
  CHECK(lab.find_text("temperature 3"));
  CHECK(lab.find_text("temperature 1"));
  lab.view().pinned = Spot{"weights", {0, 2, 1}};
  lab.frames(3);
  lab.press("both row_sum");
  REQUIRE(lab.view().pinned);
  CHECK(*lab.view().pinned == Spot{"row_sum", {0, 2, 0}});
}

TEST_CASE("a number typed over in the column of B is one of B alone") {
  CompareLab lab;
  lab.make_equal();
  const auto cells = lab.item("b.x/cells");
  REQUIRE(cells);
  const Tensor a = lab.document().layer().x;
  lab.click({cells->min.x + cells->width() / 8, cells->min.y + cells->height() / 10});
  lab.enter("9");
  CHECK(lab.document().layer(kLayerB).x[{0, 0, 0}] == 9.0f);
  CHECK(lab.document().layer().x == a);
}

TEST_CASE("the layer of a file is compared with A and undo takes it away") {
  CompareLab lab;
  const Document before = lab.document();
  lab.press("compare.open");
  REQUIRE(lab.view().overlays.files.open);
  CHECK(lab.view().overlays.files.as_compared);
  const ScratchFolder folder;
  const std::string file = folder / "other.json";
  write_file(file, write_session(read_document("three-tokens")), Readers::owner);
  lab.view().overlays.files.open = false;
  lab.app().open(file, true);
  lab.settle();
  lab.frames(2);
  CHECK(lab.document().layer() == before.layer());
  REQUIRE(lab.document().layers.size() == 2);
  CHECK(lab.document().layer(kLayerB) == read_document("three-tokens").layer());
  CHECK(lab.app().path().empty());
  lab.undo();
  CHECK(lab.document() == before);
}

TEST_CASE("a number of A that is typed over is of the Pipeline") {
  CompareLab lab;
  Document document = lab.document();
  set_number(document, kComparePlan, "weights", {0, 1, 1}, 0.9f);
  REQUIRE(document.overrides.size() == 1);
  CHECK(document.overrides[0].workspace == kLayerPlan.name);
}

TEST_CASE("the number that is pointed at is outlined in both layers and in their difference") {
  CompareLab lab;
  const auto cell = [&](const std::string& stage) {
    const auto cells = lab.item(stage + "/cells");
    REQUIRE(cells);
    const float width = cells->width() / 5, height = cells->height() / 5;
    const ImVec2 min{cells->min.x + width, cells->min.y + 2 * height};
    return Rect{min, {min.x + width, min.y + height}};
  };
  const auto outlined = [&](const std::string& stage) {
    const Rect box = cell(stage);
    const ImDrawData& data = lab.draw_data();
    for (int i = 0; i < data.CmdListsCount; ++i)
      for (const ImDrawVert& vertex : data.CmdLists[i]->VtxBuffer)
        if (vertex.col == lab.theme().outline && std::abs(vertex.pos.x - box.min.x) < 5 &&
            std::abs(vertex.pos.y - box.min.y) < 5)
          return true;
    return false;
  };
  CHECK_FALSE(outlined("b.weights"));
  lab.move(centre(cell("weights")));
  lab.frames(2);
  CHECK(outlined("b.weights"));
  CHECK(outlined("diff.weights"));
  lab.move(centre(cell("diff.weights")));
  lab.frames(2);
  CHECK(outlined("weights"));
  CHECK(outlined("b.weights"));
}

TEST_CASE("a number of A that is dragged moves what both share") {
  CompareLab lab;
  lab.click_item("##temperature");
  lab.enter("3");
  const Document before = lab.document();
  const auto cells = lab.item("x/cells");
  REQUIRE(cells);
  const ImVec2 first{cells->min.x + cells->width() / 8, cells->min.y + cells->height() / 10};
  lab.drag(first, {first.x + 40, first.y});
  lab.settle();
  CHECK_FALSE(lab.document().layer().x == before.layer().x);
  CHECK(lab.document().layer(kLayerB).x == lab.document().layer().x);
  CHECK(lab.document().layer(kLayerB).temperature == 3);
  lab.undo();
  CHECK(lab.document() == before);
}

TEST_CASE("a number set in the column of a B that is A makes B a layer of its own") {
  const auto check = [](const char* stage, const char* step,
                        const std::function<void(CompareLab&, ImVec2)>& set) {
    CompareLab lab;
    const Document before = lab.document();
    const auto cells = lab.item(std::string("b.") + stage + "/cells");
    INFO(stage);
    REQUIRE(cells);
    set(lab, {cells->min.x + cells->width() / 16, cells->min.y + cells->height() / 10});
    lab.settle();
    lab.frames(2);
    CHECK(lab.document().layer() == before.layer());
    CHECK(lab.document().layers.size() == 2);
    CHECK(lab.results()->output(std::string("b.") + stage)[{0, 0, 0}] == 9);
    CHECK(lab.results()->output(stage)[{0, 0, 0}] != 9);
    REQUIRE(lab.figures().first);
    check_undo(lab, before, step);
  };
  const auto type = [](CompareLab& lab, ImVec2 at) {
    lab.click(at);
    lab.enter("9");
  };
  const auto paste = [](CompareLab& lab, ImVec2 at) {
    lab.click(at);
    ImGui::SetClipboardText("9");
    lab.run("edit.paste");
    lab.key(GLFW_KEY_ENTER);
  };
  check("x", "B: x[0, 0] = 9", type);
  check("x", "B: x[0, 0] = 9", paste);
  check("scores", "B: override scores", type);
}

TEST_CASE("a number of a B that is A is dragged and A stays") {
  CompareLab lab;
  const Document before = lab.document();
  const ImVec2 middle = centre(*lab.item("b.x/cells"));
  lab.drag(middle, {middle.x + 40, middle.y});
  lab.settle();
  lab.frames(2);
  CHECK(lab.document().layer() == before.layer());
  REQUIRE(lab.document().layers.size() == 2);
  const Cell cell{0, 2, 2};
  CHECK(lab.document().layer(kLayerB).x[cell] > before.layer().x[cell]);
  CHECK(with_value(lab.document().layer(kLayerB).x, cell, before.layer().x[cell]) == before.layer().x);
}

TEST_CASE("numbers of a difference are only read, however one tries to set them") {
  CompareLab lab;
  const Document before = lab.document();
  const auto refused = [&](const char* what) {
    INFO(what);
    lab.settle();
    lab.frames(2);
    CHECK(lab.document() == before);
    CHECK(lab.view().message.find("differences follow from A and B") != std::string::npos);
    CHECK(lab.view().message_is_error);
    CHECK_FALSE(lab.view().grid.typing);
    CHECK_FALSE(lab.view().grid.pasting);
    lab.view().message.clear();
    lab.view().message_is_error = false;
  };
  const auto cells = lab.item("diff.weights/cells");
  REQUIRE(cells);
  const ImVec2 first{cells->min.x + cells->width() / 16, cells->min.y + cells->height() / 10};
  lab.click(first);
  lab.enter("9");
  refused("typed");
  lab.double_click(first);
  refused("clicked twice");
  ImGui::SetClipboardText("9");
  lab.run("edit.paste");
  refused("pasted");
  lab.drag(first, centre(*cells));  // a block
  lab.settle();
  lab.run("fill.zeros");
  refused("filled");
  lab.view().grid.pasting = Pasting{{"diff.weights", {0, 0, 0}}, parse_block("9")};  // begun elsewhere
  lab.frames(2);
  lab.key(GLFW_KEY_ENTER);
  refused("pasted into what became a difference");
}

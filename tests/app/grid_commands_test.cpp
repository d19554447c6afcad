// What is done to a matrix and to the layer by name: from menus, keys and the palette alike.
#include <algorithm>

#include "app/program/input.h"
#include "core/edits/edit_fill.h"
#include "tests/app/grid_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

void run_in_palette(GridLab& lab, const char* words) {
  lab.key(GLFW_KEY_P, {.control = true, .shift = true});
  lab.frame();
  lab.type(words);
  lab.key(GLFW_KEY_ENTER);
  lab.settle();
  CAPTURE(words);
  CHECK_FALSE(lab.view().overlays.palette);
}

}  // namespace

TEST_CASE("the palette knows words for everything that can be done") {
  GridLab lab;
  for (const char* words :
       {"copy",        "copy as numpy",  "paste",        "fill zeros",    "fill uniform",
        "fill row i",  "mask causal",    "mask padding", "masked scores", "row with no key",
        "temperature", "no temperature", "dropout",      "scale off",     "sinusoidal",
        "tokens",      "width",          "heads",        "inspector",     "controls",
        "new",         "undo",           "all stages",   "usual size",    "quit"}) {
    lab.app().change(small_document());
    lab.key(GLFW_KEY_P, {.control = true, .shift = true});
    lab.frame();
    lab.type(words);
    lab.frame();
    // What can be undone comes with the first change.
    if (std::string(words) != "undo") CHECK_FALSE_MESSAGE(lab.shows("No matching command"), words);
    lab.key(GLFW_KEY_ESCAPE);
    lab.frame();
  }
}

TEST_CASE("the palette copies the selected matrix in every format") {
  GridLab lab;
  lab.click(lab.at("weights", 1, 0));
  run_in_palette(lab, "copy as numpy");
  CHECK(lab.clipboard.starts_with("np.array([["));
  run_in_palette(lab, "copy as latex");
  CHECK(lab.clipboard.find("bmatrix") != std::string::npos);
  CHECK(lab.shows("weights, 4×4, copied as LaTeX"));
}

TEST_CASE("without a selection the matrix of the inspected number is meant and without that nothing") {
  GridLab lab;
  run_in_palette(lab, "copy the whole");
  CHECK(lab.clipboard.empty());
  CHECK(lab.shows("nothing is copied"));
  lab.move(lab.at("v", 0, 0));
  lab.frames(2);
  run_in_palette(lab, "copy the whole");
  CHECK(std::ranges::count(lab.clipboard, '\n') == 4);
}

TEST_CASE("the palette pastes at the selected cell after a preview") {
  GridLab lab;
  lab.clipboard = "7\t8";
  lab.click(lab.at("x", 2, 1));
  run_in_palette(lab, "paste");
  lab.frames(2);
  CHECK(lab.shows("Understood"));
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.x(2, 1) == 7);
  CHECK(lab.x(2, 2) == 8);
}

TEST_CASE("the palette fills an input and says why a computed matrix is not filled") {
  GridLab lab;
  lab.click(lab.at("x", 0, 0));
  run_in_palette(lab, "fill identity");
  CHECK(lab.x(0, 0) == 1);
  CHECK(lab.x(3, 3) == 1);
  CHECK(lab.x(3, 2) == 0);
  lab.click(lab.at("scores", 0, 0));
  run_in_palette(lab, "fill zeros");
  CHECK(lab.document().overrides.empty());
  CHECK(lab.shows("scores is computed"));
  lab.key(GLFW_KEY_RIGHT, {.shift = true});
  run_in_palette(lab, "fill zeros");
  CHECK(lab.document().overrides.size() == 2);
}

TEST_CASE("the palette masks and changes temperature and dropout and position") {
  GridLab lab;
  run_in_palette(lab, "mask causal");
  CHECK(lab.layer().masks.empty());
  run_in_palette(lab, "mask padding");
  CHECK(padding_of(lab.layer()) == std::vector<std::size_t>{3});
  run_in_palette(lab, "masked scores −1e9");
  CHECK(lab.layer().fill == Fill::minus_1e9);
  run_in_palette(lab, "sinusoidal");
  CHECK(lab.layer().position == Position(Sinusoidal{10000}));
  for (const auto& [words, number] : {std::pair("temperature…", "0.5"), std::pair("dropout…", "0.25")}) {
    run_in_palette(lab, words);
    lab.frames(2);
    lab.type(number);
    lab.key(GLFW_KEY_ENTER);
    lab.settle();
  }
  CHECK(lab.layer().temperature == 0.5);
  CHECK(lab.layer().dropout == 0.25);
  run_in_palette(lab, "no temperature");
  run_in_palette(lab, "no dropout");
  CHECK(lab.layer().temperature == 1);
  CHECK(lab.layer().dropout == 0);
}

TEST_CASE("a command that types into the controls shows them first") {
  GridLab lab;
  lab.key(GLFW_KEY_B, {.control = true});
  CHECK_FALSE(lab.item("##tokens"));
  run_in_palette(lab, "temperature…");
  lab.frames(2);
  lab.type("3");
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.layer().temperature == 3);
}

TEST_CASE("Ctrl with C and V in a text field are the field's own") {
  GridLab lab;
  lab.clipboard = "12";
  lab.click(lab.at("x", 0, 0));
  lab.key(GLFW_KEY_ENTER);
  lab.frames(2);
  lab.key(GLFW_KEY_V, {.control = true});
  lab.frames(2);
  CHECK_FALSE(lab.view().grid.pasting);
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.x(0, 0) == 12);
}

TEST_CASE("a matrix that shows another head is neither copied nor filled nor pasted into") {
  GridLab lab(read_document("the-cat-sat-on-mat-two-heads"));
  lab.click(lab.at("weights", 1, 0));
  lab.click_item("heads/head 1");
  lab.frames(2);
  REQUIRE(lab.view().layer.head == 1);
  lab.clipboard = "7";
  lab.key(GLFW_KEY_V, {.control = true});
  lab.frames(2);
  CHECK_FALSE(lab.view().grid.pasting);
  CHECK(lab.shows("nothing is pasted"));
  lab.key(GLFW_KEY_C, {.control = true});
  CHECK(lab.clipboard == "7");
  run_in_palette(lab, "fill zeros");
  CHECK(lab.document().overrides.empty());
  lab.view().layer.head = 0;  // where it was selected
  lab.frames(2);
  lab.key(GLFW_KEY_C, {.control = true});
  CHECK(lab.clipboard != "7");
}

TEST_CASE("a paste whose matrix leaves the screen is dropped and said") {
  GridLab lab(read_document("the-cat-sat-on-mat-two-heads"));
  lab.clipboard = "7";
  lab.click(lab.at("weights", 1, 0));
  lab.key(GLFW_KEY_V, {.control = true});
  lab.frames(2);
  REQUIRE(lab.view().grid.pasting);
  lab.view().layer.head = 1;
  lab.frames(3);
  CHECK_FALSE(lab.view().grid.pasting);
  CHECK(lab.shows("no longer on screen"));
}

TEST_CASE("the whole matrix is copied though a block of it is selected") {
  GridLab lab;
  lab.click(lab.at("x", 0, 0));
  lab.key(GLFW_KEY_RIGHT, {.shift = true});
  run_in_palette(lab, "copy as tsv");
  CHECK(std::ranges::count(lab.clipboard, '\n') == 1);
  run_in_palette(lab, "copy the whole");
  CHECK(std::ranges::count(lab.clipboard, '\n') == 4);
}

TEST_CASE("typing from the palette begins with the exact number") {
  Document document = small_document();
  document.layer().temperature = 1.0 / 3;
  GridLab lab(document);
  run_in_palette(lab, "temperature…");
  lab.frames(2);
  lab.key(GLFW_KEY_ENTER);
  lab.settle();
  CHECK(lab.layer().temperature == 1.0 / 3);
}

TEST_CASE("undo and redo in a text field are the field's own") {
  GridLab lab;
  Document warm = small_document();
  warm.layer().temperature = 2;
  lab.app().change(warm);
  lab.click(lab.at("x", 0, 0));
  lab.key(GLFW_KEY_ENTER);
  lab.frames(2);
  lab.type("5");
  for (const Modifiers modifiers : {Modifiers{.control = true}, Modifiers{.control = true, .shift = true}}) {
    lab.key(GLFW_KEY_Z, modifiers);
    CHECK(lab.document() == warm);
  }
  CHECK(lab.view().grid.typing);
}

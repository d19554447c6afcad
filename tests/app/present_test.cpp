// Presenting: every workspace's steps large, by the keys of a clicker, and everything as before afterwards.
#include <algorithm>
#include <set>

#include "app/canvas/steps.h"
#include "app/frame/drawn_parts.h"
#include "app/frame/present_view.h"
#include "app/host/drawn_text.h"
#include "tests/app/small_lab.h"
#include "tests/sanitized.h"

using namespace attn;
using namespace attn::tests;

namespace {

Layout presented(const SmallLab& lab) {
  return presented_layout(ImGui::GetIO().DisplaySize, lab.theme());
}

// The place of the present step among the others.
std::size_t place(SmallLab& lab) {
  const auto found = place_of(lab.app().steps(), lab.view().canvas().step);
  REQUIRE(found);
  return *found;
}

void begin(SmallLab& lab) {
  lab.key(GLFW_KEY_F5);
  lab.settle();
  REQUIRE(presents(lab.view()));
}

// Words of the window are whole, and none lies on another.
void check_words(SmallLab& lab) {
  const Rect window{{0, 0}, ImGui::GetIO().DisplaySize};
  const float head = lab.find_text("×") ? presented(lab).stages.min.y : 0;
  REQUIRE(head > 0);
  for (const DrawnText& text : lab.texts()) {
    CAPTURE(text.text);
    CHECK(text.box.min.x >= window.min.x - 1);
    CHECK(text.box.max.x <= window.max.x + 1);
  }
  check_whole(lab, window, "the window");
  // What is scrolled may be cut where the last line begins.
  const float half = font_size(lab.theme().fonts.body) / 2;
  check_words_apart(lab, {window.min, {window.max.x, head - half}});
  check_words_apart(lab, {{window.min.x, head + half}, window.max});
}

}  // namespace

TEST_CASE("PgDn and PgUp walk through all steps of every workspace, and Esc leaves the window as it was") {
  for (const Workspace& workspace : workspaces()) {
    CAPTURE(workspace.name);
    SmallLab lab(kSmallest, workspace.name, "eight-heads");
    const Layout before = lab.layout();
    lab.view().canvas().zoom = 1.5f;
    const Viewport sight = lab.view().canvas();
    begin(lab);
    CHECK(lab.view().canvas().zoom == 1.5f);  // its own look does not change the canvas's
    const std::size_t count = lab.app().steps().size();
    REQUIRE(count > 0);
    CHECK(place(lab) == 0);
    for (std::size_t i = 1; i < count; ++i) {
      lab.key(GLFW_KEY_PAGE_DOWN);
      lab.frames(2);
      CHECK(place(lab) == i);
      CHECK(lab.shows("step " + std::to_string(i + 1) + " of " + std::to_string(count)));
    }
    lab.key(GLFW_KEY_PAGE_DOWN);
    CHECK(place(lab) == count - 1);
    lab.key(GLFW_KEY_LEFT);
    CHECK(place(lab) == std::max<std::size_t>(count, 2) - 2);
    lab.key(GLFW_KEY_PAGE_UP);
    lab.key(GLFW_KEY_HOME);
    CHECK(place(lab) == 0);
    lab.key(GLFW_KEY_END);
    CHECK(place(lab) == count - 1);
    lab.key(GLFW_KEY_ESCAPE);
    lab.frames(3);
    CHECK_FALSE(presents(lab.view()));
    CHECK(place(lab) == count - 1);
    CHECK(lab.view().canvas().zoom == sight.zoom);
    CHECK(lab.layout().canvas.min.x == before.canvas.min.x);
    CHECK(lab.layout().canvas.max.y == before.canvas.max.y);
    CHECK(lab.item("controls strip/chevron"));
  }
}

TEST_CASE("on a projector of 1024×768 no word of any step is cut or lies on another" *
          doctest::test_suite("unsanitized")) {
  for (const Workspace& workspace : workspaces())
    for (const ThemeName theme : {ThemeName::dark, ThemeName::light}) {
      CAPTURE(workspace.name);
      SmallLab lab(kSmallest, workspace.name);
      lab.view().settings.theme = theme;
      begin(lab);
      for (std::size_t i = 0; i < lab.app().steps().size(); ++i) {
        CAPTURE(i);
        check_words(lab);
        lab.key(GLFW_KEY_PAGE_DOWN);
        lab.settle();
      }
    }
}

TEST_CASE("a presentation shows the step's title and sentence in large letters, and its matrix") {
  SmallLab lab({{1600, 1000}, 1, false, false});
  lab.view().canvas().step = "weights";
  lab.frames(20);
  const float scale = lab.theme().scale;
  begin(lab);
  CHECK(lab.theme().scale == 3);
  CHECK(scale == 1);
  const auto title = lab.find_text("Weights");
  REQUIRE(title);
  CHECK(title->height() > 50);
  const auto cells = lab.item("weights/cells");
  REQUIRE(cells);
  const Layout layout = presented(lab);
  CHECK(cells->min.y > title->max.y);
  CHECK(cells->max.y <= layout.canvas.max.y);
  CHECK(cells->height() > 0.35f * layout.canvas.height());
  CHECK_FALSE(lab.item("controls strip/chevron"));
  CHECK_FALSE(lab.item("stages/play"));
}

TEST_CASE("it begins at the step of the pinned number, which stays outlined") {
  SmallLab lab(kSmallest);
  lab.view().pinned = Spot{"scores", {0, 3, 0}};
  lab.settle();
  begin(lab);
  CHECK(lab.view().canvas().step == "scores");
  CHECK(lab.view().pinned == Spot{"scores", {0, 3, 0}});
  lab.frames(2);
  CHECK(lab.shows("“on”"));  // the sentence is about it
  const Rect cells = *lab.item("scores/cells");
  lab.move({cells.min.x + cells.width() * 0.5f, cells.min.y + cells.height() * 0.5f});
  lab.frames(2);
  REQUIRE(lab.view().hovered);
  CHECK(lab.view().hovered->stage == "scores");
  lab.key(GLFW_KEY_ESCAPE);
  lab.frames(2);
  CHECK_FALSE(presents(lab.view()));
  CHECK(lab.view().pinned);               // the next Esc lets it go
  CHECK_FALSE(lab.view().canvas().step);  // nobody walked: as before
}

TEST_CASE(
    "matrices of a step stand side by side where that leaves room for numbers; arrows show each alone") {
  const auto shown = [](SmallLab& lab) {
    std::string all;
    for (const char* stage : {"q", "k", "v"})
      if (lab.item(std::string(stage) + "/cells")) all += stage;
    return all;
  };
  const auto press = [](SmallLab& lab, int key) {
    lab.key(key);
    lab.frames(2);
  };
  for (const auto& [window, first] : {std::pair(kSmallest, "q"), std::pair(kNarrow, "qkv"),
                                      std::pair(SmallWindow{{1600, 1000}, 1, false, false}, "qkv")}) {
    SmallLab lab(window);
    lab.view().canvas().step = "q";
    lab.settle();
    begin(lab);
    CHECK(shown(lab) == first);
    while (shown(lab) != "qkv") press(lab, GLFW_KEY_UP);
    const float among = lab.item("q/cells")->width();
    for (const char* one : {"q", "k", "v", "qkv"}) {
      press(lab, GLFW_KEY_DOWN);
      CHECK(shown(lab) == one);
    }
    press(lab, GLFW_KEY_UP);
    CHECK(shown(lab) == "v");
    CHECK(lab.item("v/cells")->width() > 1.2f * among);
  }
}

TEST_CASE("arrows up and down go around the parts of a canvas, which stay while one walks on") {
  for (const Workspace& workspace : workspaces()) {
    CAPTURE(workspace.name);
    SmallLab lab(kSmallest, workspace.name, "eight-heads");
    begin(lab);
    const PresentView& present = lab.view().of<PresentView>();
    const std::size_t first = present.shown, count = present.count;
    std::set<std::string> drawn;
    for (std::size_t i = 0; i < count; ++i) {
      const DrawnParts& parts = lab.app().memos().of<DrawnParts>();
      for (const auto* kind : {&parts.plots, &parts.matrices})
        for (const DrawnPart& part : *kind) drawn.insert(part.name);
      lab.key(GLFW_KEY_DOWN);
      lab.settle();
    }
    CHECK(present.shown == first);
    CHECK_FALSE(drawn.empty());
  }
  SmallLab lab(kSmallest, "softmax", "eight-heads");
  begin(lab);
  while (!lab.item("temperature/plot")) {
    lab.key(GLFW_KEY_UP);
    lab.settle();
    REQUIRE(lab.view().of<PresentView>().shown > 0);
  }
  lab.key(GLFW_KEY_PAGE_DOWN);
  lab.settle();
  CHECK(lab.item("temperature/plot"));
  CHECK(lab.plot("temperature").width() > 0.9f * presented(lab).canvas.width());
}

TEST_CASE("what a workspace shows its steps in first is a plot where it says so") {
  SmallLab lab(kSmallest, "kernels");
  begin(lab);
  for (std::size_t i = 0; i < lab.app().steps().size(); ++i) {
    CHECK(lab.item("estimate/plot"));
    lab.key(GLFW_KEY_PAGE_DOWN);
    lab.settle();
  }
}

TEST_CASE("what needs a panel ends the presentation, and the program's other keys work on") {
  SmallLab lab({{1600, 1000}, 1, false, false});
  begin(lab);
  lab.key(GLFW_KEY_F1);
  lab.frames(2);
  CHECK(lab.view().overlays.manual.open);
  lab.key(GLFW_KEY_ESCAPE);
  lab.frames(2);
  CHECK(presents(lab.view()));
  lab.key(GLFW_KEY_PAGE_DOWN, {.control = true});
  lab.settle();
  CHECK(presents(lab.view()));
  lab.key(GLFW_KEY_B, {.control = true});
  lab.frames(3);
  CHECK_FALSE(presents(lab.view()));
  CHECK(lab.view().settings.show_controls);
  CHECK(lab.layout().controls.width() > 0);
}

TEST_CASE("the mouse alone steps and leaves") {
  SmallLab lab(kSmallest);
  begin(lab);
  lab.press("present/›");
  CHECK(place(lab) == 1);
  lab.press("present/‹");
  CHECK(place(lab) == 0);
  lab.press("present/×");
  CHECK_FALSE(presents(lab.view()));
}

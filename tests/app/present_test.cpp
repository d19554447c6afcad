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
  check_words_apart(lab, window);
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

TEST_CASE("arrows up and down show each matrix of a step alone, and the parts of a canvas") {
  SmallLab lab(kSmallest);
  lab.view().canvas().step = "q";
  lab.settle();
  begin(lab);
  for (const char* stage : {"q", "k", "v"}) CHECK(lab.item(std::string(stage) + "/cells"));
  const float among = lab.item("q/cells")->width();
  lab.key(GLFW_KEY_DOWN);
  lab.frames(2);
  CHECK(lab.item("q/cells")->width() > 1.5f * among);
  CHECK_FALSE(lab.item("k/cells"));
  lab.key(GLFW_KEY_UP);
  lab.frames(2);
  CHECK(lab.item("k/cells"));

  for (const Workspace& workspace : workspaces()) {
    CAPTURE(workspace.name);
    SmallLab each(kSmallest, workspace.name, "eight-heads");
    begin(each);
    std::set<std::string> plots;
    const std::size_t count = each.view().of<PresentView>().count;
    for (std::size_t i = 0; i < count; ++i) {
      for (const DrawnPart& plot : each.app().memos().of<DrawnParts>().plots) plots.insert(plot.name);
      each.key(GLFW_KEY_DOWN);
      each.settle();
    }
    CHECK(each.view().of<PresentView>().shown == 0);  // around once
    if (workspace.name == "softmax") CHECK(plots.size() > 4);
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

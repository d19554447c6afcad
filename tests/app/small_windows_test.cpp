// Small windows: panels folded to strips that open over the canvas, in every workspace, by mouse and
// keyboard.
#include "core/document/edit.h"
#include "core/document/layer_plan.h"
#include "tests/app/small_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("a narrow window narrows its panels, then folds the controls, then the inspector") {
  const auto points = [](const SmallWindow& window) {
    SmallLab lab(window);
    const Layout layout = lab.layout();
    CHECK(lab.item("controls strip/chevron").has_value() == window.controls);
    CHECK(lab.item("inspector strip/chevron").has_value() == window.inspector);
    return std::pair(layout.controls.width() / window.scale, layout.inspector.width() / window.scale);
  };
  CHECK(points({{1600, 1000}, 1, false, false}) == std::pair(264.0f, 322.0f));
  CHECK(points(kNarrow) == std::pair(200.0f, 252.0f));
  CHECK(points(kMiddle) == std::pair(34.0f, 252.0f));
  CHECK(points(kSmallest) == std::pair(34.0f, 34.0f));
}

TEST_CASE("a panel that the settings hide has no strip either") {
  SmallLab lab(kSmallest);
  lab.view().settings.show_controls = false;
  lab.frames(2);
  CHECK_FALSE(lab.item("controls strip/chevron"));
  CHECK(lab.layout().controls.width() == 0);
  CHECK(lab.item("inspector strip/chevron"));
}

TEST_CASE("in every workspace a strip's panel opens over the canvas, and nothing moves" *
          doctest::test_suite("unsanitized")) {
  for (const Workspace& workspace : workspaces())
    for (const SmallWindow& window : {kMiddle, kSmallest}) {
      CAPTURE(workspace.name);
      SmallLab lab(window, workspace.name);
      const Rect before = lab.layout().canvas;
      lab.press("controls strip/Example");
      CHECK(lab.item("example"));
      CHECK(lab.shows("Esc or a click outside closes"));
      CHECK(lab.lit(lab.layout().controls, "Example"));
      CHECK(lab.item("beside")->width() == before.width());
      lab.key(GLFW_KEY_ESCAPE);
      lab.frames(2);
      CHECK_FALSE(lab.item("example"));
      lab.key(GLFW_KEY_B, {.control = true});
      lab.frames(2);
      CHECK(lab.item("example"));
      lab.key(GLFW_KEY_B, {.control = true});
      lab.frames(2);
      CHECK_FALSE(lab.item("example"));
      CHECK(lab.view().settings.show_controls);
      const Rect after = lab.layout().canvas;
      CHECK(after.min.x == before.min.x);
      CHECK(after.max.x == before.max.x);
    }
}

TEST_CASE("a click beside an opened panel folds it and does nothing else") {
  SmallLab lab(kSmallest);
  lab.press("inspector strip/chevron");
  const Rect canvas = lab.layout().canvas;
  CHECK(lab.shows("Checks"));
  CHECK(lab.view().inspector.open);
  lab.click({canvas.min.x + 60, (canvas.min.y + canvas.max.y) / 2});
  lab.frames(2);
  CHECK_FALSE(lab.view().inspector.open);
  CHECK_FALSE(lab.view().pinned);
  lab.press("inspector strip/chevron");
  lab.press("inspector strip/chevron");  // the same again
  CHECK_FALSE(lab.view().inspector.open);
}

TEST_CASE("an opened panel is 262 points wide at most, and only one is open") {
  SmallLab lab(kSmallest);
  const Layout layout = lab.layout();
  CHECK(opened_over(layout, lab.theme(), true).width() == 2 * 262);
  CHECK(opened_over(layout, lab.theme(), false).min.x == layout.inspector.min.x - 2 * 262);
  lab.press("controls strip/chevron");
  lab.press("inspector strip/chevron");
  CHECK_FALSE(lab.view().controls.open);
  CHECK(lab.view().inspector.open);
  lab.resize({1600, 1000});  // 800 points: the inspector stands beside the canvas
  CHECK_FALSE(lab.view().inspector.open);
}

TEST_CASE("the present step's section is lit on the strip, and is what the opened controls show") {
  SmallLab lab(kSmallest);
  lab.view().canvas().step = "weights";
  lab.frames(3);
  const Rect strip = lab.layout().controls;
  CHECK(lab.lit(strip, "Weights"));
  CHECK_FALSE(lab.lit(strip, "Example"));
  CHECK(lab.word(lab.layout().inspector, "Step 6 of 7"));
  lab.key(GLFW_KEY_B, {.control = true});
  lab.frames(4);
  CHECK(lab.lit(strip, "Weights"));
  CHECK(lab.item("weighting"));
  lab.press("controls strip/Example");
  CHECK(lab.lit(strip, "Example"));
}

TEST_CASE("a word shows its part of the panel") {
  SmallLab lab(kSmallest);
  lab.view().canvas().step = "weights";
  lab.frames(3);
  lab.press("inspector strip/checks");
  const Rect open = opened_over(lab.layout(), lab.theme(), false);
  CHECK(lab.word(open, "Checks"));
  CHECK(lab.lit(lab.layout().inspector, "Checks"));
  lab.press("inspector strip/step");
  CHECK(lab.word(open, "Weights"));
}

TEST_CASE("a picture of the panel under the pointer is of one that is open over the canvas") {
  SmallLab lab(kSmallest);
  lab.press("inspector strip/checks");
  const Rect open = opened_over(lab.layout(), lab.theme(), false);
  lab.move(centre(open));
  lab.app().request_capture(true);
  lab.frame();
  const auto capture = lab.app().take_capture();
  REQUIRE(capture);
  REQUIRE(capture->area);
  CHECK(capture->area->min.x == open.min.x);
  CHECK(capture->area->max.x == open.max.x);
}

TEST_CASE("words without room stand behind a list, which opens the panel there") {
  SmallLab lab(kSmallest);
  CHECK_FALSE(lab.item("controls strip/Mask"));
  lab.press("controls strip/rest");
  const auto entry = lab.find_text("Mask");
  REQUIRE(entry);
  lab.click(centre(*entry));
  lab.frames(3);
  CHECK(lab.item("fill"));
  CHECK(lab.view().controls.open);
}

TEST_CASE("a section that is not as in the example has a dot") {
  SmallLab lab(kMiddle);
  const auto dots = [&] {
    int corners = 0;
    const Rect strip = lab.layout().controls;
    const ImDrawData& data = lab.draw_data();
    for (int i = 0; i < data.CmdListsCount; ++i)
      for (const ImDrawVert& vertex : data.CmdLists[i]->VtxBuffer)
        corners += vertex.col == lab.theme().accent && strip.contains(vertex.pos);
    return corners;
  };
  CHECK(dots() == 0);
  lab.run("layer.break.scale-off");
  CHECK(dots() > 0);
  lab.undo();
  CHECK(dots() == 0);
}

TEST_CASE("the word of the checks has the badge's sign and colour") {
  SmallLab lab(kSmallest);
  const auto checks = lab.word(lab.layout().inspector, "Checks");
  REQUIRE(checks);
  CHECK(checks->colour == lab.theme().warning);  // the reference's, without a sign
  Document broken = lab.document();
  set_number(broken, kLayerPlan, "weights", {0, 1, 1}, 5);
  lab.app().change(broken);
  lab.settle();
  lab.frames(3);
  CHECK(lab.word(lab.layout().inspector, "Checks !"));
}

TEST_CASE("a control that is to be typed into opens the controls") {
  SmallLab lab(kSmallest);
  lab.run("layer.temperature");
  lab.frames(2);
  lab.enter("3");
  CHECK(lab.document().layer().temperature == 3);
  CHECK(lab.view().controls.open);
  lab.key(GLFW_KEY_ESCAPE);
  lab.frames(2);
  CHECK_FALSE(lab.view().controls.open);
}

TEST_CASE("strips and their panels are reached and left by the keyboard alone") {
  for (const SmallWindow& window : {kMiddle, kSmallest}) {
    SmallLab lab(window);
    lab.tab_to("controls strip/chevron");
    lab.key(GLFW_KEY_TAB);
    CHECK(lab.focused().find("controls strip/Example") != std::string::npos);
    lab.key(GLFW_KEY_ENTER);
    lab.frames(2);
    REQUIRE(lab.view().controls.open);
    lab.tab_to("example");
    lab.tab_to("section Layer");
    lab.key(GLFW_KEY_ESCAPE);
    lab.frames(2);
    CHECK_FALSE(lab.view().controls.open);
    if (!window.inspector) continue;
    lab.tab_to("inspector strip/checks");
    lab.key(GLFW_KEY_ENTER);
    lab.frames(2);
    CHECK(lab.view().inspector.open);
    lab.tab_to("/check ");
  }
}

// Small windows: one menu, one tab, chips that scroll, few hints, and the present step on the canvas.
#include "tests/app/small_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("below 700 points the menus stand in one, and do what they did") {
  SmallLab wide(kMiddle);
  CHECK(wide.find_text("File"));
  SmallLab lab(kSmallest);
  CHECK_FALSE(lab.find_text("File"));
  lab.press("      ##menus");
  const auto view = lab.find_text("View");
  REQUIRE(view);
  lab.move(centre(*view));
  lab.frame(0.5f);
  lab.frames(5);
  const auto entry = lab.find_text("Reduce motion");
  REQUIRE(entry);
  lab.click(centre(*entry));
  lab.frames(2);
  CHECK(lab.view().settings.reduce_motion);
}

TEST_CASE("no menu of a small window touches its edge") {
  for (const SmallWindow& window : {kNarrow, kMiddle, kSmallest}) {
    SmallLab lab(window);
    const bool one = lab.item("      ##menus").has_value();
    one ? lab.press("      ##menus") : lab.click(centre(*lab.find_text("File")));
    lab.frames(3);
    for (const char* menu : {"File", "View", "Help"}) {
      CAPTURE(menu);
      const auto title = lab.find_text(menu);
      REQUIRE(title);
      lab.move(centre(*title));
      lab.frame(0.5f);
      lab.frames(5);
      REQUIRE(GImGui->OpenPopupStack.Size > (one ? 1 : 0));
      for (const ImGuiPopupData& popup : GImGui->OpenPopupStack) {
        REQUIRE(popup.Window);
        const ImRect box = popup.Window->Rect();
        CHECK(box.Min.x >= 8);
        CHECK(box.Max.x <= window.size.x - 8);
        CHECK(box.Max.y <= window.size.y - 8);
      }
    }
  }
}

TEST_CASE("More lists the workspaces that have no tab with their keys, and the keys show them") {
  SmallLab lab(kSmallest);
  lab.click(centre(*lab.find_text("More")));
  lab.frames(2);
  for (const Workspace& workspace : workspaces())
    if (&workspace != lab.view().workspace) CHECK(lab.find_text(workspace.title));
  CHECK(lab.find_text("Ctrl+2"));
  lab.key(GLFW_KEY_ESCAPE);
  lab.key(GLFW_KEY_2, {.control = true});
  lab.settle();
  CHECK(lab.view().workspace == &workspaces()[1]);
  CHECK(lab.find_text(workspaces()[1].title));
  CHECK_FALSE(lab.find_text(workspaces()[0].title));
}

TEST_CASE("the present step's chip is in the middle, no chip is cut, and ‹ and › lead to the others") {
  SmallLab lab(kSmallest);
  CHECK(lab.item("step x"));
  CHECK_FALSE(lab.item("‹"));
  REQUIRE(lab.item("›"));
  CHECK_FALSE(lab.item("step head_output"));
  lab.view().canvas().step = "scaled";
  lab.frames(3);
  const Rect present = *lab.item("step scaled");
  const float middle = (lab.item("play")->max.x + lab.layout().stages.max.x) / 2;
  CHECK(std::abs(centre(present).x - middle) < 40);
  REQUIRE(lab.item("‹"));
  CHECK(lab.shows("‹"));
  REQUIRE(lab.item("›"));
  CHECK(lab.item("‹")->max.x <= present.min.x);
  for (int i = 0; i < 4 && !lab.item("step head_output"); ++i) lab.press("›");
  CHECK(lab.item("step head_output"));
  CHECK_FALSE(lab.item("›"));
  CHECK(lab.view().canvas().step == "scaled");
  for (const Item& item : lab.items())
    if (item.path.find("step ") != std::string::npos) {
      CHECK(item.box.min.x >= lab.item("play")->max.x);
      CHECK(item.box.max.x <= 1024);
    }
  lab.key(GLFW_KEY_LEFT);
  lab.frames(3);
  CHECK(lab.item("step scores"));  // a step brings its chip back
}

TEST_CASE("the wheel and a drag scroll the chips, and a drag chooses none") {
  SmallLab lab(kSmallest);
  const ImVec2 chip = centre(*lab.item("step scores"));
  for (int i = 0; i < 2; ++i) lab.wheel(chip, -1);
  CHECK(lab.item("‹"));
  CHECK_FALSE(lab.item("step x"));
  lab.drag(chip, {chip.x + 300, chip.y});
  lab.frames(2);
  CHECK(lab.item("step x"));
  CHECK_FALSE(lab.view().canvas().step);
}

TEST_CASE("the chips' ‹ and › are reached by Tab") {
  SmallLab lab(kSmallest);
  lab.tab_to("›");
  lab.key(GLFW_KEY_ENTER);
  lab.frames(2);
  CHECK(lab.item("‹"));
}

TEST_CASE("the status line has at most four hints, whole, and left out from the end") {
  const auto hints = [](const SmallWindow& window) {
    SmallLab lab(window);
    const Rect line{{0, (lab.layout().stages.min.y + lab.layout().stages.max.y) / 2},
                    lab.layout().stages.max};
    const std::string text = lab.text_in(line);
    CHECK(text.find("…") == std::string::npos);
    CHECK(text.starts_with("7 steps"));
    return text;
  };
  CHECK(hints(kNarrow).ends_with("← → step Space play drag to change F1 manual"));
  CHECK(hints(kSmallest).find("Space play") != std::string::npos);
  SmallLab long_one(kSmallest, "softmax");
  CHECK(long_one.shows("Space sweep the temperature"));
  CHECK_FALSE(long_one.shows("F1 manual"));
}

TEST_CASE("where the inspector is a strip, the step's title and sentence stand over its matrix") {
  SmallLab lab(kSmallest);
  lab.view().canvas().step = "weights";
  lab.frames(3);
  const Rect canvas = lab.layout().canvas;
  CHECK(lab.word(canvas, "Weights"));  // the strip has the word too
  const auto says = lab.find_text("Each row becomes shares that add up to 1.");
  REQUIRE(says);
  CHECK(canvas.contains(centre(*says)));
  CHECK(says->max.y <= lab.item("weights/cells")->min.y);
  CHECK(lab.find_text("step 6 of 7"));
  SmallLab middle(kMiddle);
  middle.view().canvas().step = "weights";
  middle.frames(3);
  CHECK_FALSE(middle.find_text("Each row becomes shares that add up to 1."));
}

TEST_CASE("the steps before and after stand small beneath the present one where there is room") {
  for (const SmallWindow& window : {kNarrow, kMiddle, kSmallest}) {
    SmallLab lab(window);
    lab.view().canvas().step = "weights";
    lab.frames(20);
    CAPTURE(window.size.x);
    REQUIRE(lab.item("weights/cells"));
    CHECK(lab.item("masked/cells").has_value() == (window.size.y == 640));
    CHECK(lab.item("head_output/cells").has_value() == (window.size.y == 640));
    CHECK(lab.view().canvas().scroll_y == 0);
    const Rect present = *lab.item("weights/cells");
    CHECK(present.width() / 5 <= 96 * window.scale);
    CHECK(present.height() / 5 <= 60 * window.scale);
    if (window.size.y != 640) continue;
    const Rect before = *lab.item("masked/cells");
    CHECK(before.min.y > present.max.y);
    CHECK(before.width() < present.width() * 0.7f);
    CHECK(lab.shows("before"));
    CHECK(lab.text_in(before).find("-1.4") != std::string::npos);
  }
}

TEST_CASE("of the step before stands beneath what the present one is computed from") {
  SmallLab lab(kNarrow);
  lab.view().canvas().step = "scores";
  lab.frames(20);
  for (const char* stage : {"q/cells", "k/cells", "scaled/cells"}) {
    CAPTURE(stage);
    REQUIRE(lab.item(stage));
    CHECK(lab.item(stage)->height() > 5 * 12);
  }
  CHECK_FALSE(lab.item("v/cells"));
}

TEST_CASE("a step of three matrices keeps its numbers in the smallest window, which scrolls") {
  SmallLab lab(kSmallest);
  lab.view().canvas().step = "q";
  lab.frames(20);
  REQUIRE(lab.item("q/cells"));
  CHECK(lab.text_in(*lab.item("q/cells")).find("-0.59") != std::string::npos);
}

TEST_CASE("a stage compared at 1024 × 640 has numbers in A, B and B − A") {
  SmallLab lab(kNarrow, "compare", "the-cat-sat-on-mat");
  lab.view().canvas().step = "scaled";
  lab.frames(20);
  for (const char* stage : {"scaled", "b.scaled"}) {
    CAPTURE(stage);
    const auto cells = lab.item(std::string(stage) + "/cells");
    REQUIRE(cells);
    CHECK(lab.text_in(*cells).find("…") == std::string::npos);
    CHECK(std::ranges::count(lab.text_in(*cells), '.') >= 20);
  }
}

// The side panels: narrowed, hidden, and there again; the menus above them by keyboard.
#include <imgui_internal.h>

#include "app/program/input.h"
#include "app/program/store.h"
#include "tests/app/grid_lab.h"
#include "tests/app/scratch_folder.h"

using namespace attn;
using namespace attn::tests;

namespace {

float edge(Headless& lab, const char* splitter) {
  const auto box = lab.item(splitter);
  REQUIRE(box);
  return centre(*box).x;
}

void drag_edge(Headless& lab, const char* splitter, float by) {
  const float x = edge(lab, splitter);
  lab.drag({x, 400}, {x + by, 400});
}

// The name of what the keyboard is on.
std::string focused(const Headless& lab) {
  for (const Item& item : lab.items())
    if (item.id == GImGui->NavId) return item.path;
  return "";
}

// An entry of a menu: the last text that says so, for menus are above everything.
ImVec2 entry(GridLab& lab, const char* title) {
  std::optional<Rect> found;
  for (const DrawnText& text : lab.texts())
    if (text.text == title) found = text.box;
  REQUIRE_MESSAGE(found, title);
  return centre(*found);
}

void open_mask_menu(GridLab& lab) {
  lab.click(entry(lab, "Edit"));
  lab.frames(2);
  for (const char* title : {"Layer", "Mask"}) {
    lab.move(entry(lab, title));
    lab.frame(0.5f);
    lab.frames(5);
  }
}

}  // namespace

TEST_CASE("keys hide the side panels and bring them back") {
  GridLab lab;
  const float left = edge(lab, "##left"), right = edge(lab, "##right");
  lab.key(GLFW_KEY_B, {.control = true});
  CHECK_FALSE(lab.item("section Layer"));
  CHECK(edge(lab, "##left") < 10);
  lab.key(GLFW_KEY_I, {.control = true});
  CHECK_FALSE(lab.shows("Inspector"));
  CHECK(edge(lab, "##right") > 1590);
  CHECK(lab.item("empty")->max.x == 1600);
  lab.key(GLFW_KEY_B, {.control = true});
  lab.key(GLFW_KEY_I, {.control = true});
  CHECK(edge(lab, "##left") == left);
  CHECK(edge(lab, "##right") == right);
  CHECK(lab.item("section Layer"));
}

TEST_CASE("a panel's edge follows the pointer in a narrow window too") {
  for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{1024, 640}}) {
    GridLab lab(small_document(), size);
    CAPTURE(size.x);
    const float left = edge(lab, "##left"), right = edge(lab, "##right");
    drag_edge(lab, "##left", -60);
    CHECK(std::abs(edge(lab, "##left") - (left - 60)) < 3);
    CHECK(std::abs(edge(lab, "##right") - right) < 3);
    drag_edge(lab, "##right", 50);
    CHECK(std::abs(edge(lab, "##right") - (right + 50)) < 3);
    CHECK(std::abs(edge(lab, "##left") - (left - 60)) < 3);
  }
}

TEST_CASE("a panel dragged to the window's edge is hidden and dragged back is there again") {
  GridLab lab;
  drag_edge(lab, "##left", -240);
  CHECK_FALSE(lab.view().settings.show_controls);
  CHECK_FALSE(lab.item("section Layer"));
  drag_edge(lab, "##left", 200);
  CHECK(lab.view().settings.show_controls);
  CHECK(std::abs(edge(lab, "##left") - 203) < 3);
  drag_edge(lab, "##right", 300);
  CHECK_FALSE(lab.view().settings.show_inspector);
  drag_edge(lab, "##right", -300);
  CHECK(lab.view().settings.show_inspector);
}

TEST_CASE("hidden panels and their widths are remembered") {
  const ScratchFolder folder;
  Store store(folder / "config", folder / "state");
  Settings settings;
  settings.show_controls = false;
  settings.show_inspector = false;
  settings.inspector_width = 140;
  store.save_settings(settings);
  CHECK(store.load_settings() == settings);
}

TEST_CASE("Esc over an entry that opens a menu closes the whole menu for good") {
  GridLab lab;
  lab.click(centre(*lab.find_text("File")));
  lab.frames(2);
  const auto entry = lab.find_text("Examples");
  REQUIRE(entry);
  lab.move(centre(*entry));
  lab.frame(0.5f);
  lab.frames(5);
  REQUIRE(lab.shows("three-tokens"));
  lab.key(GLFW_KEY_ESCAPE);
  lab.frame(0.5f);
  lab.frames(5);
  CHECK_FALSE(lab.shows("three-tokens"));
  CHECK_FALSE(lab.find_text("Examples"));
}

TEST_CASE("Esc over the fills closes the menu of a matrix") {
  GridLab lab;
  lab.click(lab.at("x", 1, 1), 1);
  lab.frames(2);
  const auto entry = lab.find_text("Fill 4×4 with");
  REQUIRE(entry);
  lab.move(centre(*entry));
  lab.frame(0.5f);
  lab.frames(5);
  REQUIRE(lab.shows("one-hot rows"));
  lab.key(GLFW_KEY_ESCAPE);
  lab.frame(0.5f);
  lab.frames(5);
  CHECK_FALSE(lab.shows("Copy the whole matrix"));
}

TEST_CASE("a menu inside a menu inside a menu opens and its entries do what they say") {
  GridLab lab;
  open_mask_menu(lab);
  CHECK_FALSE(lab.shows("Layer/"));
  lab.click(entry(lab, "Causal"));
  lab.settle();
  CHECK(lab.layer().masks.empty());
}

TEST_CASE("Esc at any moment while one menu takes the place of another breaks nothing" *
          doctest::test_suite("unsanitized")) {
  constexpr int kMoments = 30;
  GridLab lab;
  int changed = 0;
  for (int moment = 0; moment < kMoments; ++moment) {
    open_mask_menu(lab);
    lab.move(entry(lab, "Scale"));
    lab.frames(moment);
    changed += lab.shows("A number") ? 1 : 0;
    for (int i = 0; i < 6; ++i) lab.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(lab.shows("A number"));
    CHECK_FALSE(lab.shows("Painted"));
    lab.click({640, 780});
  }
  CHECK(changed > 0);
  CHECK(changed < kMoments);
}

TEST_CASE("Tab leaves the menu bar") {
  GridLab lab;
  lab.click(centre(*lab.find_text("File")));
  lab.frames(2);
  lab.key(GLFW_KEY_ESCAPE);
  lab.frames(2);
  bool left = false;
  for (int i = 0; i < 6 && !left; ++i) {
    lab.key(GLFW_KEY_TAB);
    const std::string name = focused(lab);
    left =
        !name.empty() && name.find("##top") == std::string::npos && name.find("menubar") == std::string::npos;
  }
  CHECK_MESSAGE(left, focused(lab));
}

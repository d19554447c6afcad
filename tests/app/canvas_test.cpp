// The canvas by mouse and keys, read back from what it drew: order of the stages, zoom and pan, arcs, small
// maps, and what is shown of a document that cannot be computed.
#include <doctest/doctest.h>

#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/frame/layout.h"
#include "app/host/headless.h"
#include "app/program/input.h"

using namespace attn;

namespace {

Document example(const char* name) {
  return read_document(name);
}

// Right of the last matrix of the second row there is nothing.
ImVec2 empty_place(const Headless& lab) {
  const std::optional<Rect> title = lab.find_text("scaled");
  REQUIRE(title);
  return {1200, title->min.y + 60};
}

float alpha_of(const Headless& lab, const std::string& text) {
  for (const DrawnText& drawn : lab.texts())
    if (drawn.text == text) return static_cast<float>(drawn.colour >> IM_COL32_A_SHIFT) / 255;
  FAIL("not drawn: " << text);
  return 0;
}

// Of a title on the canvas, below the formula.
Rect title_box(const Headless& lab, const char* title) {
  for (const DrawnText& text : lab.texts())
    if (text.text == title && text.box.min.y > lab.item("formula/all")->max.y) return text.box;
  FAIL("not drawn: " << title);
  return {};
}

Document large(std::size_t tokens) {
  Document document;
  LayerSpec& layer = document.layer();
  const auto random = [](Shape shape) {
    std::vector<float> values(shape.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>((i * 37) % 19) / 9 - 1;
    return Tensor(shape, std::move(values));
  };
  layer.x = random({1, tokens, 4});
  layer.w_q = random({1, 4, 4}), layer.w_k = random({1, 4, 4}), layer.w_v = random({1, 4, 4});
  return document;
}

}  // namespace

TEST_CASE("the stages stand on the canvas in the order of the computation") {
  Headless lab({.document = example("the-cat-sat-on-mat")});
  float x = 0;
  for (const char* title : {"X", "X + PE", "Q", "K", "V"}) {
    const Rect box = title_box(lab, title);
    CHECK(box.min.x > x);
    x = box.max.x;
  }
  CHECK(title_box(lab, "scores").min.y > title_box(lab, "Q").max.y);
  CHECK(title_box(lab, "output").min.x > title_box(lab, "scores").min.x);
}

TEST_CASE("Ctrl and the wheel zoom at the pointer and a double-click on empty canvas fits") {
  Headless lab({.document = example("the-cat-sat-on-mat")});
  const ImVec2 place = empty_place(lab);
  lab.hold({.control = true});
  lab.wheel(place, 6);
  lab.hold({});
  CHECK(lab.view().canvas().zoom > 2);
  CHECK(lab.view().canvas().scroll_y > 0);
  lab.wheel(place, 1);
  const float scrolled = lab.view().canvas().scroll_y;
  lab.wheel(place, -1);
  CHECK(lab.view().canvas().scroll_y > scrolled);
  lab.view().canvas().scroll_x = lab.view().canvas().scroll_y = 1e6f;  // where the canvas ends
  lab.frames(2);
  CHECK(lab.view().canvas().scroll_x < 1e6f);
  lab.double_click({lab.item("empty")->max.x - 20, lab.item("empty")->max.y - 14});
  CHECK(lab.view().canvas().zoom == 1);
  CHECK(lab.view().canvas().scroll_x == 0);
}

TEST_CASE("dragging empty canvas pans it and changes nothing else") {
  Headless lab({.document = large(40)});
  lab.view().canvas().all = false;  // larger than the canvas
  lab.frames(2);
  const Document before = lab.document();
  const Rect canvas = *lab.item("empty");
  const ImVec2 from{canvas.max.x - 14, canvas.max.y - 30};
  lab.drag(from, {from.x, from.y - 200});
  CHECK(lab.view().canvas().scroll_y == doctest::Approx(200).epsilon(0.01));
  CHECK(lab.document() == before);
  CHECK(lab.app().history().steps().size() == 1);
}

TEST_CASE("a step dims the stages behind it") {
  Headless lab({.document = example("the-cat-sat-on-mat")});
  lab.key(GLFW_KEY_HOME);
  lab.frames(20);
  CHECK(alpha_of(lab, "X") == 1);
  for (const char* title : {"scores", "scaled", "weights", "output"}) CHECK(alpha_of(lab, title) < 0.5f);
}

TEST_CASE("hovering an arc hovers its weight and clicking pins it") {
  Headless lab({.document = example("the-cat-sat-on-mat")});
  const std::optional<Rect> arcs = lab.item("arcs");
  REQUIRE(arcs);
  bool found = false;
  for (float y = arcs->min.y; y < arcs->max.y && !found; y += 3) {
    lab.move({(arcs->min.x + arcs->max.x) / 2, y});
    found = lab.view().hovered && lab.view().hovered->stage == "weights";
  }
  REQUIRE(found);
  const Spot spot = *lab.view().hovered;
  CHECK(lab.results()->output("weights")[spot.cell] > 0.004f);
  lab.click(ImGui::GetIO().MousePos);
  CHECK(lab.view().pinned == spot);
}

TEST_CASE("clicking a small map shows that head large") {
  Headless lab({.document = example("the-cat-sat-on-mat-two-heads")});
  CHECK(lab.view().layer.head == 0);
  lab.click_item("heads/head 1");
  CHECK(lab.view().layer.head == 1);
  CHECK(lab.shows("head 1"));
}

TEST_CASE("the parameters have a row of their own when they are wanted") {
  Headless lab({.document = example("the-cat-sat-on-mat")});
  CHECK_FALSE(lab.find_text("W_Q"));
  lab.view().layer.show_parameters = true;
  lab.frames(2);
  CHECK(lab.find_text("W_Q"));
  CHECK(lab.find_text("W_V"));
}

TEST_CASE("an input shows the number of the document also where the results cannot follow") {
  Document document = example("the-cat-sat-on-mat");
  Headless lab({.document = document});
  document.layer().heads = document.layer().kv_heads = 3;
  document.layer().x = with_value(document.layer().x, {0, 0, 0}, 9.87f);
  lab.app().change(document);
  lab.settle();
  CHECK(lab.find_text("9.87"));
  CHECK(lab.find_text("weights"));  // of the last document that could be computed
}

TEST_CASE("what cannot be computed says so on the canvas with a way back") {
  Document document = example("the-cat-sat-on-mat");
  Headless lab({.document = document});
  document.layer().heads = document.layer().kv_heads = 3;
  lab.app().change(document);
  lab.settle();
  CHECK(lab.shows("don't divide"));
  lab.click_item("notice/fix undo");
  lab.settle();
  CHECK_FALSE(lab.shows("don't divide"));
  CHECK(lab.document().layer().heads == 1);
}

TEST_CASE("a layer that was broken from the start shows its inputs and no made-up number") {
  Document document = example("the-cat-sat-on-mat");
  document.layer().heads = document.layer().kv_heads = 3;
  Headless lab({.document = document});
  CHECK(lab.shows("don't divide"));
  CHECK(lab.shows("1.43"));
  CHECK_FALSE(lab.find_text("weights"));
}

TEST_CASE("a broken layer offers head counts that its projections can have") {
  Document document = example("the-cat-sat-on-mat");
  document.layer().heads = document.layer().kv_heads = 3;
  Headless lab({.document = document});
  CHECK_FALSE(lab.item("notice/fix 3 heads"));
  lab.click_item("notice/fix 2 heads");
  lab.settle();
  CHECK(lab.document().layer().heads == 2);
  CHECK(lab.find_text("weights"));
}

TEST_CASE("a step brings its stage into sight") {
  Headless lab({.document = example("the-cat-sat-on-mat"), .size = {1240, 500}});
  lab.key(GLFW_KEY_END);
  lab.frames(20);
  CHECK(lab.view().canvas().scroll_y > 0);
  lab.key(GLFW_KEY_HOME);
  lab.frames(20);
  CHECK(lab.view().canvas().scroll_y < 30);
}

TEST_CASE("a step stands alone on a canvas that has no room for all stages, with numbers that can be read") {
  for (const auto& [size, scale] : {std::pair(ImVec2{1024, 640}, 1.0f), std::pair(ImVec2{1280, 720}, 1.5f),
                                    std::pair(ImVec2{1024, 768}, 2.0f)}) {
    CAPTURE(size.x);
    Headless lab({.document = example("the-cat-sat-on-mat"), .size = size, .scale = scale});
    lab.view().canvas().step = "weights";
    lab.frames(20);
    const auto drawn = [&](const char* title) {  // on the canvas, not in the controls
      const Rect canvas = make_layout(size, lab.theme(), lab.view().settings).canvas;
      return std::ranges::any_of(lab.texts(), [&](const DrawnText& text) {
        return text.text == title && canvas.contains(centre(text.box));
      });
    };
    CHECK(drawn("weights") == (scale < 2));  // with strips on both sides it is called above the canvas
    CHECK(drawn("scaled") == (scale == 1));  // small, beneath it
    CHECK_FALSE(drawn("scores"));
    CHECK(lab.shows("0.9"));
    CHECK(lab.view().canvas().scroll_y == 0);
    lab.key(GLFW_KEY_A);
    lab.frames(20);
    CHECK_FALSE(lab.view().canvas().step);
  }
}

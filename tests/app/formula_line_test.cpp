// The formula above the canvas: its parts lead to their steps, what is computed now is lit, and it stands
// clear of what is next to it.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/canvas/steps.h"
#include "app/layer/layer_blocks.h"
#include "app/program/input.h"
#include "tests/app/workspace_lab.h"
#include "tests/graphs.h"

using namespace attn;
using namespace attn::tests;

namespace {

Document causal() {
  return read_document("the-cat-sat-on-mat-causal");
}

// Which part of the first layer's formula reads so.
std::string part(Headless& lab, const std::string& text) {
  const std::vector<FormulaSpan>& spans = lab.results()->graph.parts[0].formula;
  const auto found = std::ranges::find(spans, text, &FormulaSpan::text);
  REQUIRE_MESSAGE(found != spans.end(), text);
  return "formula/" + std::to_string(found - spans.begin());
}

// Parts that are drawn as bright as text, in their order.
std::string lit(Headless& lab) {
  const Rect line{{0, lab.item("formula/all")->min.y - 8}, {lab.item("formula/all")->min.x, 0}};
  const float bottom = lab.item("formula/all")->max.y + 8;
  const float left = lab.item("formula/0") ? lab.item("formula/0")->min.x : 0;
  std::string all;
  for (const DrawnText& text : lab.texts())
    if (text.box.min.y >= line.min.y && text.box.max.y <= bottom && text.box.min.x >= left &&
        text.box.max.x <= line.max.x && text.colour == lab.theme().text)
      all += (all.empty() ? "" : " ") + text.text;
  return all;
}

std::string step(const Headless&, View& view) {
  return view.canvas().step.value_or("none");
}

}  // namespace

TEST_CASE("a click on a part of the formula goes to the step that it is done in, and that is lit") {
  Headless lab({.document = causal(), .settings = Settings{}});
  for (const auto& [text, id, shown] : {std::tuple{"Q", "scores", "Q Kᵀ"},
                                        {"Kᵀ", "scores", "Q Kᵀ"},
                                        {"/ √d_k", "scaled", "/ √d_k"},
                                        {"+ mask", "masked", "+ mask"},
                                        {"softmax(", "weights", "softmax( )"},
                                        {"V", "head_output", "V"}}) {
    CAPTURE(text);
    lab.click_item(part(lab, text));
    lab.move({700, 700});
    lab.frames(2);
    CHECK(step(lab, lab.view()) == id);
    CHECK(lit(lab) == shown);
  }
}

TEST_CASE("the lit part follows the step by key and by chip") {
  Headless lab({.document = causal(), .settings = Settings{}});
  lab.click_item("step scaled");
  lab.frames(2);
  CHECK(lit(lab) == "/ √d_k");
  lab.key(GLFW_KEY_RIGHT);
  lab.frames(2);
  CHECK(lit(lab) == "+ mask");
  lab.key(GLFW_KEY_HOME);  // the tokens are no part of it
  lab.frames(2);
  CHECK(lit(lab).empty());
}

TEST_CASE("the chip next to the formula shows all stages, as A does, and is lit while it does") {
  Headless lab({.document = causal(), .settings = Settings{}});
  const auto chip = [&] {
    for (const DrawnText& text : lab.texts())
      if (text.text == "all stages") return text.colour;
    return ImU32(0);
  };
  const ImU32 on = chip();
  CHECK(on != 0);
  for (const bool by_key : {false, true}) {
    lab.click_item("step masked");
    lab.frames(2);
    CHECK(chip() != on);
    by_key ? lab.key(GLFW_KEY_A) : lab.click_item("formula/all");
    lab.frames(2);
    CHECK_FALSE(lab.view().canvas().step);
    CHECK(chip() == on);
  }
}

TEST_CASE("several layers have their formulas one behind the other") {
  static constexpr std::array kTwice{
      Workspace{kOneAfterOther, "Twice", graph_steps, nullptr, draw_layers, nullptr, nullptr}};
  Headless lab({.document = causal(), .settings = Settings{}, .size = {1920, 1080}, .workspaces = kTwice});
  const std::size_t spans = lab.results()->graph.parts[0].formula.size();
  const std::string last = "formula/" + std::to_string(2 * spans - 1);
  REQUIRE(lab.item(last));
  CHECK(lab.item(last)->min.x > lab.item("formula/" + std::to_string(spans - 1))->max.x + 20);
  lab.click_item(last);
  CHECK(step(lab, lab.view()) == "b.head_output");
}

TEST_CASE("the longest formula stays clear of the chip and of the numbers") {
  Document document = read_document("eight-heads");
  LayerSpec& layer = document.layer();
  layer.scoring = Scoring::additive;
  layer.position = Rotary();
  layer.soft_cap = 50, layer.temperature = 2, layer.dropout = 0.1;
  for (const ImVec2 size : {ImVec2{1024, 640}, ImVec2{1280, 800}, ImVec2{1600, 1000}}) {
    CAPTURE(size.x);
    WorkspaceLab lab("pipeline", {.document = document, .settings = Settings{}, .size = size});
    REQUIRE(lab.item("formula/0"));
    const Rect chip = *lab.item("formula/all");
    for (const Item& item : lab.items())
      if (item.path.find("/formula/") != std::string::npos && !item.path.ends_with("/all"))
        CHECK(item.box.max.x < chip.min.x);
    check_words_apart(lab, {{lab.item("##left")->max.x, 0}, {chip.max.x, chip.max.y + 10}});
  }
}

TEST_CASE("the formula makes room where a step stands alone") {
  Headless lab({.document = causal(), .size = {1024, 640}});
  CHECK(lab.item("formula/all"));
  lab.view().canvas().step = "weights";
  lab.frames(2);
  CHECK_FALSE(lab.item("formula/all"));
}

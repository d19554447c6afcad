// Weights are not an explanation, as a person uses it: the point dragged and moved by keys, weights taken and
// given back; gradient by depth.
#include <imgui_internal.h>

#include <array>
#include <cmath>
#include <numeric>

#include "app/workspaces/stack/view.h"
#include "core/document/edit.h"
#include "core/document/stack_plan.h"
#include "core/io/stack_models.h"
#include "tests/app/odd_documents.h"
#include "tests/app/workspace_lab.h"
#include "tests/dates_document.h"

using namespace attn;
using namespace attn::tests;

namespace {

// A row of the dates' encoder: 11 keys, d_v 8.
class OthersLab : public WorkspaceLab {
 public:
  explicit OthersLab(StackRows rows = StackRows::encoder, std::size_t row = 4, ImVec2 size = {1600, 1000},
                     float scale = 1)
      : WorkspaceLab(kStackPlan.name,
                     {.document = dates_document(), .settings = Settings{}, .size = size, .scale = scale}) {
    StackView& at = view().of<StackView>();
    at.rows = rows, at.layer = 1, at.row = row;
    view().layer.head = 3;
    settled();
  }
  void settled() {
    frames(2);
    settle();
    frames(2);
  }
  const std::optional<DraggedWeights>& dragged() { return view().of<StackView>().dragged; }
  Rect plane() {
    const auto box = item("other weights/plane");
    REQUIRE(box);
    return *box;
  }
  void press_chip(const char* id) {
    click_item("other weights/" + std::string(id));
    settled();
  }
  // The number behind these words of a text, whose minus is a sign of its own.
  static double number(std::string text, const std::string& words) {
    const auto at = text.find(words);
    REQUIRE(at != std::string::npos);
    text.erase(0, at + words.size());
    const std::string minus = "−";
    if (const auto sign = text.find(minus); sign != std::string::npos) text.replace(sign, minus.size(), "-");
    return std::stod(text);
  }
  double moved() {
    const std::string words = "½Σ|a − b| = ";
    for (const DrawnText& text : texts())
      if (text.text.starts_with(words)) return number(text.text, words);
    FAIL("no words " << words);
    return 0;
  }
  std::string output_line() {
    for (const DrawnText& text : texts())
      if (text.text.starts_with("output moved ")) return text.text;
    return {};
  }
  std::array<float, 2> row_sum_and_least() {
    const Tensor weights = results()->output("encoder.1.weights");
    float sum = 0, least = 1;
    for (std::size_t key = 0; key < 11; ++key) {
      const float weight = weights[{3, 4, key}];
      sum += weight, least = std::min(least, weight);
    }
    return {sum, least};
  }
  void tab_to(const std::string& part) {
    const auto focused = [&] {
      for (const Item& each : items())
        if (each.id == GImGui->NavId) return each.path;
      return std::string();
    };
    for (int i = 0; i < 200 && !focused().ends_with(part); ++i) key(GLFW_KEY_TAB);
    CHECK(focused().ends_with(part));
  }
};

}  // namespace

TEST_CASE("other weights of a row are shown with the farthest") {
  OthersLab lab;
  CHECK(lab.shows("row “a”, head 3, layer 1, that give the same"));
  CHECK(lab.shows("11 − d_v 8 − 1 = 2 free"));
  CHECK(lab.shows("farthest"));
  CHECK(lab.output_line().ends_with("✓"));
  CHECK(lab.moved() > 0.01);
  CHECK_FALSE(lab.dragged());
}

TEST_CASE("the point is dragged in the polygon, and stays in it") {
  OthersLab lab;
  const double farthest = lab.moved();
  const Rect plane = lab.plane();
  lab.drag(centre(plane), {centre(plane).x + 6, centre(plane).y + 4});
  lab.frames(2);
  REQUIRE(lab.dragged());
  CHECK(lab.shows("dragged"));
  CHECK(lab.moved() < farthest);
  CHECK(lab.output_line().ends_with("✓"));
  lab.drag(centre(plane), {plane.min.x - 300, plane.min.y - 300});  // out of it: to its edge
  lab.frames(2);
  CHECK(lab.moved() <= farthest + 5e-4);  // of three digits
  CHECK(lab.output_line().ends_with("✓"));
  CHECK(lab.steps() == 0);
  lab.view().of<StackView>().row = 5;  // another row begins at its own farthest
  lab.settled();
  CHECK(lab.shows("farthest"));
}

TEST_CASE("arrows move the point while the polygon has the keyboard") {
  OthersLab lab;
  lab.tab_to("other weights/plane");
  const auto step = lab.view().canvas().step;
  lab.key(GLFW_KEY_HOME);
  lab.frames(2);
  CHECK(lab.moved() == 0);
  lab.key(GLFW_KEY_UP);
  lab.frames(2);
  REQUIRE(lab.dragged());
  const double up = lab.dragged()->up;
  CHECK(up > 0);
  lab.key(GLFW_KEY_DOWN, {.shift = true});
  lab.frames(2);
  CHECK(lab.dragged()->up < up);
  CHECK(lab.dragged()->up > 0.8 * up);
  lab.key(GLFW_KEY_LEFT);
  lab.frames(2);
  CHECK(lab.dragged()->across < 0);
  lab.key(GLFW_KEY_END);
  lab.frames(2);
  CHECK(lab.moved() > 0.01);
  CHECK(lab.view().canvas().step == step);  // the arrows were not the stages'
}

TEST_CASE("weights that are taken are one step, and what is downstream stays") {
  OthersLab lab;
  const Document before = lab.document();
  const Tensor logits = lab.results()->output("logits");
  const double moved = lab.moved();
  lab.press_chip("take them");
  check_undo(lab, before, "override encoder.1.weights");
  lab.settled();
  CHECK(lab.document().overrides.size() == 11);
  CHECK(lab.shows("typed"));
  CHECK(lab.moved() == doctest::Approx(moved));
  const auto [sum, least] = lab.row_sum_and_least();
  CHECK(std::abs(sum - 1) < 11 * 6e-8f);  // each is rounded to a float
  CHECK(least >= 0);
  const std::string line = lab.output_line();
  CAPTURE(line);
  CHECK(line.find("the stack’s ") != std::string::npos);
  CHECK(line.ends_with("✓"));
  // By hand: the logits of now beside those of before.
  const Tensor now = lab.results()->output("logits");
  double largest = 0;
  for (std::size_t i = 0; i < now.values().size(); ++i)
    largest = std::max(
        largest, std::abs(static_cast<double>(now.values()[i]) - static_cast<double>(logits.values()[i])));
  CHECK(OthersLab::number(line, "the stack’s ") == doctest::Approx(largest).epsilon(0.06));  // two digits
  lab.press_chip("give back");
  CHECK(lab.document() == before);
  CHECK(lab.results()->output("logits") == logits);
  CHECK(lab.shows("farthest"));
}

TEST_CASE("what is typed by hand moves the output, and that is said") {
  OthersLab lab;
  Document document = lab.document();
  const std::string weights = "encoder.1.weights";
  set_number(document, kStackPlan, weights, {3, 4, 0}, 0.9f);
  lab.app().change(document);
  lab.settled();
  CHECK(lab.shows("typed"));
  CHECK(lab.output_line().ends_with("✗"));
  lab.press_chip("give back");
  CHECK(lab.document().overrides.empty());
}

TEST_CASE("keys that are masked stay 0, and few keys leave no other weights") {
  OthersLab lab(StackRows::decoder, 9);
  CHECK(lab.shows("10 − d_v 8 − 1 = 1 free"));
  lab.press_chip("take them");
  CHECK(lab.document().overrides.size() == 10);
  CHECK(lab.output_line().ends_with("✓"));
  OthersLab few(StackRows::decoder, 3);
  CHECK(few.shows("the only ones"));
  CHECK_FALSE(few.item("other weights/plane"));
  CHECK_FALSE(few.item("other weights/take them"));
  OthersLab cross(StackRows::cross, 3);
  CHECK(cross.shows("11 − d_v 8 − 1 = 2 free"));
}

TEST_CASE("a stack over the layer's own tokens takes other weights too, of many free directions") {
  WorkspaceLab lab(kStackPlan.name, {.document = projected(12, 8, 4), .settings = Settings{}});
  lab.view().of<StackView>().row = 11;
  lab.frames(2);
  lab.settle();
  lab.frames(2);
  CHECK(lab.shows("12 − d_v 2 − 1 = 9 free"));
  CHECK(lab.shows("in the plane of the two"));
  const Document before = lab.document();
  lab.click_item("other weights/take them");
  lab.settle();
  lab.frames(2);
  check_undo(lab, before, "override encoder.0.weights");
  CHECK(lab.item("other weights/give back"));
}

TEST_CASE("gradients of fresh layers are found behind the results, once") {
  OthersLab lab(StackRows::encoder, 4, {1600, 1600}, 1);
  CHECK(lab.shows("by depth, 12 fresh layers"));
  for (const char* name : {"before", "after", "none"}) CHECK(lab.shows(name));
  CHECK(lab.item("gradient by depth/plot"));
  const float beside = lab.item("gradient by depth/plot")->max.x;  // of the plot, where its legend stands
  std::size_t ratios = 0;
  for (const DrawnText& text : lab.texts())
    ratios += text.text.starts_with("×") && !text.text.starts_with("× ") && text.box.min.x > beside ? 1 : 0;
  CHECK(ratios == 3);
  CHECK_FALSE(lab.shows("computing…"));
}

TEST_CASE("words of other weights stand apart at every size") {
  for (const auto& [size, scale] :
       {std::pair<ImVec2, float>{{1600, 1000}, 1}, {{1024, 2300}, 1}, {{3200, 2000}, 2}}) {
    CAPTURE(size.x);
    OthersLab lab(StackRows::encoder, 4, size, scale);
    const Rect plane = lab.plane();
    check_words_apart(lab, {{plane.min.x - 200 * scale, plane.min.y - 30 * scale}, {plane.max.x, size.y}});
  }
}

// Stages that one of two compared layers has not, or has in another shape: what the columns and the inspector
// say of them.
#include "app/inspector/inspector_numbers.h"
#include "tests/app/compare_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

Document causal() {
  return read_document("the-cat-sat-on-mat-causal");
}

// The same layer with a stage more.
Document capped() {
  Document document = causal();
  document.layer().soft_cap = 5;
  return document;
}

// The words of a row in one of the three columns; the row's title stands above the first.
std::optional<Rect> words_in(CompareLab& lab, const std::string& title, std::size_t column,
                             const std::string& words) {
  const Rect canvas = *lab.item("empty");
  const float third = canvas.width() / 3;
  for (const DrawnText& text : lab.texts()) {
    if (text.text != title || !canvas.contains(centre(text.box))) continue;
    const float left = canvas.min.x + third * static_cast<float>(column);
    const Rect below{{left, text.box.max.y}, {left + third, text.box.max.y + 40}};
    if (lab.text_in(below).find(words) != std::string::npos) return below;
  }
  return std::nullopt;
}

std::string three_digits(float value) {
  return inspector::write(static_cast<double>(value), {3, false});
}

}  // namespace

TEST_CASE("a stage that only A has says so in the column of B and in that of the differences") {
  CompareLab lab(with_compared(capped(), causal()));
  CHECK(lab.item("capped/cells"));
  CHECK_FALSE(lab.item("b.capped/cells"));
  CHECK(words_in(lab, "capped", 1, "B has no such stage"));
  CHECK(words_in(lab, "capped", 2, "only in A"));
  CHECK_FALSE(words_in(lab, "weights", 1, "no such stage"));
  CHECK_FALSE(lab.shows("A has no such stage"));
}

TEST_CASE("a stage that only B has says so in the column of A") {
  CompareLab lab(with_compared(causal(), capped()));
  CHECK(lab.item("b.capped/cells"));
  CHECK(words_in(lab, "capped", 0, "A has no such stage"));
  CHECK(words_in(lab, "capped", 2, "only in B"));
  CHECK_FALSE(lab.shows("B has no such stage"));
}

TEST_CASE("stages of another shape say both shapes in the column of the differences") {
  CompareLab lab(with_compared(causal(), read_document("eight-heads")));
  CHECK(words_in(lab, "X", 2, "another shape: 5×4 and 12×30"));
  CHECK(words_in(lab, "scores", 2, "another shape: 5×5 and 8×12×12"));
  CHECK_FALSE(lab.shows("no such stage"));
  CHECK_FALSE(lab.find_text("In all"));  // no figure is of both
}

TEST_CASE("words in place of a matrix go with the step of their stage") {
  CompareLab lab(with_compared(capped(), causal()));
  lab.key(GLFW_KEY_HOME);
  lab.settle();
  lab.frames(30);
  const auto alpha_of = [&](const std::string& words) {
    for (const DrawnText& text : lab.texts())
      if (text.text == words) return text.colour >> IM_COL32_A_SHIFT;
    FAIL("no words " << words);
    return ImU32{0};
  };
  CHECK(alpha_of("B has no such stage") < 255);
  lab.key(GLFW_KEY_END);
  lab.frames(30);
  CHECK(alpha_of("B has no such stage") == 255);
}

TEST_CASE("a number that only one layer has is opened in it and the other says that it has no such stage") {
  for (const bool in_a : {true, false}) {
    CAPTURE(in_a);
    CompareLab lab(in_a ? with_compared(capped(), causal()) : with_compared(causal(), capped()));
    lab.view().pinned = Spot{in_a ? "capped" : "b.capped", {0, 2, 1}};
    lab.frames(3);
    CHECK(lab.find_text("In A"));
    CHECK(lab.find_text("In B"));
    const Rect own = *lab.find_text(in_a ? "In A" : "In B"), other = *lab.find_text(in_a ? "In B" : "In A");
    const Layout layout = make_layout({1600, 2600}, lab.theme(), lab.view().settings);
    const Rect below_other{{layout.inspector.min.x, other.max.y}, {layout.inspector.max.x, other.max.y + 40}};
    const Rect below_own{{layout.inspector.min.x, own.max.y}, {layout.inspector.max.x, own.max.y + 30}};
    CHECK(lab.text_in(below_other).find(in_a ? "B has no such stage" : "A has no such stage") !=
          std::string::npos);
    CHECK(lab.text_in(below_own).find("no such stage") == std::string::npos);
    // The stages that both have are still listed with both numbers, this one with a dash.
    CHECK(lab.shows("This number in both"));
    const float score = lab.results()->output("scores")[{0, 2, 1}];
    CHECK(lab.shows(three_digits(score)));
    CHECK(lab.find_text("–"));
  }
}

TEST_CASE("a number outside of the other layers shape is opened where it is") {
  CompareLab lab(with_compared(causal(), read_document("eight-heads")));
  lab.view().pinned = Spot{"b.scores", {3, 11, 10}};
  lab.frames(3);
  CHECK(lab.shows("another shape: 5×5 and 8×12×12; A has no"));
  CHECK(lab.shows("In B"));
  CHECK(lab.shows(three_digits(lab.results()->output("b.scores")[{3, 11, 10}])));
}

TEST_CASE("a number of another shape is shown with the one at its place in the other layer") {
  CompareLab lab(with_compared(causal(), read_document("eight-heads")));
  lab.view().pinned = Spot{"scores", {0, 2, 1}};
  lab.frames(3);
  CHECK(lab.shows(three_digits(lab.results()->output("scores")[{0, 2, 1}])));
  CHECK(lab.shows(three_digits(lab.results()->output("b.scores")[{0, 2, 1}])));
  CHECK(lab.find_text("–"));  // nothing is subtracted
  lab.press("both scaled");
  REQUIRE(lab.view().pinned);
  CHECK(*lab.view().pinned == Spot{"scaled", {0, 2, 1}});
}

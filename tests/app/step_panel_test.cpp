// The words of the present step in the inspector: their numbers are the document's, and they follow.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "app/canvas/steps.h"
#include "app/inspector/step_facts.h"
#include "app/widgets/glossary.h"
#include "core/edits/what_if.h"
#include "tests/app/controls_lab.h"
#include "tests/app/workspace_lab.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

struct StepLab : WorkspaceLab {
  explicit StepLab(Document document = read_document("the-cat-sat-on-mat-causal"))
      : WorkspaceLab("pipeline", {.document = std::move(document)}) {}
  void step(const char* id) {
    view().canvas().step = id;
    frames(3);
  }
  // What stands in the inspector from those words on, so many lines.
  std::string said_behind(const char* lead, float lines = 2) {
    for (const DrawnText& text : texts())
      if (text.text.starts_with(lead) && text.box.min.x > item("##right")->max.x)
        return text_in({{item("##right")->max.x, text.box.min.y - 4},
                        {1600, text.box.min.y + lines * 1.4f * (text.box.max.y - text.box.min.y)}});
    return {};
  }
};

// exp(s_j) ÷ Σ exp(s_k) over the keys that a causal mask leaves to the row.
double plain_softmax(const Tensor& scores, std::size_t row, std::size_t key) {
  double sum = 0;
  for (std::size_t k = 0; k <= row; ++k) sum += std::exp(static_cast<double>(scores[{0, row, k}]));
  return std::exp(static_cast<double>(scores[{0, row, key}])) / sum;
}

}  // namespace

TEST_CASE("what a mistake would do to the weights is what the formula says") {
  StepLab lab;
  const LayerChange& off = *find_change(mistakes(), "scale-off");
  const Tensor then = weights_if(lab.document(), off);
  const Tensor scores = lab.results()->output("scores");
  REQUIRE(then.shape() == Shape{1, 5, 5});
  for (std::size_t row = 0; row < 5; ++row)
    for (std::size_t key = 0; key <= row; ++key)
      CHECK(static_cast<double>(then[{0, row, key}]) ==
            doctest::Approx(plain_softmax(scores, row, key)).epsilon(1e-5));
  const Tensor now = lab.results()->output("weights");
  const MovedWeight moved = most_moved(now, then, 0, 1);  // “cat”: the drawing's numbers
  CHECK(moved.then == doctest::Approx(0.91).epsilon(0.01));
  CHECK(moved.now == doctest::Approx(0.76).epsilon(0.01));
  Document made = lab.document();
  off.make({made, kLayerA});
  CHECK(weights_if(made, off).empty());
}

TEST_CASE("the words of the scale follow its mode") {
  StepLab lab;
  lab.step("scaled");
  CHECK(lab.find_text("Scale"));
  CHECK(lab.shows("step 4 of 7"));
  CHECK(lab.shows("√d_k"));
  CHECK(lab.find_text("break it: scale off"));
  lab.run("layer.scale.none");
  CHECK(lab.shows("off:"));
  CHECK(lab.find_text("mend it: scale off"));
  Document number = lab.document();
  number.layer().scale = {ScaleMode::number, 0.3};
  lab.app().change(number);
  lab.settle();
  lab.frames(2);
  CHECK(lab.shows("multiplied"));
  CHECK(lab.shows("0.3"));
}

TEST_CASE("what is true of the usual layer alone is not said of others") {
  const auto said = [](const char* step, const std::function<void(LayerSpec&)>& edit) {
    Document document = read_document("the-cat-sat-on-mat-causal");
    edit(document.layer());
    StepLab lab(document);
    lab.view().canvas().step = step;
    lab.frames(3);
    const Rect panel{{lab.item("##right")->max.x, 0}, {1600, lab.item("play")->min.y}};
    return lab.text_in(panel);
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has(said("scores", [](LayerSpec&) {}), "feature by feature"));
  CHECK_FALSE(has(said("scores", [](LayerSpec& l) { l.scoring = Scoring::gaussian; }), "feature by feature"));
  CHECK(has(said("weights", [](LayerSpec&) {}), "add up to 1"));
  CHECK_FALSE(has(said("weights", [](LayerSpec& l) { l.weighting = Weighting::sigmoid; }), "add up to 1"));
  CHECK(has(said("scaled", [](LayerSpec& l) { l.temperature = 4; }), "temperature 4"));
  CHECK_FALSE(has(said("masked", [](LayerSpec& l) { l.fill = Fill::minus_1e9; }), "become −∞"));
}

TEST_CASE("the step speaks of the number that is pinned, and of none that is unrelated") {
  StepLab lab;
  lab.step("scaled");
  lab.view().pinned = Spot{"scores", {0, 1, 0}};
  lab.frames(3);
  CHECK(lab.shows("“cat”"));
  CHECK(lab.find_text("−0.50"));  // before
  CHECK(lab.find_text("−0.25"));  // after
  CHECK(lab.shows("scores[1, 0]"));
  lab.key(GLFW_KEY_ESCAPE);
  lab.frames(3);
  CHECK_FALSE(lab.view().inspected);
  CHECK_FALSE(lab.shows("scores[1, 0]"));
}

TEST_CASE("without a step, the inspector holds no number that was released") {
  StepLab lab;
  lab.view().pinned = Spot{"scores", {0, 1, 0}};
  lab.frames(3);
  CHECK(lab.shows("scores[1, 0]"));
  lab.key(GLFW_KEY_ESCAPE);
  lab.frames(3);
  CHECK_FALSE(lab.shows("scores[1, 0]"));
  CHECK(lab.shows("Inspector"));
}

TEST_CASE("of a row that is masked altogether the words name another") {
  const auto looked_at = [](const std::set<std::size_t>& masked, std::optional<Spot> pinned) {
    Document document = read_document("the-cat-sat-on-mat");
    std::vector<float> mask(25);
    for (const std::size_t row : masked)
      std::fill_n(mask.begin() + static_cast<std::ptrdiff_t>(5 * row), 5, 1.0f);
    document.layer().mask = Tensor({1, 5, 5}, mask);
    StepLab lab(document);
    lab.view().pinned = pinned;
    lab.step("scaled");
    return lab.said_behind("Look at");
  };
  const Spot cat{"scores", {0, 1, 0}};
  CHECK(looked_at({}, cat).starts_with("Look at row “cat”"));
  CHECK(looked_at({1}, cat).starts_with("Look at row “the”"));
  CHECK(looked_at({0, 1}, cat).starts_with("Look at row “sat”"));
  CHECK(looked_at({0, 1, 2, 3, 4}, cat).starts_with("Look at row “cat”"));  // there is no other
}

TEST_CASE("where there is NaN the first stage that has it is named in place of what to look at") {
  Document document = read_document("the-cat-sat-on-mat-causal");
  set_number(document, "x", {0, 2, 1}, std::nanf(""));
  StepLab lab(document);
  lab.step("scaled");
  CHECK_FALSE(lab.find_text("Look at"));
  CHECK(lab.said_behind("NaN").find("comes first in X: 1 number.") != std::string::npos);
  lab.click_item("first NaN");
  lab.frames(3);
  CHECK(lab.view().pinned == Spot{"x", {0, 2, 1}});
}

TEST_CASE("a mistake that two digits do not show in the row is told of the row where it shows most") {
  StepLab lab;
  lab.step("scaled");
  lab.view().pinned = Spot{"scaled", {0, 0, 0}};  // “the” sees itself alone, with weight 1 whatever the scale
  lab.frames(3);
  const std::string why = lab.said_behind("Why", 5);
  const Tensor now = lab.results()->output("weights");
  const Tensor then = weights_if(lab.document(), *find_change(mistakes(), "scale-off"));
  const char* const words[] = {"the", "cat", "sat", "on", "mat"};
  const std::string row = "row “" + std::string(words[most_moved(now, then, 0).at.row]) + "”";
  CAPTURE(why);
  CHECK(why.find(row) != std::string::npos);
  CHECK(lab.shows("weights of " + row + " now, and with scale off"));
  Document equal = lab.document();  // all scores 0: nothing to be seen anywhere
  const Shape shape = equal.layer().w_q.shape();
  equal.layer().w_q = Tensor(shape, std::vector<float>(shape.size()));
  lab.app().change(equal);
  lab.settle();
  lab.frames(3);
  CHECK(lab.said_behind("Why", 5).find("saturates as d_k grows.") != std::string::npos);
  CHECK_FALSE(lab.shows("now, and with scale off"));
}

TEST_CASE("the scale leads to Softmax, and the break chip breaks and mends") {
  StepLab lab;
  lab.step("scaled");
  const Document before = lab.document();
  lab.click_item("break it: scale off");
  lab.settle();
  CHECK(lab.document().layer().scale.mode == ScaleMode::none);
  lab.frames(3);
  lab.click_item("mend it: scale off");
  lab.settle();
  CHECK(lab.document() == before);
  lab.frames(3);
  lab.click_item("why √d_k → Softmax");
  lab.frames(3);
  CHECK(lab.app().workspace().name == "softmax");
}

TEST_CASE("a fact that is missing passes its sentence over") {
  using namespace inspector;
  const Facts facts{{"a", {"1", Role::score}}, {"b c", {"two"}}};
  CHECK(to_string(filled({"no {x}", "{a} and {b c}."}, facts)) == "1 and two.");
  CHECK(filled({"{a} {x}"}, facts).empty());
  CHECK(to_string(filled({"plain"}, facts)) == "plain");
  CHECK(filled({"{a"}, facts).empty());
}

TEST_CASE("words of the glossary are found as words, the longest first") {
  const Glossary glossary = read_glossary();
  const auto found =
      glossary_words(glossary, "Softmax: collapsed rows, 0.77 nats; a softmaxed, unmasked gap-filling");
  REQUIRE(found.size() == 3);
  CHECK(found[0].entry->word == "softmax");
  CHECK(found[1].entry->word == "collapsed rows");
  CHECK(found[2].entry->word == "nats");
  for (const char* word : {"nats", "gap", "sink", "collapsed rows", "chance", "log-sum-exp", "mixed"})
    CHECK_MESSAGE(glossary_words(glossary, word).size() == 1, word);
}

TEST_CASE("a word of the glossary explains itself under the pointer") {
  StepLab lab;
  lab.step("scaled");
  const auto word = lab.item("word saturates 0");
  REQUIRE(word);
  lab.move(centre(*word));
  lab.frames(3);
  CHECK_FALSE(lab.shows("one weight is close to 1"));
  lab.frames(20);  // a third of a second
  CHECK(lab.shows("one weight is close to 1"));
}

// The words of the present step in the inspector: their numbers are the document's, and they follow.
#include <doctest/doctest.h>

#include <cmath>

#include "app/canvas/steps.h"
#include "app/inspector/step_facts.h"
#include "app/widgets/glossary.h"
#include "core/edits/what_if.h"
#include "tests/app/controls_lab.h"
#include "tests/app/workspace_lab.h"

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
  const auto found = glossary_words("Softmax: collapsed rows, 0.77 nats; a softmaxed gap-filling");
  REQUIRE(found.size() == 3);
  CHECK(found[0].entry->word == "softmax");
  CHECK(found[1].entry->word == "collapsed rows");
  CHECK(found[2].entry->word == "nats");
  for (const char* word : {"nats", "gap", "sink", "collapsed rows", "chance", "log-sum-exp", "mixed"})
    CHECK_MESSAGE(glossary_words(word).size() == 1, word);
}

TEST_CASE("a word of the glossary explains itself under the pointer") {
  StepLab lab;
  lab.step("scaled");
  const auto word = lab.item("word saturates 0");
  REQUIRE(word);
  lab.move(centre(*word));
  lab.frames(3);
  CHECK(lab.shows("one weight is close to 1"));
}
  CHECK_FALSE(lab.shows("one weight is close to 1"));
  lab.frames(20);  // a third of a second

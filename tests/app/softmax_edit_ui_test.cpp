// Edits in the workspace of the softmax: scores dragged and typed, keys added, removed, masked and named, the
// temperature, rules, formats and products; each is one step with a name, and taken back.
#include "tests/app/softmax_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

const Labels kWords{"the", "cat", "sat", "on"};

Document four() {
  return row_of({2, 0.5f, -1, 1}, kWords);
}

}  // namespace

TEST_CASE("a bar dragged by its end is one step and the weights follow") {
  SoftmaxLab lab(four());
  const Document before = lab.document();
  const std::vector<float> weights = lab.output("row.weights");
  lab.drag(lab.bar("cat", 0.5), lab.bar("cat", 1.5));
  lab.settle();
  CHECK(lab.spec().scores[{0, 0, 1}] == doctest::Approx(1.5).epsilon(0.03));
  CHECK(lab.output("row.weights")[1] > weights[1]);
  CHECK(lab.at().key == 1);
  check_undo(lab, before, "scores[0, 1]");
}

TEST_CASE("a bar is dragged across zero in one gesture") {
  SoftmaxLab lab(four());
  lab.drag(lab.bar("sat", -1), lab.bar("sat", 1));
  lab.settle();
  CHECK(lab.spec().scores[{0, 0, 2}] == doctest::Approx(1).epsilon(0.05));
  CHECK(lab.steps() == 1);
}

TEST_CASE("weights follow within the frames of a drag") {
  SoftmaxLab lab(four());
  const ImVec2 from = lab.bar("the", 2);
  lab.move(from);
  lab.press();
  float last = lab.output("row.weights")[0];
  for (int i = 1; i <= 3; ++i) {
    lab.move({from.x, from.y + 12.0f * static_cast<float>(i)});
    const auto results = lab.app().engine_state().results;
    CHECK(results->document == lab.document());
    CHECK(results->output("row.weights").values()[0] < last);
    last = results->output("row.weights").values()[0];
  }
  lab.release();
}

TEST_CASE("a double-click on a bar types its score") {
  SoftmaxLab lab(four());
  const Document before = lab.document();
  lab.double_click(lab.bar("on", 0.4));
  lab.enter("3.25");
  CHECK(lab.spec().scores[{0, 0, 3}] == 3.25f);
  check_undo(lab, before, "scores[0, 3] = 3.25");
}

TEST_CASE("a key is chosen and its score typed by keys alone") {
  SoftmaxLab lab(four());
  lab.key(GLFW_KEY_E);
  CHECK(lab.shows("no key is selected"));
  lab.key(GLFW_KEY_N);
  lab.key(GLFW_KEY_N);
  CHECK(lab.at().key == 1);
  lab.key(GLFW_KEY_N, {.shift = true});
  CHECK(lab.at().key == 0);
  lab.key(GLFW_KEY_E);
  lab.enter("-4");
  CHECK(lab.spec().scores[{0, 0, 0}] == -4);
}

TEST_CASE("what is no number is refused and the row stays") {
  SoftmaxLab lab(four());
  const Document before = lab.document();
  lab.key(GLFW_KEY_N);
  lab.key(GLFW_KEY_E);
  lab.enter("nan");
  CHECK(lab.document() == before);
  lab.key(GLFW_KEY_ESCAPE);
  lab.key(GLFW_KEY_E);
  lab.enter("two");
  CHECK(lab.document() == before);
}

TEST_CASE("a score is typed into the strip of the scores") {
  SoftmaxLab lab(four());
  const Document before = lab.document();
  const auto cells = lab.item("row.scores/cells");
  REQUIRE(cells);
  lab.click({cells->min.x + cells->width() * 0.625f, centre(*cells).y});
  lab.enter("0.25");
  CHECK(lab.spec().scores[{0, 0, 2}] == 0.25f);
  check_undo(lab, before, "scores[0, 2] = 0.25");
}

TEST_CASE("a key comes and goes by its buttons and keys") {
  SoftmaxLab lab(four());
  const Document before = lab.document();
  lab.key(GLFW_KEY_INSERT);
  lab.settle();
  lab.frames(2);
  REQUIRE(lab.spec().scores.columns() == 5);
  CHECK(lab.at().key == 4);
  CHECK(lab.output("row.weights").size() == 5);
  check_undo(lab, before, "add key");
  lab.at().key = 4;
  lab.key(GLFW_KEY_DELETE, {.shift = true});
  lab.settle();
  CHECK(lab.document() == before);
  lab.click_item("remove");
  lab.settle();
  CHECK(lab.spec().keys == Labels{"cat", "sat", "on"});
}

TEST_CASE("the last key stays and the status line says why") {
  SoftmaxLab lab(row_of({1}));
  CHECK(lab.output("row.weights") == std::vector<float>{1});
  lab.key(GLFW_KEY_N);
  lab.key(GLFW_KEY_DELETE, {.shift = true});
  lab.settle();
  lab.frames(2);
  CHECK(lab.spec().scores.columns() == 1);
  CHECK(lab.shows("the last key stays"));
}

TEST_CASE("M masks the selected key and shows it again") {
  SoftmaxLab lab(four());
  const Document before = lab.document();
  lab.key(GLFW_KEY_N);
  lab.key(GLFW_KEY_M);
  lab.settle();
  lab.frames(2);
  CHECK(lab.spec().masked == std::vector<std::size_t>{0});
  CHECK(lab.output("row.weights")[0] == 0);
  CHECK(lab.find_text("masked"));
  check_undo(lab, before, "mask keys");
  lab.key(GLFW_KEY_M);
  lab.settle();
  CHECK(lab.document() == before);
}

TEST_CASE("a key is named in the table") {
  SoftmaxLab lab(four());
  const Document before = lab.document();
  lab.click_item("##softmax.name 1");
  lab.enter("dog");
  CHECK(lab.spec().keys[1] == "dog");
  CHECK(lab.find_text("dog"));
  check_undo(lab, before, "rename key");
}

TEST_CASE("the temperature is dragged by its line and on its track and turned by the wheel") {
  SoftmaxLab lab(four());
  const Document before = lab.document();
  const auto label = lab.find_text("T 1");
  REQUIRE(label);
  lab.drag(centre(*label), {centre(*label).x + 80, centre(*label).y});
  lab.settle();
  const double dragged = lab.spec().temperature;
  CHECK(dragged > 1.5);
  CHECK(lab.output("row.weights")[0] < 0.55f);
  check_undo(lab, before, "temperature");
  lab.wheel(lab.in_plot("row", 0.5f, 0.8f), -3);
  lab.settle();
  CHECK(lab.spec().temperature == doctest::Approx(dragged / 1.331).epsilon(0.01));
  lab.key(GLFW_KEY_T);
  lab.settle();
  CHECK(lab.spec().temperature == 1);
  const auto track = lab.item("##softmax.temperature slider");
  REQUIRE(track);
  lab.drag(centre(*track), {track->max.x - 8, centre(*track).y});
  lab.settle();
  CHECK(lab.spec().temperature > 15);
}

TEST_CASE("temperature 0 is the hard choice and ties share it") {
  SoftmaxLab lab(row_of({2, 2, 1}));
  lab.click_item("T = 0");
  lab.settle();
  lab.frames(2);
  CHECK(lab.spec().temperature == 0);
  CHECK(lab.output("row.weights") == std::vector<float>{0.5f, 0.5f, 0});
  CHECK(lab.find_text("T → 0, hard"));
}

TEST_CASE("rules are switched by their chips and each has its strip with sum and support") {
  SoftmaxLab lab(row_of({2, 0.25f, 0.25f, -3}));
  const Document before = lab.document();
  lab.click_item("weighting relu");
  lab.settle();
  lab.frames(2);
  CHECK(lab.output("relu.weights") == std::vector<float>{0.5f, 0.0625f, 0.0625f, 0});
  CHECK(lab.shows("sum 0.625"));
  CHECK(lab.shows("support 3 of 4"));
  CHECK(lab.shows("support 1 of 4"));  // sparsemax
  check_undo(lab, before, "relu");
}

TEST_CASE("float16 without the maximum overflows and says where") {
  SoftmaxLab lab(row_of({12, 1, -2}, {"a", "b", "c"}));
  lab.click_item("format float16");
  lab.settle();
  lab.frames(2);
  CHECK(lab.shows("no overflow ✓"));
  lab.click_item("without max");
  lab.settle();
  lab.frames(2);
  CHECK(std::isinf(lab.output("format.exp")[0]));
  CHECK(std::isnan(lab.output("format.weights")[0]));
  CHECK(lab.output("format.weights")[1] == 0);
  CHECK(lab.shows("11.09"));  // ln 65520 = 11.0899
  CHECK(lab.shows("exp of “a” is ∞"));
  CHECK(lab.shows("∞ ÷ ∞"));
  CHECK(lab.steps() == 2);
}

TEST_CASE("d_k is dragged on its track and by its line in the plot") {
  SoftmaxLab lab(four());
  const Document before = lab.document();
  REQUIRE(lab.reveal("##softmax.width slider"));
  const auto track = lab.item("##softmax.width slider");
  lab.drag(centre(*track), {track->max.x - 8, centre(*track).y});
  lab.settle();
  CHECK(lab.spec().width > 800);
  check_undo(lab, before, "d_k");
  lab.frames(2);
  const ImVec2 label = lab.words("widths", std::to_string(lab.spec().width));
  lab.drag(label, {lab.in_plot("widths", 0.5f, 0.5f).x, label.y});
  lab.settle();
  CHECK(lab.spec().width < 200);
}

TEST_CASE("another seed draws other products and the same seed the same") {
  SoftmaxLab lab(four());
  const std::vector<float> first = lab.output("products.raw_largest");
  Document other = lab.document();
  other.softmax.seed = 8;
  lab.app().change(other);
  lab.settle();
  CHECK_FALSE(lab.output("products.raw_largest") == first);
  lab.undo();
  CHECK(lab.output("products.raw_largest") == first);
}

TEST_CASE("a row of the book is one click away and is shown with what is true") {
  SoftmaxLab lab;
  const Document before = lab.document();
  CHECK(lab.shows("softmax(2.5, 0.8, 0.3, 0.2) is often printed as"));
  lab.click_item("1 0 0.5");
  lab.settle();
  lab.frames(2);
  const std::vector<float> weights = lab.output("row.weights");
  CHECK(weights[0] == doctest::Approx(0.5065).epsilon(1e-4));
  CHECK(weights[1] == doctest::Approx(0.1863).epsilon(1e-4));
  CHECK(weights[2] == doctest::Approx(0.3072).epsilon(1e-4));
  CHECK(lab.shows("softmax(1, 0, 0.5) is often printed as"));
  CHECK(lab.shows("0.4656"));
  CHECK(lab.shows("0.5065"));
  check_undo(lab, before, "row: own");
}

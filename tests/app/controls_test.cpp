// Controls worked as a person does: what is clicked, typed or dragged stands in the document and shows in its
// results; what is refused says why under its field.
#include <doctest/doctest.h>

#include <GLFW/glfw3.h>

#include "app/host/headless.h"
#include "app/program/input.h"
#include "tests/app/controls_lab.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

bool refused(Headless& lab, const char* why) {
  const auto& field = lab.view().field;
  return field && field->error.find(why) != std::string::npos;
}

}  // namespace

TEST_CASE("tokens are added and removed by the stepper and by typing") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  lab.click_item("tokens+");
  CHECK(lab.document().layer().x.rows() == 6);
  CHECK(lab.results()->output("weights").rows() == 6);
  lab.click_item("tokens-");
  CHECK(lab.document().layer().x.rows() == 5);
  enter(lab, "##tokens", "8");
  CHECK(lab.document().layer().x.rows() == 8);
  CHECK(lab.app().history().steps().size() == 4);
}

TEST_CASE("Esc leaves a typed number out") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  lab.click_item("##tokens");
  lab.frames(2);
  lab.type("2");
  lab.key(GLFW_KEY_ESCAPE);
  CHECK(lab.document().layer().x.rows() == 5);
  CHECK(lab.item("##tokens"));
}

TEST_CASE("text that is no number is refused under its field") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  enter(lab, "##tokens", "many");
  CHECK(lab.document().layer().x.rows() == 5);
  REQUIRE(lab.view().field);
  CHECK(lab.view().field->error.find("many") != std::string::npos);
  CHECK(lab.shows("many"));
  lab.click_item("tokens/dismiss");
  CHECK_FALSE(lab.view().field);
}

TEST_CASE("a step back takes along what a field has refused and leaves what is being typed") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  lab.click_item("tokens+");
  enter(lab, "##tokens", "many");
  lab.app().undo();
  lab.frames(2);
  CHECK_FALSE(lab.view().field);
  lab.click_item("##dropout");
  lab.frames(2);
  lab.type("0.5");
  lab.app().redo();
  lab.frames(2);
  REQUIRE(lab.view().field);
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.document().layer().dropout == 0.5);
  CHECK(lab.document().layer().x.rows() == 6);
}

TEST_CASE("an expression is a number") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  enter(lab, "##temperature", "2*3");
  CHECK(lab.document().layer().temperature == 6);
}

TEST_CASE("dragging the temperature changes the weights in one step of the history") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  const Tensor before = lab.results()->output("weights");
  REQUIRE(lab.reveal("##temperature"));
  const ImVec2 at = centre(*lab.item("##temperature"));
  lab.drag(at, {at.x + 100, at.y});
  CHECK(lab.document().layer().temperature == doctest::Approx(3).epsilon(0.05));
  CHECK_FALSE(lab.results()->output("weights") == before);
  CHECK(lab.app().history().steps().size() == 2);
}

TEST_CASE("temperature 0 takes the largest score alone") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  enter(lab, "##temperature", "0");
  CHECK(lab.document().layer().temperature == 0);
  const Tensor weights = lab.results()->output("weights");
  for (const float weight : weights.values()) CHECK((weight == 0 || weight == 1));
}

TEST_CASE("the mask chips change the weights") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  lab.click_item("causal");
  CHECK(causal_of(lab.document().layer()) == CausalAlign::lower_right);
  CHECK(lab.results()->output("weights")[{0, 0, 1}] == 0);
  lab.click_item("padding");
  CHECK(padding_of(lab.document().layer()) == std::vector<std::size_t>{4});
  CHECK(lab.results()->output("weights")[{0, 4, 4}] == 0);
  enter(lab, "##mask1.lengths", "5 5 5 5 2");
  CHECK(padding_of(lab.document().layer()) == std::vector<std::size_t>{5, 5, 5, 5, 2});
  CHECK(lab.results()->output("weights")[{0, 4, 2}] == 0);
  enter(lab, "##mask1.lengths", "9");
  CHECK(padding_of(lab.document().layer()).size() == 5);
  CHECK(lab.shows("use a length from 0 to 5"));
  lab.click_item("causal");
  lab.click_item("padding");
  CHECK_FALSE(lab.results()->graph.find("masked"));
}

TEST_CASE("the lists set scale and fill and what a row without keys becomes") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  choose(lab, "scale", "off");
  CHECK(lab.document().layer().scale.mode == ScaleMode::none);
  choose(lab, "scale", "number");
  enter(lab, "##scale_number", "0.25");
  CHECK(lab.document().layer().scale.number == 0.25);
  choose(lab, "fill", "−1e9");
  CHECK(lab.document().layer().fill == Fill::minus_1e9);
  choose(lab, "empty_row", "uniform");
  CHECK(lab.document().layer().empty_row == EmptyRow::uniform);
}

TEST_CASE("the list of positions puts an encoding in and takes it out") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  CHECK(lab.results()->graph.find("position"));
  enter(lab, "##position.base", "100");
  CHECK(lab.document().layer().position == Position(Sinusoidal{100}));
  choose(lab, "position", "none");
  CHECK_FALSE(lab.results()->graph.find("position"));
}

TEST_CASE("every encoding of the list is computed and its settings are changed under it") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  choose(lab, "position", "RoPE");
  CHECK(lab.results()->graph.find("q_rotated"));
  choose(lab, "position.pairing", "i, i+d/2");
  choose(lab, "position.stretch", "YaRN");
  enter(lab, "##position.factor", "2");
  CHECK(lab.document().layer().position ==
        Position(Rotary{.pairing = Pairing::half, .stretch = Stretch::yarn, .factor = 2}));
  choose(lab, "position", "ALiBi");
  CHECK(lab.shows("slope 0.00390625"));
  CHECK(lab.results()->output("bias")[{0, 4, 0}] == -4 * 0.00390625f);
  choose(lab, "position", "relative");
  lab.click_item("position.values");
  CHECK(lab.results()->graph.find("relative_output"));
  choose(lab, "position", "T5 bias");
  enter(lab, "##position.buckets", "8");
  CHECK(lab.results()->output("bias_table").columns() == 8);
  choose(lab, "position", "learned");
  const Tensor first = lab.results()->output("position");
  lab.click_item("position.seed+");
  CHECK_FALSE(lab.results()->output("position") == first);
  enter(lab, "##position.length", "4");
  CHECK(refused(lab, "a table of 5 positions"));
  CHECK(std::get<Learned>(lab.document().layer().position).length == 512);
}

TEST_CASE("an odd width is no trouble for sines and is refused by RoPE with one that it can turn") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  enter(lab, "##width", "7");
  CHECK(lab.document().layer().x.columns() == 7);
  Document document = lab.document();
  document.layer().w_q = document.layer().w_k = Tensor({1, 7, 3}, std::vector<float>(21, 0.5f));
  lab.app().change(document);
  lab.settle();
  choose(lab, "position", "RoPE");
  CHECK(lab.document().layer().position == Position(Sinusoidal()));
  CHECK(refused(lab, "even width"));
  lab.click_item("position/use 2");
  CHECK(lab.document().layer().position == Position(Rotary{.part = 2}));
}

TEST_CASE("given queries and keys are turned and biased but nothing is added to them") {
  Headless lab({.document = read_document("three-tokens")});
  choose(lab, "position", "sinusoidal");
  CHECK(refused(lab, "there is no X"));
  choose(lab, "position", "RoPE");
  CHECK(lab.results()->graph.find("k_rotated"));
}

TEST_CASE("dropout drops weights with a seed") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  enter(lab, "##dropout", "0.5");
  const Tensor first = lab.results()->output("dropped");
  REQUIRE_FALSE(first.empty());
  lab.click_item("dropout_seed+");
  CHECK(lab.document().layer().dropout_seed == 1);
  CHECK_FALSE(lab.results()->output("dropped") == first);
}

TEST_CASE("given directly Q and K and V keep their numbers and go back to being projected") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  const Tensor output = lab.results()->output("output");
  choose(lab, "source", "direct");
  CHECK(lab.document().layer().direct);
  CHECK(lab.results()->output("output") == output);
  choose(lab, "source", "projected");
  CHECK_FALSE(lab.document().layer().direct);
  CHECK(lab.results()->output("output") == output);
}

TEST_CASE("an example is opened from the controls and undone") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  choose(lab, "example", "three tokens");
  CHECK(lab.document() == read_document("three-tokens"));
  lab.key(GLFW_KEY_Z, {.control = true});
  CHECK(lab.document() == read_document("the-cat-sat-on-mat"));
}

TEST_CASE("masks and scores that the program does not compute are not offered") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  for (const char* word : {"dilated", "learned", "RoPE", "ALiBi", "no scale"})
    CHECK_FALSE_MESSAGE(lab.find_text(word), word);
}

// The controls from queries and keys to weights: what is chosen stands in the document and shows in its
// results.
#include <doctest/doctest.h>

#include <GLFW/glfw3.h>

#include "app/frame/shown_numbers.h"
#include "app/host/headless.h"
#include "app/layer/layer_controls.h"
#include "app/program/input.h"
#include "tests/app/controls_lab.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("every score of the list is computed with parameters of its own") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  const Tensor dots = lab.results()->output("scores");
  for (const ScoringText& text : kScorings) {
    if (text.word == "dot") continue;
    choose(lab, "scoring", text.title);
    INFO(text.word);
    CHECK(scoring_text(lab.document().layer().scoring).word == text.word);
    REQUIRE(lab.results()->graph.find("scores"));
    CHECK_FALSE(lab.results()->output("scores") == dots);
  }
  choose(lab, "scoring", "additive");
  CHECK(lab.document().layer().score_w_q.shape() == Shape{1, 4, 4});
  lab.click_item("score_hidden+");
  CHECK(lab.document().layer().score_v.columns() == 5);
  CHECK(lab.results()->output("q_hidden").columns() == 5);
  choose(lab, "scoring", "Gaussian");
  enter(lab, "##sigma", "0.5");
  CHECK(lab.document().layer().sigma == 0.5);
  choose(lab, "scoring", "dot");
  CHECK(lab.results()->output("scores") == dots);
}

TEST_CASE("every weighting of the list is computed and undone by its name") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  const Tensor softmax = lab.results()->output("weights");
  choose(lab, "weighting", "sparsemax");
  CHECK(lab.document().layer().weighting == Weighting::sparsemax);
  CHECK(lab.results()->graph.find("threshold"));
  CHECK(lab.app().history().steps().back().name == "weighting sparsemax");
  for (const char* title : {"softmax-1", "sigmoid", "ReLU ÷ m"}) {
    choose(lab, "weighting", title);
    CHECK_FALSE(lab.results()->output("weights") == softmax);
  }
  lab.key(GLFW_KEY_Z, {.control = true});
  CHECK(lab.document().layer().weighting == Weighting::sigmoid);
  choose(lab, "weighting", "softmax");
  CHECK(lab.results()->output("weights") == softmax);
}

TEST_CASE("local attention is put in with its reach and hidden width and taken out") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  const Tensor output = lab.results()->output("output");
  choose(lab, "local", "monotonic");
  CHECK(lab.document().layer().local == Local::monotonic);
  CHECK(lab.app().history().steps().back().name == "local monotonic");
  CHECK_FALSE(lab.item("local_hidden+"));
  enter(lab, "##local_reach", "1");
  CHECK(lab.document().layer().local_reach == 1);
  CHECK(lab.results()->output("local_mask").values()[2] == 1);
  choose(lab, "local", "predictive");
  REQUIRE(lab.results()->graph.find("centre"));
  CHECK(lab.document().layer().local_w.shape() == Shape{1, 4, 4});
  lab.click_item("local_hidden+");
  CHECK(lab.document().layer().local_v.columns() == 5);
  CHECK(lab.results()->output("local_hidden").columns() == 5);
  choose(lab, "local", "none");
  CHECK(lab.results()->output("output") == output);
}

TEST_CASE("the centre and its steps stand on the canvas once the steps are opened") {
  Document document = read_document("the-cat-sat-on-mat");
  document.layer().local = Local::predictive;
  Headless lab({.document = document});
  CHECK(lab.find_text("local weights"));
  CHECK_FALSE(lab.find_text("centre"));
  lab.view().layer.open_softmax = true;
  lab.settle();
  CHECK(lab.find_text("centre"));
  CHECK(lab.find_text("tanh(W_p q)"));
}

TEST_CASE("a soft cap and the norm of queries and keys are put in and taken out") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  enter(lab, "##soft_cap", "0.5");
  CHECK(lab.document().layer().soft_cap == 0.5);
  REQUIRE(lab.results()->graph.find("capped"));
  const Tensor capped = lab.results()->output("capped");
  for (const float score : capped.values()) CHECK(std::abs(score) <= 0.5f);
  enter(lab, "##soft_cap", "-1");
  CHECK(lab.shows("0 for none"));
  lab.click_item("qk_norm");
  CHECK(lab.results()->graph.find("q_normed"));
  enter(lab, "##qk_gain", "2");
  CHECK(lab.results()->graph.find("q_gained"));
  lab.click_item("qk_norm");
  CHECK_FALSE(lab.results()->graph.find("q_normed"));
}

TEST_CASE("what is said of a score has its formula and its cost in this layer and its paper") {
  const LayerSpec layer = read_document("the-cat-sat-on-mat").layer();
  const std::string dot = words_of(Scoring::dot, layer), additive = words_of(Scoring::additive, layer);
  CHECK(dot.find("m·d_k = 20 multiplications a query") != std::string::npos);
  CHECK(additive.find("vᵀ tanh(W_q q + W_k k) (Bahdanau et al. 2015)") != std::string::npos);
  // d_a·d_q + m·d_a·(d_k + 1) with all widths 4 and 5 keys.
  CHECK(additive.find(" = 116 multiplications a query") != std::string::npos);
  CHECK(words_of(Local::predictive, layer).find("m·σ(v_pᵀ tanh(W_p q))") != std::string::npos);
  CHECK(words_of(Local::monotonic, layer).find("Luong, Pham, Manning 2015") != std::string::npos);
  CHECK(words_of(Weighting::sparsemax, layer).find("Martins, Astudillo 2016") != std::string::npos);
}

TEST_CASE("the steps of additive scores open before the scores") {
  Document document = read_document("the-cat-sat-on-mat");
  document.layer().scoring = Scoring::additive;
  Headless lab({.document = document});
  CHECK_FALSE(lab.find_text("pairs"));
  lab.view().layer.open_softmax = true;
  lab.settle();
  CHECK(lab.find_text("pairs"));
}

TEST_CASE("a precision of the list rounds every stage and undo brings float32 back bit by bit") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  const Tensor before = lab.results()->output("output");
  choose(lab, "precision", "bfloat16");
  CHECK(lab.document().layer().precision == NumberFormat::bfloat16);
  CHECK(lab.app().history().steps().back().name == "precision bfloat16");
  for (const char* stage : {"x", "w_q", "q", "scores", "weights", "output"}) {
    INFO(stage);
    const Tensor output = lab.results()->output(stage);
    for (const float number : output.values())
      CHECK(rounded(NumberFormat::bfloat16, static_cast<double>(number)) == static_cast<double>(number));
  }
  lab.key(GLFW_KEY_Z, {.control = true});
  CHECK(lab.results()->output("output") == before);
}

TEST_CASE("the canvas shows given numbers as the layer rounds them and the document keeps them as typed") {
  Document document = read_document("three-tokens");
  document.layer().precision = NumberFormat::float16;
  tests::set_number(document, "q", {0, 0, 0}, 0.1f);
  const Results results = evaluated(document);
  const Tensor shown = shown_numbers(results.graph, *results.graph.find("q"), document, &results);
  CHECK(static_cast<double>(shown[{0, 0, 0}]) == rounded(NumberFormat::float16, 0.1f));
  CHECK(document.layer().q[{0, 0, 0}] == 0.1f);
  tests::set_number(document, "q", {0, 0, 1}, 0.7f);  // newer than the results
  CHECK(shown_numbers(results.graph, *results.graph.find("q"), document, &results)[{0, 0, 1}] == 0.7f);
}

// The inspector of gradients as a person uses it: the row of a softmax, which way the loss falls, exact
// zeros, where a gradient goes, and ways on.
#include <chrono>
#include <cmath>
#include <thread>

#include "app/inspector/inspector_model.h"
#include "app/inspector/inspector_numbers.h"
#include "core/checks/central_differences.h"
#include "tests/app/gradients_inspect_lab.h"
#include "tests/app/odd_documents.h"

using namespace attn;
using namespace attn::tests;
using inspector::write;

namespace {

// What moving the score [3, 2] of the only head by 0.1 makes of Σ (output − target)² ÷ 16, in double.
double moved_by_hand(GradientInspectorLab& lab) {
  const LayerStages layer = lab.places().layer;
  const auto loss = [&](double change) {
    std::vector<double> shares;
    double sum = 0, total = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      shares.push_back(std::exp(lab.at(layer.weighed, {0, 3, j}) + (j == 2 ? change : 0)));
      sum += shares.back();
    }
    for (std::size_t c = 0; c < 4; ++c) {
      double output = 0;
      for (std::size_t j = 0; j < 4; ++j) output += shares[j] / sum * lab.at(layer.v, {0, j, c});
      const double apart = output - lab.at(lab.places().asked, {0, 3, c});
      total += apart * apart / 16;
    }
    return total;
  };
  return loss(0.1) - loss(0);
}

}  // namespace

TEST_CASE("dS is opened with its row, whose numbers and sums are those of the results") {
  GradientInspectorLab lab;
  const WeightsFlow f = lab.passed();
  lab.pin(f.d_scores, {0, 3, 2});
  CHECK(lab.shows("dS[3, 2] · head 0"));
  CHECK(lab.shows("A[3, 2]"));
  double earned = 0, weights = 0;
  for (std::size_t j = 0; j < 4; ++j) {
    const Cell cell{0, 3, j};
    const double a = lab.at(f.weights, cell), d = lab.at(f.d_weights, cell);
    weights += a, earned += a * d;
    CAPTURE(j);
    for (const double number : {a, d, a * d, lab.at(f.d_scores, cell)})
      CHECK(lab.find_text(write(number, {4, false})));
  }
  CHECK(lab.find_text("masked"));
  CHECK(lab.find_text(write(weights, {4, false})));
  CHECK(lab.find_text(write(earned, {4, false})));
  CHECK(lab.at(f.d_scores, {0, 3, 2}) ==
        doctest::Approx(lab.at(f.weights, {0, 3, 2}) * (lab.at(f.d_weights, {0, 3, 2}) - earned)));
  CHECK(lab.shows("To lower the loss, score"));
  CHECK(lab.find_text("lower"));
  CHECK(lab.find_text(write(-lab.at(f.d_scores, {0, 3, 1}), {4, false}, true)));
}

TEST_CASE("the loss moves as a recomputation in double says, and nearly as dS says") {
  GradientInspectorLab lab;
  lab.pin(lab.d_scores(), {0, 3, 2});
  const double moves = moved_by_hand(lab), says = 0.1 * lab.at(lab.d_scores(), {0, 3, 2});
  CHECK(moves == doctest::Approx(says).epsilon(0.05));
  CHECK(std::abs(moves - says) > 1e-4);
  CHECK(lab.find_text(write(moves, inspector::digits_for({moves, says}, 5), true)));
  CHECK(lab.find_text(write(says, inspector::digits_for({moves, says}, 5), true)));
}

TEST_CASE("every number of the row can be opened, and every score that would lower the loss") {
  GradientInspectorLab lab;
  const WeightsFlow f = lab.passed();
  const std::vector<std::pair<std::string, std::pair<StageIndex, std::size_t>>> presses{
      {"flow1.0", {f.weights, 0}}, {"flow3.1", {f.d_weights, 2}}, {"flow4.3", {f.d_scores, 3}},
      {"flow5.0", {f.weights, 4}}, {"flow5.3", {f.d_scores, 4}},  {"move1", {f.d_scores, 1}}};
  for (const auto& [item, to] : presses) {
    CAPTURE(item);
    lab.pin(f.d_scores, {0, 3, 2});
    lab.press_item(item);
    CHECK(lab.is_pinned(to.first, {0, 3, to.second}));
  }
}

TEST_CASE("zeros say why and lead to where they are") {
  GradientInspectorLab lab;
  CHECK(lab.shows("Exactly 0, and why"));
  CHECK(lab.find_text("10 of 10 ✓"));
  CHECK(lab.find_text("one key: its weight stays 1"));
  CHECK(lab.find_text("no target, seen by no one else"));
  lab.press_item("zero0");
  CHECK(lab.is_pinned(lab.d_scores(), {0, 0, 1}));
  lab.press_item("zero1");
  CHECK(lab.is_pinned(lab.d_scores(), {0, 0, 0}));
  lab.press_item("zero2");
  CHECK(lab.is_pinned(lab.gradient(lab.places().tokens.front()), {0, 4, 0}));
}

TEST_CASE("rows of dS add up to 0 in the checks, and no check of weights that hold stands there") {
  GradientInspectorLab lab;
  CHECK(lab.find_text("rows of dS add up to"));
  CHECK_FALSE(lab.find_text("largest weight"));
  CHECK_FALSE(lab.find_text("entropy"));
  CHECK(lab.find_text("NaN, ∞"));
  lab.press_item("check rows of dS add up to");
  REQUIRE(lab.view().pinned);
  CHECK(lab.view().pinned->stage == lab.id(lab.d_scores()));
}

TEST_CASE("weights that keep no sum are not said to") {
  Document document = read_document("the-cat-sat-on-mat-causal");
  document.layer().weighting = Weighting::sigmoid;
  GradientInspectorLab lab(document);
  CHECK_FALSE(lab.shows("add up to"));
  lab.pin(lab.d_scores(), {0, 3, 2});
  CHECK(lab.shows("To lower the loss, score"));
  CHECK_FALSE(lab.find_text("Σ"));
}

TEST_CASE("NaN in X: the checks name the first stage that has it and lead there") {
  GradientInspectorLab lab(with_nan());
  CHECK(lab.shows("first in"));
  lab.press_item("check NaN, ∞");
  REQUIRE(lab.view().pinned);
  const auto first = lab.results()->graph.find(lab.view().pinned->stage);
  CHECK_FALSE(std::isfinite(lab.at(*first, lab.view().pinned->cell)));
}

TEST_CASE("a gradient is copied like any matrix") {
  GradientInspectorLab lab;
  lab.pin(lab.d_scores(), {0, 3, 2});
  lab.press_item("copy/PyTorch");
  CHECK(lab.clipboard.find("tensor") != std::string::npos);
  CHECK(lab.clipboard.find("0.195") != std::string::npos);
}

TEST_CASE("a hard choice, NaN, a long row, heads and memory are opened too" *
          doctest::test_suite("unsanitized")) {
  Document hard = read_document("the-cat-sat-on-mat-causal");
  hard.layer().temperature = 0;
  std::vector<NamedDocument> documents = all_documents();
  documents.push_back({"hard", hard});
  documents.push_back({"64 tokens", projected(64, 16, 2)});
  for (const NamedDocument& named : documents) {
    CAPTURE(named.name);
    GradientInspectorLab lab(named.document);
    if (!lab.results() || lab.results()->outputs.empty()) continue;
    const Shape shape = lab.results()->graph.stages[lab.d_scores()].shape;
    const Cell last{shape.stack - 1, shape.rows - 1, shape.columns - 1};
    lab.pin(lab.d_scores(), last);
    CHECK(lab.shows("Checks"));
    for (const StageIndex stage : lab.places().tokens) {
      lab.pin(lab.gradient(stage), {});
      CHECK(lab.shows("To lower the loss") == std::isfinite(lab.at(stage, {})));
    }
    for (const Stage& stage : lab.results()->graph.stages) {
      const Cell end{stage.shape.stack - 1, stage.shape.rows - 1, stage.shape.columns - 1};
      if (stage.role == Role::gradient)
        for (const inspector::PathStep& leg : inspector::where_it_goes(*lab.results(), {stage.id, end}))
          CHECK(leg.figure.spot);
    }
  }
}

TEST_CASE("of a long row the largest lines are shown with the pinned one, and what the others come to") {
  GradientInspectorLab lab(projected(64, 16, 2));
  lab.pin(lab.d_scores(), {1, 40, 63});
  const WeightsFlow f = lab.passed();
  CHECK(lab.shows(std::to_string(64 - inspector::kMostLines + 1) + " more"));
  CHECK(lab.item("flow11.3"));
  double sum = 0;
  for (std::size_t j = 0; j < 64; ++j) sum += lab.at(f.weights, {1, 40, j}) * lab.at(f.d_weights, {1, 40, j});
  CHECK(sums_of(*lab.results(), f, 1, 40).earned == doctest::Approx(sum));
}

TEST_CASE("of a layer that takes longer than a frame the loss is moved behind the results") {
  GradientInspectorLab lab(projected(64, 64, 4));
  double work = 0;
  for (const Stage& stage : lab.results()->graph.stages) work += stage.traits.multiply_adds;
  REQUIRE(work > 2e6);
  lab.pin(lab.d_scores(), {1, 40, 63});
  for (int i = 0; i < 500 && !lab.shows("loss moves"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    lab.frames(1);
  }
  CentralDifferences differences(lab.results()->graph, lab.places().gradients);
  const double moves = differences.loss_if(lab.places().layer.weighed, {1, 40, 63}, 0.1) - differences.loss();
  const double says = 0.1 * lab.at(lab.d_scores(), {1, 40, 63});
  CHECK(lab.find_text(write(moves, inspector::digits_for({moves, says}, 5), true)));
}

TEST_CASE("many numbers take longer than a frame too, of few products") {
  GradientInspectorLab lab(projected(256, 4, 1));
  lab.view().pinned = Spot{lab.id(lab.d_scores()), {0, 200, 100}};
  lab.frames(2);
  CHECK(std::ranges::any_of(lab.app().engine().jobs(),
                            [](const JobStatus& job) { return job.name == "study: gradients.move"; }));
}

TEST_CASE("a hard choice says why nothing passes") {
  Document document = read_document("the-cat-sat-on-mat-causal");
  document.layer().temperature = 0;
  GradientInspectorLab lab(document);
  CHECK(lab.shows("hard choice"));
  lab.pin(lab.d_scores(), {0, 3, 2});
  CHECK(lab.shows("hard choice"));
}

TEST_CASE("words of the inspector of gradients stay inside it and apart") {
  for (const ImVec2 size : {ImVec2{1600, 1900}, ImVec2{1280, 1900}, ImVec2{1024, 1900}}) {
    GradientInspectorLab lab(read_document("the-cat-sat-on-mat-causal"), size);
    lab.pin(lab.d_scores(), {0, 3, 2});
    const Layout layout = check_words_fit(lab, size, 1);
    check_words_apart(lab, layout.inspector);
  }
}

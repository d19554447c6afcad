// What the inspector says, without drawing it. Over random layers: the terms are explain()'s, and each
// operand stands where it is said to. On the example of the design's drawing: the drawing's words and digits.
#include "app/inspector/inspector_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/inspector/inspector_numbers.h"
#include "app/program/input.h"
#include "core/edits/edit.h"
#include "core/text/text.h"
#include "tests/app/documents.h"
#include "tests/layers.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;
using namespace attn::inspector;

namespace {

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

// A head's output stands in concat as it is: its arithmetic is that of the head.
Explanation arithmetic(const Results& results, StageIndex stage, Cell cell) {
  const Explanation e = explain(results, stage, cell);
  const auto* concat = std::get_if<Concat>(&results.graph.stages[stage].operation);
  const std::size_t heads = concat ? results.graph.input_shapes(stage)[0].stack : 0;
  if (!concat || concat->mutes(cell.column / (results.outputs[stage].columns() / heads))) return e;
  return arithmetic(results, results.graph.stages[stage].inputs[0], e.terms[0].operands[0].cell);
}

std::vector<Cell> corners(const Tensor& tensor) {
  const Shape s = tensor.shape();
  return {{0, 0, 0}, {s.stack - 1, s.rows - 1, s.columns - 1}, {s.stack / 2, s.rows / 2, 0}};
}

}  // namespace

TEST_CASE("the arithmetic of a cell of every stage is what explain says") {
  Random random(99);
  for (int i = 0; i < 60; ++i) {
    Document document;
    document.layer() = random_layer(random);
    const Results results = evaluated(document);
    for (StageIndex stage = 0; stage < results.outputs.size(); ++stage)
      for (const Cell cell : corners(results.outputs[stage].whole())) {
        const Opened opened = open(results, {results.graph.stages[stage].id, cell});
        const Explanation e = arithmetic(results, stage, cell);
        CAPTURE(opened.title);
        CHECK(same(opened.result, e.result));
        REQUIRE(opened.lines.size() + opened.left_out == e.terms.size());
        for (std::size_t t = 0; opened.left_out == 0 && t < e.terms.size(); ++t) {
          CHECK(same(opened.lines[t].value, e.terms[t].value));
          REQUIRE(opened.lines[t].operands.size() == e.terms[t].operands.size());
        }
        CHECK(!opened.sentence.empty());
        CHECK(!opened.formula.empty());
      }
  }
}

TEST_CASE("every operand stands where the inspector says it stands") {
  Random random(7);
  for (int i = 0; i < 40; ++i) {
    Document document;
    document.layer() = random_layer(random);
    const Results results = evaluated(document);
    for (StageIndex stage = 0; stage < results.outputs.size(); ++stage)
      for (const Cell cell : corners(results.outputs[stage].whole()))
        for (const Line& line : open(results, {results.graph.stages[stage].id, cell}).lines)
          for (const Figure& figure : line.operands)
            if (figure.spot) {
              REQUIRE(exists(results, *figure.spot));
              CHECK(same(figure.value, results.output(figure.spot->stage)[figure.spot->cell]));
            }
  }
}

TEST_CASE("a score of the drawing reads as the drawing has it") {
  const Results results = evaluated(five_tokens());
  const Opened opened = open(results, {"scores", {0, 3, 0}});
  CHECK(opened.title == "scores[3, 0] · head 0");
  CHECK(opened.sentence == "how much “on” looks at “the”, before scaling");
  CHECK(to_string(opened.formula) == "Q[3] · K[0] = Σ over 4 features");
  CHECK(opened.formula[0].role == Role::query);
  CHECK(opened.formula[2].role == Role::key);
  REQUIRE(opened.lines.size() == 4);
  CHECK(write(opened.lines[0].operands[0].value, {3, false}) == "1.698");
  CHECK(write(opened.lines[0].operands[1].value, {3, false}) == "0.764");
  CHECK(write(opened.lines[0].value, {3, false}, true) == "+1.297");
  CHECK(write(opened.result, {3, false}, true) == "+10.713");
  CHECK(write(opened.number) == "10.713");
}

TEST_CASE("a score is followed to its weight") {
  const Results results = evaluated(five_tokens());
  const std::vector<PathStep> steps = where_it_goes(results, {"scores", {0, 3, 0}});
  REQUIRE(steps.size() == 5);
  CHECK(steps[0].what == "÷ √4 ÷ 6");
  CHECK(write(steps[0].figure.value) == "0.893");
  CHECK(steps[1].what == "kept by the mask");
  CHECK(steps[2].title == "exp");
  CHECK(steps[3].title == "weights");
  CHECK(steps[3].what.find("÷ row sum") == 0);
  CHECK(write(steps[3].figure.value, {4, false}) == "0.4857");
  CHECK(steps[4].many);
  CHECK(steps[4].title == "output[3, 0…3]");
  // Each number on the way is the stage's own.
  for (const PathStep& step : steps)
    CHECK(step.figure.value == results.output(step.figure.spot->stage)[step.figure.spot->cell]);
}

TEST_CASE("a masked score ends at a weight of zero") {
  const Results results = evaluated(five_tokens());
  const std::vector<PathStep> steps = where_it_goes(results, {"scores", {0, 1, 3}});
  CHECK(steps[1].what == "masked: becomes −∞");
  CHECK(steps[3].figure.value == 0);
}

TEST_CASE("an input is used in queries and keys and values") {
  Document document = five_tokens();
  document.layer().position = NoPosition();
  const std::vector<PathStep> steps = where_it_goes(evaluated(document), {"x", {0, 2, 1}});
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].title == "Q[2, 0…3]");
  CHECK(steps[1].title == "K[2, 0…3]");
  CHECK(steps[2].title == "V[2, 0…3]");
  // With positions added first there is one step more.
  CHECK(where_it_goes(evaluated(five_tokens()), {"x", {0, 2, 1}}).size() == 4);
}

TEST_CASE("the output is an end of the computation") {
  CHECK(where_it_goes(evaluated(five_tokens()), {"output", {0, 0, 0}}).empty());
}

TEST_CASE("a weight is opened into maximum and exponentials and sum and division") {
  const Results results = evaluated(five_tokens());
  const Spot spot{"weights", {0, 3, 0}};
  const auto softmax = open_softmax(results, spot);
  REQUIRE(softmax);
  REQUIRE(softmax->lines.size() == 5);
  CHECK(softmax->maximum.value == results.output("row_max")[{0, 3, 0}]);
  CHECK(softmax->sum.value == results.output("row_sum")[{0, 3, 0}]);
  double sum = 0;
  for (const SoftmaxLine& line : softmax->lines) {
    sum += line.exponential.value;
    CHECK(line.exponential.value == doctest::Approx(std::exp(line.shifted)).epsilon(1e-6));
  }
  CHECK(sum == doctest::Approx(softmax->sum.value).epsilon(1e-6));
  CHECK(softmax->lines[0].current);
  CHECK(softmax->lines[4].masked);
  CHECK(softmax->lines[4].key == "mat");
  const Opened opened = open(results, spot);
  CHECK(opened.writing.between == "÷");
  CHECK(opened.result == doctest::Approx(softmax->lines[0].exponential.value / softmax->sum.value));
  CHECK(!open_softmax(results, {"scores", {0, 3, 0}}));
}

TEST_CASE("a long sum keeps its largest terms and its exact total") {
  Random random(3);
  Document document;
  document.layer().direct = true;
  document.layer().q = normal(random, {1, 4, 64});
  document.layer().k = normal(random, {1, 70, 64});
  document.layer().v = normal(random, {1, 70, 2});
  const Results results = evaluated(document);
  const Spot spot{"scores", {0, 1, 2}};
  const Opened opened = open(results, spot);
  CHECK(opened.lines.size() == kMostLines - 1);
  CHECK(opened.left_out == 64 - (kMostLines - 1));
  double total = opened.left_out_sum, least_shown = 1e9;
  for (const Line& line : opened.lines) {
    total += line.value;
    least_shown = std::min(least_shown, std::abs(line.value));
  }
  const Explanation e = explain(results, *results.graph.find("scores"), spot.cell);
  CHECK(total == doctest::Approx(e.result).epsilon(1e-12));
  const auto larger =
      std::ranges::count_if(e.terms, [&](const Term& term) { return std::abs(term.value) > least_shown; });
  CHECK(static_cast<std::size_t>(larger) == kMostLines - 2);
  // The weight that is asked for is among the keys that are shown.
  const auto softmax = open_softmax(results, {"weights", {0, 0, 69}});
  CHECK(std::ranges::count_if(softmax->lines, &SoftmaxLine::current) == 1);
  CHECK(softmax->left_out + softmax->lines.size() == 70);
}

TEST_CASE("an overridden number shows both and its neighbours are opened as computed") {
  Document document = five_tokens();
  set_number(document, "scores", {0, 1, 1}, -4);
  const Results results = evaluated(document);
  const Opened overridden = open(results, {"scores", {0, 1, 1}});
  CHECK(overridden.overridden);
  CHECK(overridden.result == -4);
  REQUIRE(overridden.computed);
  CHECK(overridden.computed->value == results.output("scores_computed")[{0, 1, 1}]);
  const Opened neighbour = open(results, {"scores", {0, 1, 0}});
  CHECK(!neighbour.overridden);
  CHECK(neighbour.lines.size() == 4);
  CHECK(to_string(neighbour.formula) == "Q[1] · K[0] = Σ over 4 features");
  // The computed number goes nowhere but to the one that was typed over it.
  const std::vector<PathStep> steps = where_it_goes(results, {"scores_computed", {0, 1, 1}});
  CHECK(steps[0].what == "replaced by your number");
}

TEST_CASE("rows and columns of weights are found for every stage") {
  const Results results = evaluated(read_document("the-cat-sat-on-mat-two-heads"));
  const auto row = attention_of(results, {"scores", {1, 3, 0}}, 0);
  REQUIRE(row);
  CHECK(row->title == "Row 3 · “on” attends to");
  CHECK(row->head == 1);
  CHECK(row->query == 3);
  const auto column = attention_of(results, {"k", {1, 2, 0}}, 0);
  REQUIRE(column);
  CHECK(column->title == "Column 2 · who attends to “sat”");
  CHECK(column->key == 2);
  CHECK(attention_of(results, {"x", {0, 4, 1}}, 1)->head == 1);       // the head on screen
  CHECK(attention_of(results, {"concat", {0, 4, 3}}, 0)->head == 1);  // columns 2 and 3 are head 1's
  CHECK(!attention_of(results, {"w_q", {0, 0, 0}}, 0));
}

TEST_CASE("a key that several heads share is told with its head") {
  Random random(5);
  Document document;
  document.layer().direct = true;
  document.layer().q = normal(random, {4, 3, 2});
  document.layer().k = normal(random, {2, 3, 2});
  document.layer().v = normal(random, {2, 3, 2});
  const Results results = evaluated(document);
  CHECK(to_string(open(results, {"scores", {3, 0, 1}}).formula) ==
        "Q[0] · K[1] of head 1 = Σ over 2 features");
  CHECK(attention_of(results, {"k", {1, 0, 0}}, 0)->head == 2);  // the first head that reads it
  CHECK(attention_of(results, {"k", {1, 0, 0}}, 3)->head == 3);
}

TEST_CASE("numbers of a group share their digits") {
  CHECK(digits_for({1.5, -20, 0.001}) == Digits{3, false});
  CHECK(digits_for({15000, 1}) == Digits{1, false});
  CHECK(digits_for({-1e9, 2}) == Digits{3, true});
  CHECK(digits_for({1e-7}) == Digits{3, true});
  CHECK(digits_for({0, 0}) == Digits{3, false});
  CHECK(write(-1.5208, {3, false}) == "−1.521");
  CHECK(write(1.297, {3, false}, true) == "+1.297");
  CHECK(write(-0.0001, {3, false}) == "−1e−4");
  CHECK(write(-0.0, {3, false}) == "0.000");
  CHECK(write(-1e9) == "−1.000e9");
  CHECK(write(std::numeric_limits<double>::quiet_NaN()) == "NaN");
  CHECK(write(-std::numeric_limits<double>::infinity(), {3, false}) == "−∞");
  CHECK(write_distance(2.14e-8) == "2.1e−8");
  CHECK(write_distance(0) == "0");
}

TEST_CASE("a rounded score says from which number and opens into the arithmetic that made it") {
  Document document = five_tokens();
  document.layer().precision = NumberFormat::bfloat16;
  const Results results = evaluated(document);
  const Opened opened = open(results, {"scores", {0, 3, 0}});
  const double before = results.output("scores_unrounded")[{0, 3, 0}];
  CHECK(before == doctest::Approx(10.7).epsilon(0.02));
  CHECK(to_string(opened.formula).starts_with("rounded to bfloat16 from " + brief(before)));
  CHECK(to_string(opened.formula).ends_with(" = Q[3] · K[0] = Σ over 4 features"));
  CHECK(opened.lines.size() == 4);
  CHECK(static_cast<double>(opened.number) == rounded(NumberFormat::bfloat16, opened.result));
  const std::vector<PathStep> steps = where_it_goes(results, {"scores", {0, 3, 0}});
  REQUIRE(steps.size() == 5);
  for (const PathStep& leg : steps)
    CHECK(results.graph.stages[*results.graph.find(leg.figure.spot->stage)].traced);
  const auto softmax = open_softmax(results, {"weights", {0, 3, 0}});
  REQUIRE(softmax);
  CHECK(softmax->sum.spot->stage == "row_sum");
}

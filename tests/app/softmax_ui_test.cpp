// The workspace of the softmax looked at as a person does: links between its parts and with the Pipeline,
// the sweep over temperatures, the stage bar, odd rows and what is refused.
#include "app/inspector/inspector_numbers.h"
#include "core/document/edit.h"
#include "core/document/layer_plan.h"
#include "core/softmax/fields.h"
#include "core/softmax/row.h"
#include "tests/app/softmax_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

const Workspace& pipeline() {
  return SoftmaxLab::workspace(kLayerPlan.name);
}

void show(SoftmaxLab& lab, const Workspace& workspace) {
  lab.app().show(workspace);
  lab.settle();
  lab.frames(2);
}

float layer_number(SoftmaxLab& lab, std::size_t query, std::size_t key) {
  const LayerRow row = layer_row(lab.document());
  return lab.results()->output(row.stage)[{0, query, key}];
}

}  // namespace

TEST_CASE("the window opens on the row of the layer that the example names") {
  SoftmaxLab lab;
  CHECK(lab.spec().source == RowSource::layer);
  CHECK(lab.shows("“on”, head 0 of the layer"));
  const std::vector<float> weights = lab.output("row.weights");
  show(lab, pipeline());
  const Tensor all = lab.results()->output(Role::weights);
  for (std::size_t key = 0; key < 5; ++key) CHECK(all[{0, 3, key}] == weights[key]);
}

TEST_CASE("a bar of the layer's row that is dragged is an override in the Pipeline") {
  SoftmaxLab lab;
  const Document before = lab.document();
  const std::vector<float> scores = lab.output("row.scores");
  lab.drag(lab.bar("sat", static_cast<double>(scores[2])), lab.bar("sat", 4));
  lab.settle();
  REQUIRE(lab.document().overrides.size() == 1);
  CHECK(lab.document().overrides[0].workspace == kLayerPlan.name);
  const float typed = lab.document().overrides[0].value.value;
  CHECK(typed == doctest::Approx(4).epsilon(0.03));
  CHECK(lab.output("row.scores")[2] == typed);
  lab.frames(2);
  CHECK(lab.shows("Your numbers in the layer"));
  show(lab, pipeline());
  CHECK(layer_number(lab, 3, 2) == typed);
  CHECK(lab.shows("Your numbers"));
  show(lab, SoftmaxLab::workspace());
  lab.click_item("typed/as computed");
  lab.settle();
  CHECK(lab.document() == before);
}

TEST_CASE("Backspace on a score of the layer gives the computed one back") {
  SoftmaxLab lab;
  const Document before = lab.document();
  const auto cells = lab.item("row.scores/cells");
  REQUIRE(cells);
  lab.click({cells->min.x + cells->width() * 0.3f, centre(*cells).y});
  lab.type("3");
  lab.key(GLFW_KEY_ENTER);
  lab.settle();
  lab.frames(2);
  REQUIRE(lab.document().overrides.size() == 1);
  CHECK(lab.document().overrides[0].workspace == kLayerPlan.name);
  CHECK(lab.output("row.scores")[1] == 3);
  CHECK(lab.shows("1 typed over the layer"));
  lab.click({cells->min.x + cells->width() * 0.3f, centre(*cells).y});
  lab.key(GLFW_KEY_BACKSPACE);
  lab.settle();
  CHECK(lab.document() == before);
}

TEST_CASE("a number typed over a score in the Pipeline is the bar here") {
  SoftmaxLab lab;
  show(lab, pipeline());
  Document document = lab.document();
  const LayerRow row = layer_row(document);
  set_number(document, kLayerPlan, row.stage, {0, 3, 4}, 7);
  lab.app().change(document);
  show(lab, SoftmaxLab::workspace());
  CHECK(lab.output("row.scores")[4] == 7);
  CHECK(lab.output("row.weights")[4] > 0.8f);
  lab.undo();
  CHECK(lab.output("row.scores")[4] < 2);
}

TEST_CASE("a key that is masked in the layer's row is −∞ there and comes back") {
  SoftmaxLab lab;
  const Document before = lab.document();
  lab.key(GLFW_KEY_N);
  lab.key(GLFW_KEY_M);
  lab.settle();
  lab.frames(2);
  CHECK(lab.output("row.weights")[0] == 0);
  REQUIRE(lab.document().overrides.size() == 1);
  CHECK(std::isinf(lab.document().overrides[0].value.value));
  lab.key(GLFW_KEY_M);
  lab.settle();
  CHECK(lab.document() == before);
}

TEST_CASE("keys of the layer's row come and go once it is the person's own in one step") {
  SoftmaxLab lab;
  const Document before = lab.document();
  const std::vector<float> scores = lab.output("row.scores");
  lab.key(GLFW_KEY_INSERT);
  lab.settle();
  CHECK(lab.spec().source == RowSource::own);
  REQUIRE(lab.spec().scores.columns() == 6);
  CHECK(lab.spec().scores[{0, 0, 2}] == scores[2]);
  CHECK(lab.spec().keys[4] == "mat");
  CHECK(lab.steps() == 1);
  lab.undo();
  CHECK(lab.document() == before);
}

TEST_CASE("another query and head are chosen in the controls") {
  SoftmaxLab lab(read_document("the-cat-sat-on-mat-two-heads"));
  CHECK(lab.shows("“sat”, head 1 of the layer"));
  Document other = lab.document();
  other.softmax.query = 0, other.softmax.head = 0;
  lab.app().change(other);
  lab.settle();
  lab.frames(2);
  CHECK(lab.shows("“the”, head 0 of the layer"));
  CHECK(lab.item("softmax.query"));
  lab.undo();
  CHECK(lab.shows("“sat”, head 1 of the layer"));
}

TEST_CASE("R takes the row that is pinned in the Pipeline and P goes back to it") {
  SoftmaxLab lab(row_of({1, 2}));
  show(lab, pipeline());
  lab.view().pinned = Spot{"weights", {0, 1, 4}};
  show(lab, SoftmaxLab::workspace());
  lab.key(GLFW_KEY_R);
  lab.settle();
  lab.frames(2);
  CHECK(lab.spec().source == RowSource::layer);
  CHECK(lab.spec().query == 1);
  CHECK(lab.shows("“cat”, head 0 of the layer"));
  lab.view().pinned.reset();
  lab.key(GLFW_KEY_P);
  lab.settle();
  CHECK(&lab.app().workspace() == &pipeline());
  REQUIRE(lab.view().pinned);
  CHECK(lab.view().pinned->cell == Cell{0, 1, 4});
}

TEST_CASE("a bar that is pointed at opens in the inspector and is linked in every part") {
  Document document = row_of({2, 0.5f, -1}, {"a", "b", "c"});
  document.softmax.weightings = {Weighting::softmax};
  SoftmaxLab lab(document);
  lab.move(lab.bar("b", 0.05, "weights"));
  lab.frames(2);
  REQUIRE(lab.view().hovered);
  CHECK(*lab.view().hovered == Spot{"row.weights", {0, 0, 1}});
  CHECK(lab.shows("weights[0, 1]"));
  lab.frames(1);
  CHECK(lab.app().view().inspected->cell.column == 1);
  lab.click(lab.bar("b", 0.05, "weights"));
  REQUIRE(lab.view().pinned);
  CHECK(lab.view().pinned->stage == "row.weights");
  lab.key(GLFW_KEY_ESCAPE);
  CHECK_FALSE(lab.view().pinned);
}

TEST_CASE("the stage bar has the steps of the row and each is its own stage") {
  SoftmaxLab lab(row_of({2, 0.5f, -1}), {1600, 1000});
  std::string chips;
  for (const StepChip& step : lab.app().steps()) chips += step.title + "|";
  CHECK(chips == "scores|÷ T|− max|exp|÷ sum|weights|Jacobian|");
  lab.key(GLFW_KEY_HOME);
  lab.frames(20);
  CHECK(lab.item("row.scores/cells"));
  CHECK(lab.view().canvas().scroll_y > 0);
  lab.key(GLFW_KEY_END);
  lab.frames(20);
  CHECK(lab.view().canvas().step == "row.jacobian");
}

TEST_CASE("the inspector opens the Jacobian and the sum by their arithmetic") {
  SoftmaxLab lab(row_of({1, 0}));
  lab.view().pinned = Spot{"row.jacobian", {0, 0, 1}};
  lab.frames(3);
  CHECK(lab.shows("Jacobian[0, 1]"));
  CHECK(lab.shows("δ[0, 1]"));
  CHECK(lab.shows("-0.19661"));  // −a(1 − a), a = 0.731059
  lab.view().pinned = Spot{"row.row_sum", {0, 0, 0}};
  lab.frames(3);
  CHECK(lab.shows("1.3678794"));
}

TEST_CASE("Space sweeps the temperature and leaves the row as it is") {
  SoftmaxLab lab(row_of({2, 0.5f, -1}));
  const Document before = lab.document();
  lab.key(GLFW_KEY_SPACE);
  lab.frames(60);
  CHECK(lab.at().swept > 0.05);
  CHECK(lab.shows("at T 0."));
  lab.key(GLFW_KEY_SPACE);
  const double there = lab.at().swept;
  lab.frames(10);
  CHECK(lab.at().swept == there);
  CHECK(lab.find_text("T 1"));
  CHECK(lab.document() == before);
}

TEST_CASE("saturation is what the row's numbers say") {
  SoftmaxLab lab(row_of({2.5f, 0.8f, 0.3f, 0.2f, -1.1f}));
  CHECK(lab.shows("1.700"));             // the gap
  CHECK(lab.shows("0.2963"));            // 1 − a_max
  CHECK(lab.shows("0.9730 of 1.6094"));  // entropy
  CHECK(lab.shows("0.2085"));            // the largest gradient
  CHECK(lab.shows("1.42107"));           // Σ exp
  CHECK(lab.shows("2.85141"));           // log-sum-exp
  CHECK(lab.shows("0.279 ≤ ½ ✓"));
}

TEST_CASE("products say what share of rows is on one key") {
  SoftmaxLab lab(row_of({1, 2}));
  CHECK(lab.shows("raw, 54 % of the rows put more than 0.9 on one key; ÷ √d_k, 0 %"));
  lab.key(GLFW_KEY_V);
  lab.settle();
  lab.frames(2);
  CHECK(lab.spec().products == ProductScale::raw);
  CHECK_FALSE(lab.shows("÷ 8, sd"));
}

TEST_CASE("odd rows are drawn and their panels hold their words") {
  struct Odd {
    std::string name;
    Document document;
  };
  std::vector<Odd> all{{"one key", row_of({3})},
                       {"all masked", row_of({-INFINITY, -INFINITY})},
                       {"huge scores", row_of({3e38f, -3e38f, 1e30f})},
                       {"all equal", row_of({2, 2, 2, 2})},
                       {"no number", row_of({NAN, 1, INFINITY})},
                       {"many keys", row_of(std::vector<float>(700, 0.5f))},
                       {"long names", row_of({1, 2}, {"a very long name of a key that has no end", "b"})},
                       {"the layer's", read_document("the-cat-sat-on-mat-causal")}};
  all.push_back({"hard", row_of({1, 1, 0})});
  all.back().document.softmax.temperature = 0;
  all.push_back({"every rule in float16", row_of({12, 1, -2})});
  SoftmaxSpec& spec = all.back().document.softmax;
  spec.weightings = {Weighting::softmax, Weighting::softmax_1, Weighting::sparsemax,
                     Weighting::sigmoid, Weighting::relu,      Weighting::hard};
  spec.format = NumberFormat::float16, spec.subtract_maximum = false, spec.summation = SumOrder::pairs;
  for (Odd& odd : all)
    for (const float scale : {1.0f, 2.0f}) {
      odd.document.softmax.pairs = 64;
      SoftmaxLab lab(odd.document, {1600, 1000}, scale);
      for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{1024, 640}, ImVec2{2560, 1440}}) {
        INFO(odd.name, ", ", size.x, "×", size.y, ", scale ", scale);
        lab.resize(size);
        CHECK(lab.app().engine_state().error.empty());
        check_words_fit(lab, size, scale);
      }
    }
}

TEST_CASE("numbers of the row stand apart in a narrow inspector and none breaks behind its point") {
  SoftmaxLab lab(read_document("the-cat-sat-on-mat-causal"), {1600, 1000}, 2);
  for (const float share : lab.output("row.weights")) {
    const std::string number = inspector::write(static_cast<double>(share), {4, false});
    CAPTURE(number);
    CHECK(std::ranges::count(lab.texts(), number, &DrawnText::text) > 0);
  }
  CHECK(lab.shows("0.0719"));  // the last of a row of the book
}

TEST_CASE("a row without keys says so and a key can be added") {
  Document document = read_document("the-cat-sat-on-mat");
  document.softmax.source = RowSource::own;
  SoftmaxLab lab(document);
  CHECK(lab.shows("has no keys: add one"));
  lab.click_item("add a key");
  lab.settle();
  lab.frames(2);
  CHECK(lab.spec().scores.columns() == 1);
  CHECK(lab.output("row.weights") == std::vector<float>{1});
}

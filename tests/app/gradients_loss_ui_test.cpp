// The loss of the workspace of gradients as a person chooses it: its target and labels, one number of the
// output by a click, what it says where it is none.
#include <cmath>
#include <limits>

#include "core/text/text.h"
#include "tests/app/loss_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("every loss has a chip, one step of undo and its formula") {
  struct {
    const char *word, *formula;
  } const kLosses[]{{"ones", "Σ O"},
                    {"one-hot", "O[0, 0]"},
                    {"typed", "Σ dO ⊙ O"},
                    {"cross-entropy", "mean of −ln softmax(output)"}};
  for (const auto& [word, formula] : kLosses) {
    CAPTURE(word);
    LossLab lab;
    CHECK(lab.shows("÷ 16 numbers"));
    const Document before = lab.document();
    lab.press(std::string("loss ") + word);
    CHECK(lab.shows(formula));
    check_undo(lab, before, word);
  }
}

TEST_CASE("the loss is written as it was computed") {
  LossLab lab;
  CHECK(lab.shows(shortest(static_cast<float>(lab.loss()))));
  CHECK(lab.shows("“mat” has no next token: not asked"));
}

TEST_CASE("a number typed over the target is asked, and taken back") {
  LossLab lab;
  const Document before = lab.document();
  const double was = lab.loss();
  lab.type_into("target", 4, 1, "0.5");
  REQUIRE(lab.document().overrides.size() == 1);
  CHECK(lab.document().overrides[0].workspace == kGradientsPlan.name);
  CHECK(lab.shows("÷ 17 numbers"));
  CHECK(lab.shows("hatched: not asked, 3 of 20 numbers"));
  CHECK(lab.loss() != was);
  check_undo(lab, before, "override target");
  lab.press("gradients.as given");
  CHECK(lab.document().overrides.empty());
  CHECK(lab.loss() == was);
}

TEST_CASE("a number of the target is dragged sideways") {
  LossLab lab;
  const Document before = lab.document();
  const ImVec2 at = lab.cell("target", 1, 2);
  lab.drag(at, {at.x + 40, at.y});
  lab.settle();
  lab.frames(2);
  REQUIRE(lab.document().overrides.size() == 1);
  CHECK(lab.document().overrides[0].value.cell == Cell{0, 1, 2});
  check_undo(lab, before, "override target");
}

TEST_CASE("the target is X of the next token, its own, or zeros") {
  LossLab lab;
  const Document before = lab.document();
  lab.click_item("gradients.target");
  lab.frames(2);
  lab.click_item("target: zeros");
  lab.settle();
  lab.frames(2);
  CHECK(lab.spec().target == LossTarget::zero);
  CHECK(lab.shows("÷ 20 numbers"));
  CHECK_FALSE(lab.shows("not asked"));
  check_undo(lab, before, "target: zero");
}

TEST_CASE("labels are typed; what is no column is brought to one and said") {
  LossLab lab;
  lab.press("loss cross-entropy");
  CHECK(lab.shows("over 4 rows"));
  lab.type_into("labels", 4, 0, "2");
  CHECK(lab.shows("over 5 rows"));
  CHECK_FALSE(lab.shows("is no column"));
  lab.type_into("labels", 1, 0, "2.6");
  CHECK(lab.results()->output("labels")[{0, 1, 0}] == 3);
  CHECK(lab.shows("“cat”: 2.6 is no column, so it is 3"));
  lab.type_into("labels", 0, 0, "99");
  CHECK(lab.results()->output("labels")[{0, 0, 0}] == 3);
  CHECK(std::isfinite(lab.loss()));
}

TEST_CASE("a one-hot loss is of the number that is typed, clicked or pinned") {
  LossLab lab;
  lab.press("loss one-hot");
  enter(lab, "##gradients.row", "3");
  CHECK(lab.spec().row == 3);
  enter(lab, "##gradients.column", "2");
  CHECK(lab.shows("O[3, 2]"));
  CHECK(lab.loss() == static_cast<double>(lab.results()->output("output")[{0, 3, 2}]));
  const std::size_t steps = lab.steps();
  const std::string output = lab.results()->graph.stages[lab.places().layer.output].id;
  lab.click(lab.cell(output, 1, 1));
  lab.settle();
  lab.frames(2);
  CHECK(lab.shows("O[1, 1]"));
  CHECK(lab.steps() == steps + 1);
  lab.undo();
  CHECK(lab.shows("O[3, 2]"));
  lab.click(lab.cell("d_output", 4, 0));
  lab.settle();
  lab.frames(2);
  CHECK(lab.shows("O[4, 0]"));
  lab.press("loss ones");
  lab.click(lab.cell(output, 2, 2));
  lab.frames(2);
  CHECK(lab.spec().row == 4);
}

TEST_CASE("dO that is typed on the canvas is the loss's, and taken back in the controls") {
  LossLab lab;
  lab.press("loss typed");
  const double was = lab.loss();
  lab.type_into("upstream", 2, 1, "3");
  const double number = static_cast<double>(lab.results()->output("output")[{0, 2, 1}]);
  CHECK(lab.loss() == doctest::Approx(was + 2 * number).epsilon(1e-5));
  lab.press("gradients.as given");
  CHECK(lab.loss() == was);
}

TEST_CASE("O makes the pinned number of the output, or of dO, the loss") {
  for (const char* stage : {"output", "d_output"}) {
    CAPTURE(stage);
    LossLab lab;
    const Document before = lab.document();
    lab.view().pinned = Spot{stage, {0, 2, 3}};
    lab.frames(2);
    CHECK(lab.document() == before);
    lab.hit(GLFW_KEY_O);
    CHECK(lab.spec().loss == LossKind::one_hot);
    CHECK(lab.shows("O[2, 3]"));
    check_undo(lab, before, "loss: one-hot");
  }
  LossLab lab;
  lab.view().pinned = Spot{"q", {0, 2, 3}};
  lab.hit(GLFW_KEY_O);
  CHECK(lab.shows("O[0, 0]"));
}

TEST_CASE("a loss that X gives no target for says so") {
  LossLab lab(read_document("three-tokens"));
  CHECK(lab.shows("no target"));
  CHECK(lab.shows("Σ O"));
  lab.press("loss cross-entropy");
  CHECK(lab.shows("no labels"));
}

TEST_CASE("a loss that is NaN says where NaN comes first") {
  Document document = read_document("the-cat-sat-on-mat-causal");
  Tensor& w_k = document.layer().w_k;
  w_k = with_value(w_k, {0, 1, 1}, std::numeric_limits<float>::quiet_NaN());
  LossLab lab(document);
  lab.settle();
  lab.frames(2);
  CHECK(lab.shows("NaN comes first"));
}

TEST_CASE("each step back is called by a gradient on the canvas and looks at its largest number") {
  Document document = read_document("the-cat-sat-on-mat-causal");
  document.gradients.loss = LossKind::one_hot;
  document.gradients.row = 3;
  LossLab lab(document);
  const auto chips = lab.view().workspace->steps(lab.results()->graph, lab.view());
  REQUIRE(chips.size() == 7);
  CHECK(lab.results()->graph.stages[chips[6].stages.front()].title.starts_with("dW_"));
  for (std::size_t i = 1; i < 6; ++i) {
    CAPTURE(chips[i].title);
    CHECK(chips[i].title.find(lab.results()->graph.stages[chips[i].stages.front()].title) !=
          std::string::npos);
  }
  for (int i = 0; i < 4; ++i) lab.hit(GLFW_KEY_RIGHT);
  CHECK(lab.shows("Back to the scores"));
  CHECK(lab.shows("“on” with"));
}

TEST_CASE("hundreds of tokens have a target that is a picture" * doctest::test_suite("unsanitized")) {
  Document document = read_document("the-cat-sat-on-mat-causal");
  LayerSpec& layer = document.layer();
  std::vector<float> x(300 * 4);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i));
  layer.x = Tensor({1, 300, 4}, x), layer.tokens.clear();
  LossLab lab(document);
  const auto cells = lab.item("target/cells");
  REQUIRE(cells);
  CHECK(cells->height() < 300);
  CHECK(lab.shows("query 299 has no next token"));
}

// The descent while nothing moves: where it is found, what it shows, and what makes it begin anew.
#include "app/cells/cell_text.h"
#include "core/document/edit.h"
#include "tests/app/descent_lab.h"
#include "tests/app/gradients_matrices_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("with nothing painted Space walks backwards through the steps") {
  DescentLab lab;
  lab.key(GLFW_KEY_SPACE);
  CHECK(lab.view().canvas().playing);
  const auto first = lab.view().canvas().step;
  REQUIRE(first);
  for (int i = 0; i < 30; ++i) lab.frame(0.1f);
  CHECK(lab.view().canvas().step != first);
  CHECK(lab.at().step == GradientsView().step);
  lab.key(GLFW_KEY_SPACE);
  lab.begin();
  const auto step = lab.view().canvas().step;
  lab.key(GLFW_KEY_SPACE);
  for (int i = 0; i < 30; ++i) lab.frame(0.1f);
  CHECK(lab.view().canvas().step == step);
}

TEST_CASE("D scrolls to the descent, whatever the window") {
  for (const ImVec2 size : {ImVec2{1600, 700}, ImVec2{1024, 640}}) {
    MatricesLab lab(read_document("the-cat-sat-on-mat-causal"), size);
    CAPTURE(size.x);
    CHECK_FALSE(lab.sees_whole("wanted/cells"));
    lab.key(GLFW_KEY_D);
    lab.settle();
    lab.frames(2);
    CHECK(lab.sees_whole("wanted/cells"));
    CHECK(lab.view().canvas().scroll_y > 0);
  }
}

TEST_CASE("before anything moves the weights are those of the head that is shown") {
  DescentLab lab(read_document("eight-heads"), {1600, 1600});
  lab.view().layer.head = 3;
  lab.rest();
  const auto box = lab.item("descend/learnt");
  REQUIRE(box);
  const Tensor weights = lab.results()->outputs[lab.places().layer.weights].whole();
  const std::size_t row = weights.rows() - 1, column = 1;
  lab.move({box->min.x + box->width() * 1.5f / static_cast<float>(weights.columns()), box->max.y - 3});
  lab.frames(40);
  CHECK(lab.shows(" gives "));
  CHECK(lab.shows(exact_text(weights[{3, row, column}])));
}

TEST_CASE("a frame in which nothing changes takes no head out of its stack") {
  DescentLab lab(read_document("eight-heads"), {1024, 480});
  lab.view().canvas().scroll_y = 1e6f;  // the descent alone is in sight
  lab.frames(2);
  REQUIRE(lab.item("descend/learnt"));
  const auto next = [] { return Tensor({1, 1, 1}, {0}).id(); };
  const TensorId before = next();
  lab.frames(5);
  CHECK(next() == before + 1);
}

TEST_CASE("a number that is typed over the target leaves the descent and its curves as they are") {
  DescentLab lab;
  lab.begin();
  lab.click_item("learn_k");
  lab.rest();
  const std::set<std::string> runs = lab.runs();
  CHECK(runs.size() == 2);
  Document document = lab.document();
  set_number(document, kGradientsPlan, lab.results()->graph.stages[lab.places().asked].id, {0, 1, 1}, 3);
  lab.app().change(document);
  lab.rest();
  CHECK(lab.document().overrides.size() == 1);
  CHECK(lab.runs() == runs);
}

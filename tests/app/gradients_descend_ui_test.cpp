// The descent as a person uses it: weights painted, what may learn chosen, the steps looked at and taken.
#include <chrono>
#include <cmath>
#include <thread>

#include "core/gradients/wanted.h"
#include "tests/app/descent_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Row = std::vector<float>;

}  // namespace

TEST_CASE("weights are painted by dragging and taken away with the right button, a step each") {
  DescentLab lab;
  const Document before = lab.document();
  CHECK(lab.shows("Drag over the left map"));
  lab.drag(lab.cell(4, 1), lab.cell(4, 2));
  lab.rest();
  CHECK(lab.row(4) == Row{0, 0.5f, 0.5f, 0, 0});
  CHECK(lab.steps() == 1);
  lab.drag(lab.cell(4, 2), lab.cell(3, 2), 8, 1);
  lab.rest();
  CHECK(lab.row(4) == Row{0, 1, 0, 0, 0});
  CHECK(rows_asked(lab.spec().wanted) == 1);
  CHECK(lab.steps() == 2);
  lab.click(lab.cell(2, 0));
  lab.rest();
  CHECK(lab.row(2) == Row{1, 0, 0, 0, 0});
  lab.click(lab.cell(2, 0), 1);
  lab.rest();
  CHECK(lab.row(2) == Row{0, 0, 0, 0, 0});
  for (int i = 0; i < 4; ++i) lab.undo();
  CHECK(lab.document() == before);
  lab.redo();
  CHECK(lab.row(4) == Row{0, 0.5f, 0.5f, 0, 0});
}

TEST_CASE("the wheel gives a cell a share of its row and leaves the canvas where it is") {
  DescentLab lab;
  lab.begin();
  lab.wheel(lab.cell(3, 1), 3);
  lab.rest();
  CHECK(lab.row(3) == Row{0, 0.15f, 0.85f, 0, 0});
  lab.wheel(lab.cell(3, 1), -1);
  lab.rest();
  CHECK(lab.row(3) == Row{0, 0.1f, 0.9f, 0, 0});
  CHECK(lab.view().canvas().scroll_y == 0);
}

TEST_CASE("a masked cell is not painted, and numbers are not typed over the map") {
  DescentLab lab;
  lab.click(lab.cell(0, 3));
  lab.rest();
  CHECK(lab.spec().wanted.empty());
  CHECK(lab.view().message == "“on” is masked from “the”: it can get no weight there");
  lab.wheel(lab.cell(0, 3), 1);
  CHECK(lab.spec().wanted.empty());
  lab.begin();
  const Document painted = lab.document();
  lab.click(lab.cell(0, 0));
  lab.type("3");
  lab.key(GLFW_KEY_ENTER);
  lab.rest();
  CHECK(lab.document() == painted);
}

TEST_CASE("the keyboard paints what is selected") {
  DescentLab lab;
  lab.run("gradients.want_selected");
  CHECK(lab.view().message.find("nothing is painted") == 0);
  lab.view().grid.selection =
      Selection{{lab.results()->graph.stages[lab.places().wanted].id, {0, 3, 1}}, {0, 3, 2}};
  lab.run("gradients.want_selected");
  CHECK(lab.row(3) == Row{0, 0.5f, 0.5f, 0, 0});
  lab.run("gradients.want_selected");
  CHECK(rows_asked(lab.spec().wanted) == 0);
}

TEST_CASE("what a new mask hides is said, and nothing moves") {
  Document document = read_document("the-cat-sat-on-mat-causal");
  document.gradients.wanted = Tensor({1, 5, 5}, std::vector<float>(25, 0.2f));
  DescentLab lab(document);
  CHECK(lab.shows("is masked from"));
  CHECK_FALSE(lab.item("take these"));
}

TEST_CASE("a pattern is painted by its chip, and one that the mask hides is refused") {
  DescentLab lab;
  lab.click_item("next token");
  lab.rest();
  CHECK(lab.spec().wanted.empty());
  CHECK(lab.view().message.find("the next token masked") != std::string::npos);
  lab.click_item("itself");
  lab.rest();
  for (std::size_t i = 0; i < 5; ++i) CHECK(lab.row(i)[i] == 1);
  CHECK_FALSE(lab.item("descend/itself"));
  CHECK(lab.shows("weights at step 60"));
}

TEST_CASE("the map of step 60 and the losses are those of a descent by itself") {
  DescentLab lab;
  lab.begin();
  const Descent alone = lab.alone();
  CHECK(lab.shows("weights at step 60"));
  CHECK(lab.shows("0.728 → 0.0335"));
  CHECK(std::abs(alone.losses[60] - 0.0335) < 5e-5);
  CHECK(lab.shows("60 of 200"));
}

TEST_CASE("what was found at another rate is not taken for this one's") {
  DescentLab lab;
  lab.begin();
  CHECK(lab.shows("0.728 → 0.0335"));
  Document document = lab.document();
  document.gradients.rate = 0.1;
  lab.app().change(document);
  while (lab.results()->document.gradients.rate != 0.1) lab.frames(1);
  lab.frames(2);
  CHECK_FALSE(lab.shows("0.728 → 0.0335"));
}

TEST_CASE("while it learns the steps that are there already are shown, until the last") {
  DescentLab lab;
  lab.at().step = kDescentSteps;
  lab.key(GLFW_KEY_D);
  const std::string words = "weights at step ";
  std::size_t shown = 0;
  for (int frame = 0; frame < 2000 && shown < kDescentSteps; ++frame) {
    lab.frames(1);
    for (const DrawnText& text : lab.texts())
      if (text.text.starts_with(words)) {
        const std::size_t step = std::stoul(text.text.substr(words.size()));
        CHECK(step >= shown);
        shown = step;
      }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  CHECK(shown == kDescentSteps);
}

TEST_CASE("steps are looked at by the marker, the slider, a click and by playing") {
  DescentLab lab;
  lab.begin();
  const Rect plot = lab.plot("descent");
  const auto zero = lab.words("descent", "0"), last = lab.words("descent", "200");
  const float middle = (plot.min.y + plot.max.y) / 2;
  const auto x = [&](float step) { return zero.x + (last.x - zero.x) * step / 200; };
  lab.drag({x(60), middle}, {x(150), middle});
  lab.frames(2);
  CHECK(std::abs(static_cast<double>(lab.at().step) - 150) <= 2);
  lab.click({x(30), middle});
  lab.frames(2);
  CHECK(std::abs(static_cast<double>(lab.at().step) - 30) <= 2);
  const auto slider = lab.item("##gradients.descent_step");
  REQUIRE(slider);
  lab.drag({slider->min.x + 4, centre(*slider).y}, {slider->max.x, centre(*slider).y});
  lab.frames(2);
  CHECK(lab.at().step == 200);
  CHECK(lab.shows("weights at step 200"));
  CHECK(lab.steps() == 1);
  lab.key(GLFW_KEY_SPACE);
  lab.frames(30);
  CHECK(lab.at().step > 5);
  CHECK(lab.at().step < 50);
  CHECK(lab.view().canvas().playing);
  lab.frames(400);
  CHECK(lab.at().step == 200);
  CHECK_FALSE(lab.view().canvas().playing);
}

TEST_CASE("what was learnt is taken into the layer as one step, and makes its weights there") {
  DescentLab lab;
  lab.begin();
  const Document painted = lab.document();
  const Descent alone = lab.alone();
  lab.click_item("take these");
  lab.rest();
  CHECK(lab.steps() == 2);
  CHECK(lab.step_name().find("w_q") != std::string::npos);
  CHECK(lab.view().message == "W_Q of step 60 taken into the layer");
  CHECK(lab.document().gradients == painted.gradients);
  CHECK(lab.document().layer().w_k == painted.layer().w_k);
  CHECK(lab.document().layer().w_q == alone.at(60).learnt[0]);
  CHECK(lab.shows("weights at step 0"));
  const Results pipeline = evaluated(lab.document());
  const Tensor& weights = pipeline.outputs[*pipeline.graph.find(Role::weights)].whole();
  for (std::size_t i = 0; i < weights.values().size(); ++i)
    CHECK(std::abs(weights.values()[i] - alone.at(60).weights.values()[i]) <= 1e-6f);
  lab.undo();
  CHECK(lab.document() == painted);
}

TEST_CASE("earlier runs stay as curves until the layer or what is wanted changes" *
          doctest::test_suite("unsanitized")) {
  using Runs = std::set<std::string>;
  DescentLab lab;
  lab.begin();
  CHECK(lab.runs() == Runs{"W_Q, 0.05"});
  lab.click_item("learn_k");
  lab.rest();
  CHECK(lab.spec().learn_k);
  CHECK(lab.runs() == Runs{"W_Q, 0.05", "W_Q + W_K, 0.05"});
  lab.click_item("learn all");
  lab.rest();
  CHECK(lab.spec().learn_x);
  lab.click_item("##gradients.rate");
  lab.enter("0.2");
  lab.rest();
  CHECK(lab.spec().rate == 0.2);
  CHECK(lab.runs() == Runs{"W_Q, 0.05", "W_Q + W_K, 0.05", "X + W_Q + W_K, 0.05", "X + W_Q + W_K, 0.2"});
  lab.undo();
  CHECK(lab.runs() == Runs{"W_Q, 0.05", "W_Q + W_K, 0.05", "X + W_Q + W_K, 0.05", "X + W_Q + W_K, 0.2"});
  lab.drag(lab.cell(4, 0), lab.cell(4, 1));
  lab.rest();
  CHECK(lab.runs() == Runs{"X + W_Q + W_K, 0.05"});
  lab.click_item("take these");
  lab.rest();
  CHECK(lab.runs() == Runs{"X + W_Q + W_K, 0.05"});
}

TEST_CASE("with nothing that may learn nothing moves, and it is said") {
  DescentLab lab;
  lab.begin();
  lab.click_item("learn_q");
  lab.rest();
  CHECK(lab.shows("nothing may learn"));
  CHECK_FALSE(lab.item("take these"));
  lab.run("gradients.take_learnt");
  CHECK(lab.view().message_is_error);
}

TEST_CASE("layers whose weights cannot be learnt are refused in words") {
  for (const auto& [weighting, word] :
       {std::pair{Weighting::sparsemax, "sparsemax"}, {Weighting::sigmoid, "sigmoid"}}) {
    Document document = read_document("the-cat-sat-on-mat-causal");
    document.layer().weighting = weighting;
    DescentLab lab(std::move(document));
    lab.begin();
    CHECK(lab.shows(word));
    CHECK_FALSE(lab.item("descent/plot"));
  }
}

TEST_CASE("the head that is looked at learns, and the others are not asked") {
  Document document = read_document("eight-heads");
  DescentLab lab(document, {1600, 1600});
  lab.view().layer.head = 3;
  lab.rest();
  lab.begin();
  CHECK(lab.shows("weights at step 60"));
  const Descent alone = lab.alone();
  lab.view().of<GradientsView>().step = 200;
  lab.rest();
  lab.click_item("take these");
  lab.rest();
  const Tensor then = lab.document().layer().w_q, was = document.layer().w_q;
  const std::size_t width = was.columns() / 8;
  std::size_t moved = 0;
  for (std::size_t i = 0; i < was.rows(); ++i)
    for (std::size_t j = 0; j < was.columns(); ++j) {
      const bool same = then[{0, i, j}] == was[{0, i, j}];
      moved += !same;
      if (!same) CHECK(j / width == 3);
    }
  CHECK(moved > width);
  CHECK(then == alone.at(200).learnt[0]);
}

TEST_CASE("painting begins anew when the layer has another size") {
  Document document = read_document("the-cat-sat-on-mat-causal");
  document.gradients.wanted = Tensor({1, 2, 2}, {1, 0, 1, 0});
  DescentLab lab(document);
  CHECK(lab.shows("Drag over the left map"));
  lab.click(lab.cell(4, 4));
  lab.rest();
  CHECK(lab.spec().wanted.rows() == 5);
  CHECK(lab.row(4) == Row{0, 0, 0, 0, 1});
}

TEST_CASE("no words of the descent lie on others, in any window") {
  for (const ImVec2 size : {ImVec2{1600, 1400}, ImVec2{1024, 1800}, ImVec2{2560, 1440}}) {
    CAPTURE(size.x);
    DescentLab lab(read_document("the-cat-sat-on-mat-causal"), size);
    lab.begin();
    lab.click_item("learn_k");
    lab.rest();
    const auto map = lab.item("wanted/cells");
    REQUIRE(map);
    check_words_apart(lab, {{map->min.x - 80, map->min.y - 60}, {size.x, map->max.y + 90}});
  }
}

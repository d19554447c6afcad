// The matrices of the workspace of gradients as a person uses them.
#include <algorithm>
#include <cmath>

#include "app/frame/links.h"
#include "tests/app/gradients_matrices_lab.h"
#include "tests/app/odd_documents.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("each gradient stands beneath its stage in the same cells") {
  for (const char* example : {"the-cat-sat-on-mat-causal", "cross-attention", "eight-heads"})
    for (const ImVec2 size : {ImVec2{1600, 1400}, ImVec2{1024, 2400}}) {
      MatricesLab lab(read_document(example), size);
      INFO(example);
      for (const StageIndex stage : lab.shown()) {
        const Rect above = lab.cells(lab.id(stage)), beneath = lab.cells(lab.id_beneath(stage));
        CHECK(beneath.min.x == above.min.x);
        CHECK(beneath.width() == above.width());
        CHECK(beneath.height() == above.height());
        CHECK(beneath.min.y > above.max.y);
      }
    }
}

TEST_CASE("where a score is masked its gradient reads 0, and that of the weight its number in grey") {
  MatricesLab lab;
  const std::string scores = lab.id_beneath(lab.places().layer.weighed),
                    weights = lab.id_beneath(lab.places().layer.weights);
  const Tensor d_scores = lab.numbers(scores), d_weights = lab.numbers(weights);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 5; ++j) {
      CHECK(d_scores[{0, i, j}] == 0);
      CHECK(lab.number_in(scores, i, j) == "0");
      CHECK(std::abs(d_weights[{0, i, j}]) > 0.1f);
      CHECK(std::abs(std::stof(lab.number_in(weights, i, j)) - d_weights[{0, i, j}]) < 0.006f);
      CHECK(lab.ink_in(weights, i, j) == lab.theme().dim);
      CHECK(lab.number_in(lab.id(lab.places().layer.weighed), i, j).empty());
    }
  CHECK(lab.ink_in(weights, 3, 0) != lab.theme().dim);
}

TEST_CASE("gradients have ranges of their own, or all the largest") {
  MatricesLab lab;
  float most = 0;
  for (const StageIndex stage : lab.shown()) {
    const Tensor gradient = lab.numbers(lab.id_beneath(stage));
    for (const float d : gradient.values()) most = std::max(most, std::abs(d));
  }
  char text[16];
  std::snprintf(text, sizeof text, "±%.2f", static_cast<double>(most));
  CHECK(lab.texts_with(text) == 1);
  lab.gradients().own_range = false;
  lab.frames(2);
  CHECK(lab.texts_with(text) == lab.shown().size());
  lab.gradients().logarithmic = true;
  lab.frames(2);
  CHECK(lab.texts_with(std::string(text) + " log") == lab.shown().size());
}

TEST_CASE("by the logarithm a small gradient has a colour between that of 0 and that of a large one") {
  const Theme theme = make_theme(ThemeName::dark, 1, {});
  const ColourMap map{.range = 100, .decades = 4};
  CHECK(map_colour(theme, map, 0) == theme.cell_zero);
  CHECK(map_colour(theme, map, 100) == theme.cell_positive);
  CHECK(map_colour(theme, map, -100) == theme.cell_negative);
  CHECK(map_colour(theme, map, 1) == mix(theme.cell_zero, theme.cell_positive, 0.5f));
  CHECK(map_colour(theme, map, -0.1f) == mix(theme.cell_zero, theme.cell_negative, 0.25f));
  CHECK(map_colour(theme, map, 0.001f) == theme.cell_zero);
}

TEST_CASE("cells are without numbers where they are not wanted") {
  MatricesLab lab;
  const std::string stage = lab.id_beneath(lab.places().layer.weights);
  CHECK_FALSE(lab.number_in(stage, 2, 1).empty());
  lab.gradients().numbers = false;
  lab.frames(2);
  CHECK(lab.number_in(stage, 2, 1).empty());
  CHECK(lab.number_in(lab.id(lab.places().layer.weights), 2, 1).empty());
}

TEST_CASE("projections stand in place of what they make, and go when that is asked for") {
  MatricesLab lab;
  const std::string x = lab.id(lab.places().tokens.front()), w = lab.id(lab.places().parameters.front());
  lab.gradients().weights = true;
  lab.frames(2);
  for (const StageIndex stage : lab.places().parameters)
    CHECK(lab.cells(lab.id_beneath(stage)).min.x == lab.cells(lab.id(stage)).min.x);
  CHECK_FALSE(lab.item(x + "/cells"));
  lab.click_item("sizes/" + lab.id_beneath(lab.places().tokens.front()));
  lab.frames(2);
  CHECK(lab.item(x + "/cells"));
  CHECK_FALSE(lab.item(w + "/cells"));
  lab.click_item("sizes/" + lab.id_beneath(lab.places().parameters.front()));
  lab.frames(2);
  CHECK(lab.item(w + "/cells"));
  CHECK_FALSE(lab.view().layer.show_parameters);
}

TEST_CASE("a gradient links to its operands without the masked ones, and to where it goes") {
  MatricesLab lab;
  const GradientsPlaces places = lab.places();
  const std::string d_scores = lab.id_beneath(places.layer.weighed);
  Links links = make_links(*lab.results(), {d_scores, {0, 3, 2}}, lab.view());
  const std::vector<Cell> row{{0, 3, 0}, {0, 3, 1}, {0, 3, 2}, {0, 3, 3}};
  CHECK(links.sources.at(lab.id(places.layer.weights)) == row);
  CHECK(links.sources.at(lab.id_beneath(places.layer.weights)) == row);
  CHECK(links.targets.at(lab.id_beneath(lab.of_role(Role::query))) ==
        std::vector<Region>{{{0, 3, 0}, {1, 4, 4}}});
  CHECK(links.targets.at(lab.id_beneath(lab.of_role(Role::key))) ==
        std::vector<Region>{{{0, 2, 0}, {1, 3, 4}}});
  links = make_links(*lab.results(), {lab.id_beneath(places.tokens.front()), {0, 3, 2}}, lab.view());
  for (const StageIndex stage : places.projected) CHECK(links.sources.at(lab.id_beneath(stage)) == row);
  for (const StageIndex stage : places.parameters)
    CHECK(links.sources.at(lab.id(stage)) == std::vector<Cell>{{0, 2, 0}, {0, 2, 1}, {0, 2, 2}, {0, 2, 3}});
}

TEST_CASE("a number of X that is clicked is the input that is looked at, there and in dX") {
  MatricesLab lab;
  const std::string x = lab.id(lab.places().tokens.front());
  lab.click(centre(lab.cell(x, 2, 3)));
  lab.key(GLFW_KEY_ESCAPE);
  lab.key(GLFW_KEY_ESCAPE);
  CHECK(lab.gradients().input == Spot{x, {0, 2, 3}});
  const Document before = lab.document();
  lab.drag(centre(lab.cell(x, 0, 0)), {centre(lab.cell(x, 0, 0)).x + 40, centre(lab.cell(x, 0, 0)).y});
  lab.settle();
  CHECK(lab.document().layer().x[{0, 0, 0}] > before.layer().x[{0, 0, 0}]);
}

TEST_CASE("a typed dO is a matrix that is typed into") {
  Document document = read_document("the-cat-sat-on-mat-causal");
  document.gradients.loss = LossKind::typed;
  MatricesLab lab(std::move(document));
  const std::string asked = lab.id(lab.places().asked), d_output = lab.id_beneath(lab.places().layer.output);
  CHECK(lab.cells(asked).min.x == lab.cells(lab.id(lab.places().layer.output)).min.x);
  CHECK_FALSE(lab.item(d_output + "/cells"));
  lab.click(centre(lab.cell(asked, 1, 2)));
  lab.enter("-2.5");
  CHECK(lab.numbers(d_output)[{0, 1, 2}] == -2.5f);
  CHECK(lab.number_in(asked, 1, 2) == "-2.50");
}

TEST_CASE("a chip shows another head in all matrices that are of one") {
  MatricesLab lab(read_document("eight-heads"));
  CHECK(lab.shows("sum over 8 heads"));
  const std::string weights = lab.id(lab.places().layer.weights);
  lab.click_item("choose/head 3");
  lab.frames(2);
  CHECK(lab.view().layer.head == 3);
  CHECK(lab.shows("head 3"));
  lab.click(centre(lab.cell(weights, 5, 2)));
  CHECK(lab.view().pinned == Spot{weights, {3, 5, 2}});
  CHECK_FALSE(MatricesLab().item("choose/head 0"));
}

TEST_CASE("matrices of 512 tokens are pictures whose numbers the pointer reads" *
          doctest::test_suite("unsanitized")) {
  Document document = projected(512, 8, 1);
  set_causal(document.layer(), CausalAlign::lower_right);
  MatricesLab lab(std::move(document), {1600, 1700});
  const std::string d_scores = lab.id_beneath(lab.places().layer.weighed);
  const Rect box = lab.cells(d_scores);
  CHECK(lab.text_in(box).empty());
  lab.move({box.min.x + box.width() * 0.1f, box.min.y + box.height() * 0.5f});
  lab.frames(40);
  REQUIRE(lab.view().hovered);
  CHECK(lab.view().hovered->stage == d_scores);
  CHECK(lab.shows("dS["));
  const std::string d_x = lab.id_beneath(lab.places().tokens.front());
  lab.click_item("sizes/" + d_x);
  CHECK(lab.view().pinned == Spot{d_x, largest_in(lab.numbers(d_x))});
}

TEST_CASE("scores that are pinned in the Pipeline are ringed here, and the input that is proved in yellow") {
  MatricesLab lab;
  const GradientsPlaces places = lab.places();
  const std::string weighed = lab.id(places.layer.weighed), x = lab.id(places.tokens.front());
  const ImU32 yellow = role_colour(lab.theme(), Role::weights);
  CHECK_FALSE(lab.outlined(weighed, 3, 2, lab.theme().outline));
  lab.view().pinned = Spot{lab.id(places.layer.scores), {0, 3, 2}};
  lab.frames(2);
  CHECK(lab.outlined(weighed, 3, 2, lab.theme().outline));
  CHECK_FALSE(lab.outlined(weighed, 3, 1, lab.theme().outline));
  CHECK_FALSE(lab.outlined(x, 2, 3, yellow));
  lab.view().pinned = Spot{x, {0, 2, 3}};
  lab.frames(2);
  for (const std::string& stage : {x, lab.id_beneath(places.tokens.front())}) {
    CHECK(lab.outlined(stage, 2, 3, yellow));
    CHECK_FALSE(lab.outlined(stage, 2, 2, yellow));
  }
}

// A layer made from nothing without a mouse: its size, its numbers, how it scores, weighs and masks.
#include <GLFW/glfw3.h>

#include <cmath>

#include "app/program/input.h"
#include "core/edits/edit_masks.h"
#include "tests/app/grid_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

class KeyLab : public GridLab {
 public:
  using GridLab::GridLab;

  // A command of the palette, and what is typed into the row that it opens.
  void run(const std::string& command, const std::string& typed = {}) {
    key(GLFW_KEY_P, {.control = true, .shift = true});
    frame();
    type(command);
    key(GLFW_KEY_ENTER);
    frames(2);
    if (!typed.empty()) {
      type(typed);
      key(GLFW_KEY_ENTER);
    }
    settle();
    frames(2);
  }
  // Tab until the first cell of a matrix is selected.
  void go_to(const std::string& stage) {
    for (int i = 0; i < 200 && !(selected() == spot(stage, 0, 0)); ++i) key(GLFW_KEY_TAB);
    INFO(stage);
    REQUIRE(selected() == spot(stage, 0, 0));
  }
  // Numbers from the selected cell on, row by row.
  void fill(const std::vector<std::vector<std::string>>& rows) {
    for (const auto& row : rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        type(row[i]);
        key(i + 1 < row.size() ? GLFW_KEY_TAB : GLFW_KEY_ENTER);
      }
      for (std::size_t i = 1; i < row.size(); ++i) key(GLFW_KEY_LEFT);
    }
    settle();
  }
};

}  // namespace

TEST_CASE("three tokens in two dimensions are typed in by keys alone and their output is right") {
  KeyLab lab(new_document());
  lab.run("Tokens…", "3");
  lab.go_to("x");
  lab.fill({{"1", "0"}, {"0", "1"}, {"1", "1"}});
  REQUIRE(lab.layer().x.shape() == Shape{1, 3, 2});
  CHECK(lab.layer().x == Tensor({1, 3, 2}, {1, 0, 0, 1, 1, 1}));
  CHECK(key_width(lab.layer()) == 2);
  // The projections are identities: scores are x·xᵀ, and the first row of weights their softmax ÷ √2.
  const double e = std::exp(1 / std::sqrt(2.0));
  CHECK(lab.computed("weights", 0, 0) == doctest::Approx(e / (2 * e + 1)).epsilon(1e-5));
  CHECK(lab.computed("output", 0, 1) == doctest::Approx((1 + e) / (2 * e + 1)).epsilon(1e-5));
}

TEST_CASE("a layer is widened and scored and weighed and masked by keys alone") {
  KeyLab lab(new_document());
  lab.run("Tokens…", "4");
  lab.run("Width d_k", "4");
  CHECK(key_width(lab.layer()) == 4);
  lab.run("Width d_v", "6");
  CHECK(value_width(lab.layer()) == 6);
  lab.run("additive");
  CHECK(lab.layer().scoring == Scoring::additive);
  lab.run("sparsemax");
  CHECK(lab.layer().weighting == Weighting::sparsemax);
  lab.run("Causal");
  CHECK(find_rule<CausalRule>(lab.layer()));
  lab.run("Heads…", "2");
  REQUIRE(head_count(lab.layer()) == 2);
  lab.go_to("weights");
  lab.key(GLFW_KEY_DOWN);
  lab.key(GLFW_KEY_M, {.shift = true});
  lab.settle();
  const Tensor& mask = lab.layer().mask;
  REQUIRE(mask.shape().stack == 2);
  CHECK(mask[{0, 1, 0}] + mask[{1, 1, 0}] == 1);
  CHECK(lab.results()->document == lab.document());
  const Document made = lab.document();
  const std::size_t steps = lab.steps();
  for (std::size_t i = 0; i < steps; ++i) lab.key(GLFW_KEY_Z, {.control = true});
  lab.settle();
  CHECK(lab.document() == new_document());
  for (std::size_t i = 0; i < steps; ++i) lab.key(GLFW_KEY_Z, {.control = true, .shift = true});
  CHECK(lab.document() == made);
}

// Below a stack's rows: how much rank 1 misses over depth, the last layer beside the rollout.
#include <cmath>
#include <cstdio>

#include "core/reference/singular_values.h"
#include "core/transformer/made.h"
#include "tests/app/stack_rows_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Behind everything that is computed in pieces.
void wait_for_others(StackRowsLab& lab) {
  for (int i = 0; i < 200 && !lab.shows("attention alone "); ++i) lab.settle(), lab.frames(2);
}

}  // namespace

TEST_CASE("the rank residuals of the dates are numpy's") {
  StackRowsLab lab;
  wait_for_others(lab);
  CHECK(lab.shows("as built 0.82"));            // 0.8164
  CHECK(lab.shows("no residual 2e−5"));         // 1.514e−5
  CHECK(lab.shows("attention alone < 1e−12"));  // 5e−17, as far as double goes
}

TEST_CASE("with residuals off the stack as built falls as the one without") {
  Document document = dates_document();
  document.transformer.residual = false;
  StackRowsLab lab(document);
  wait_for_others(lab);
  CHECK(lab.shows("as built 2e−5"));
  CHECK(lab.shows("no residual 2e−5"));
}

TEST_CASE("a click on a dot of the rank residual looks at its layer") {
  StackRowsLab lab;
  wait_for_others(lab);
  const Rect plot = lab.plot("rank residual");
  const float x = lab.words("rank residual", "2").x;
  for (float y = plot.min.y + 20; y < plot.max.y && lab.look().layer == 0; y += 4) lab.click({x, y});
  CHECK(lab.look().layer == 2);
}

TEST_CASE("a click in the rollout or the last layer looks at that row everywhere") {
  StackRowsLab lab;
  CHECK(lab.shows("row “1”: itself 0.09 → 0.14"));  // 0.0896, 0.1397 by numpy
  lab.click(StackRowsLab::cell(lab.part("rollout"), 11, 11, 4, 4));
  lab.frames(2);
  CHECK(lab.look().row == 4);
  CHECK(lab.view().pinned == Spot{"rollout", {0, 4, 4}});
  CHECK(lab.shows("row “a”: itself 0.24 → 0.20"));  // 0.2372, 0.1977
  lab.key(GLFW_KEY_ESCAPE);
  lab.click(StackRowsLab::cell(lab.part("last layer"), 11, 11, 7, 2));
  lab.frames(2);
  CHECK(lab.look().row == 7);
}

TEST_CASE("the pointer over the last layer says the mean of its heads") {
  StackRowsLab lab;
  const Tensor weights =
      lab.results()->outputs[lab.places().encoder->blocks[3].boxes[0].layer->weights].whole();
  double mean = 0;
  for (std::size_t head = 0; head < 4; ++head) mean += static_cast<double>(weights[{head, 4, 4}]) / 4;
  CHECK(mean == doctest::Approx(0.237248).epsilon(1e-5));  // numpy's
  lab.move(StackRowsLab::cell(lab.part("last layer"), 11, 11, 4, 4));
  lab.frames(60);
  CHECK(lab.shows("“a” → “a”: 0.2372"));
  CHECK(lab.shows("mean of 4 heads"));
}

TEST_CASE("cross-attention has no rollout and says why") {
  StackRowsLab lab;
  lab.show_rows(StackRows::cross);
  CHECK(lab.shows("Cross-attention mixes"));
  CHECK_FALSE(lab.item("rollout"));
  CHECK(lab.item("last layer"));
  lab.show_rows(StackRows::decoder);
  CHECK(lab.item("rollout"));
}

TEST_CASE("more tokens than a rollout is made of are said") {
  Document document;
  StackSpec stack = made_over(document.layer());
  stack.encoder.tokens.clear();
  std::vector<float> x(1025 * 4);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 37 % 101) / 50 - 1;
  stack.encoder.x = Tensor({1, 1025, 4}, std::move(x));
  document.transformer = made_stack(stack, {.layers = 1, .heads = 1, .inner = 4}, 7);
  StackRowsLab lab(document);
  CHECK(lab.shows("There are 1025 tokens"));
  CHECK_FALSE(lab.item("rollout"));
}

TEST_CASE("rank residuals of streams that take longer than a frame come when they are measured") {
  Document document;
  StackSpec stack = made_over(document.layer());
  stack.encoder.tokens.clear();
  std::vector<float> x(200 * 160);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * i % 101) / 50 - 1;
  stack.encoder.x = Tensor({1, 200, 160}, std::move(x));
  document.transformer = made_stack(stack, {.layers = 2, .heads = 1, .inner = 4}, 7);
  StackRowsLab lab(document);
  for (int i = 0; i < 200 && !lab.shows("as built 0."); ++i) lab.settle(), lab.frames(2);
  const Tensor stream = lab.results()->outputs[lab.places().encoder->blocks[1].stream].whole();
  const std::vector<double> sizes = singular_values(to_double(stream));
  double all = 0;
  for (const double size : sizes) all += size * size;
  char words[32];
  std::snprintf(words, sizeof words, "as built %.2f", std::sqrt(1 - sizes[0] * sizes[0] / all));
  CAPTURE(words);
  CHECK(lab.shows(words));
}

TEST_CASE("a key that opens no rollout says the reason that its map says") {
  Document document = dates_document();
  for (StackBlock& block : document.transformer.encoder.blocks) block.off = {0};
  StackRowsLab lab(document);
  CHECK(lab.shows("Attention is off in every"));
  lab.key(GLFW_KEY_U);
  lab.frames(2);
  CAPTURE(lab.view().message);
  CHECK(lab.view().message.find("there is no rollout: attention is off in every layer") != std::string::npos);
}

TEST_CASE("attention that is off in the last layer leaves no map of it") {
  Document document = dates_document();
  document.transformer.encoder.blocks[3].off = {0};
  StackRowsLab lab(document);
  CHECK(lab.shows("Attention is off in"));
  CHECK_FALSE(lab.item("last layer"));
  CHECK(lab.item("rollout"));
}

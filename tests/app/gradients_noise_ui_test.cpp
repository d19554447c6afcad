// What the scale does to gradients of random tokens, as a person sees it: the words against dQ itself, and
// the menu.
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/inspector/inspector_numbers.h"
#include "tests/app/gradients_proof_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::string percent(std::size_t part, std::size_t of) {
  std::string share = decimals(100 * static_cast<double>(part) / static_cast<double>(of), 1);
  if (share.ends_with(".0")) share.resize(share.size() - 2);
  return share + " %";
}

Tensor noise_dq(ProofLab& lab, std::size_t which) {
  return lab.results()->outputs[lab.places().noise[which].d_q].whole();
}

std::size_t saturated_rows(ProofLab& lab, std::size_t which) {
  const Tensor weights = lab.results()->outputs[lab.places().noise[which].weights].whole();
  std::size_t saturated = 0;
  for (std::size_t row = 0; row < weights.rows(); ++row) {
    float most = 0;
    for (std::size_t key = 0; key < weights.columns(); ++key) most = std::max(most, weights[{0, row, key}]);
    saturated += most > 0.9f;
  }
  return saturated;
}

double least_norm(const Tensor& d_q) {
  double least = HUGE_VAL;
  for (std::size_t row = 0; row < d_q.rows(); ++row) {
    double squares = 0;
    for (std::size_t column = 0; column < d_q.columns(); ++column)
      squares += std::pow(static_cast<double>(d_q[{0, row, column}]), 2);
    least = std::min(least, std::sqrt(squares));
  }
  return least;
}

}  // namespace

TEST_CASE("the words over the histograms are what dQ and the weights say") {
  ProofLab lab;
  const Tensor scaled = noise_dq(lab, 0);
  std::vector<double> sizes;
  for (const float x : scaled.values()) sizes.push_back(std::abs(static_cast<double>(x)));
  std::ranges::sort(sizes);
  const double line = (sizes[511] + sizes[512]) / 2 / 100;  // of 16·64 numbers
  for (std::size_t which = 0; which < 2; ++which) {
    const Tensor d_q = noise_dq(lab, which);
    REQUIRE(d_q.values().size() == 1024);
    const auto below =
        std::ranges::count_if(d_q.values(), [&](float x) { return std::abs(static_cast<double>(x)) < line; });
    CHECK(lab.shows(percent(static_cast<std::size_t>(below), 1024) + " below the line · " +
                    percent(saturated_rows(lab, which), 16) + " of rows saturated"));
  }
  CHECK(lab.shows("norm of dQ: " + inspector::write_distance(least_norm(scaled)) + " → " +
                  inspector::write_distance(least_norm(noise_dq(lab, 1)))));
}

TEST_CASE("a bar on the logarithmic axis is read all over its width") {
  ProofLab lab;
  std::size_t read = 0;
  for (int i = 0; i < 24; ++i) {  // across the highest bars, which touch
    lab.move(lab.in_plot("noise scaled", 0.6f + 0.005f * static_cast<float>(i), 0.4f));
    lab.frames(2);
    read += lab.shows("share of |dQ|");
  }
  CHECK(read == 24);
}

TEST_CASE("the menu of the histograms changes what the random tokens are") {
  ProofLab lab;
  CHECK(lab.shows("÷ √64"));
  CHECK(lab.shows("16 random tokens"));
  lab.click(lab.in_plot("noise off", 0.4f, 0.5f), 1);
  lab.frames(2);
  std::optional<Rect> box;  // the last one: menus are above everything
  for (const DrawnText& text : lab.texts())
    if (text.text == "64") box = text.box;
  REQUIRE(box);
  lab.click(centre(*box));
  lab.frames(2);
  lab.key(GLFW_KEY_A, {.control = true});
  lab.type("16");
  lab.key(GLFW_KEY_ENTER);
  lab.settle();
  CHECK(lab.document().gradients.noise_width == 16);
  CHECK(lab.steps() == 1);
  CHECK(lab.shows("÷ √16"));
  CHECK(noise_dq(lab, 1).columns() == 16);
  CHECK(lab.shows("· " + percent(saturated_rows(lab, 1), 16) + " of rows saturated"));
  lab.undo();
  CHECK(lab.document().gradients.noise_width == 64);
}

TEST_CASE("the line below the histograms opens the menu too, and Esc closes it") {
  ProofLab lab;
  lab.click_item("random tokens/least heard");
  lab.frames(2);
  CHECK(lab.find_text("tokens"));
  lab.key(GLFW_KEY_ESCAPE);
  lab.frames(2);
  CHECK_FALSE(lab.find_text("tokens"));
}

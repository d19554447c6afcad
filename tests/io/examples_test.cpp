// The example sessions: they are what the program would write, and compute what R computed.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/document/stack_plan.h"
#include "core/io/session.h"
#include "core/io/stack_models.h"
#include "core/reference/backend.h"
#include "tests/io/io_testing.h"
#include "tests/layers.h"

namespace attn::tests {
namespace {

std::string example_text(const std::string& name) {
  return text_of(fixture("../../../assets/examples/" + name + ".json"));
}

std::vector<double> oracle(const std::string& name) {
  std::istringstream file(text_of(fixture("../../oracles/r-" + name + ".csv")));
  std::vector<double> values;
  for (std::string line; std::getline(file, line);) {
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) values.push_back(std::stod(cell));
  }
  return values;
}

// Whether every number lies within the distance that rounding in float allows: 2e-6 and a 2e-5 of the number.
void check_near(const std::vector<double>& values, const std::vector<double>& expected) {
  REQUIRE(!expected.empty());
  REQUIRE(values.size() == expected.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    CHECK(std::abs(values[i] - expected[i]) <= 2e-6 + 2e-5 * std::abs(expected[i]));
}

std::vector<double> stage(const LayerSpec& layer, const char* id) {
  const Graph graph = build_graph(layer);
  const auto index = graph.find(id);
  REQUIRE(index);
  const auto outputs = evaluate_in_double(graph);
  const auto values = outputs[*index].values();
  return {values.begin(), values.end()};
}

TEST_CASE("every example is written as the program writes it") {
  for (const char* name : {"three-tokens", "the-cat-sat-on-mat", "the-cat-sat-on-mat-two-heads",
                           "cross-attention", "large-scores", "location", "eight-heads", "dates"}) {
    const std::string text = example_text(name);
    std::string look;
    const Document document = parse_session(text, &look);
    CHECK(write_session(document, look) == text);
  }
}

TEST_CASE("the example of large scores reaches ±80 000, and its weights are shares") {
  const LayerSpec layer = parse_session(example_text("large-scores")).layer();
  const std::vector<double> scores = stage(layer, "scaled");
  CHECK(*std::ranges::min_element(scores) == -80000);  // 4·200·200 ÷ √4
  CHECK(*std::ranges::max_element(scores) == 80000);
  // Each query meets one key alone that is its own: all others are e^−40 000 of it, or less.
  for (const double weight : stage(layer, "weights")) CHECK((weight == 0 || weight == 1));
}

TEST_CASE("the example with three tokens has the numbers of the manual") {
  const LayerSpec layer = parse_session(example_text("three-tokens")).layer();
  CHECK(layer.tokens.size() == 3);
  const std::vector<double> scores = stage(layer, "scores");
  CHECK(scores == std::vector<double>{1, 1, 2, 1, 1, 0, 2, 0, 1});
  const std::vector<double> printed{5.7112, 6.7112, 7.7112, 8.7112, 4.3962, 5.3962,
                                    6.3962, 7.3962, 4.2029, 5.2029, 6.2029, 7.2029};
  const std::vector<double> output = stage(layer, "output");
  REQUIRE(output.size() == printed.size());
  for (std::size_t i = 0; i < output.size(); ++i) CHECK(std::abs(output[i] - printed[i]) <= 0.5e-4);
}

TEST_CASE("the cat sat on mat has the numbers of R") {
  LayerSpec layer = parse_session(example_text("the-cat-sat-on-mat")).layer();
  CHECK(layer.tokens == Labels{"the", "cat", "sat", "on", "mat"});
  check_near(stage(layer, "position"), oracle("X"));
  check_near(stage(layer, "weights"), oracle("A"));
  check_near(stage(layer, "output"), oracle("O"));
  set_causal(layer, CausalAlign::lower_right);
  check_near(stage(layer, "weights"), oracle("A_causal"));
}

TEST_CASE("the cat sat on mat with two heads has the numbers of R") {
  const LayerSpec layer = parse_session(example_text("the-cat-sat-on-mat-two-heads")).layer();
  CHECK(layer.heads == 2);
  check_near(stage(layer, "output"), oracle("mh_O"));
}

TEST_CASE("in the example of a location each token looks at the one before it whatever they are") {
  LayerSpec layer = parse_session(example_text("location")).layer();
  const std::vector<double> weights = stage(layer, "weights");
  for (std::size_t row = 0; row < 5; ++row) CHECK(weights[row * 5 + (row == 0 ? 0 : row - 1)] > 0.8);
  std::vector<float> x(layer.x.values().begin(), layer.x.values().end());
  for (std::size_t i = 0; i < x.size(); ++i)
    if (i % 8 >= 4) x[i] = 3 - 0.5f * static_cast<float>(i % 11);
  layer.x = Tensor(layer.x.shape(), x);
  CHECK(stage(layer, "weights") == weights);
}

TEST_CASE("in the example of cross attention three tokens ask five") {
  const LayerSpec layer = parse_session(example_text("cross-attention")).layer();
  CHECK(layer.tokens.size() == 3);
  CHECK(layer.memory_tokens.size() == 5);
  CHECK(stage(layer, "weights").size() == 15);
}

TEST_CASE("in the example of dates the trained stack writes the date that it has read") {
  const Document document = parse_session(example_text("dates"));
  CHECK(document.transformer == dates_stack());
  const Graph graph = build_stack(document).graph;
  const auto outputs = evaluate_in_double(graph);
  const auto& shares = outputs[*graph.find("probabilities")];
  std::string written;
  for (std::size_t row = 0; row < shares.rows(); ++row) {
    std::size_t best = 0;
    for (std::size_t symbol = 1; symbol < shares.columns(); ++symbol)
      if (shares[{0, row, symbol}] > shares[{0, row, best}]) best = symbol;
    written += document.transformer.symbols[best];
  }
  CHECK(written == "1987-03-12");
}

}  // namespace
}  // namespace attn::tests

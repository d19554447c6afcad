// A layer with its tokens in another order, and with the same content everywhere: against layers that are
// changed by hand, and what must hold of every layer without places.
#include <doctest/doctest.h>

#include <cmath>

#include "core/edits/edit.h"
#include "core/engine/engine.h"
#include "core/pipeline/probes.h"
#include "tests/core/edit_documents.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

Tensor probed(const Document& document, std::size_t piece) {
  Budget budget;
  const auto backend = make_reference_backend();
  const Graph graph = layer_probes(document).at(piece).graph();
  return Evaluator(*backend, budget).evaluate(document, graph).outputs.back().whole();
}
LargestDifference order_of(const Document& document) {
  return order_difference(evaluated(document), probed(document, kOtherOrder));
}
LargestDifference content_of(const Document& document) {
  return content_difference(evaluated(document), probed(document, kSameContent));
}

// Five tokens of four features, their rows in this order.
constexpr std::array<std::size_t, 5> kFirst{0, 1, 2, 3, 4}, kSecond{1, 3, 0, 2, 4};
Document five_tokens(const std::array<std::size_t, 5>& order = kFirst) {
  Document document;
  LayerSpec& layer = document.layer();
  Random random(5);
  const Tensor x = normal(random, {1, 5, 4});
  std::vector<float> rows;
  for (const std::size_t token : order)
    for (std::size_t column = 0; column < 4; ++column) rows.push_back(x[{0, token, column}]);
  layer.x = Tensor({1, 5, 4}, rows);
  layer.w_q = normal(random, {1, 4, 4});
  layer.w_k = normal(random, {1, 4, 4});
  layer.w_v = normal(random, {1, 4, 4});
  return document;
}

double largest_over(const Tensor& a, const std::function<double(Cell)>& b, Cell& at) {
  double largest = 0;
  for (std::size_t head = 0; head < a.stack(); ++head)
    for (std::size_t row = 0; row < a.rows(); ++row)
      for (std::size_t column = 0; column < a.columns(); ++column) {
        const Cell cell{head, row, column};
        const double size = std::abs(static_cast<double>(a[cell]) - b(cell));
        if (size > largest) largest = size, at = cell;
      }
  return largest;
}

// Sinusoids along with the content: queries and keys read the first two features, where the tokens have
// zeros.
Document of_places(std::uint64_t content) {
  Document document;
  LayerSpec& layer = document.layer();
  Random random(static_cast<unsigned>(content));
  std::vector<float> x(20, 0.0f), w(16, 0.0f);
  for (std::size_t row = 0; row < 5; ++row)
    for (std::size_t column = 2; column < 4; ++column) x[row * 4 + column] = normal(random, {1, 1, 1})[{}];
  for (std::size_t i = 0; i < 8; ++i) w[i] = 0.5f * static_cast<float>(i) - 1;
  layer.x = Tensor({1, 5, 4}, x);
  layer.w_q = layer.w_k = layer.w_v = Tensor({1, 4, 4}, w);
  layer.position = Sinusoidal{};
  return document;
}

}  // namespace

TEST_CASE("outputs move with their tokens in every layer without places") {
  Random random(11);
  for (int i = 0; i < 200; ++i) {
    Document document = random_document(random);
    LayerSpec& layer = document.layer();
    layer.masks.clear();
    layer.position = NoPosition();
    layer.dropout = 0;
    layer.weighting = Weighting::softmax;
    layer.temperature = 1;
    settle_overrides(document, kLayerPlan);
    CAPTURE(i);
    CHECK(what_tells_order(layer).empty());
    CHECK(order_of(document).rounding);
  }
}

TEST_CASE("the difference of another order is that of the layer reordered by hand") {
  Document document = five_tokens(), other = five_tokens(kSecond);
  set_causal(document.layer(), CausalAlign::lower_right);
  set_causal(other.layer(), CausalAlign::lower_right);
  const Tensor output = evaluated(document).output("output"), moved = evaluated(other).output("output");
  Cell at;
  const double expected = largest_over(
      output,
      [&](Cell cell) {
        const auto place = std::ranges::find(kSecond, cell.row) - kSecond.begin();
        return static_cast<double>(moved[{0, static_cast<std::size_t>(place), cell.column}]);
      },
      at);
  const LargestDifference found = order_of(document);
  CHECK(expected > 0.1);
  CHECK(found.size == expected);
  CHECK(found.at == at);
  CHECK_FALSE(found.rounding);
  CHECK(what_tells_order(document.layer()) == std::vector<std::string>{"the causal mask"});
}

TEST_CASE("a position encoding and dropout tell order and global tokens do not") {
  Document document = five_tokens();
  document.layer().position = Sinusoidal{};
  document.layer().dropout = 0.5;
  document.layer().masks = {{.rule = GlobalRule{{1}}}};
  CHECK(what_tells_order(document.layer()) == std::vector<std::string>{"the position encoding", "dropout"});
  CHECK(order_of(document).size > 0.01);
  document.layer().dropout = 0;
  CHECK(order_of(document).size > 0.01);
  document.layer().position = NoPosition();
  CHECK(order_of(document).rounding);
}

TEST_CASE("weights of places are the same whatever the content") {
  const Document document = of_places(3);
  CHECK(has_content(document.layer()));
  CHECK(content_of(document).size == 0);
  CHECK(evaluated(document).output("weights") == evaluated(of_places(4)).output("weights"));
  CHECK_FALSE(evaluated(document).output("weights").values()[0] ==
              evaluated(document).output("weights").values()[1]);
}

TEST_CASE("weights of content differ from those of its mean") {
  const Document document = five_tokens();
  Document mean = document;
  std::vector<float> rows(20);
  for (std::size_t column = 0; column < 4; ++column) {
    double sum = 0;
    for (std::size_t row = 0; row < 5; ++row)
      sum += static_cast<double>(document.layer().x[{0, row, column}]);
    for (std::size_t row = 0; row < 5; ++row) rows[row * 4 + column] = static_cast<float>(sum / 5);
  }
  mean.layer().x = Tensor({1, 5, 4}, rows);
  CHECK(has_content(document.layer()));
  CHECK_FALSE(has_content(mean.layer()));
  const Tensor same = evaluated(mean).output("weights");
  for (const float weight : same.values()) CHECK(weight == doctest::Approx(0.2));
  Cell at;
  const double expected = largest_over(
      evaluated(document).output("weights"), [&](Cell cell) { return static_cast<double>(same[cell]); }, at);
  const LargestDifference found = content_of(document);
  CHECK(found.size == expected);
  CHECK(found.at == at);
  CHECK_FALSE(found.rounding);
}

TEST_CASE("the content of given queries and keys is their rows") {
  const Document document = direct_document(3, 3);
  CHECK(has_content(document.layer()));
  const Document same = with_same_content(document);
  CHECK(same.layer().q[{1, 0, 0}] == 8);
  CHECK(same.layer().q[{1, 2, 1}] == 9);
  CHECK(same.layer().v == document.layer().v);
}

TEST_CASE("the worker asks a layer behind its results and not one of too many weights") {
  Budget budget;
  Engine engine([](std::vector<std::string>&) { return make_reference_backend(); }, budget);
  const Document document = five_tokens();
  engine.post({.document = document, .plan = &kProbedPipeline});
  engine.wait_idle();
  const auto rest = engine.state().deferred;
  REQUIRE(rest);
  REQUIRE(rest->outputs.size() == 2);
  CHECK(rest->error.empty());
  CHECK(rest->outputs[kOtherOrder] == probed(document, kOtherOrder));
  CHECK(rest->outputs[kSameContent] == probed(document, kSameContent));
  Document large = document;
  set_token_count(large, 65);
  CHECK(layer_probes(large).empty());
  set_token_count(large, 64);
  CHECK(layer_probes(large).size() == 2);
}

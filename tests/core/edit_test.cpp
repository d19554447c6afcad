// Edits of numbers, widths and heads change what they name and nothing else. Over random documents: either
// the layer can be built afterwards, or the document is as it was.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/core/edit_documents.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("input_tensor finds what the document holds and nothing else") {
  Document document = projected_document();
  const std::array inputs{"x", "w_q", "w_k", "w_v", "w_o"};
  for (const char* id : inputs) CHECK(input_tensor(document, id) != nullptr);
  for (const char* id :
       {"memory", "b_q", "q", "k", "v", "scores", "weights", "mask", "user_mask", "user_bias", "?"})
    CHECK(input_tensor(document, id) == nullptr);
  document.layer().mask = counting({1, 3, 3});
  document.layer().bias = counting({1, 3, 3});
  CHECK(input_tensor(document, "user_mask") == &document.layer().mask);
  CHECK(input_tensor(document, "user_bias") == &document.layer().bias);
  Document direct = direct_document(2, 3);
  CHECK(input_tensor(direct, "q") == &direct.layer().q);
  CHECK(input_tensor(direct, "v") == &direct.layer().v);
  CHECK(input_tensor(direct, "x") == nullptr);
}

TEST_CASE("every input stage of a graph is the document's own tensor") {
  Random random(seed(1));
  for (int i = 0; i < 100; ++i) {
    Document document{{random_scored_layer(random)}};
    LayerSpec& layer = document.layer();
    // Heads are switched off there by a matrix of the graph's own.
    if (layer.head_merge == HeadCut::memory) layer.muted_heads.clear();
    for (const Stage& stage : build_graph(document.layer()).stages) {
      const Source* source = std::get_if<Source>(&stage.operation);
      const Tensor* tensor = input_tensor(document, stage.id);
      CHECK((source != nullptr) == (tensor != nullptr));
      if (source && tensor) CHECK(source->tensor.id() == tensor->id());
    }
  }
}

TEST_CASE("a number set in an input changes that number alone") {
  Document document = projected_document();
  const Document before = document;
  set_number(document, "x", {0, 1, 2}, -7);
  CHECK(document.layer().x[{0, 1, 2}] == -7);
  CHECK(document.overrides.empty());
  set_number(document, "x", {0, 1, 2}, 6);
  CHECK(document == before);
}

TEST_CASE("a number set in a computed stage is an override that can be changed and removed") {
  Document document = projected_document();
  const Document before = document;
  set_number(document, "weights", {1, 2, 0}, 0.9f);
  CHECK(is_overridden(document, "weights", {1, 2, 0}));
  CHECK(!is_overridden(document, "weights", {0, 2, 0}));
  CHECK(!is_overridden(document, "scores", {1, 2, 0}));
  set_number(document, "weights", {1, 2, 0}, 0.5f);
  REQUIRE(document.overrides.size() == 1);
  CHECK(document.overrides[0].value.value == 0.5f);
  CHECK_NOTHROW(build_layer(document));
  remove_override(document, "weights", {1, 2, 0});
  CHECK(document == before);
}

TEST_CASE("many numbers are set with one new tensor and NaN and infinity are numbers too") {
  Document document = direct_document(2, 2);
  const std::vector<CellValue> cells{{{0, 0, 0}, NAN}, {{1, 1, 1}, -INFINITY}};
  set_numbers(document, "q", cells);
  CHECK(std::isnan(document.layer().q[{0, 0, 0}]));
  CHECK(document.layer().q[{1, 1, 1}] == -INFINITY);
  const TensorId id = document.layer().q.id();
  set_numbers(document, "q", cells);
  CHECK(document.layer().q.id() == id);
}

TEST_CASE("a new width keeps the old numbers and adds zeros to x and small normals to the projections") {
  Document document = projected_document();
  set_number(document, "output", {0, 0, 3}, 1);
  set_width(document, 6);
  const LayerSpec& layer = document.layer();
  CHECK(layer.x.shape() == Shape{1, 3, 6});
  CHECK(layer.w_q.shape() == Shape{1, 6, 4});
  CHECK(layer.w_o.shape() == Shape{1, 4, 6});
  CHECK(layer.x[{0, 2, 3}] == 11);
  CHECK(layer.x[{0, 2, 4}] == 0);
  CHECK(layer.w_q[{0, 3, 3}] == 15);
  CHECK(layer.w_q[{0, 4, 0}] != 0);
  CHECK(std::abs(layer.w_q[{0, 4, 0}]) < 1);
  CHECK(layer.w_q[{0, 4, 0}] != layer.w_k[{0, 4, 0}]);
  CHECK(document.overrides.size() == 1);
  set_width(document, 2);
  CHECK(document.overrides.empty());
  CHECK(layer.x == Tensor({1, 3, 2}, {0, 1, 4, 5, 8, 9}));
}

TEST_CASE("an edit that cannot be made says what would do and changes nothing") {
  Document document = projected_document();
  document.layer().position = Rotary();
  const Document before = document;
  CHECK(
      message_of([&] { set_heads(document, 4, 4); }) ==
      "q_rotated: RoPE turns pairs of features and needs an even width, but queries and keys are 1 wide: use "
      "2");
  CHECK(message_of([&] { set_width(document, 0); }) == "the width must be from 1 to 16384");
  CHECK(message_of([&] { set_heads(document, 3, 3); }) ==
        "3 heads don't divide the 4 columns of w_q: use 2 or 4");
  CHECK(message_of([&] { set_heads(document, 4, 3); }) ==
        "3 key/value heads don't divide 4 heads: use 2 or 4");
  CHECK(message_of([&] { set_heads(document, 4, 0); }) ==
        "0 key/value heads don't divide 4 heads: use 1 or 2");
  CHECK(message_of([&] { set_heads(document, 0, 1); }) == "a layer has no heads: use from 1 to 65536");
  CHECK(nearest_heads(131074, 60000) == "use 2");  // 65537 are more than a layer can have
  CHECK(document == before);
  Document direct = direct_document(2, 2);
  CHECK(message_of([&] { set_width(direct, 5); }) ==
        "Q, K and V are given directly: this layer has no model width to change");
}

TEST_CASE("heads that divide keep the projections as they are") {
  Document document = projected_document();
  document.layer().muted_heads = {1};
  const LayerSpec before = document.layer();
  set_heads(document, 4, 4);
  CHECK(head_count(document.layer()) == 4);
  CHECK(document.layer().w_k == before.w_k);
  CHECK(document.layer().muted_heads == std::vector<std::size_t>{1});
  set_heads(document, 1, 1);
  CHECK(document.layer().muted_heads.empty());
  CHECK(document.layer().w_v == before.w_v);
}

TEST_CASE("fewer key and value heads shrink w_k and w_v, masks and biases of each head follow") {
  Document document = projected_document();
  document.layer().b_k = counting({1, 1, 4});
  document.layer().bias = counting({2, 3, 3});
  set_heads(document, 4, 2);
  CHECK(document.layer().w_k.shape() == Shape{1, 4, 2});
  CHECK(document.layer().b_k.shape() == Shape{1, 1, 2});
  CHECK(document.layer().bias.shape() == Shape{4, 3, 3});
  CHECK(document.layer().bias[{1, 0, 0}] == 9);
  CHECK(document.layer().bias[{3, 2, 2}] == 0);
  set_heads(document, 2, 2);
  CHECK(document.layer().w_k.shape() == Shape{1, 4, 4});
  CHECK(document.layer().bias == counting({2, 3, 3}));
}

TEST_CASE("direct heads split the width that all of them have together") {
  Document document = direct_document(2, 2);
  document.layer().v = counting({1, 2, 4});
  set_heads(document, 4, 2);
  CHECK(document.layer().q.shape() == Shape{4, 2, 1});
  CHECK(document.layer().k == Tensor({2, 2, 1}, {0, 2, 1, 3}));
  CHECK(message_of([&] { set_heads(document, 3, 3); }) ==
        "3 heads don't divide the 4 columns of q: use 2 or 4");
}

TEST_CASE("any width and any heads leave a layer that can be built or the document as it was") {
  Random random(seed(9));
  int done = 0;
  for (int i = 0; i < 1000; ++i) {
    Document document = random_document(random);
    const Document before = document;
    try {
      switch (pick(random, 0, 5)) {
        case 0:
          set_width(document, pick(random, 1, 9));
          break;
        case 1:
          set_width_of_keys(document, pick(random, 1, 9));
          break;
        case 2:
          set_width_of_values(document, pick(random, 1, 9));
          break;
        case 3:
          set_memory_width(document, pick(random, 1, 9));
          break;
        case 4:
          set_output_width(document, pick(random, 1, 9));
          break;
        default:
          set_heads(document, pick(random, 1, 6), pick(random, 1, 6));
      }
      CHECK_NOTHROW(build_graph(document.layer()));
      ++done;
    } catch (const Error&) {
      CHECK(document == before);
    }
  }
  CHECK(done > 200);
}

TEST_CASE("a number typed over Q does not outlive Q becoming the document's own") {
  Document document = projected_document();
  set_number(document, "q", {0, 1, 1}, 5);
  const Results results = evaluated(document);
  use_direct(document, results.output(Role::query), results.output(Role::key), results.output(Role::value));
  CHECK(document.overrides.empty());
  CHECK(document.layer().q[{0, 1, 1}] == 5);
  set_number(document, "q", {0, 1, 1}, -1);
  CHECK(document.layer().q[{0, 1, 1}] == -1);
  CHECK(evaluated(document).output("q")[{0, 1, 1}] == -1);
}

TEST_CASE("a file's override of Q does not cover a Q that is given") {
  Document document = direct_document(2, 2);
  document.overrides = {typed("q", {0, 1, 1}, 5)};
  set_number(document, "q", {0, 1, 1}, -1);
  CHECK(evaluated(document).output("q")[{0, 1, 1}] == -1);
}

TEST_CASE("many overrides at once take their places among those there are") {
  Document document = projected_document();
  set_number(document, "scores", {1, 2, 0}, 3);
  set_number(document, "weights", {1, 2, 0}, 4);
  std::vector<CellValue> block;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      block.push_back({{1, row, column}, static_cast<float>(row * 3 + column)});
  block.push_back({{1, 0, 0}, 9});  // the last one wins
  set_numbers(document, "scores", block);
  CHECK(document.overrides.size() == 10);
  CHECK(document.overrides[0] == typed("scores", {1, 2, 0}, 6));
  CHECK(document.overrides[1] == typed("weights", {1, 2, 0}, 4));
  const Tensor scores = evaluated(document).output("scores");
  CHECK(scores[{1, 0, 0}] == 9);
  CHECK(scores[{1, 2, 2}] == 8);
}

TEST_CASE("every NaN that is typed is the one that sessions keep") {
  Document document = projected_document();
  const float negative = std::copysign(std::numeric_limits<float>::quiet_NaN(), -1.0f);
  set_number(document, "x", {0, 0, 0}, negative);
  set_number(document, "scores", {0, 0, 0}, negative);
  CHECK(!std::signbit(document.layer().x[{0, 0, 0}]));
  CHECK(!std::signbit(document.overrides.at(0).value.value));
}

// The widths of heads are free of the layer's and of each other: what was there stays, what comes has a
// variance that the width does not change.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/core/edit_documents.h"

using namespace attn;
using namespace attn::tests;

namespace {

double deviation(const Tensor& tensor) {
  double sum = 0, squares = 0;
  for (const float x : tensor.values()) sum += x, squares += static_cast<double>(x) * x;
  const double count = static_cast<double>(tensor.shape().size()), mean = sum / count;
  return std::sqrt(squares / count - mean * mean);
}

// Normals as queries, keys and values of one number each.
Document narrow_document(std::size_t n) {
  Document document;
  document.layer().direct = true;
  for (Tensor* tensor : {&document.layer().q, &document.layer().k, &document.layer().v})
    *tensor = Tensor({1, n, 1}, std::vector<float>(n, 1.0f));
  return document;
}

Tensor computed(const Document& document, Role role) {
  return evaluated(document).output(role);
}

}  // namespace

TEST_CASE("each head keeps its columns where d_k grows and gets columns of its own") {
  Document document = projected_document();
  document.layer().b_q = document.layer().b_k = counting({1, 1, 4});
  set_width_of_keys(document, 3);
  const LayerSpec& layer = document.layer();
  CHECK(key_width(layer) == 3);
  CHECK(value_width(layer) == 2);
  for (const Tensor* w : {&layer.w_q, &layer.w_k}) {
    REQUIRE(w->shape() == Shape{1, 4, 6});
    for (std::size_t row = 0; row < 4; ++row) {
      const auto old = static_cast<float>(4 * row);
      CHECK((*w)[{0, row, 0}] == old);
      CHECK((*w)[{0, row, 1}] == old + 1);
      CHECK((*w)[{0, row, 3}] == old + 2);
      CHECK((*w)[{0, row, 4}] == old + 3);
      CHECK((*w)[{0, row, 2}] != 0);
    }
  }
  CHECK(layer.w_q[{0, 0, 2}] != layer.w_k[{0, 0, 2}]);
  CHECK(layer.b_q == Tensor({1, 1, 6}, {0, 1, 0, 2, 3, 0}));
  CHECK(layer.w_v.shape() == Shape{1, 4, 4});
  set_width_of_keys(document, 1);
  CHECK(layer.b_k == Tensor({1, 1, 2}, {0, 2}));
  CHECK(computed(document, Role::query).shape() == Shape{2, 3, 1});
}

TEST_CASE("d_v changes the columns of W_V and the rows of W_O by head") {
  Document document = projected_document();
  document.layer().kv_heads = 1;
  document.layer().w_k = document.layer().w_v = counting({1, 4, 2});
  set_width_of_values(document, 1);
  const LayerSpec& layer = document.layer();
  CHECK(value_width(layer) == 1);
  CHECK(key_width(layer) == 2);
  CHECK(layer.w_v == Tensor({1, 4, 1}, {0, 2, 4, 6}));
  CHECK(layer.w_o == Tensor({1, 2, 4}, {0, 1, 2, 3, 8, 9, 10, 11}));
  set_width_of_values(document, 5);
  CHECK(layer.w_o.shape() == Shape{1, 10, 4});
  CHECK(layer.w_o[{0, 5, 0}] == 8);
  CHECK(computed(document, Role::value).shape() == Shape{1, 3, 5});
}

TEST_CASE("queries and keys that are given grow by normals and their products by the root of d_k") {
  Document document = narrow_document(64);
  for (const std::size_t width : {4, 16, 64, 256}) {
    set_width_of_keys(document, width);
    document.layer().scale.mode = ScaleMode::none;
    CHECK(deviation(document.layer().q) == doctest::Approx(1).epsilon(0.1));
    const double scores = deviation(computed(document, Role::score));
    INFO("d_k ", width, ": ", scores);
    CHECK(scores == doctest::Approx(std::sqrt(static_cast<double>(width))).epsilon(0.15));
  }
}

TEST_CASE("new columns of a projection have the variance 1 over d") {
  Document document = projected_document();
  set_width(document, 64);
  set_width_of_keys(document, 256);
  const Tensor& w = document.layer().w_q;
  double squares = 0;
  for (std::size_t row = 0; row < 64; ++row)
    for (std::size_t column = 2; column < 256; ++column) squares += w[{0, row, column}] * w[{0, row, column}];
  CHECK(squares / (64 * 254) == doctest::Approx(1.0 / 64).epsilon(0.05));
}

TEST_CASE("a width has the same numbers whether it was reached in one step or in many") {
  Document at_once = narrow_document(5), slowly = at_once;
  set_width_of_keys(at_once, 9);
  for (std::size_t width = 2; width <= 9; ++width) set_width_of_keys(slowly, width);
  CHECK(at_once.layer().q == slowly.layer().q);
  CHECK(at_once.layer().k == slowly.layer().k);
}

TEST_CASE("queries and keys change their width together only where the score compares them") {
  Document document = projected_document();
  set_width_of_queries(document, 3);
  CHECK(query_width(document.layer()) == 3);
  CHECK(key_width(document.layer()) == 3);
  set_scoring(document, Scoring::concat);
  const Tensor keys = document.layer().w_k;
  set_width_of_queries(document, 5);
  CHECK(query_width(document.layer()) == 5);
  CHECK(document.layer().w_k == keys);
  CHECK(document.layer().score_w.columns() == 8);
  set_width_of_keys(document, 1);
  CHECK(query_width(document.layer()) == 5);
  CHECK(key_width(document.layer()) == 1);
  CHECK(message_of([&] { set_scoring(document, Scoring::dot); }).find("queries are 5 wide and keys 1") !=
        std::string::npos);
  CHECK(message_of([&] { set_width_of_queries(document, 0); }) == "d_q must be from 1 to 16384");
}

TEST_CASE("heads keep the width of keys that differ from the queries") {
  Document document = projected_document();  // two heads
  set_scoring(document, Scoring::concat);
  set_width_of_queries(document, 5);
  set_width_of_keys(document, 3);
  const LayerSpec before = document.layer();
  set_heads(document, 1, 1);
  CHECK(query_width(document.layer()) == 10);
  CHECK(key_width(document.layer()) == 6);
  CHECK(document.layer().w_q == before.w_q);
  CHECK(document.layer().w_k == before.w_k);
  set_heads(document, 2, 1);
  CHECK(query_width(document.layer()) == 5);
  CHECK(key_width(document.layer()) == 3);
  set_width_of_keys(document, 4);
  CHECK(message_of([&] { set_heads(document, 5, 5); }) ==
        "5 heads don't divide the 8 columns of the heads' keys side by side: use 4 or 8");
  Document direct = direct_document(2, 2);
  set_scoring(direct, Scoring::additive);
  set_width_of_queries(direct, 3);
  set_width_of_keys(direct, 1);
  set_heads(direct, 1, 1);
  CHECK(direct.layer().q.shape().columns == 6);
  CHECK(direct.layer().k.shape().columns == 2);
}

TEST_CASE("a width that cannot be says what would do and changes nothing") {
  Document document = projected_document();
  document.layer().position = Rotary();
  const Document before = document;
  CHECK(message_of([&] { set_width_of_keys(document, 0); }) == "d_k must be from 1 to 16384");
  CHECK(message_of([&] { set_width_of_values(document, 16385); }) == "d_v must be from 1 to 16384");
  CHECK(message_of([&] { set_width_of_keys(document, 3); }).find("needs an even width") != std::string::npos);
  CHECK(message_of([&] { set_memory_width(document, 3); }) ==
        "this layer has no memory whose width could change");
  CHECK(document == before);
  document.layer().w_o = {};
  CHECK(message_of([&] { set_output_width(document, 3); }) ==
        "without W_O the output is as wide as the heads together: change d_v");
}

TEST_CASE("the memory and the output have widths of their own") {
  Document document = projected_document();
  document.layer().memory = counting({1, 2, 4});
  set_memory_width(document, 7);
  CHECK(document.layer().memory.shape() == Shape{1, 2, 7});
  CHECK(document.layer().w_k.rows() == 7);
  CHECK(document.layer().w_v.rows() == 7);
  CHECK(document.layer().w_q.rows() == 4);
  set_output_width(document, 2);
  CHECK(document.layer().w_o.shape() == Shape{1, 4, 2});
  CHECK(evaluated(document).outputs.back().columns() == 2);
}

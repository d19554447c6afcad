// A layer that gets tokens of its own for keys and values, and loses them again.
#include <doctest/doctest.h>

#include "core/edits/edit_sides.h"
#include "core/heads/graph.h"
#include "tests/core/edit_documents.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("a new memory changes no number") {
  Document document = projected_document();
  set_causal(document.layer(), CausalAlign::lower_right);
  const Tensor before = evaluated(document).output("output");
  add_memory(document);
  CHECK(has_own_keys(document.layer()));
  CHECK(document.layer().memory == document.layer().x);
  CHECK(document.layer().memory_tokens == Labels{"a", "b", "c"});
  CHECK(evaluated(document).output("output") == before);
}

TEST_CASE("a memory that comes and goes leaves the layer as it was") {
  Document document = projected_document();
  const Document before = document;
  add_memory(document);
  remove_memory(document);
  CHECK(document == before);
}

TEST_CASE("what was given for keys goes with them and what comes is free") {
  Document document = projected_document();
  add_memory(document);
  set_memory_width(document, 6);
  insert_token(document, 3, "d", TokenSide::key);
  insert_token(document, 4, "e", TokenSide::key);
  document.layer().mask = counting({1, 3, 5});
  document.layer().bias = counting({2, 3, 5});
  set_padding(document.layer(), {5});
  remove_memory(document);
  const LayerSpec& layer = document.layer();
  CHECK(layer.mask == Tensor({1, 3, 3}, {0, 1, 2, 5, 6, 7, 10, 11, 12}));
  CHECK(layer.bias.shape() == Shape{2, 3, 3});
  CHECK(layer.w_k.shape() == Shape{1, 4, 4});
  CHECK(layer.w_k == projected_document().layer().w_k);
  CHECK(padding_of(layer) == std::vector<std::size_t>{3});
  CHECK(layer.memory_tokens.empty());
  CHECK(evaluated(document).output("weights").shape() == Shape{2, 3, 3});
}

TEST_CASE("a layer has one memory to add or to remove") {
  for (Document document : {projected_document(), direct_document(3, 3)}) {
    CHECK(message_of([&] { remove_memory(document); }) == "this layer has no memory to remove");
    add_memory(document);
    CHECK(message_of([&] { add_memory(document); }) == "this layer has a memory already");
  }
  Document longer = direct_document(2, 3);
  CHECK(message_of([&] { add_memory(longer); }) == "this layer has a memory already");
}

TEST_CASE("keys and values that are given become a memory whose tokens are edited by themselves") {
  Document document = direct_document(3, 3);
  document.layer().tokens = {"a", "b", "c"};
  document.layer().mask = counting({1, 3, 3});
  const Document before = document;
  add_memory(document);
  CHECK(document.layer().memory_tokens == Labels{"a", "b", "c"});
  CHECK(evaluated(document).output("output") == evaluated(before).output("output"));
  rename_token(document, 1, "m", TokenSide::key);
  insert_token(document, 3, "n", TokenSide::key);
  move_token(document, 3, 0, TokenSide::key);
  const LayerSpec& layer = document.layer();
  CHECK(layer.tokens == Labels{"a", "b", "c"});
  CHECK(layer.memory_tokens == Labels{"n", "a", "m", "c"});
  CHECK(layer.q == before.layer().q);
  CHECK(layer.k.shape() == Shape{1, 4, 2});
  CHECK(layer.k[{0, 0, 0}] == 0);
  CHECK(layer.k[{0, 3, 1}] == before.layer().k[{0, 2, 1}]);
  CHECK(layer.v[{0, 1, 2}] == before.layer().v[{0, 0, 2}]);
  CHECK(layer.mask == Tensor({1, 3, 4}, {0, 0, 1, 2, 0, 3, 4, 5, 0, 6, 7, 8}));
  const Graph graph = build_graph(layer);
  const auto labels = [&](const char* stage, Axis Stage::*axis) {
    return *(graph.stages[graph.find(stage).value()].*axis).labels;
  };
  for (const char* stage : {"k", "v"}) CHECK(labels(stage, &Stage::rows) == layer.memory_tokens);
  for (const char* stage : {"scores", "scaled", "masked", "weights"}) {
    CHECK(labels(stage, &Stage::columns) == layer.memory_tokens);
    CHECK(labels(stage, &Stage::rows) == layer.tokens);
  }
  remove_token(document, 0, TokenSide::key);
  CHECK(has_own_keys(document.layer()));  // as many as queries, and still others
  remove_token(document, 0, TokenSide::query);
  CHECK(document.layer().memory_tokens == Labels{"a", "m", "c"});
  remove_memory(document);
  CHECK(document.layer().k.rows() == 2);
  CHECK(document.layer().memory_tokens.empty());
  CHECK_FALSE(has_own_keys(document.layer()));
}

TEST_CASE("a memory of keys that are given is numbered where the queries have no labels") {
  Document document = direct_document(2, 2);
  add_memory(document);
  CHECK(document.layer().memory_tokens == Labels{"0", "1"});
  remove_memory(document);
  CHECK(document == direct_document(2, 2));
}

TEST_CASE("labels of a given memory do not come along to a projection without one") {
  Document document = projected_document();
  const Results results = evaluated(document);
  const Document before = document;
  use_direct(document, results.output("q"), results.output("k"), results.output("v"));
  add_memory(document);
  use_projected(document);
  CHECK(document.layer().memory_tokens.empty());
  CHECK(evaluated(document).output("output") == results.output("output"));
}

TEST_CASE("heads over a given memory are not named by places of the queries") {
  Document document = direct_document(3, 3);
  const auto patterns = [&] {
    const Graph graph = build_heads(document).graph;
    return std::get<Source>(graph.stages[graph.find("patterns").value()].operation).tensor;
  };
  const Tensor shared = patterns();
  add_memory(document);
  CHECK_FALSE(patterns() == shared);
}

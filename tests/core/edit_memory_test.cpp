// A layer that gets tokens of its own for keys and values, and loses them again.
#include <doctest/doctest.h>

#include "core/attention/edit_sides.h"
#include "tests/core/edit_documents.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("a new memory changes no number") {
  Document document = projected_document();
  set_causal(document.layer, CausalAlign::lower_right);
  const Tensor before = evaluated(document).output("output");
  add_memory(document);
  CHECK(has_own_keys(document.layer));
  CHECK(document.layer.memory == document.layer.x);
  CHECK(document.layer.memory_tokens == Labels{"a", "b", "c"});
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
  document.layer.mask = counting({1, 3, 5});
  document.layer.bias = counting({2, 3, 5});
  set_padding(document.layer, {5});
  remove_memory(document);
  const LayerSpec& layer = document.layer;
  CHECK(layer.mask == Tensor({1, 3, 3}, {0, 1, 2, 5, 6, 7, 10, 11, 12}));
  CHECK(layer.bias.shape() == Shape{2, 3, 3});
  CHECK(layer.w_k.shape() == Shape{1, 4, 4});
  CHECK(layer.w_k == projected_document().layer.w_k);
  CHECK(padding_of(layer) == std::vector<std::size_t>{3});
  CHECK(layer.memory_tokens.empty());
  CHECK(evaluated(document).output("weights").shape() == Shape{2, 3, 3});
}

TEST_CASE("only a projected layer has a memory to add or remove and only one") {
  Document document = projected_document(), given = direct_document(2, 3);
  const Document before = given;
  CHECK(message_of([&] { remove_memory(document); }) == "this layer has no memory to remove");
  add_memory(document);
  CHECK(message_of([&] { add_memory(document); }) == "this layer has a memory already");
  for (const auto& edit : {add_memory, remove_memory})
    CHECK(message_of([&] { edit(given); }).find("Q, K and V are given") == 0);
  CHECK(given == before);
}

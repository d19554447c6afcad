// Tokens added, removed, carried and renamed: rows, masks, padding and overrides go along. Over random
// documents: there and back is no change, and every edit leaves a layer that can be built.
#include <doctest/doctest.h>

#include "tests/core/edit_documents.h"
#include "tests/layers.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("a new token is a row of zeros in x and a row and column of the mask and bias") {
  Document document = projected_document();
  document.layer().mask = counting({1, 3, 3});
  document.layer().bias = counting({2, 3, 3});
  insert_token(document, 1, "new");
  const LayerSpec& layer = document.layer();
  CHECK(layer.tokens == Labels{"a", "new", "b", "c"});
  CHECK(layer.x == Tensor({1, 4, 4}, {0, 1, 2, 3, 0, 0, 0, 0, 4, 5, 6, 7, 8, 9, 10, 11}));
  CHECK(layer.mask == Tensor({1, 4, 4}, {0, 0, 1, 2, 0, 0, 0, 0, 3, 0, 4, 5, 6, 0, 7, 8}));
  CHECK(layer.bias.shape() == Shape{2, 4, 4});
  CHECK(layer.bias[{1, 3, 3}] == 17);
  CHECK(layer.w_q == projected_document().layer().w_q);
}

TEST_CASE("labels appear with the first name and stay away without one") {
  Document document = direct_document(2, 2);
  insert_token(document, 2, "");
  CHECK(document.layer().tokens.empty());
  CHECK(document.layer().q.shape() == Shape{2, 3, 2});
  insert_token(document, 3, "four");
  CHECK(document.layer().tokens == Labels{"0", "1", "2", "four"});
  rename_token(document, 0, "one");
  CHECK(document.layer().tokens == Labels{"one", "1", "2", "four"});
}

TEST_CASE("direct and square: q, k and v all follow, otherwise each side alone") {
  Document square = direct_document(2, 2);
  remove_token(square, 0);
  CHECK(square.layer().q == Tensor({2, 1, 2}, {2, 3, 6, 7}));
  CHECK(square.layer().k == Tensor({1, 1, 2}, {2, 3}));
  CHECK(square.layer().v == Tensor({1, 1, 3}, {3, 4, 5}));
  Document wide = direct_document(2, 3);
  move_token(wide, 0, 1);
  CHECK(wide.layer().q == Tensor({2, 2, 2}, {2, 3, 0, 1, 6, 7, 4, 5}));
  CHECK(wide.layer().k == direct_document(2, 3).layer().k);
  move_token(wide, 2, 0, TokenSide::key);
  CHECK(wide.layer().k == Tensor({1, 3, 2}, {4, 5, 0, 1, 2, 3}));
  CHECK(wide.layer().v == Tensor({1, 3, 3}, {6, 7, 8, 0, 1, 2, 3, 4, 5}));
}

TEST_CASE("cross attention has queries and keys of its own") {
  Document document = projected_document();
  document.layer().memory = counting({1, 2, 4});
  document.layer().memory_tokens = {"m", "n"};
  document.layer().mask = counting({1, 3, 2});
  insert_token(document, 0, "q");
  CHECK(document.layer().memory.rows() == 2);
  CHECK(document.layer().mask.shape() == Shape{1, 4, 2});
  insert_token(document, 2, "o", TokenSide::key);
  CHECK(document.layer().x.rows() == 4);
  CHECK(document.layer().memory_tokens == Labels{"m", "n", "o"});
  CHECK(document.layer().mask == Tensor({1, 4, 3}, {0, 0, 0, 0, 1, 0, 2, 3, 0, 4, 5, 0}));
  rename_token(document, 0, "first", TokenSide::key);
  CHECK(document.layer().memory_tokens[0] == "first");
  CHECK(document.layer().tokens[0] == "q");
}

TEST_CASE("the last token stays and places outside change nothing") {
  Document document = direct_document(1, 1);
  const Document before = document;
  remove_token(document, 0);
  remove_token(document, 7);
  move_token(document, 0, 3);
  rename_token(document, 3, "x");
  CHECK(document == before);
}

TEST_CASE("padding follows its tokens: one length for all and one for each query") {
  Document document = projected_document();
  set_padding(document.layer(), {2});
  insert_token(document, 0, "new");
  CHECK(padding_of(document.layer()) == std::vector<std::size_t>{3});
  insert_token(document, 4, "last");
  CHECK(padding_of(document.layer()) == std::vector<std::size_t>{3});
  remove_token(document, 4);
  remove_token(document, 1);
  CHECK(padding_of(document.layer()) == std::vector<std::size_t>{2});
  move_token(document, 0, 2);
  CHECK(padding_of(document.layer()) == std::vector<std::size_t>{2});

  Document each = projected_document();
  set_padding(each.layer(), {1, 2, 3});
  insert_token(each, 3, "new");
  CHECK(padding_of(each.layer()) == std::vector<std::size_t>{1, 2, 4, 4});
  move_token(each, 0, 3);
  CHECK(padding_of(each.layer()) == std::vector<std::size_t>{2, 4, 4, 1});
}

TEST_CASE("overrides follow their tokens and go when their cell goes") {
  Document document = projected_document();
  set_number(document, "weights", {1, 2, 1}, 0.5f);
  set_number(document, "q", {0, 2, 1}, 7);
  insert_token(document, 0, "new");
  CHECK(is_overridden(document, "weights", {1, 3, 2}));
  CHECK(is_overridden(document, "q", {0, 3, 1}));
  move_token(document, 3, 0);
  CHECK(is_overridden(document, "weights", {1, 0, 3}));
  remove_token(document, 3);
  REQUIRE(document.overrides.size() == 1);
  CHECK(is_overridden(document, "q", {0, 0, 1}));
}

TEST_CASE("moving a token there and back gives the same document") {
  Random random(seed(5));
  for (int i = 0; i < 200; ++i) {
    Document document = random_document(random);
    if (document.layer().tokens.empty()) continue;
    const Document before = document;
    const std::size_t n = token_count(document.layer());
    const std::size_t a = pick(random, 0, n - 1), b = pick(random, 0, n - 1);
    move_token(document, a, b);
    move_token(document, b, a);
    CHECK(document == before);
  }
}

TEST_CASE("any edit of tokens leaves a layer that can be built") {
  Random random(seed(7));
  for (int i = 0; i < 1000; ++i) {
    Document document = random_document(random);
    const TokenSide side = coin(random) ? TokenSide::query : TokenSide::key;
    const std::size_t n = token_count(document.layer(), side);
    switch (pick(random, 0, 2)) {
      case 0:
        insert_token(document, pick(random, 0, n), coin(random) ? "new" : "", side);
        CHECK(token_count(document.layer(), side) == n + 1);
        break;
      case 1:
        remove_token(document, pick(random, 0, n - 1), side);
        CHECK(token_count(document.layer(), side) == std::max<std::size_t>(1, n - 1));
        break;
      case 2:
        move_token(document, pick(random, 0, n - 1), pick(random, 0, n - 1), side);
        CHECK(token_count(document.layer(), side) == n);
        break;
    }
    CHECK_NOTHROW(build_graph(document.layer()));
  }
}

namespace {

// Of which token every row of x is: those of projected_document() have 1, 5 and 9 in their second column.
Labels labelled_rows(const Document& document) {
  Labels rows;
  for (std::size_t row = 0; row < document.layer().x.rows(); ++row) {
    const float number = document.layer().x[{0, row, 1}];
    rows.push_back(number == 0 ? "new" : Labels{"a", "b", "c"}.at(static_cast<std::size_t>(number) / 4));
  }
  return rows;
}

// As the controls do it, with the results of the document as it is.
void given_directly(Document& document) {
  const Results results = evaluated(document);
  use_direct(document, results.output(Role::query), results.output(Role::key), results.output(Role::value));
}

}  // namespace

TEST_CASE("tokens carried while Q K V are given keep their rows of X on the way back") {
  Document document = projected_document();
  given_directly(document);
  move_token(document, 0, 2);
  use_projected(document);
  CHECK(document.layer().tokens == Labels{"b", "c", "a"});
  CHECK(labelled_rows(document) == document.layer().tokens);
}

TEST_CASE("tokens added and removed while Q K V are given are added and removed in X") {
  Document document = projected_document();
  given_directly(document);
  remove_token(document, 0);
  insert_token(document, 2, "new");
  use_projected(document);
  CHECK(document.layer().tokens == Labels{"b", "c", "new"});
  CHECK(labelled_rows(document) == document.layer().tokens);
}

TEST_CASE("keys carried while Q K V are given keep their rows of the memory on the way back") {
  Document document = projected_document();
  document.layer().memory = counting({1, 2, 4});
  document.layer().memory_tokens = {"m", "n"};
  given_directly(document);
  move_token(document, 0, 1, TokenSide::key);
  use_projected(document);
  CHECK(document.layer().memory_tokens == Labels{"n", "m"});
  CHECK(document.layer().memory == Tensor({1, 2, 4}, {4, 5, 6, 7, 0, 1, 2, 3}));
  CHECK(document.layer().x == projected_document().layer().x);
}

TEST_CASE("a number of tokens is the same as so many added or removed at the end") {
  Random random(seed(11));
  for (int i = 0; i < 300; ++i) {
    Document document = random_document(random), one_by_one = document;
    // Given queries and keys of two numbers become one kind of token on the way, where the numbers meet.
    if (document.layer().direct && has_own_keys(document.layer())) continue;
    const TokenSide side = coin(random) ? TokenSide::query : TokenSide::key;
    const std::size_t count = pick(random, 1, 12);
    const bool labelled = !token_labels(document.layer(), side).empty();
    set_token_count(document, count, {}, side);
    while (token_count(one_by_one.layer(), side) > count)
      remove_token(one_by_one, token_count(one_by_one.layer(), side) - 1, side);
    for (std::size_t n = token_count(one_by_one.layer(), side); n < count; ++n)
      insert_token(one_by_one, n, labelled ? std::to_string(n) : "", side);
    CHECK(document == one_by_one);
  }
}

TEST_CASE("thousands of tokens come with one new matrix each and not with one for every token") {
  Document document = projected_document();
  document.layer().bias = counting({1, 3, 3});
  const TensorId before = document.layer().x.id();
  set_token_count(document, 2000);
  CHECK(document.layer().x.shape() == Shape{1, 2000, 4});
  CHECK(document.layer().bias.shape() == Shape{1, 2000, 2000});
  CHECK(document.layer().tokens.back() == "1999");
  CHECK(document.layer().x.id() - before < 20);  // ids count every tensor that was ever made
}

// The mask's rules when tokens come, go and move; the mask painted cell by cell.
#include "core/edits/edit_masks.h"

#include <doctest/doctest.h>

#include "core/document/history.h"
#include "core/edits/edit.h"
#include "core/system/error.h"
#include "tests/core/edit_documents.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Five tokens, two heads.
Document five_tokens() {
  Document document = direct_document(5, 5);
  return document;
}

template <class Rule>
Rule after(Rule rule, const std::function<void(Document&)>& edit) {
  Document document = five_tokens();
  document.layer().masks = {{rule}};
  edit(document);
  const Rule* found = find_rule<Rule>(document.layer());
  return found ? *found : Rule{};
}

const auto kInsert = [](std::size_t at) { return [at](Document& d) { insert_token(d, at, ""); }; };
const auto kRemove = [](std::size_t at) { return [at](Document& d) { remove_token(d, at); }; };
const auto kMove = [](std::size_t from, std::size_t to) {
  return [from, to](Document& d) { move_token(d, from, to); };
};

std::vector<Cell> one(Cell cell) {
  return {cell};
}

}  // namespace

TEST_CASE("documents grow and shrink by the tokens that come and go in them") {
  const BlocksRule two{{2, 2}};
  CHECK(after(two, kInsert(1)).lengths == std::vector<std::size_t>{3, 2});
  CHECK(after(two, kInsert(2)).lengths == std::vector<std::size_t>{3, 2});
  CHECK(after(two, kInsert(3)).lengths == std::vector<std::size_t>{2, 3});
  CHECK(after(two, kInsert(5)).lengths == std::vector<std::size_t>{2, 2});
  CHECK(after(two, kRemove(0)).lengths == std::vector<std::size_t>{1, 2});
  CHECK(after(two, kRemove(4)).lengths == std::vector<std::size_t>{2, 2});
  CHECK(after(BlocksRule{{1, 2}}, kRemove(0)).lengths == std::vector<std::size_t>{2});
  CHECK(after(two, kMove(0, 4)).lengths == std::vector<std::size_t>{2, 2});
}

TEST_CASE("global tokens move with their token and a rule without tokens goes") {
  const GlobalRule global{{1, 3}};
  CHECK(after(global, kInsert(0)).tokens == std::vector<std::size_t>{2, 4});
  CHECK(after(global, kRemove(1)).tokens == std::vector<std::size_t>{2});
  CHECK(after(global, kMove(1, 4)).tokens == std::vector<std::size_t>{4, 2});
  Document document = five_tokens();
  document.layer().masks = {{GlobalRule{{2}}}, {WindowRule{1}}};
  remove_token(document, 2);
  CHECK(document.layer().masks == std::vector<MaskTerm>{{WindowRule{1}}});
}

TEST_CASE("a prefix keeps its keys") {
  CHECK(after(PrefixRule{2}, kInsert(1)).length == 3);
  CHECK(after(PrefixRule{2}, kInsert(4)).length == 2);
  CHECK(after(PrefixRule{2}, kRemove(0)).length == 1);
  CHECK(after(PrefixRule{5}, kRemove(0)).length == 4);
}

TEST_CASE("whatever the rules are every change of tokens leaves a layer that can be built") {
  Random random(seed(77));
  for (int i = 0; i < 200; ++i) {
    Document document{.layers = {random_layer(random)}};
    for (std::size_t more = pick(random, 1, 3); more > 0; --more)
      document.layer().masks.push_back(
          random_term(random, query_count(document.layer()), key_count(document.layer())));
    for (int step = 0; step < 4; ++step) {
      const TokenSide side = coin(random) ? TokenSide::query : TokenSide::key;
      const std::size_t count = token_count(document.layer(), side);
      switch (pick(random, 0, 2)) {
        case 0:
          CHECK_NOTHROW(insert_token(document, pick(random, 0, count), "", side));
          break;
        case 1:
          CHECK_NOTHROW(remove_token(document, pick(random, 0, count - 1), side));
          break;
        default:
          CHECK_NOTHROW(move_token(document, 0, count - 1, side));
      }
      CHECK_NOTHROW(build_graph(document.layer()));
    }
  }
}

TEST_CASE("a cell is painted for all heads or for one and freed again") {
  Document document = five_tokens();
  const Document plain = document;
  paint_mask(document, one({1, 2, 3}), true, true);
  CHECK(document.layer().mask.shape() == Shape{1, 5, 5});
  CHECK(is_painted(document.layer(), {0, 2, 3}));
  CHECK(is_painted(document.layer(), {1, 2, 3}));
  CHECK(!is_painted(document.layer(), {1, 3, 2}));
  CHECK(describe(plain, document) == "mask 1 cell");
  const Document shared = document;
  paint_mask(document, one({1, 0, 4}), true, false);
  CHECK(document.layer().mask.shape() == Shape{2, 5, 5});
  CHECK(is_painted(document.layer(), {1, 0, 4}));
  CHECK(!is_painted(document.layer(), {0, 0, 4}));
  CHECK(is_painted(document.layer(), {0, 2, 3}));
  CHECK(describe(shared, document) == "mask 1 cell");
  paint_mask(document, one({0, 2, 3}), false, false);
  CHECK(!is_painted(document.layer(), {0, 2, 3}));
  CHECK(is_painted(document.layer(), {1, 2, 3}));
  const std::vector<Cell> both{{0, 0, 4}, {0, 2, 3}};
  paint_mask(document, both, false, true);
  CHECK(document == plain);
}

TEST_CASE("a cell that is not there is not painted") {
  Document document = five_tokens();
  CHECK_THROWS_AS(paint_mask(document, one({0, 5, 0}), true, true), Error);
  CHECK_THROWS_AS(paint_mask(document, one({2, 0, 0}), true, true), Error);
  CHECK(document == five_tokens());
}

// Embeddings and what flows back to their table: rows by hand, central differences, what is explained,
// reached and refused.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/operations/backward.h"
#include "core/operations/embedding.h"
#include "tests/operations/differences.h"
#include "tests/operations/opened_numbers.h"

using namespace attn;
using namespace attn::tests;

namespace {

const Tensor kWords({1, 3, 2}, {1, 2, 3, 4, 5, 6});
const Tensor kTokens({1, 4, 1}, {2, 0, 2, 2});

}  // namespace

TEST_CASE("a token’s row is the table’s row of its id") {
  CHECK(reference_of(Embedding{}, {kWords, kTokens}) == Tensor({1, 4, 2}, {5, 6, 1, 2, 5, 6, 5, 6}));
}

TEST_CASE("an id that no row has makes its own row NaN, and flows back to none") {
  for (const float id : {-1.0f, 3.0f, 0.5f, NAN, INFINITY}) {
    const Tensor tokens({1, 2, 1}, {id, 1});
    const Tensor y = reference_of(Embedding{}, {kWords, tokens});
    CHECK(std::isnan(y[{0, 0, 0}]));
    CHECK(std::isnan(y[{0, 0, 1}]));
    CHECK(y[{0, 1, 1}] == 4);
    CHECK(reference_of(EmbeddingGradient{.rows = 3}, {Tensor({1, 2, 2}, {7, 7, 1, 2}), tokens}) ==
          Tensor({1, 3, 2}, {0, 0, 1, 2, 0, 0}));
  }
}

TEST_CASE("what flows to tokens of one id is added up") {
  const Tensor g({1, 4, 2}, {1, 10, 2, 20, 4, 40, 8, 80});
  CHECK(reference_of(EmbeddingGradient{.rows = 3}, {g, kTokens}) ==
        Tensor({1, 3, 2}, {2, 20, 0, 0, 13, 130}));
  CHECK(reference_of(EmbeddingGradient{.rows = 2, .first = 1}, {g, kTokens}) ==
        Tensor({1, 2, 2}, {0, 0, 13, 130}));
}

TEST_CASE("what flows back to a table is what central differences find") {
  const Tensor64 table = random_in_double({1, 4, 3}, 1), ids({1, 5, 1}, {3, 0, 3, 1, 3});
  const Tensor64 g = random_in_double({1, 5, 3}, 2);
  check_differences(Embedding{}, {table, ids}, 0, g,
                    run_in_double(EmbeddingGradient{.rows = 4}, std::vector{g, ids}));
}

TEST_CASE("to ids nothing flows, and it is said why") {
  const std::vector<Shape> shapes{{1, 3, 2}, {1, 4, 1}};
  const Backward back = backward(Embedding{}, shapes, {1, 4, 2});
  REQUIRE(back.flows.size() == 2);
  CHECK(back.flows[0].zero.empty());
  CHECK(back.flows[1].zero == "an id names a row: between two of them there is none");
  const std::vector<Shape> flowing{{1, 4, 2}, {1, 4, 1}};
  CHECK(backward(EmbeddingGradient{.rows = 3}, flowing, {1, 3, 2}).missing == kIsGradient);
}

TEST_CASE("every number of an embedding and of its gradient is opened, and made alone by rows") {
  const Tensor odd({1, 4, 1}, {2, 0, 7, 2}), g({1, 4, 2}, {1, 10, 2, 20, 4, 40, 8, 80});
  for (const Tensor& ids : {kTokens, odd}) {
    check_opened(Embedding{}, {kWords, ids});
    check_opened(EmbeddingGradient{.rows = 3}, {g, ids});
    check_products(EmbeddingGradient{.rows = 3}, {g, ids});
    check_cut(EmbeddingGradient{.rows = 3}, {g, ids}, {1, 2});
  }
  check_cut(Embedding{}, {kWords, kTokens}, {1, 2});
  const std::vector<Tensor> inputs{kWords, odd};
  CHECK(explain(Embedding{}, inputs, Cell{0, 0, 1}).terms[0].operands[0].cell == Cell{0, 2, 1});
  CHECK(explain(Embedding{}, inputs, Cell{0, 2, 1}).rule == "the table has no row 7: NaN");
}

// Which rows are named the shapes do not say.
TEST_CASE("a number of a table may reach its column, an id its row") {
  const std::vector<Shape> shapes{{1, 3, 2}, {1, 4, 1}}, flowing{{1, 4, 2}, {1, 4, 1}};
  CHECK(reach(Embedding{}, shapes, 0, Cell{0, 2, 1}) == Regions(Region{{0, 0, 1}, {1, 4, 2}}));
  CHECK(reach(Embedding{}, shapes, 1, Cell{0, 2, 0}) == Regions(Region{{0, 2, 0}, {1, 3, 2}}));
  const EmbeddingGradient back{.rows = 3};
  CHECK(reach(back, flowing, 0, Cell{0, 2, 1}) == Regions(Region{{0, 0, 1}, {1, 3, 2}}));
  CHECK(reach(back, flowing, 1, Cell{0, 2, 0}) == Regions(Region{{0, 0, 0}, {1, 3, 2}}));
}

TEST_CASE("tables, ids and gradients that do not fit are refused") {
  CHECK(why_refused(Embedding{}, {{2, 3, 4}, {1, 5, 1}}) ==
        "a table of 2×3×4 is no embedding: give one matrix, a row for each id");
  CHECK(why_refused(Embedding{}, {{1, 3, 4}, {1, 5, 2}}) ==
        "ids of 5×2 are not one a token: give a column of them, 1×n×1");
  CHECK(why_refused(EmbeddingGradient{.rows = 3}, {{1, 4, 4}, {1, 5, 1}}) ==
        "a gradient of 4×4 is not that of 5 embedded tokens: give it a row for each");
  CHECK(why_refused(Embedding{}, {{1, 3, 4}, {1, 5, 1}}).empty());
}

// Decoding on the reference: token by token it is causal attention, and a cache holds the rows that were put
// into it.
#include "core/operations/decode.h"

#include <doctest/doctest.h>

#include "core/operations/operation.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/decoding.h"

using namespace attn;

TEST_CASE("Token by token, attention to a cache is causal attention row by row") {
  const auto reference = make_reference_backend();
  for (const std::size_t tokens : {1u, 2u, 3u, 7u, 33u, 191u})
    for (const CachedAttention& op :
         {CachedAttention{.scale = 0.4}, CachedAttention{.cap = 2, .with_one = true},
          CachedAttention{.alibi = true, .window = 5}, CachedAttention{.window = 0}}) {
      CAPTURE(tokens);
      tests::check_decoding(*reference, *reference, op, tokens, 0);
    }
}

TEST_CASE("Rows are put at their place, those that the cache lacks are left out, and nowhere is nowhere") {
  const Tensor cache({1, 3, 2}, {1, 2, 3, 4, 5, 6}), rows({1, 2, 2}, {-1, -2, -3, -4});
  const auto put = [&](float place) {
    return make_reference_backend()->run(PutRows{}, std::vector{cache, rows, Tensor({1, 1, 1}, {place})});
  };
  CHECK(put(0) == Tensor({1, 3, 2}, {-1, -2, -3, -4, 5, 6}));
  CHECK(put(2) == Tensor({1, 3, 2}, {1, 2, 3, 4, -1, -2}));
  for (const float nowhere : {3.0f, -1.0f, std::nanf("")}) CHECK(put(nowhere) == cache);
}

TEST_CASE("A program puts rows into the cache that it was given, unless something else reads it") {
  tests::check_caches(*make_reference_backend());
}

TEST_CASE("A number of a cache is explained by what was put there") {
  const std::vector<Tensor> inputs{{{1, 3, 1}, {1, 2, 3}}, {{1, 1, 1}, {7}}, {{1, 1, 1}, {1}}};
  const Explanation put = explain(PutRows{}, inputs, {0, 1, 0}), own = explain(PutRows{}, inputs, {0, 2, 0});
  CHECK(put.result == 7);
  CHECK(put.terms.at(0).operands.at(0).input == 1);
  CHECK(own.result == 3);
  CHECK(own.terms.at(0).operands.at(0).input == 0);
}

TEST_CASE("An output of a step is explained by the keys that count") {
  const std::vector<Tensor> inputs{
      {{1, 1, 1}, {0}}, {{1, 3, 1}, {1, 2, 3}}, {{1, 3, 1}, {10, 20, 30}}, {{1, 1, 1}, {1}}};
  const Explanation all = explain(CachedAttention{}, inputs, {0, 0, 0});
  CHECK(all.result == doctest::Approx(15));
  CHECK(all.terms.size() == 2);
  CHECK(explain(CachedAttention{.window = 0}, inputs, {0, 0, 0}).result == doctest::Approx(20));
}

TEST_CASE("Decoding refuses rows, queries and places that do not fit") {
  const Shape cache{2, 5, 3}, one{1, 1, 1};
  const auto put = [&](Shape rows, Shape place) { result_shape(PutRows{}, std::vector{cache, rows, place}); };
  CHECK_THROWS_AS(put({1, 1, 3}, one), Error);
  CHECK_THROWS_AS(put({2, 1, 4}, one), Error);
  CHECK_THROWS_AS(put({2, 1, 3}, {1, 2, 1}), Error);
  const auto attend = [&](Shape q, Shape place) {
    return result_shape(CachedAttention{}, std::vector{q, cache, cache, place});
  };
  CHECK(attend({4, 1, 3}, one) == Shape{4, 1, 4});
  CHECK_THROWS_AS(attend({4, 2, 3}, one), Error);
  CHECK_THROWS_AS(attend({4, 1, 3}, {1, 1, 2}), Error);
  CHECK_THROWS_AS(attend({3, 1, 3}, one), Error);
}

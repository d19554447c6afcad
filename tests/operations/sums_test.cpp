// Products of two matrices added up: by hand, zeros beside what is special, and what is explained, reached
// and refused.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "tests/operations/opened_numbers.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr SumProduct kOfRows{SumProduct::row}, kOfAll{SumProduct::all};
const std::vector<Tensor> kPairs{Tensor({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}),
                                 Tensor({2, 2, 2}, {1, -1, 2, 0.5f, 0, 1, -1, 1})};

}  // namespace

TEST_CASE("products are added up over each row, or altogether") {
  CHECK(reference_of(kOfRows, kPairs) == Tensor({2, 2, 1}, {-1, 8, 6, 1}));
  CHECK(reference_of(kOfAll, kPairs) == Tensor({1, 1, 1}, {14}));
  CHECK(reference_of(kOfAll, {Tensor({2, 0, 2}, {}), Tensor({2, 0, 2}, {})}) == Tensor({1, 1, 1}, {0}));
  CHECK(reference_of(kOfRows, {Tensor({1, 2, 0}, {}), Tensor({1, 2, 0}, {})}) == Tensor({1, 2, 1}, {0, 0}));
}

TEST_CASE("a pair with a 0 in it adds 0, whatever the other number is") {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Tensor> pairs{Tensor({1, 2, 3}, {0, inf, 2, nan, 0, 3}),
                                  Tensor({1, 2, 3}, {nan, 0, 3, 0, -inf, 4})};
  CHECK(reference_of(kOfRows, pairs) == Tensor({1, 2, 1}, {6, 12}));
  CHECK(reference_of(kOfAll, pairs) == Tensor({1, 1, 1}, {18}));
  check_opened(kOfRows, pairs);
  check_opened(kOfAll, pairs);
  CHECK(size_of_terms(kOfAll, pairs) == 18);
}

TEST_CASE("a sum of products is opened into its pairs, or that of all numbers into those of rows") {
  check_opened(kOfRows, kPairs);
  check_opened(kOfAll, kPairs);
  const Explanation row = explain(kOfRows, kPairs, Cell{1, 0, 0});
  CHECK(row.rule == "left[0]·right[0]");
  CHECK(row.over == 0);
  REQUIRE(row.terms.size() == 2);
  CHECK(row.terms[1].operands[0].cell == Cell{1, 0, 1});
  CHECK(row.terms[1].operands[1].input == 1);
  const Explanation all = explain(kOfAll, kPairs, Cell{});
  REQUIRE(all.terms.size() == 4);
  CHECK(all.terms[3].operands[0].text == "row 1 of head 1");
  CHECK(all.terms[3].value == 1);
}

TEST_CASE("products of a row reach its sum; rows are made alone, the sum of all is not; shapes must be one") {
  const std::vector<Shape> shapes{{2, 2, 2}, {2, 2, 2}};
  CHECK(reach(kOfRows, shapes, 1, Cell{1, 1, 1}) == Regions(region({1, 1, 0})));
  CHECK(reach(kOfAll, shapes, 1, Cell{1, 1, 1}) == Regions(region({0, 0, 0})));
  check_cut(kOfRows, kPairs, {1, 1});
  CHECK_FALSE(cut(kOfAll, shapes, {1, 1}));
  CHECK(size_of_terms(kOfRows, kPairs) == 15);
  CHECK(size_of_terms(kOfAll, kPairs) == 32);
  CHECK(why_refused(kOfRows, {{2, 2, 2}, {1, 2, 2}}) ==
        "products of a 2×2×2 and a 2×2 matrix cannot be added up: give both the same shape");
}

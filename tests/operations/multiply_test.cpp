// Products number by number and heads split and added up: by hand, and what is explained, reached, cut and
// refused.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "tests/operations/opened_numbers.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr float kEndless = std::numeric_limits<float>::infinity();
constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

// Two matrices of two rows.
const Tensor kFactors({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
const Tensor kMerged({1, 2, 6}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});

}  // namespace

TEST_CASE("numbers are multiplied by those of one matrix for all, a column, or one number") {
  CHECK(reference_of(Multiply{}, {kFactors, Tensor({1, 2, 3}, {1, 0, 2, -1, 3, 0.5f})}) ==
        Tensor({2, 2, 3}, {1, 0, 6, -4, 15, 3, 7, 0, 18, -10, 33, 6}));
  CHECK(reference_of(Multiply{}, {kFactors, Tensor({2, 2, 1}, {1, 2, 3, 4})}) ==
        Tensor({2, 2, 3}, {1, 2, 3, 8, 10, 12, 21, 24, 27, 40, 44, 48}));
  CHECK(reference_of(Multiply{}, {kFactors, Tensor({2, 1, 1}, {2, -1})}) ==
        Tensor({2, 2, 3}, {2, 4, 6, 8, 10, 12, -7, -8, -9, -10, -11, -12}));
  CHECK(reference_of(Multiply{}, {kFactors, Tensor({1, 1, 1}, {3})}).values()[11] == 36);
}

TEST_CASE("a 0 makes a 0 of whatever it is multiplied by") {
  const Tensor x({1, 1, 6}, {0, 0, kEndless, kNoNumber, -0.0f, kEndless});
  const Tensor b({1, 1, 6}, {kNoNumber, -kEndless, 0, 0, kNoNumber, -2});
  CHECK(reference_of(Multiply{}, {x, b}) == Tensor({1, 1, 6}, {0, 0, 0, 0, 0, -kEndless}));
  check_opened(Multiply{}, {x, b});
  CHECK(explain(Multiply{}, std::vector{x, b}, Cell{0, 0, 1}).rule == "left × right: a 0 makes a 0");
}

TEST_CASE("a product is opened into both numbers, reached by all that share a factor, and cut by rows") {
  const Tensor column({1, 2, 1}, {3, 4}), number({2, 1, 1}, {3, 4}), matrix({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  for (const Tensor& b : {column, number, matrix}) {
    check_opened(Multiply{}, {kFactors, b});
    check_cut(Multiply{}, {kFactors, b}, {1, 1});
  }
  const Explanation e = explain(Multiply{}, std::vector{kFactors, column}, Cell{1, 0, 2});
  CHECK(e.rule == "left × right");
  CHECK(e.terms[0].operands[1].cell == Cell{0, 0, 0});
  const auto reached = [](const Tensor& b, std::size_t input, Cell cell) {
    return reach(Multiply{}, std::vector{kFactors.shape(), b.shape()}, input, cell);
  };
  CHECK(reached(column, 0, {1, 1, 2}) == Regions(region({1, 1, 2})));
  CHECK(reached(column, 1, {0, 1, 0}) == Regions({0, 1, 0}, {2, 2, 3}));
  CHECK(reached(number, 1, {1, 0, 0}) == Regions({1, 0, 0}, {2, 2, 3}));
  CHECK(reached(matrix, 1, {0, 1, 2}) == Regions({0, 1, 2}, {2, 2, 3}));
}

TEST_CASE("factors that fit no row, matrix or number are refused") {
  const std::string end =
      " one: give it the same rows and columns, one column or one number, and 1 or 2 matrices";
  CHECK(why_refused(Multiply{}, {{2, 2, 3}, {1, 1, 3}}) ==
        "a 2×2×3 matrix cannot be multiplied, number by number, by a 1×3" + end);
  CHECK(why_refused(Multiply{}, {{2, 2, 3}, {3, 2, 3}}) ==
        "a 2×2×3 matrix cannot be multiplied, number by number, by a 3×2×3" + end);
}

TEST_CASE("heads are split as they were merged, and a switched off one gets zeros") {
  const Tensor split = reference_of(SplitHeads{3}, {kMerged});
  CHECK(split == Tensor({3, 2, 2}, {1, 2, 7, 8, 3, 4, 9, 10, 5, 6, 11, 12}));
  CHECK(reference_of(Concat{}, {split}) == kMerged);
  const SplitHeads without{3, {0, 2}};
  CHECK(reference_of(without, {kMerged}) == Tensor({3, 2, 2}, {0, 0, 0, 0, 3, 4, 9, 10, 0, 0, 0, 0}));
  for (const SplitHeads& op : {SplitHeads{3}, without}) {
    check_opened(op, {kMerged});
    check_cut(op, {kMerged}, {1, 1});
  }
  CHECK(explain(without, std::vector{kMerged}, Cell{2, 0, 0}).rule == "head 2 is switched off: zeros");
  CHECK(explain(without, std::vector{kMerged}, Cell{1, 1, 0}).terms[0].operands[0].cell == Cell{0, 1, 2});
  const std::vector<Shape> merged{kMerged.shape()};
  CHECK(reach(without, merged, 0, Cell{0, 1, 3}) == Regions(region({1, 1, 1})));
  CHECK(reach(without, merged, 0, Cell{0, 1, 4}).empty());
  CHECK(mask_origin(Operation(without), std::vector{kMerged}, {1, 1, 1}).of.at(0).second == Cell{0, 1, 3});
  CHECK(why_refused(SplitHeads{4}, merged) ==
        "a 2×6 matrix cannot be split into 4 heads: give one matrix, whose columns they divide");
  CHECK(why_refused(SplitHeads{2}, {{2, 2, 6}}) ==
        "a 2×2×6 matrix cannot be split into 2 heads: give one matrix, whose columns they divide");
}

TEST_CASE("consecutive heads are added up") {
  const Tensor heads({4, 1, 2}, {1, 2, 3, 4, 5, 6, 7, -8});
  CHECK(reference_of(HeadSum{2}, {heads}) == Tensor({2, 1, 2}, {4, 6, 12, -2}));
  CHECK(reference_of(HeadSum{4}, {heads}) == Tensor({1, 1, 2}, {16, 4}));
  CHECK(reference_of(HeadSum{}, {heads}) == heads);
  check_opened(HeadSum{2}, {heads});
  check_cut(HeadSum{2}, {kFactors}, {1, 1});
  CHECK(reach(HeadSum{2}, std::vector{heads.shape()}, 0, Cell{3, 0, 1}) == Regions(region({1, 0, 1})));
  CHECK(why_refused(HeadSum{3}, {{4, 1, 2}}) ==
        "4 heads cannot be added up 3 by 3: that number must divide the heads");
}

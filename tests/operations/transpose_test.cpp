// Rows and columns exchanged: the numbers, where each comes from and goes to, and what a −∞ stands for.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "core/operations/operation.h"
#include "core/reference/backend.h"

using namespace attn;

namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

const std::vector<Tensor> kTwoHeads{Tensor({2, 2, 3}, {1, 2, 3, 4, 5, kHidden, 7, 8, 9, 10, 11, 12})};

std::vector<Tensor> exchanged(const std::vector<Tensor>& inputs) {
  return {make_reference_backend()->run(Transpose{}, inputs)};
}

}  // namespace

TEST_CASE("each head's rows become its columns") {
  const std::vector<Tensor> turned = exchanged(kTwoHeads);
  CHECK(turned[0] == Tensor({2, 3, 2}, {1, 4, 2, 5, 3, kHidden, 7, 10, 8, 11, 9, 12}));
  CHECK(exchanged(turned) == kTwoHeads);
}

TEST_CASE("an exchanged number is explained by the one that it is, and reached by that alone") {
  const Explanation e = explain(Transpose{}, kTwoHeads, Cell{1, 2, 0});
  REQUIRE(e.terms.size() == 1);
  CHECK(e.result == 9);
  CHECK(e.terms[0].operands[0].cell == Cell{1, 0, 2});
  const std::vector<Shape> shapes{kTwoHeads[0].shape()};
  const Regions reached = reach(Transpose{}, shapes, 0, Cell{1, 0, 2});
  REQUIRE(reached.size() == 1);
  CHECK(reached[0].begin == Cell{1, 2, 0});
  CHECK(reached[0].end == Cell{2, 3, 1});
}

TEST_CASE("an exchanged −∞ stands for masked where the number does") {
  const MaskOrigin found = mask_origin(Transpose{}, kTwoHeads, Cell{0, 2, 1});
  CHECK_FALSE(found.here);
  REQUIRE(found.of.size() == 1);
  CHECK(found.of[0].second == Cell{0, 1, 2});
}

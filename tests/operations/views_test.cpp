// The same numbers viewed as another shape, and heads repeated: by the arithmetic of places in memory, with
// where each number comes from and goes to, what a −∞ stands for and what flows back.
#include <limits>

#include "core/operations/backward.h"
#include "tests/operations/opened_numbers.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr float kAway = -std::numeric_limits<float>::infinity();

const Tensor kPair({2, 2, 3}, {1, 2, 3, 4, 5, kAway, 7, 8, 9, 10, 11, 12});
const Tensor kThree({3, 1, 2}, {1, 2, 3, 4, 5, 6});

// The lines of the way back, one after the other, of an operation with one input.
Tensor flows_back(const Operation& operation, const Tensor& input, const Tensor& gradient) {
  const std::vector<Shape> shapes{input.shape()};
  const Backward back = backward(operation, shapes, gradient.shape());
  REQUIRE(back.missing.empty());
  std::vector<Tensor> lines;
  for (const BackwardLine& line : back.lines) {
    std::vector<Tensor> reads;
    for (const BackwardValue& value : line.reads)
      reads.push_back(value.kind == BackwardValue::line ? lines.at(value.number) : gradient);
    lines.push_back(reference_of(line.operation, reads));
  }
  REQUIRE(back.flows.size() == 1);
  return lines.at(back.flows[0].value.number);
}

}  // namespace

TEST_CASE("a view keeps all numbers in their order") {
  const Reshape flat{{1, 3, 4}};
  CHECK(reference_of(flat, {kPair}) == Tensor({1, 3, 4}, {1, 2, 3, 4, 5, kAway, 7, 8, 9, 10, 11, 12}));
  CHECK(reference_of(Reshape{kPair.shape()}, {reference_of(flat, {kPair})}) == kPair);
  check_opened(flat, {kPair});
  check_reached(flat, {Tensor64({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})});
  const Explanation e = explain(flat, std::vector{kPair}, Cell{0, 1, 2});
  CHECK(e.rule == "number 6 in memory");
  CHECK(e.terms.at(0).operands.at(0).cell == Cell{1, 0, 0});
  CHECK(mask_origin(Operation(flat), std::vector{kPair}, {0, 1, 1}).of.at(0).second == Cell{0, 1, 2});
  CHECK(why_refused(Reshape{{1, 3, 3}}, {{2, 2, 3}}) ==
        "a 2×2×3 matrix has 12 numbers and cannot be viewed as 3×3, which has 9: give a shape of as many");
  const std::vector<Shape> shapes{kPair.shape()};
  CHECK_FALSE(cut(flat, shapes, {0, 1}));
}

TEST_CASE("heads are repeated in turn, not side by side") {
  const TileHeads twice{6};
  CHECK(reference_of(twice, {kThree}) == Tensor({6, 1, 2}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}));
  CHECK(reference_of(TileHeads{3}, {kThree}) == kThree);
  check_opened(twice, {kThree});
  check_reached(twice, {to_double(kThree)});
  const Tensor rows({2, 3, 1}, {1, 2, 3, 4, 5, 6});
  check_cut(TileHeads{4}, {rows}, {1, 2});
  CHECK(explain(twice, std::vector{kThree}, Cell{4, 0, 1}).rule == "head 4 modulo 3");
  CHECK(explain(twice, std::vector{kThree}, Cell{4, 0, 1}).terms[0].operands[0].cell == Cell{1, 0, 1});
  CHECK(mask_origin(Operation(twice), std::vector{kThree}, {5, 0, 0}).of.at(0).second == Cell{2, 0, 0});
  CHECK(why_refused(TileHeads{4}, {{3, 1, 2}}) ==
        "3 heads cannot be repeated to 4: that must be a multiple of them");
  CHECK(why_refused(TileHeads{0}, {{3, 1, 2}}) ==
        "3 heads cannot be repeated to 0: that must be a multiple of them");
}

TEST_CASE("what flows back through a view is viewed back, and what heads share adds up") {
  const Tensor gradient({1, 3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  CHECK(flows_back(Reshape{{1, 3, 4}}, kPair, gradient) ==
        Tensor({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  const Tensor of_heads({6, 1, 2}, {1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60});
  CHECK(flows_back(TileHeads{6}, kThree, of_heads) == Tensor({3, 1, 2}, {11, 22, 33, 44, 55, 66}));
}

TEST_CASE("views and repeats hand numbers on: nothing is computed, and nothing to be rounded") {
  const std::vector<Shape> shapes{kThree.shape()};
  for (const Operation& operation : {Operation(Reshape{{1, 2, 3}}), Operation(TileHeads{6})}) {
    const Traits of = traits(operation, shapes, result_shape(operation, shapes));
    CHECK(of.passes_numbers);
    CHECK(of.stays_in_format);
    CHECK(of.counted == 0);
  }
}

// What blocks of a matrix hold, by hand.
#include "core/operations/block_summary.h"

#include <doctest/doctest.h>

#include "core/reference/backend.h"
#include "core/text/special.h"

using namespace attn;

namespace {

// 17×20: four blocks, of 16×16, 16×4, 1×16 and 1×4 numbers; 0 but for these.
Tensor numbers_at(std::initializer_list<std::pair<Cell, float>> cells) {
  const Shape shape{1, 17, 20};
  std::vector<float> values(shape.size());
  for (const auto& [cell, x] : cells) values[cell.row * shape.columns + cell.column] = x;
  return {shape, std::move(values)};
}

Tensor blocks_of(std::vector<Tensor> inputs) {
  return make_reference_backend()->run(BlockSummary{}, inputs);
}

std::vector<float> figure(const Tensor& blocks, BlockFigure of) {
  std::vector<float> values;
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t block = 0; block < 2; ++block) values.push_back(blocks[{0, row, 2 * of + block}]);
  return values;
}

}  // namespace

TEST_CASE("of each block of a matrix the largest number, the range and the kinds are known") {
  const Tensor blocks = blocks_of({numbers_at(
      {{{0, 2, 3}, -7}, {{0, 9, 9}, 7}, {{0, 15, 16}, 0.5f}, {{0, 16, 15}, -1000}, {{0, 16, 19}, 3}})});
  CHECK(blocks.shape() == Shape{1, 2, 8});
  CHECK(figure(blocks, kBlockLargest) == std::vector<float>{-7, 0.5f, -1000, 3});
  CHECK(figure(blocks, kBlockLeast) == std::vector<float>{-7, 0, -1000, 0});
  CHECK(figure(blocks, kBlockMost) == std::vector<float>{7, 0.5f, 0, 3});
  CHECK(figure(blocks, kBlockKinds) == std::vector<float>{0, kSomeNotWhole, kSomeNotWhole, 0});
}

TEST_CASE("what is masked is not the largest of its block, but belongs to its range") {
  const float infinite = std::numeric_limits<float>::infinity(),
              nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<std::pair<Cell, float>> hidden{
      {{0, 0, 0}, 1}, {{0, 0, 16}, 1}, {{0, 16, 0}, 1}, {{0, 16, 1}, 1}};
  for (std::size_t column = 16; column < 20; ++column) hidden.push_back({{0, 16, column}, 1});
  std::vector<float> mask(17 * 20);
  for (const auto& [cell, x] : hidden) mask[cell.row * 20 + cell.column] = x;
  const Tensor blocks = blocks_of({numbers_at({{{0, 0, 0}, 9},
                                               {{0, 1, 1}, 2},
                                               {{0, 0, 16}, nan},
                                               {{0, 1, 16}, -infinite},
                                               {{0, 16, 0}, infinite},
                                               {{0, 16, 5}, nan},
                                               {{0, 16, 17}, -4}}),
                                   Tensor({1, 17, 20}, mask)});
  const auto largest = figure(blocks, kBlockLargest);
  CHECK(largest[0] == 2);
  CHECK(largest[1] == -infinite);
  CHECK(std::isnan(largest[2]));
  CHECK(largest[3] == 0);
  CHECK(figure(blocks, kBlockLeast) == std::vector<float>{0, 0, 0, -4});
  CHECK(figure(blocks, kBlockMost) == std::vector<float>{9, 0, 0, 0});
  CHECK(figure(blocks, kBlockKinds) == std::vector<float>{0, kSomeNotFinite, kSomeNotFinite, kAllMasked});
}

TEST_CASE("of columns between others the figures are those of these columns alone") {
  const Shape shape{2, 17, 20};
  std::vector<float> values(shape.size()), between(2 * 17 * 25, -9000.5f), mask(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(i % 23) - 11;
    between[i / 20 * 25 + 3 + i % 20] = values[i];
  }
  mask[5 * 20 + 7] = mask[16 * 20 + 19] = mask[17 * 20 + 1] = 1;
  const Tensor hidden(shape, mask), wide({2, 17, 25}, between);
  const BlockSummary op{.before = 3, .behind = 2};
  const auto reference = make_reference_backend();
  CHECK(reference->run(op, std::vector{wide, hidden}) == blocks_of({Tensor(shape, values), hidden}));
  const std::vector<Tensor> inputs{wide, hidden};
  const Explanation largest = explain(Operation(op), inputs, {0, 0, 0});
  REQUIRE(largest.terms.size() == 1);
  CHECK(largest.terms[0].operands[0].value == -11);
  CHECK(reach(Operation(op), std::vector{wide.shape(), hidden.shape()}, 0, {0, 1, 2}).empty());
  CHECK(reach(Operation(op), std::vector{wide.shape(), hidden.shape()}, 0, {0, 1, 23}).empty());
  CHECK_FALSE(reach(Operation(op), std::vector{wide.shape(), hidden.shape()}, 0, {0, 1, 3}).empty());
}

TEST_CASE("more columns than there are cannot be left out") {
  const std::vector<Shape> inputs{{3, 4, 4}};
  CHECK(result_shape(Operation(BlockSummary{2, 2}), inputs) == Shape{3, 1, 0});
  for (const BlockSummary op : {BlockSummary{2, 3}, BlockSummary{5, 0}, BlockSummary{1, ~std::size_t{0}}})
    CHECK_THROWS_WITH(result_shape(Operation(op), inputs), doctest::Contains("are more than 3×4×4 has"));
}

TEST_CASE("a mask for other numbers than there are is refused") {
  const std::vector<Shape> inputs{{3, 4, 4}, {2, 4, 4}};
  CHECK_THROWS_WITH(result_shape(Operation(BlockSummary{}), inputs),
                    "a mask of 2×4×4 does not fit numbers of 3×4×4");
}

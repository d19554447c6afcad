// What is computed with the results so that a frame need not read them: bounds, and pools for small pictures.
// Against a plain loop over all cells.
#include "core/evaluate/summary.h"

#include <doctest/doctest.h>
#include <algorithm>

#include <bit>
#include <cmath>
#include <limits>

#include "tests/random_layer.h"
#include "tests/special.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

// Finite below infinite below NaN; masked counts least.
double rank_of(float value, bool masked) {
  if (masked) return -1;
  return std::isnan(value) ? 1e300 : std::isinf(value) ? 1e200 : std::abs(static_cast<double>(value));
}
double rank_of(std::uint32_t bits) {
  return rank_of(std::bit_cast<float>(bits), bits == kMaskedTexel);
}

// The largest rank in the cells of a box.
double largest(const Tensor& values, const Tensor& mask, std::size_t head, std::size_t top,
               std::size_t bottom, std::size_t left, std::size_t right) {
  double most = -1;
  for (std::size_t row = top; row < std::min(bottom, values.rows()); ++row)
    for (std::size_t column = left; column < std::min(right, values.columns()); ++column) {
      const bool masked = !mask.empty() && mask[{mask.stack() == 1 ? 0 : head, row, column}] != 0;
      most = std::max(most, rank_of(values[{head, row, column}], masked));
    }
  return most;
}

}  // namespace

TEST_CASE("the bounds of each matrix hold its finite numbers and 0") {
  const Tensor values({3, 1, 3}, {1, 2, 3, -4, kInf, 0.5f, kFloatNan, -kInf, 7});
  const Summary s = summarize(values);
  REQUIRE(s.matrices.size() == 3);
  CHECK(s.matrices[0].least == 0);
  CHECK(s.matrices[0].most == 3);
  CHECK(s.matrices[1].least == -4);
  CHECK(s.matrices[1].most == 0.5f);
  CHECK(s.matrices[2].most == 7);
  CHECK(s.all.least == -4);
  CHECK(s.all.most == 7);
  CHECK(s.largest() == 7);
  CHECK_FALSE(s.finite);
  CHECK_FALSE(s.whole);
  CHECK(summarize(Tensor({1, 1, 2}, {3, -999})).whole);
  CHECK_FALSE(summarize(Tensor({1, 1, 2}, {3, 1000})).whole);
  CHECK(summarize(Tensor({1, 1, 2}, {0.5f, 1})).finite);
}

TEST_CASE("bounds of large random stacks are those of a plain loop") {
  Random random(61);
  const Tensor values = normal(random, {2, 70, 131});
  const Summary s = summarize(values);
  float least = 0, most = 0;
  for (const float v : values.values()) least = std::min(least, v), most = std::max(most, v);
  CHECK(s.all.least == least);
  CHECK(s.all.most == most);
  CHECK(s.finite);
}

TEST_CASE("small matrices have no pools and large ones levels of shrinking size") {
  Random random(62);
  CHECK_FALSE(make_pools(normal(random, {2, 256, 256}), {}));
  const Tensor values = normal(random, {2, 300, 500});
  const auto pools = make_pools(values, {});
  REQUIRE(pools);
  for (const Pools::Level& level : pools->levels) CHECK(level.bits.size() == 2 * level.rows * level.columns);
  CHECK(pools->levels[0].block == 4);
  CHECK(pools->levels[0].rows == 75);
  CHECK(pools->bytes() < values.bytes() / 10);
}

TEST_CASE("a texel made of pools holds the largest number of its cells, from at most a block around them") {
  Random random(63);
  for (const Shape shape : {Shape{2, 300, 500}, Shape{1, 1024, 1024}, Shape{2, 257, 511}}) {
    Tensor values = normal(random, shape);
    values = with_value(with_value(values, {0, 17, 200}, kFloatNan), {0, 100, 3}, -kInf);
    const Tensor mask = bits(random, {1, shape.rows, shape.columns});
    const auto pools = make_pools(values, mask);
    REQUIRE(pools);
    for (const std::size_t side : {7, 16, 20})
      for (std::size_t head = 0; head < shape.stack; ++head) {
        const Texels texels = make_texels(values, mask, head, side, side, pools.get());
        REQUIRE(texels.bits.size() == side * side);
        const double cells_x = static_cast<double>(shape.columns) / static_cast<double>(side);
        const double cells_y = static_cast<double>(shape.rows) / static_cast<double>(side);
        const double slack = 1.0 / 3;  // of a texel's side
        for (std::size_t y = 0; y < side; ++y)
          for (std::size_t x = 0; x < side; ++x) {
            const auto at = [](double cells, double texel) {
              return static_cast<std::size_t>(std::max(0.0, cells * texel));
            };
            const double fx = static_cast<double>(x), fy = static_cast<double>(y);
            const double rank = rank_of(texels.bits[y * side + x]);
            const double inner =
                largest(values, mask, head, at(cells_y, fy + slack) + 1, at(cells_y, fy + 1 - slack),
                        at(cells_x, fx + slack) + 1, at(cells_x, fx + 1 - slack));
            const double outer =
                largest(values, mask, head, at(cells_y, fy - 2 * slack), at(cells_y, fy + 1 + 2 * slack) + 1,
                        at(cells_x, fx - 2 * slack), at(cells_x, fx + 1 + 2 * slack) + 1);
            CHECK(rank >= inner);
            CHECK(rank <= outer);
          }
      }
  }
}

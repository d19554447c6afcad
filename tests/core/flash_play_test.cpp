// Flash attention tile by tile, against numbers by hand and against the softmax by plain loops in long
// double.
#include "core/efficient/flash_play.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Tensor matrix(std::size_t rows, std::size_t columns, std::vector<float> values) {
  return {{1, rows, columns}, std::move(values)};
}

// Masked above the diagonal.
Tensor causal(std::size_t n) {
  std::vector<float> hidden;
  for (std::size_t i = 0; i < n * n; ++i) hidden.push_back(i % n > i / n ? 1.0f : 0.0f);
  return matrix(n, n, std::move(hidden));
}

// softmax·V of the keys that are left; empty where none is.
std::vector<long double> by_loops(const FlashHead& head, std::size_t query) {
  const std::size_t of_mask =
      head.mask.stack() == 0 ? 0 : head.head / (head.scores.stack() / head.mask.stack());
  const std::size_t of_values = head.head / (head.scores.stack() / head.values.stack());
  long double most = -std::numeric_limits<long double>::infinity(), sum = 0;
  std::vector<std::size_t> left;
  for (std::size_t key = 0; key < head.scores.columns(); ++key)
    if (head.mask.empty() || head.mask[{of_mask, query, key}] == 0) left.push_back(key);
  for (const std::size_t key : left) most = std::max<long double>(most, head.scores[{head.head, query, key}]);
  std::vector<long double> output(left.empty() ? 0 : head.values.columns());
  for (const std::size_t key : left) sum += std::exp(head.scores[{head.head, query, key}] - most);
  for (const std::size_t key : left)
    for (std::size_t f = 0; f < output.size(); ++f)
      output[f] += std::exp(head.scores[{head.head, query, key}] - most) / sum *
                   static_cast<long double>(head.values[{of_values, key, f}]);
  return output;
}

double error_of(const FlashRowPlay& play, const std::vector<long double>& exact) {
  long double most = 0;
  for (std::size_t f = 0; f < exact.size(); ++f) most = std::max(most, std::abs(play.output(f) - exact[f]));
  return static_cast<double>(most);
}

// One query, four keys in tiles of two: scores ln 1, ln 2, ln 4, ln 8.
FlashHead powers_of_two() {
  return {.scores = matrix(1, 4, {0, std::log(2.0f), std::log(4.0f), std::log(8.0f)}),
          .values = matrix(4, 1, {1, 2, 3, 4})};
}

}  // namespace

TEST_CASE("the two tiles of a row are those by hand") {
  const FlashHead head = powers_of_two();
  const FlashTiling tiling(head, 1, 2);
  const FlashRowPlay play = play_row<double>(head, tiling, 0);
  REQUIRE(play.lines.size() == 2);
  // Scores are floats: logarithms are good to 2^-24 of themselves, at most ln 8.
  const auto near = [](double value) { return doctest::Approx(value).epsilon(3e-7); };
  const FlashLine &first = play.lines[0], &second = play.lines[1];
  CHECK(first.keys.first == 0);
  CHECK(first.keys.end == 2);
  CHECK(first.largest == near(std::log(2)));
  CHECK(first.factor == 0);
  CHECK(first.sum == near(1.5));  // ½ + 1
  CHECK(first.l_after == near(1.5));
  CHECK(first.output(0) == near(5.0 / 3));       // (½·1 + 1·2) ÷ 1.5
  CHECK(second.factor == near(0.25));            // 2 ÷ 8
  CHECK(second.sum == near(1.5));                // ½ + 1
  CHECK(second.l_after == near(1.875));          // ¼·1.5 + 1.5
  CHECK(second.o[0] == near(0.25 * 2.5 + 5.5));  // ½·3 + 1·4
  CHECK(play.exact[0] == near(49.0 / 15));       // (1 + 4 + 12 + 32) ÷ 15
  CHECK(play.exact_l == near(1.875));
  CHECK(first.from_exact == near(49.0 / 15 - 5.0 / 3));
  CHECK(play.without_factor[0] == near(8.0 / 3));  // (2.5 + 5.5) ÷ (1.5 + 1.5)
  const std::vector<FlashKey> keys = keys_of_line(head, second, 0);
  REQUIRE(keys.size() == 2);
  CHECK(keys[0].key == 2);
  CHECK(keys[0].shifted == near(-std::log(2)));
  CHECK(keys[0].exponential == near(0.5));
  CHECK(keys[1].exponential == 1);
}

TEST_CASE("tiles are shorter at the end, and skipped where no key is left") {
  const FlashHead head{.scores = matrix(7, 7, std::vector<float>(49, 1)),
                       .mask = causal(7),
                       .values = matrix(7, 2, std::vector<float>(14, 1))};
  const FlashTiling tiling(head, 3, 2);
  CHECK(tiling.down() == 3);
  CHECK(tiling.across() == 4);
  CHECK(tiling.queries_of(2).first == 6);
  CHECK(tiling.queries_of(2).end == 7);
  CHECK(tiling.keys_of(3).first == 6);
  CHECK(tiling.keys_of(3).end == 7);
  // Queries 0…2 see keys up to 2, 3…5 up to 5, 6 all.
  CHECK(tiling.computed() == 2 + 3 + 4);
  CHECK(tiling.skipped() == 3);
  CHECK(tiling.skips({0, 2}));
  CHECK_FALSE(tiling.place({0, 3}));
  CHECK(tiling.place({1, 0}) == 2);
  CHECK(tiling.at(8) == FlashTile{2, 3});
  CHECK(tiling.nearest({0, 3}) == FlashTile{0, 1});
  CHECK(tiling.nearest({1, 1}) == FlashTile{1, 1});
}

TEST_CASE("random rows come to the softmax by loops, whatever the tiles") {
  Random random(seed(340));
  for (int i = 0; i < 120; ++i) {
    const std::size_t kv = pick(random, 1, 2), heads = kv * pick(random, 1, 2), n = pick(random, 1, 20),
                      m = pick(random, 1, 20);
    FlashHead head{.scores = normal(random, {heads, n, m}, 4),
                   .values = normal(random, {kv, m, pick(random, 1, 5)}),
                   .head = pick(random, 0, heads - 1)};
    if (coin(random)) head.mask = bits(random, {coin(random) ? 1 : heads, n, m});
    const FlashTiling tiling(head, pick(random, 1, n), pick(random, 1, m + 3));
    FlashRows rows;
    for (std::size_t query = 0; query < n; ++query) {
      const FlashRowPlay play = play_row<double>(head, tiling, query);
      const std::vector<long double> exact = by_loops(head, query);
      CHECK(play.empty() == exact.empty());
      CHECK(error_of(play, exact) <= rounding_of_tiles(head, tiling, 0x1p-52));
      CHECK(error_of(play_row<float>(head, tiling, query), exact) <=
            rounding_of_tiles(head, tiling, 0x1p-23));
      rows.add(head, tiling);
    }
    CHECK(rows.rows == n);
    CHECK(rows.in_double <= rounding_of_tiles(head, tiling, 0x1p-52));
    CHECK(rows.in_float <= rounding_of_tiles(head, tiling, 0x1p-23));
    CHECK(rows.not_finite == 0);
  }
}

TEST_CASE("a device's output is held against the tiles in double, row by row") {
  FlashHead head{.scores = matrix(2, 2, {0, 0, 0, 0}),
                 .mask = matrix(2, 2, {0, 0, 1, 1}),
                 .values = matrix(2, 1, {1, 3}),
                 .on_device = matrix(2, 2, {2.5f, 9, 7, 9})};  // the second column is no output
  const FlashTiling tiling(head, 2, 1);
  FlashRows rows;
  rows.add(head, tiling), rows.add(head, tiling);  // the second row has no key: not compared
  CHECK(rows.on_device == 0.5);
  CHECK(rows.excess == doctest::Approx(0.5 / (2e-6 + 2e-5 * 2)));
}

TEST_CASE("a row without keys has l = 0 and o = 0") {
  const FlashHead head{.scores = matrix(2, 2, {1, 2, 3, 4}),
                       .mask = matrix(2, 2, {1, 1, 0, 1}),
                       .values = matrix(2, 1, {5, 7})};
  const FlashTiling tiling(head, 2, 2);
  const FlashRowPlay play = play_row<double>(head, tiling, 0);
  REQUIRE(play.lines.size() == 1);  // the other row of the tile has a key
  CHECK(play.empty());
  CHECK(play.lines[0].largest == -HUGE_VAL);
  CHECK(play.lines[0].factor == 0);
  CHECK(play.lines[0].l_after == 0);
  CHECK(play.output(0) == 0);
  CHECK(play.exact[0] == 0);
  CHECK(play.distance == 0);
  CHECK(play_row<double>(head, tiling, 1).output(0) == 5);
  FlashRows rows;
  rows.add(head, tiling), rows.add(head, tiling);
  CHECK(rows.empty == 1);

  const FlashHead none{.scores = head.scores, .mask = matrix(2, 2, {1, 1, 1, 1}), .values = head.values};
  const FlashTiling nothing(none, 1, 1);
  CHECK(nothing.computed() == 0);
  CHECK_FALSE(nothing.nearest({0, 0}));
  CHECK(play_row<double>(none, nothing, 1).lines.empty());
}

TEST_CASE("scores of ±80 000 are tamed by m") {
  const FlashHead head{.scores = matrix(1, 4, {-80000, 79999, 80000, -80000}),
                       .values = matrix(4, 1, {1, 2, 3, 4})};
  const FlashRowPlay play = play_row<double>(head, FlashTiling(head, 1, 1), 0);
  const double e = std::exp(-1.0);
  CHECK(play.output(0) == doctest::Approx((2 * e + 3) / (1 + e)));
  CHECK(play.lines[1].factor == 0);  // e^−159 999
  CHECK(play.lines[2].factor == doctest::Approx(e));
  CHECK(play.lines[3].sum == 0);
  CHECK(play.distance <= 1e-15);
  // Each tile has a term of 1, whatever its scores: (1 + 2 + 3 + 0) ÷ (1 + 1 + 1 + 0).
  CHECK(play.without_factor[0] == doctest::Approx(2));
}

TEST_CASE("NaN behind the mask reaches nothing, and NaN that counts is not lost") {
  const FlashHead hidden{.scores = matrix(1, 3, {1, kNan, 2}),
                         .mask = matrix(1, 3, {0, 1, 0}),
                         .values = matrix(3, 1, {1, kNan, 3})};
  const FlashRowPlay play = play_row<double>(hidden, FlashTiling(hidden, 1, 2), 0);
  const double e = std::exp(-1.0);
  CHECK(play.output(0) == doctest::Approx((e + 3) / (1 + e)));
  CHECK(play.distance <= 1e-15);

  const FlashHead seen{.scores = hidden.scores, .values = hidden.values};
  const FlashTiling tiling(seen, 1, 2);
  CHECK(std::isnan(play_row<double>(seen, tiling, 0).output(0)));
  CHECK(std::isnan(play_row<double>(seen, tiling, 0).distance));
  FlashRows rows;
  rows.add(seen, tiling);
  CHECK(rows.not_finite == 1);
  CHECK(rows.in_double == 0);
}

TEST_CASE("softmax-1 begins with a key of the score 0 and the value 0") {
  FlashHead head = powers_of_two();
  head.with_one = true;
  const FlashRowPlay play = play_row<double>(head, FlashTiling(head, 1, 2), 0);
  // Scores are floats, as above.
  CHECK(play.lines[0].factor == doctest::Approx(0.5).epsilon(3e-7));  // e^(0 − ln 2)
  CHECK(play.output(0) == doctest::Approx(49.0 / 16).epsilon(3e-7));
  CHECK(play.distance <= 1e-15);
}

TEST_CASE("numbers held are a tile and three numbers a row, whatever n") {
  CHECK(held_by_flash(8, 8, 16) == 208);  // 64 + 8·(2 + 16)
  CHECK(held_by_output(4096, 16) == 65536);
  CHECK(held_by_weights(4096, 4096) == 16777216);
}

// Other weights with the same output: null spaces that are known by hand, the polygon against weights drawn
// at random, masked keys.
#include "core/stack/other_weights.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

// All keys are seen.
MixedRow weights_row(std::vector<float> weights, std::size_t width, std::vector<float> values) {
  MixedRow row{.weights = std::move(weights), .seen = {}, .width = width, .values = std::move(values)};
  row.seen.resize(row.weights.size());
  std::iota(row.seen.begin(), row.seen.end(), std::size_t{0});
  return row;
}

MixedRow drawn_row(std::mt19937& random, std::size_t keys, std::size_t width) {
  std::normal_distribution<float> normal;
  std::vector<float> weights(keys), values(keys * width);
  float sum = 0;
  for (float& weight : weights) sum += weight = std::exp(normal(random));
  for (float& weight : weights) weight /= sum;
  for (float& value : values) value = normal(random);
  return weights_row(std::move(weights), width, std::move(values));
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

using Directions = std::vector<std::vector<double>>;

// At right angles to all of these, of length 1 (Gram, Schmidt, twice).
std::vector<double> left_by_hand(std::vector<double> direction, const Directions& from) {
  for (int pass = 0; pass < 2; ++pass)
    for (const std::vector<double>& each : from) {
      const double share = std::inner_product(each.begin(), each.end(), direction.begin(), 0.0);
      for (std::size_t i = 0; i < direction.size(); ++i) direction[i] -= share * each[i];
    }
  const double length =
      std::sqrt(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0));
  for (double& x : direction) x /= length;
  return direction;
}

// Of the rows of [Vᵀ; 1ᵀ].
Directions basis_by_hand(const MixedRow& row) {
  Directions basis{left_by_hand(std::vector<double>(row.weights.size(), 1), {})};
  for (std::size_t f = 0; f < row.width; ++f) {
    std::vector<double> feature;
    for (std::size_t key = 0; key < row.weights.size(); ++key)
      feature.push_back(static_cast<double>(row.values[key * row.width + f]));
    basis.push_back(left_by_hand(std::move(feature), basis));
  }
  return basis;
}

// ½Σ|a − b| where the first weight is 0 on the farther side.
double moved_by_hand(const MixedRow& row, const std::vector<double>& direction) {
  double most = 0;
  for (const double sign : {-1.0, 1.0}) {
    double until = HUGE_VAL, sum = 0;
    for (std::size_t key = 0; key < direction.size(); ++key) {
      const double step = sign * direction[key];
      if (step < 0) until = std::min(until, static_cast<double>(row.weights[key]) / -step);
      sum += std::abs(step);
    }
    most = std::max(most, until * sum / 2);
  }
  return most;
}

}  // namespace

TEST_CASE("three keys whose values lie on a line have one free direction") {
  // V = 0, 1, 2: b = a + t·(1, −2, 1), from t = −0.2 (the first is 0) to 0.25 (the second is).
  const MixedRow row = weights_row({0.2f, 0.5f, 0.3f}, 1, {0, 1, 2});
  const OtherWeights others = other_weights(row);
  CHECK(others.rank == 2);
  CHECK(others.free == 1);
  REQUIRE(others.corners.size() == 2);
  std::vector<double> ends;
  for (const PlanePoint corner : others.corners) ends.push_back(weights_at(row, others, corner)[1]);
  std::ranges::sort(ends);
  CHECK(ends[0] == doctest::Approx(0).epsilon(1e-7));
  CHECK(ends[1] == doctest::Approx(0.9).epsilon(1e-7));  // 0.5 + 2 · 0.2
  const std::vector<double> far = weights_at(row, others, others.farthest);
  CHECK(far[0] == doctest::Approx(0.45));
  CHECK(far[2] == doctest::Approx(0.55));
  CHECK(weight_moved(row, far) == doctest::Approx(0.5));  // ½·(0.25 + 0.5 + 0.25)
  CHECK(output_moved(row, far) <= output_rounding(row));
}

TEST_CASE("keys with equal values can take each other's weight") {
  // Two pairs of equal values: all weight of the first pair on one of its keys, and so of the second: a
  // rectangle with four corners.
  const MixedRow row = weights_row({0.1f, 0.4f, 0.2f, 0.3f}, 2, {1, 0, 1, 0, 0, 3, 0, 3});
  const OtherWeights others = other_weights(row);
  CHECK(others.rank == 2);
  CHECK(others.free == 2);
  REQUIRE(others.corners.size() == 4);
  for (const PlanePoint corner : others.corners) {
    std::vector<double> b = weights_at(row, others, corner);
    CHECK(b[0] + b[1] == doctest::Approx(0.5));
    CHECK(b[2] + b[3] == doctest::Approx(0.5));
    CHECK(std::min(b[0], b[1]) == doctest::Approx(0));
    CHECK(std::min(b[2], b[3]) == doctest::Approx(0));
  }
  CHECK(weight_moved(row, weights_at(row, others, others.farthest)) == doctest::Approx(0.7));  // 0.4 + 0.3
}

TEST_CASE("with values that tell all keys apart these weights are the only ones") {
  const MixedRow row = weights_row({0.2f, 0.3f, 0.5f}, 2, {1, 0, 0, 1, 1, 1});
  const OtherWeights others = other_weights(row);
  CHECK(others.free == 0);
  CHECK(others.only_ones());
  const OtherWeights one = other_weights(weights_row({1}, 2, {3, 4}));
  CHECK(one.rank == 1);
  CHECK(one.only_ones());
}

TEST_CASE("weights of 0 can leave no way to go") {
  // The free direction is (1, −2, 1): the first and the last are 0, and the middle one cannot grow alone.
  const OtherWeights one_way = other_weights(weights_row({0, 1, 0}, 1, {0, 1, 2}));
  CHECK(one_way.free == 1);
  REQUIRE(one_way.corners.size() == 2);  // the middle one can shrink
  const OtherWeights others = other_weights(weights_row({1, 0, 0}, 1, {0, 1, 2}));
  CHECK(others.free == 1);
  CHECK(others.only_ones());
}

TEST_CASE("masked keys stay 0 and count for nothing") {
  MixedRow row = weights_row({0.2f, 0, 0.5f, 0.3f}, 1, {0, 7, 1, 2});
  row.seen = {0, 2, 3};
  const OtherWeights others = other_weights(row);
  CHECK(others.free == 1);
  const std::vector<double> far = weights_at(row, others, others.farthest);
  CHECK(far[1] == 0);
  CHECK(weight_moved(row, far) == doctest::Approx(0.5));
}

TEST_CASE("numbers that are none are refused") {
  CHECK_FALSE(other_weights(weights_row({0.5f, NAN}, 1, {1, 1})).refused.empty());
  CHECK_FALSE(other_weights(weights_row({0.5f, 0.5f}, 1, {1, INFINITY})).refused.empty());
  CHECK_FALSE(other_weights(weights_row({-0.5f, 1.5f}, 1, {1, 1})).refused.empty());
  CHECK(other_weights(MixedRow{}).only_ones());
}

TEST_CASE("the output stays, and no other weights of the plane are farther") {
  std::mt19937 random(seed(17));
  for (const auto& [keys, width] : {std::pair<std::size_t, std::size_t>{11, 8}, {6, 3}, {7, 6}, {20, 4}}) {
    const MixedRow row = drawn_row(random, keys, width);
    const OtherWeights others = other_weights(row);
    CAPTURE(keys);
    CHECK(others.rank == width + 1);
    REQUIRE(others.free == keys - width - 1);
    if (others.free == 0) continue;
    const double most = weight_moved(row, weights_at(row, others, others.farthest));
    double size = 0;
    for (const PlanePoint corner : others.corners)
      size = std::max(size, std::hypot(corner.across, corner.up));
    std::uniform_real_distribution<double> place(-1.2 * size, 1.2 * size);
    for (int i = 0; i < 2000; ++i) {
      const PlanePoint at{place(random), others.free > 1 ? place(random) : 0};
      // By hand: every weight at least 0.
      bool possible = true;
      for (const std::size_t key : row.seen) {
        const double up = others.free > 1 ? others.directions[1][key] : 0;
        possible =
            possible &&
            static_cast<double>(row.weights[key]) + at.across * others.directions[0][key] + at.up * up >= 0;
      }
      const PlanePoint nearest = nearest_other(others, at);
      CHECK((std::hypot(nearest.across - at.across, nearest.up - at.up) < 1e-12 * size) == possible);
      const std::vector<double> b = weights_at(row, others, nearest);
      CHECK(std::ranges::min(b) >= 0);
      CHECK(output_moved(row, b) <= output_rounding(row));
      CHECK(std::abs(sum_of(b) - sum_of({row.weights.begin(), row.weights.end()})) <= output_rounding(row));
      CHECK(weight_moved(row, b) <= most + output_rounding(row));
      const PlanePoint back = point_of(row, others, b);
      CHECK(std::hypot(back.across - nearest.across, back.up - nearest.up) <= output_rounding(row));
    }
  }
}

TEST_CASE("of many free directions the first moves as much as any key's own can") {
  std::mt19937 random(seed(17));
  const MixedRow row = drawn_row(random, 20, 5);
  const OtherWeights others = other_weights(row);
  CHECK(others.free == 14);
  CHECK(others.corners.size() > 2);
  double dot = 0, most = 0;
  for (std::size_t i = 0; i < 20; ++i) dot += others.directions[0][i] * others.directions[1][i];
  CHECK(std::abs(dot) <= output_rounding(row));
  const Directions basis = basis_by_hand(row);
  for (std::size_t key = 0; key < 20; ++key) {
    std::vector<double> unit(20, 0);
    unit[key] = 1;
    most = std::max(most, moved_by_hand(row, left_by_hand(unit, basis)));
  }
  // As far as the sums of 20 numbers and six projections of two ways of making it may differ.
  CHECK(moved_by_hand(row, others.directions[0]) == doctest::Approx(most).epsilon(1e-12));
}

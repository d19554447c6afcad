// Operations on the weights of several heads against brute force from their definitions.
#include "core/operations/head_maps.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/operations/operation.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "core/tensor/random.h"

using namespace attn;

namespace {

Tensor64 uniform(Shape shape, std::uint64_t seed) {
  std::vector<double> values;
  for (std::size_t i = 0; i < shape.size(); ++i)
    values.push_back(static_cast<double>(random_uniform(seed, i)));
  return {shape, std::move(values)};
}

Tensor64 run(const Operation& operation, const std::vector<Tensor64>& inputs) {
  return run_in_double(operation, inputs);
}

// Every cell as explain tells it, from the inputs rounded to floats.
void check_explained(const Operation& operation, const std::vector<Tensor64>& inputs) {
  std::vector<Tensor> floats;
  std::vector<Tensor64> rounded;
  for (const Tensor64& input : inputs)
    floats.push_back(to_float(input)), rounded.push_back(to_double(floats.back()));
  const Tensor64 result = run(operation, rounded);
  for (std::size_t i = 0; i < result.values().size(); ++i) {
    const Cell cell = cell_at(result.shape(), i);
    const Explanation e = explain(operation, floats, cell);
    CHECK(e.result == doctest::Approx(result[cell]));
  }
}

const Shape kShape{3, 4, 5};

}  // namespace

TEST_CASE("the share of a pattern is the weight of a row that lies in it") {
  const Tensor64 w = uniform(kShape, 1), p({2, 4, 5}, [] {
    std::vector<double> ones(40);
    for (std::size_t i = 0; i < ones.size(); ++i) ones[i] = i % 3 == 0;
    return ones;
  }());
  const Tensor64 shares = run(PatternShare{}, {w, p});
  REQUIRE(shares.shape() == Shape{3, 4, 2});
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t k = 0; k < 2; ++k) {
        double sum = 0;
        for (std::size_t j = 0; j < 5; ++j)
          if ((k * 20 + i * 5 + j) % 3 == 0) sum += w[{r, i, j}];
        CHECK(shares[{r, i, k}] == doctest::Approx(sum));
      }
  check_explained(PatternShare{}, {w, p});
}

TEST_CASE("over heads the mean the largest and the standard deviation are taken at each place") {
  const Tensor64 x = uniform(kShape, 2);
  const Tensor64 mean = run(AcrossHeads{AcrossHeads::mean}, {x}),
                 most = run(AcrossHeads{AcrossHeads::maximum}, {x}),
                 spread = run(AcrossHeads{AcrossHeads::spread}, {x});
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 5; ++j) {
      const double a = x[{0, i, j}], b = x[{1, i, j}], c = x[{2, i, j}], m = (a + b + c) / 3;
      CHECK(mean[{0, i, j}] == doctest::Approx(m));
      CHECK(most[{0, i, j}] == std::max({a, b, c}));
      CHECK(spread[{0, i, j}] ==
            doctest::Approx(std::sqrt((std::pow(a - m, 2) + std::pow(b - m, 2) + std::pow(c - m, 2)) / 3)));
    }
  for (const auto figure : {AcrossHeads::mean, AcrossHeads::maximum, AcrossHeads::spread})
    check_explained(AcrossHeads{figure}, {x});
}

TEST_CASE("a difference of heads is 0 in the head itself") {
  const Tensor64 x = uniform(kShape, 3), less = run(HeadDifference{1}, {x});
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 5; ++j) {
      CHECK(less[{1, i, j}] == 0);
      CHECK(less[{2, i, j}] == doctest::Approx(x[{2, i, j}] - x[{1, i, j}]));
    }
  check_explained(HeadDifference{1}, {x});
  const std::vector<Shape> shapes{kShape};
  CHECK_THROWS_AS(result_shape(HeadDifference{3}, shapes), Error);
}

TEST_CASE("heads are as alike as the cosine of their weights or what both have") {
  // Heads (1, 0), (0, 1), (1, 1) of one row, and one of zeros.
  const Tensor64 x({4, 1, 2}, {1, 0, 0, 1, 1, 1, 0, 0});
  const Tensor64 cosine = run(HeadLikeness{}, {x}), overlap = run(HeadLikeness{HeadLikeness::overlap}, {x});
  CHECK(cosine[{0, 0, 0}] == doctest::Approx(1));
  CHECK(cosine[{0, 0, 1}] == 0);
  CHECK(cosine[{0, 0, 2}] == doctest::Approx(std::sqrt(0.5)));
  CHECK(cosine[{0, 3, 3}] == 0);
  CHECK(overlap[{0, 1, 1}] == 1);
  CHECK(overlap[{0, 0, 2}] == doctest::Approx(0.5));
  CHECK(overlap[{0, 2, 3}] == 0);
  for (const auto measure : {HeadLikeness::cosine, HeadLikeness::overlap})
    check_explained(HeadLikeness{measure}, {uniform(kShape, 4)});
}

TEST_CASE("the part of a head is its rows of the projection times its output") {
  const Tensor64 x = uniform({2, 3, 4}, 5), w = uniform({1, 8, 6}, 6), lengths = run(PartLength{}, {x, w});
  REQUIRE(lengths.shape() == Shape{2, 3, 1});
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t i = 0; i < 3; ++i) {
      double squares = 0;
      for (std::size_t c = 0; c < 6; ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < 4; ++k) sum += x[{r, i, k}] * w[{0, r * 4 + k, c}];
        squares += sum * sum;
      }
      CHECK(lengths[{r, i, 0}] == doctest::Approx(std::sqrt(squares)));
    }
  check_explained(PartLength{}, {x, w});
  const std::vector<Shape> shapes{{2, 3, 4}, {1, 7, 6}};
  CHECK_THROWS_AS(result_shape(PartLength{}, shapes), Error);
}

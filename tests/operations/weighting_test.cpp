// Weights of scores against their definitions: sparsemax by brute force over all supports, the Jacobian by
// central differences, and what holds for all of them.
#include "core/operations/weighting.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/attention/weighting.h"
#include "core/reference/backend.h"
#include "core/tensor/random.h"

using namespace attn;

namespace {

using Values = std::vector<double>;
constexpr double kMasked = -INFINITY;

Values of_tensor(const Tensor64& t) {
  return {t.values().begin(), t.values().end()};
}

Values weights_of(Weighting weighting, const Values& row) {
  Graph graph;
  std::vector<float> scores(row.begin(), row.end());
  const std::size_t m = scores.size();
  const StageIndex source = graph.add(
      {.id = "z", .title = "z", .formula = {}, .operation = Source{Tensor({1, 1, m}, std::move(scores))}});
  const WeightingStages stages = append_weighting(graph, weighting, {.scores = source});
  return of_tensor(evaluate_in_double(graph)[stages.weights]);
}

double figure(RowFigure what, const Values& row) {
  return row_figure(what, row);
}

// Scores that floats hold, with ties, from −span/2 on.
Values random_row(std::size_t m, std::uint64_t seed, double span) {
  Values row;
  for (std::size_t j = 0; j < m; ++j)
    row.push_back(span * (std::floor(64 * static_cast<double>(random_uniform(seed, j))) / 64 - 0.5));
  return row;
}

// The point of the simplex that is nearest to z: of every support the point whose numbers there are all
// shifted alike, where it lies in the simplex.
Values projection(const Values& z) {
  Values best;
  double least = INFINITY;
  for (unsigned support = 1; support < 1u << z.size(); ++support) {
    double sum = 0, count = 0;
    for (std::size_t j = 0; j < z.size(); ++j)
      if (support >> j & 1) sum += z[j], ++count;
    Values p(z.size());
    double distance = 0;
    bool inside = true;
    for (std::size_t j = 0; j < z.size(); ++j) {
      if (support >> j & 1) p[j] = z[j] - (sum - 1) / count;
      inside = inside && p[j] >= 0;
      distance += (p[j] - z[j]) * (p[j] - z[j]);
    }
    if (inside && distance < least) least = distance, best = p;
  }
  return best;
}

Values shifted(Values row, double by) {
  for (double& z : row) z += by;
  return row;
}

}  // namespace

TEST_CASE("sparsemax is the nearest point of the simplex") {
  for (std::size_t m = 1; m <= 9; ++m)
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const Values z = random_row(m, 100 * m + seed, seed % 3 == 0 ? 0.5 : seed % 3 == 1 ? 2 : 8);
      const Values a = weights_of(Weighting::sparsemax, z), p = projection(z);
      for (std::size_t j = 0; j < m; ++j) REQUIRE(a[j] == doctest::Approx(p[j]).epsilon(1e-12));
    }
}

TEST_CASE("the threshold of sparsemax keeps its digits far from 0") {
  const Values z{1e6 + 0.5, 1e6 + 0.25, 1e6};
  const Values a = weights_of(Weighting::sparsemax, z);
  CHECK(a[0] == doctest::Approx(7.0 / 12).epsilon(1e-12));
  CHECK(a[1] == doctest::Approx(4.0 / 12).epsilon(1e-12));
  CHECK(a[2] == doctest::Approx(1.0 / 12).epsilon(1e-12));
}

TEST_CASE("softmax-1 is the softmax with one more score of 0") {
  for (const Values& z : {Values{2.5, 0.75, -1}, Values{-30, -40}, Values{80, 2, 3, -9}}) {
    Values with = z;
    with.push_back(0);
    const Values a = weights_of(Weighting::softmax_1, z), b = weights_of(Weighting::softmax, with);
    for (std::size_t j = 0; j < z.size(); ++j) CHECK(a[j] == doctest::Approx(b[j]).epsilon(1e-13));
  }
}

TEST_CASE("the sigmoid and ReLU are their formulas over the keys left") {
  const Values z{2.5, -0.75, kMasked, 0.5};
  const Values s = weights_of(Weighting::sigmoid, z), r = weights_of(Weighting::relu, z);
  for (const std::size_t j : {0, 1, 3}) {
    CHECK(s[j] == doctest::Approx(1 / (1 + std::exp(-(z[j] - std::log(3.0))))));
    CHECK(r[j] == doctest::Approx(std::max(0.0, z[j]) / 3));
  }
}

TEST_CASE("hard weights are shared by ties") {
  CHECK(weights_of(Weighting::hard, {1, 3, 3, 2}) == Values{0, 0.5, 0.5, 0});
}

TEST_CASE("a masked key has the weight 0 and a row of nothing else is all 0 in every weighting") {
  for (std::size_t kind = 0; kind < kWeightings.size(); ++kind) {
    INFO(kWeightings[kind].word);
    const auto weighting = static_cast<Weighting>(kind);
    const Values a = weights_of(weighting, {1, kMasked, 2, kMasked});
    CHECK(a[1] == 0);
    CHECK(a[3] == 0);
    CHECK(a[2] > 0);
    CHECK(weights_of(weighting, {kMasked, kMasked}) == Values{0, 0});
  }
}

TEST_CASE("softmax and sparsemax and hard do not see a shift and the others do") {
  const Values z{0.5, 1.25, -0.75, 1};
  for (std::size_t kind = 0; kind < kWeightings.size(); ++kind) {
    INFO(kWeightings[kind].word);
    const auto weighting = static_cast<Weighting>(kind);
    const Values a = weights_of(weighting, z), b = weights_of(weighting, shifted(z, 8));
    double apart = 0;
    for (std::size_t j = 0; j < z.size(); ++j) apart = std::max(apart, std::abs(a[j] - b[j]));
    const bool blind =
        weighting == Weighting::softmax || weighting == Weighting::sparsemax || weighting == Weighting::hard;
    CHECK((apart < 1e-14) == blind);
  }
}

TEST_CASE("no weighting turns the order of two scores around") {
  for (std::size_t kind = 0; kind < kWeightings.size(); ++kind)
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const Values z = random_row(7, 9000 + seed, 6), a = weights_of(static_cast<Weighting>(kind), z);
      for (std::size_t i = 0; i < z.size(); ++i)
        for (std::size_t j = 0; j < z.size(); ++j) REQUIRE((z[i] < z[j] || a[i] >= a[j]));
    }
}

TEST_CASE("entropy is 0 of one key and ln m of equal ones") {
  CHECK(figure(RowFigure::entropy, {0, 1, 0}) == 0);
  CHECK(figure(RowFigure::entropy, {0.25, 0.25, 0.25, 0.25}) == doctest::Approx(std::log(4.0)));
  CHECK(std::isnan(figure(RowFigure::entropy, {0.5, NAN})));
}

TEST_CASE("the largest share is the largest weight of the softmax") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Values z = random_row(16, 700 + seed, 20), a = weights_of(Weighting::softmax, z);
    CHECK(figure(RowFigure::largest_share, z) == doctest::Approx(*std::ranges::max_element(a)));
  }
  CHECK(figure(RowFigure::largest_share, {kMasked}) == 0);
}

TEST_CASE(
    "the Jacobian is what central differences of the softmax are and symmetric with rows adding up to 0") {
  const auto softmax = [](const Values& z) {
    double sum = 0;
    Values a;
    for (const double x : z) a.push_back(std::exp(x)), sum += a.back();
    for (double& x : a) x /= sum;
    return a;
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Values z = random_row(6, 40 + seed, 5);
    std::vector<double> each(36, 0);
    for (std::size_t i = 0; i < 6; ++i) each[7 * i] = 1;
    const std::vector<Tensor64> inputs{Tensor64({1, 1, 6}, softmax(z)), Tensor64({1, 6, 6}, std::move(each))};
    const Tensor64 jacobian = run_in_double(WeightsGradient{WeightsRule::softmax}, inputs);
    for (std::size_t j = 0; j < 6; ++j) {
      constexpr double kStep = 1e-5;
      Values up = z, down = z;
      up[j] += kStep, down[j] -= kStep;
      const Values above = softmax(up), below = softmax(down);
      double sum = 0;
      for (std::size_t i = 0; i < 6; ++i) {
        CHECK(std::abs(jacobian[{0, i, j}] - (above[i] - below[i]) / (2 * kStep)) < 1e-9);
        CHECK(jacobian[{0, i, j}] == jacobian[{0, j, i}]);
        sum += jacobian[{0, j, i}];
      }
      CHECK(std::abs(sum) < 1e-15);
    }
  }
}

// What is said of the gradients of random queries: by hand, and dQ itself by plain loops in double.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/gradients/noise.h"
#include "core/reference/backend.h"
#include "core/tensor/random.h"

using namespace attn;

namespace {

using Rows = std::vector<std::vector<double>>;

// Matrix `which` of those that a seed draws.
Rows noise_matrix(const GradientsSpec& spec, std::size_t which) {
  const std::size_t n = spec.noise_tokens, d = spec.noise_width;
  Rows rows(n, std::vector<double>(d));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < d; ++c)
      rows[i][c] = static_cast<double>(random_normal(spec.noise_seed, which * n * d + i * d + c));
  return rows;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
  return sum;
}

struct Noise {
  Rows weights, d_q;
};

// Softmax of q·k × scale, and the gradient of Σ G·O ÷ numbers by q.
Noise by_loops(const GradientsSpec& spec, double scale) {
  const Rows q = noise_matrix(spec, 0), k = noise_matrix(spec, 1), v = noise_matrix(spec, 2),
             g = noise_matrix(spec, 3);
  const std::size_t n = spec.noise_tokens, d = spec.noise_width;
  const auto share = static_cast<double>(static_cast<float>(1.0 / static_cast<double>(n * d)));
  Noise noise{Rows(n, std::vector<double>(n)), Rows(n, std::vector<double>(d))};
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0, mean = 0;
    for (std::size_t j = 0; j < n; ++j) sum += noise.weights[i][j] = std::exp(scale * dot(q[i], k[j]));
    for (double& a : noise.weights[i]) a /= sum;
    for (std::size_t j = 0; j < n; ++j) mean += noise.weights[i][j] * share * dot(g[i], v[j]);
    for (std::size_t j = 0; j < n; ++j) {
      const double d_s = noise.weights[i][j] * (share * dot(g[i], v[j]) - mean);
      for (std::size_t c = 0; c < d; ++c) noise.d_q[i][c] += scale * d_s * k[j][c];
    }
  }
  return noise;
}

}  // namespace

TEST_CASE("dQ of random tokens is that of plain loops, with the scale and without it") {
  GradientsSpec spec;
  spec.noise_tokens = 5, spec.noise_width = 3, spec.noise_seed = 11;
  for (const bool scaled : {true, false}) {
    CAPTURE(scaled);
    Graph graph;
    const NoiseStages stages = append_noise(graph, spec, scaled);
    const std::vector<Tensor64> outputs = evaluate_in_double(graph);
    const Noise expected = by_loops(spec, scaled ? 1 / std::sqrt(3.0) : 1);
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = 0; j < 5; ++j)
        CHECK(outputs[stages.weights][Cell{0, i, j}] ==
              doctest::Approx(expected.weights[i][j]).epsilon(1e-9));
      for (std::size_t c = 0; c < 3; ++c)
        CHECK(std::abs(outputs[stages.d_q][Cell{0, i, c}] - expected.d_q[i][c]) < 1e-8);
    }
  }
}

TEST_CASE("the middle size, and the power of ten below all of them") {
  CHECK(median_size(Tensor({1, 1, 3}, {-3, 1, 2})) == 2);
  CHECK(median_size(Tensor({1, 2, 2}, {1, -2, 4, 8})) == 3);
  CHECK(median_size(Tensor({1, 1, 1}, {0})) == 0);
  CHECK(power_below(Tensor({1, 1, 3}, {0.02f, -0.5f, 0})) == doctest::Approx(0.01));
  CHECK(power_below(Tensor({1, 1, 2}, {-7, 30})) == doctest::Approx(1));
  CHECK(power_below(Tensor({1, 1, 2}, {0, 0})) == 1);
}

TEST_CASE("figures of a small dQ by hand") {
  const Tensor d_q({1, 3, 2}, {0.3f, -0.4f, 0.002f, 0, 0.05f, 5});
  const Tensor weights({1, 3, 2}, {0.95f, 0.05f, 0.1f, 0.9f, 0.5f, 0.5f});
  // Decades from 0.001 to 10: 0.002 | 0.05 | 0.3, 0.4 | 5.
  const LogBins bins{.low = 0.001, .high = 10, .count = 4};
  CHECK(bins.ratio() == doctest::Approx(10));
  const NoiseFigures found = noise_figures(d_q, weights, 0.01, bins);
  CHECK(found.bins == std::vector<std::size_t>{1, 1, 2, 1});
  CHECK(found.zeros == 1);
  CHECK(found.below == doctest::Approx(2.0 / 6));      // 0.002 and the zero
  CHECK(found.saturated == doctest::Approx(1.0 / 3));  // 0.9 is not more than 0.9
  CHECK(found.least == doctest::Approx(0.002));
  CHECK(found.least_row == 1);
  CHECK(found.norm == doctest::Approx(std::sqrt(0.25 + 4e-6 + 0.0025 + 25)));
}

TEST_CASE("what lies on the ends of the bins, or beyond them, is in the outer ones") {
  const Tensor d_q({1, 1, 4}, {0.5f, 1, 10, 100});
  const NoiseFigures found =
      noise_figures(d_q, Tensor({1, 1, 1}, {1}), 0, {.low = 1, .high = 10, .count = 2});
  CHECK(found.bins == std::vector<std::size_t>{2, 2});
  CHECK(found.saturated == 1);
  CHECK(found.below == 0);
}

// What is said of rows and samples: against definitions, by independent ways, and bounds that must hold.
#include "core/softmax/numbers.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/tensor/random.h"

using namespace attn;

namespace {

using Doubles = std::vector<double>;

Doubles random_row(std::size_t m, std::uint64_t seed, double span) {
  Doubles row;
  for (std::size_t j = 0; j < m; ++j) row.push_back(span * static_cast<double>(random_normal(seed, j)));
  return row;
}

// The largest eigenvalue of diag(a) − a·aᵀ by powers of the matrix, from a start that is no eigenvector.
double norm_by_powers(const Doubles& a) {
  Doubles v = random_row(a.size(), 5, 1);
  double norm = 0;
  for (int step = 0; step < 20000; ++step) {
    double dot = 0, length = 0;
    for (std::size_t j = 0; j < a.size(); ++j) dot += a[j] * v[j];
    for (std::size_t j = 0; j < a.size(); ++j) v[j] = a[j] * v[j] - a[j] * dot;
    for (const double x : v) length += x * x;
    norm = std::sqrt(length);
    if (norm == 0) return 0;
    for (double& x : v) x /= norm;
  }
  return norm;
}

}  // namespace

TEST_CASE("the norm of the Jacobian is its largest eigenvalue") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Doubles a = softmax_of(random_row(2 + seed % 7, seed, 0.2 + 0.2 * static_cast<double>(seed)));
    CHECK(jacobian_norm(a) == doctest::Approx(norm_by_powers(a)).epsilon(1e-6));
  }
}

TEST_CASE("the norm of the Jacobian is one half of two equal weights and 0 of one") {
  CHECK(jacobian_norm(Doubles{0.5, 0.5, 0}) == 0.5);
  CHECK(jacobian_norm(Doubles{1}) < 1e-15);
  CHECK(jacobian_norm(Doubles{1, 0, 0}) < 1e-15);
  CHECK(jacobian_norm(Doubles{0.25, 0.25, 0.25, 0.25}) == 0.25);
  CHECK(jacobian_norm(Doubles{0.75, 0.25}) == doctest::Approx(2 * 0.75 * 0.25));
}

TEST_CASE("the norm of the Jacobian of a saturated row keeps its digits") {
  CHECK(jacobian_norm(std::vector<double>{1, 0, 0}) == 0);
  CHECK(jacobian_norm(std::vector<double>{1, 3e-38}) == doctest::Approx(6e-38));
  // Of 1 − 3r, r, r, r: (1, −⅓, −⅓, −⅓) grows by (1 − 3r)·4r.
  CHECK(jacobian_norm(std::vector<double>{1, 1e-20, 1e-20, 1e-20}) == doctest::Approx(4e-20));
  CHECK(jacobian_norm(std::vector<double>{1 - 3e-8, 1e-8, 1e-8, 1e-8}) == doctest::Approx(4e-8));
  CHECK(std::isnan(jacobian_norm(std::vector<double>{1, std::nan("")})));
}

TEST_CASE("the bounds hold on 10000 random rows") {
  for (std::uint64_t seed = 0; seed < 10000; ++seed) {
    const std::size_t m = 2 + seed % 15;
    const Doubles z = random_row(m, 20000 + seed, 0.1 * static_cast<double>(1 + seed % 200));
    const Saturation s = saturation_of(z);
    REQUIRE(s.norm <= kJacobianBound);
    REQUIRE(s.norm >= s.gradient * (1 - 1e-12));  // a number on the diagonal is never above the norm
    REQUIRE(s.rest <= s.rest_bound * (1 + 1e-12));
    REQUIRE(s.entropy <= s.most_entropy * (1 + 1e-12));
    REQUIRE(s.gradient <= 0.25);
  }
}

TEST_CASE("saturation of a row whose numbers are known") {
  const Saturation s = saturation_of(Doubles{2.5, 0.8, 0.3, 0.2, -1.1});
  CHECK(s.gap == doctest::Approx(1.7));
  CHECK(s.rest == doctest::Approx(0.29630).epsilon(1e-4));
  CHECK(s.rest_bound == doctest::Approx(4 * std::exp(-1.7)));
  CHECK(s.entropy == doctest::Approx(0.9730).epsilon(1e-3));
  CHECK(s.most_entropy == doctest::Approx(std::log(5.0)));
  CHECK(s.gradient == doctest::Approx(0.2085).epsilon(1e-3));
  CHECK(s.norm == doctest::Approx(0.279).epsilon(2e-3));
  CHECK(s.left == 5);
}

TEST_CASE("a masked key counts for nothing and a saturated row keeps the digits of its rest") {
  const Saturation s = saturation_of(Doubles{60, -INFINITY, 0});
  CHECK(s.left == 2);
  CHECK(s.rest == doctest::Approx(std::exp(-60.0)).epsilon(1e-12));
  CHECK(s.rest <= s.rest_bound);
  CHECK(saturation_of(Doubles{-INFINITY}).left == 0);
}

TEST_CASE("the log of the sum of exponentials does not overflow") {
  CHECK(log_sum_exp(Doubles{2.5, 0.8, 0.3, 0.2, -1.1}) == doctest::Approx(2.85141).epsilon(1e-5));
  CHECK(log_sum_exp(Doubles{1e4, 1e4}) == doctest::Approx(1e4 + std::log(2.0)));
  CHECK(log_sum_exp(Doubles{-INFINITY}) == -INFINITY);
}

TEST_CASE("the first score that overflows is the smallest number of its format that does") {
  // Neighbours in each format: exp of the lower one still is a number.
  CHECK(first_overflow(NumberFormat::float16) == 11.09375);
  CHECK(std::isfinite(rounded(NumberFormat::float16, std::exp(11.09375 - 0x1p-7))));
  const double z = first_overflow(NumberFormat::float32);
  CHECK(std::isinf(std::exp(static_cast<float>(z))));
  CHECK(std::isfinite(std::exp(std::nextafter(static_cast<float>(z), 0.0f))));
  const std::vector<float> row{3, 11.0f, 11.1f, 90};
  CHECK(overflowing_key(row, NumberFormat::float16) == 2);
  CHECK(overflowing_key(row, NumberFormat::float32) == 3);
  CHECK(!overflowing_key(std::vector<float>{88}, NumberFormat::float32));
}

TEST_CASE("samples are counted and measured") {
  const std::vector<float> numbers{-2, -1, 0, 0.5f, 1, 2, 9};
  CHECK(histogram(numbers, -2, 2, 4) == std::vector<std::size_t>{1, 1, 2, 2});
  CHECK(share_over(numbers, 0.5) == doctest::Approx(3.0 / 7));
  const Moments m = moments_of(std::vector<float>{1, 2, 3, 6});
  CHECK(m.mean == 3);
  CHECK(m.sd == doctest::Approx(std::sqrt(3.5)));
  CHECK(support_size(std::vector<float>{0, 0.5f, 0.5f}) == 2);
}

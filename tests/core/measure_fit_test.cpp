// Fits of measured times: known exponents found under known noise, bends left out, crossings on known lines.
#include "core/measure/measure_fit.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/tensor/random.h"

using namespace attn;

namespace {

// n = 16, 32 …: so many of them.
std::vector<FitPoint> powers(std::size_t count, double factor, double exponent, double relative_error = 0) {
  std::vector<FitPoint> points;
  double n = 16;
  for (std::size_t i = 0; i < count; ++i, n *= 2)
    points.push_back({n, factor * std::pow(n, exponent), relative_error});
  return points;
}

Measured curves(const std::vector<std::pair<std::string, std::vector<double>>>& all) {
  Measured measured;
  for (const auto& [subject, seconds] : all) {
    std::size_t n = 16;
    for (const double s : seconds) {
      measured.points.push_back({.subject = subject, .n = n, .seconds = {{s}}});
      n *= 2;
    }
  }
  return measured;
}

}  // namespace

TEST_CASE("an exact power of n is fitted from its first point on") {
  for (const double exponent : {1.0, 1.5, 2.0, 3.0}) {
    const auto fit = fit_power(powers(8, 3e-9, exponent));
    REQUIRE(fit);
    CHECK(fit->exponent == doctest::Approx(exponent).epsilon(1e-12));
    CHECK(fit->factor == doctest::Approx(3e-9).epsilon(1e-10));
    CHECK(fit->first == 16);
    CHECK(fit->last == 2048);
    CHECK(fit->points == 8);
    CHECK(fit->holds);
  }
}

TEST_CASE("the error of an exponent is that of least squares with equal errors") {
  // σ ÷ √Σ(x − x̄)², x = log n: of 8 doubled n Σ = 42 · (log 2)².
  const auto fit = fit_power(powers(8, 1e-9, 2, 0.1));
  REQUIRE(fit);
  CHECK(fit->error == doctest::Approx(0.1 / (std::sqrt(42.0) * std::log(2.0))).epsilon(1e-12));
}

TEST_CASE("under noise of a known size exponents lie about the true one as their errors say") {
  constexpr std::size_t kTrials = 400;
  constexpr double kNoise = 0.1;
  double sum = 0, squares = 0;  // of (exponent − 2) ÷ error
  for (std::size_t trial = 0; trial < kTrials; ++trial) {
    auto points = powers(8, 1e-9, 2, kNoise);
    for (std::size_t i = 0; i < points.size(); ++i)
      points[i].seconds *=
          std::exp(kNoise * static_cast<double>(random_normal(7, trial * points.size() + i)));
    const auto fit = fit_power(points);
    REQUIRE(fit);
    const double deviation = (fit->exponent - 2) / fit->error;
    sum += deviation, squares += deviation * deviation;
  }
  // Means of 400: ± 0.05 for the first and, of squares of normals, ± 0.07 for the second; four of each.
  CHECK(std::abs(sum / kTrials) < 0.2);
  CHECK(squares / kTrials == doctest::Approx(1).epsilon(0.28));
}

TEST_CASE("short times that launches bend are left out of the exponent") {
  std::vector<FitPoint> points;
  for (double n = 16; n <= 8192; n *= 2) points.push_back({n, 100e-6 + 1e-9 * n * n, 0.01});
  const auto fit = fit_power(points);
  REQUIRE(fit);
  CHECK(fit->holds);
  CHECK(std::abs(fit->exponent - 2) < 0.1);
  CHECK(fit->first >= 512);  // where n² has become more than the launch
  CHECK(fit->last == 8192);
}

TEST_CASE("points on no line are fitted with an error that says so") {
  std::vector<FitPoint> points = powers(6, 1e-9, 2, 0.01);
  points[4].seconds *= 3;
  const auto fit = fit_power(points);
  REQUIRE(fit);
  CHECK_FALSE(fit->holds);
  CHECK(fit->points == 3);
  CHECK(fit->error > 0.5);
}

TEST_CASE("two points are no line") {
  CHECK_FALSE(fit_power(powers(2, 1, 2)));
  CHECK_FALSE(fit_power(std::vector<FitPoint>{}));
}

TEST_CASE("curves cross where their lines do") {
  // n² ÷ 100 and n: at 100; on logarithms both are straight, so that the place is exact.
  const Measured measured = curves({{"a", {2.56, 10.24, 40.96, 163.84}}, {"b", {16, 32, 64, 128}}});
  const auto crossings = measured_crossings(measured, "a", "b");
  REQUIRE(crossings.size() == 1);
  CHECK(crossings[0] == doctest::Approx(100).epsilon(1e-12));
  CHECK(measured_crossings(measured, "b", "a") == crossings);
  CHECK(measured_crossings(measured, "a", "c").empty());
}

TEST_CASE("a crossing on a measured point is told once and every one is told") {
  const Measured measured = curves({{"a", {1, 2, 4, 2, 8}}, {"b", {2, 2, 2, 4, 4}}});
  const auto crossings = measured_crossings(measured, "a", "b");
  REQUIRE(crossings.size() == 3);
  CHECK(crossings[0] == doctest::Approx(32));
  CHECK(crossings[1] == doctest::Approx(64 * std::sqrt(2)));
  CHECK(crossings[2] == doctest::Approx(128 * std::sqrt(2)));
}

TEST_CASE("quartiles lie between samples as numpy has them") {
  const Timings samples{{4, 1, 3, 2}};
  CHECK(samples.median() == 2.5);
  CHECK(samples.quantile(0.25) == 1.75);
  CHECK(samples.quantile(0.75) == 3.25);
  CHECK(samples.least() == 1);
  CHECK(samples.most() == 4);
  CHECK(samples.relative_error() == doctest::Approx(1.5 / 1.349 * 1.2533141 / 2 / 2.5).epsilon(1e-6));
  CHECK(Timings{}.median() == 0);
  CHECK(Timings{{1, 2}}.relative_error() == 0);
}

TEST_CASE("the roof is the bandwidth for few operations a byte and the peak for many") {
  Measured measured;
  measured.operations_per_second = {{90, 100}};
  measured.bytes_per_second = {{10, 9}};
  CHECK(measured.roof(2) == 20);
  CHECK(measured.roof(1000) == 100);
  CHECK(measured.steadiness() == 0.9);
}

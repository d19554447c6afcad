// Estimates, local lines and leave-one-out errors against brute force from the definitions.
#include "core/operations/regression.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "core/reference/backend.h"
#include "core/system/error.h"
#include "core/tensor/random.h"

using namespace attn;

namespace {

using Doubles = std::vector<double>;

Tensor64 column_of(Doubles values) {
  const std::size_t rows = values.size();
  return {{1, rows, 1}, std::move(values)};
}

Doubles numbers_of(const Operation& operation, const std::vector<Tensor64>& inputs) {
  const Tensor64 result = run_in_double(operation, inputs);
  return {result.values().begin(), result.values().end()};
}

Doubles uniform(std::size_t count, std::uint64_t seed) {
  Doubles values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(5 * static_cast<double>(random_uniform(seed, i)));
  return values;
}

// κ by the formulas in the textbooks.
double kappa(Kernel kernel, double q, double k, double width) {
  const double u = (q - k) / width, a = std::abs(u);
  switch (kernel) {
    case Kernel::gaussian:
      return std::exp(-u * u / 2);
    case Kernel::boxcar:
      return a <= 1;
    case Kernel::constant:
      return 1;
    case Kernel::triangular:
      return std::max(0.0, 1 - a);
    case Kernel::epanechnikov:
      return std::max(0.0, 0.75 * (1 - u * u));
    case Kernel::biweight:
      return a <= 1 ? std::pow(1 - u * u, 2) : 0;
    case Kernel::tricube:
      return a <= 1 ? std::pow(1 - a * a * a, 3) : 0;
    case Kernel::cosine:
      return a <= 1 ? std::cos(std::numbers::pi * u / 2) : 0;
    case Kernel::dot:
      return std::exp(q * k);
  }
  return 0;
}

double estimate(Kernel kernel, double q, const Doubles& x, const Doubles& y, double width, std::size_t skip) {
  double sum = 0, weighted = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (j == skip) continue;
    sum += kappa(kernel, q, x[j], width), weighted += kappa(kernel, q, x[j], width) * y[j];
  }
  return weighted / sum;
}

bool near(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-10 * (1 + std::abs(b));
}

const std::vector<Kernel> kAll{Kernel::gaussian,   Kernel::boxcar,       Kernel::constant,
                               Kernel::triangular, Kernel::epanechnikov, Kernel::biweight,
                               Kernel::tricube,    Kernel::cosine,       Kernel::dot};

}  // namespace

TEST_CASE("the estimate of every kernel is its weighted mean") {
  const Doubles x = uniform(40, 1), y = uniform(40, 2), queries = uniform(9, 3);
  for (const Kernel kernel : kAll)
    for (const double width : {0.1, 0.2, 0.5, 1.0, 30.0}) {
      const Doubles found = numbers_of(KernelEstimate{kernel},
                                       {column_of(queries), column_of(x), column_of(y), column_of({width})});
      for (std::size_t i = 0; i < queries.size(); ++i) {
        CAPTURE(kernel_text(kernel).title);
        CHECK(near(found[i], estimate(kernel, queries[i], x, y, width, x.size())));
      }
    }
}

TEST_CASE("an estimate without a point in reach is undefined and never 0") {
  const std::vector<Tensor64> inputs{column_of({0, 9}), column_of({0.5, 0}), column_of({3, 5}),
                                     column_of({1})};
  for (const Kernel kernel : {Kernel::boxcar, Kernel::triangular, Kernel::epanechnikov, Kernel::biweight,
                              Kernel::tricube, Kernel::cosine}) {
    const Doubles found = numbers_of(KernelEstimate{kernel}, inputs);
    CHECK(std::isfinite(found[0]));
    CHECK(std::isnan(found[1]));
  }
  const double share = std::exp(-(9.0 * 9.0 - 8.5 * 8.5) / 2);  // of the farther point
  CHECK(numbers_of(KernelEstimate{Kernel::gaussian}, inputs)[1] ==
        doctest::Approx((3 + 5 * share) / (1 + share)));
}

TEST_CASE("far from all points the Gaussian estimate is the nearest value") {
  const std::vector<Tensor64> inputs{column_of({1e6, -1e6}), column_of({0, 5, 5}), column_of({1, 2, 4}),
                                     column_of({1e-6})};
  CHECK(numbers_of(KernelEstimate{}, inputs) == Doubles{3, 1});
}

TEST_CASE("several values of a point are estimated with the same weights") {
  const std::vector<Tensor64> inputs{column_of({1}), column_of({0, 3}), Tensor64({1, 2, 2}, {1, 0, 0, 1}),
                                     column_of({2})};
  const Doubles found = numbers_of(KernelEstimate{}, inputs);
  CHECK(found[0] + found[1] == doctest::Approx(1));
  CHECK(found[0] == doctest::Approx(std::exp(-0.125) / (std::exp(-0.125) + std::exp(-0.5))));
}

TEST_CASE("leave-one-out errors are those of estimates without the point") {
  const Doubles x = uniform(25, 4), y = uniform(25, 5), widths{0.05, 0.3, 1, 4};
  for (const Kernel kernel : kAll) {
    const Doubles found =
        numbers_of(LeaveOneOut{kernel}, {column_of(x), column_of(y), Tensor64({4, 1, 1}, widths)});
    for (std::size_t w = 0; w < widths.size(); ++w)
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double off = y[i] - estimate(kernel, x[i], x, y, widths[w], i);
        CAPTURE(kernel_text(kernel).title);
        CHECK(near(found[w * x.size() + i], off * off));
      }
  }
}

TEST_CASE("one point left out leaves nothing to estimate from") {
  for (const Kernel kernel : kAll)
    CHECK(std::isnan(numbers_of(LeaveOneOut{kernel}, {column_of({1}), column_of({2}), column_of({1})})[0]));
}

TEST_CASE("leave-one-out takes widths of each point as candidates") {
  const std::vector<Tensor64> of_query{column_of({0, 1, 3}), column_of({5, 1, 2}),
                                       Tensor64({1, 3, 1}, {1, 2, 2})};
  const Doubles a = numbers_of(LeaveOneOut{Kernel::boxcar}, of_query);
  CHECK(a == Doubles{16, 6.25, 1});
  const std::vector<Tensor64> of_key{column_of({0, 1, 3}), column_of({5, 1, 2}),
                                     Tensor64({1, 1, 3}, {1, 2, 2})};
  const Doubles b = numbers_of(LeaveOneOut{Kernel::boxcar}, of_key);
  CHECK(b == Doubles{16, 6.25, 1});
}

TEST_CASE("a local line is the least-squares line through the weighted points") {
  const Doubles x = uniform(12, 6), y = uniform(12, 7), queries{-1, 0.3, 2.2, 7};
  Doubles weights;
  for (const double q : queries) {
    double sum = 0;
    for (const double k : x) sum += kappa(Kernel::gaussian, q, k, 0.8);
    for (const double k : x) weights.push_back(kappa(Kernel::gaussian, q, k, 0.8) / sum);
  }
  const Doubles linear =
      numbers_of(LinearWeights{}, {Tensor64({1, 4, 12}, weights), column_of(queries), column_of(x)});
  for (std::size_t i = 0; i < queries.size(); ++i) {
    // The normal equations of a + b(x − q), whose a is the estimate.
    double s0 = 0, s1 = 0, s2 = 0, t0 = 0, t1 = 0, found = 0, sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double w = weights[i * 12 + j], d = x[j] - queries[i];
      s0 += w, s1 += w * d, s2 += w * d * d, t0 += w * y[j], t1 += w * d * y[j];
      found += linear[i * 12 + j] * y[j], sum += linear[i * 12 + j];
    }
    CHECK(found == doctest::Approx((s2 * t0 - s1 * t1) / (s0 * s2 - s1 * s1)).epsilon(1e-9));
    CHECK(sum == doctest::Approx(1));
  }
}

TEST_CASE("a local line through points on a line is that line and does not bend at the ends") {
  const Doubles x{0, 0.3, 1, 1.7, 2}, w{0.1, 0.4, 0.2, 0.2, 0.1};
  const Doubles linear =
      numbers_of(LinearWeights{}, {Tensor64({1, 1, 5}, w), column_of({-0.5}), column_of(x)});
  double found = 0;
  for (std::size_t j = 0; j < x.size(); ++j) found += linear[j] * (3 - 2 * x[j]);
  CHECK(found == doctest::Approx(4));
}

TEST_CASE("one point or points at one place have the constant estimate") {
  CHECK(numbers_of(LinearWeights{}, {column_of({1}), column_of({9}), column_of({2})}) == Doubles{1});
  const Doubles same = numbers_of(
      LinearWeights{}, {Tensor64({1, 1, 3}, {0.2, 0.3, 0.5}), column_of({9}), column_of({0.1, 0.1, 0.1})});
  CHECK(same == Doubles{0.2, 0.3, 0.5});
  const Doubles alone =
      numbers_of(LinearWeights{}, {Tensor64({1, 1, 3}, {0, 1, 0}), column_of({9}), column_of({0.1, 0.7, 3})});
  CHECK(alone == Doubles{0, 1, 0});
}

TEST_CASE("an undefined row stays undefined as a local line") {
  const Doubles found =
      numbers_of(LinearWeights{}, {Tensor64({1, 1, 2}, {NAN, NAN}), column_of({0}), column_of({1, 2})});
  CHECK(std::isnan(found[0]));
  CHECK(std::isnan(found[1]));
}

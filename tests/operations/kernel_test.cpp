// Kernels of regression: against their formulas, at the edges of their reach, and far from all keys.
#include "core/operations/kernel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "core/reference/backend.h"
#include "core/system/error.h"

using namespace attn;

namespace {

Tensor64 column(std::vector<double> values) {
  const std::size_t rows = values.size();
  return {{1, rows, 1}, std::move(values)};
}

double value_at(Kernel kernel, double u) {
  const std::vector<Tensor64> inputs{column({u})};
  return run_in_double(KernelValue{kernel}, inputs).values()[0];
}

// With the factors that make them densities, which the quotient does not need.
const std::map<Kernel, std::function<double(double)>>& formulas() {
  static const std::map<Kernel, std::function<double(double)>> all{
      {Kernel::gaussian, [](double u) { return std::exp(-0.5 * u * u); }},
      {Kernel::boxcar, [](double u) { return std::abs(u) <= 1 ? 1.0 : 0.0; }},
      {Kernel::constant, [](double) { return 1.0; }},
      {Kernel::triangular, [](double u) { return std::max(0.0, 1 - std::abs(u)); }},
      {Kernel::epanechnikov, [](double u) { return std::max(0.0, 0.75 * (1 - u * u)); }},
      {Kernel::biweight, [](double u) { return std::pow(std::max(0.0, 1 - u * u), 2); }},
      {Kernel::tricube, [](double u) { return std::pow(std::max(0.0, 1 - std::pow(std::abs(u), 3)), 3); }},
      {Kernel::cosine, [](double u) { return std::abs(u) <= 1 ? std::cos(std::numbers::pi * u / 2) : 0.0; }}};
  return all;
}

std::vector<float> weights(Kernel kernel, std::vector<float> queries, std::vector<float> keys,
                           std::vector<float> widths) {
  const auto column_of = [](std::vector<float> v) {
    const std::size_t rows = v.size();
    return Tensor({1, rows, 1}, std::move(v));
  };
  const auto backend = make_reference_backend();
  const std::vector<Tensor> inputs{column_of(std::move(queries)), column_of(std::move(keys)),
                                   column_of(std::move(widths))};
  const Tensor exponents = backend->run(KernelExponent{kernel}, inputs);
  std::vector<float> values;
  double sum = 0;
  for (const float e : exponents.values()) sum += std::exp(static_cast<double>(e));
  for (const float e : exponents.values())
    values.push_back(static_cast<float>(std::exp(static_cast<double>(e)) / sum));
  return values;
}

std::string message_of(const Operation& operation, std::vector<Shape> shapes) {
  try {
    result_shape(operation, shapes);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("every kernel of a distance is its formula") {
  CHECK(formulas().size() + 1 == kKernels.size());  // the dot product has no distance
  for (const auto& [kernel, formula] : formulas())
    for (double u = -3; u <= 3; u += 1.0 / 64) {
      CAPTURE(kernel_text(kernel).title);
      CAPTURE(u);
      CHECK(std::abs(value_at(kernel, u) - formula(u)) <= 1e-15);
    }
}

TEST_CASE("at the edge of the reach the boxcar counts and all others are 0") {
  for (const double u : {1.0, -1.0}) {
    CHECK(value_at(Kernel::boxcar, u) == 1);
    for (const Kernel kernel :
         {Kernel::triangular, Kernel::epanechnikov, Kernel::biweight, Kernel::tricube, Kernel::cosine})
      CHECK(value_at(kernel, u) == 0);
  }
  CHECK(value_at(Kernel::boxcar, static_cast<double>(std::nextafter(1.0f, 2.0f))) == 0);
}

TEST_CASE("the triangular kernel is not the Epanechnikov kernel") {
  CHECK(value_at(Kernel::triangular, 0.5) == 0.5);
  CHECK(value_at(Kernel::epanechnikov, 0.5) == 0.5625);
}

TEST_CASE("a distance that was typed as one width is exactly one width") {
  const auto backend = make_reference_backend();
  const std::vector<Tensor> inputs{Tensor({1, 1, 1}, {0.3f}), Tensor({1, 2, 1}, {0.1f, 0.5f}),
                                   Tensor({1, 1, 1}, {0.2f})};
  const Tensor u = backend->run(KernelDistance{}, inputs);
  CHECK(u.values()[0] == 1);
  CHECK(u.values()[1] == doctest::Approx(-1));
  // In double it is not; the edge is the same all the same.
  const std::vector<Tensor64> exact{to_double(inputs[0]), to_double(inputs[1]), to_double(inputs[2])};
  const std::vector<Tensor64> distances{run_in_double(KernelDistance{}, exact)};
  CHECK(distances[0].values()[0] > 1);
  CHECK(run_in_double(KernelValue{Kernel::boxcar}, distances).values()[0] == 1);
}

TEST_CASE("a width of 0 reaches the query itself alone") {
  const std::vector<Tensor64> inputs{column({2}), column({2, 3}), column({0})};
  const Tensor64 u = run_in_double(KernelDistance{}, inputs);
  CHECK(u.values()[0] == 0);
  CHECK(u.values()[1] == -INFINITY);
  const Tensor64 e = run_in_double(KernelExponent{}, inputs);
  CHECK(e.values()[0] == 0);
  CHECK(e.values()[1] == -INFINITY);
}

TEST_CASE("each query and each key may have a width of its own") {
  const Tensor64 queries = column({0, 4}), keys = column({1, 2});
  const auto u = [&](Shape shape, std::vector<double> widths) {
    const std::vector<Tensor64> inputs{queries, keys, Tensor64(shape, std::move(widths))};
    const Tensor64 result = run_in_double(KernelDistance{}, inputs);
    return std::vector<double>(result.values().begin(), result.values().end());
  };
  CHECK(u({1, 2, 1}, {1, 2}) == std::vector<double>{-1, -2, 1.5, 1});
  CHECK(u({1, 1, 2}, {1, 2}) == std::vector<double>{-1, -1, 3, 1});
  CHECK(u({1, 2, 2}, {1, 2, 3, 4}) == std::vector<double>{-1, -1, 1, 0.5});
}

TEST_CASE("far from all keys the Gaussian weights are right though every kernel underflows") {
  // Exponents of −499 500 and −500 000: as floats both would be wrong by 0.03. Equal keys share equally.
  const std::vector<float> w = weights(Kernel::gaussian, {100}, {0, 0.0001f, 0.0001f}, {0.1f});
  const long double s = 0.1f, a = 100.0L / s, b = (100.0L - 0.0001f) / s;
  const long double ratio = std::exp(-(a * a - b * b) / 2);
  CHECK(w[0] == doctest::Approx(static_cast<double>(ratio / (2 + ratio))).epsilon(1e-6));
  CHECK(w[1] == w[2]);
  CHECK(weights(Kernel::gaussian, {1e6f}, {0, 5}, {1e-6f}) == std::vector<float>{0, 1});
}

TEST_CASE("a very large width makes every key count the same") {
  for (const float w : weights(Kernel::gaussian, {2}, {0, 1, 5, 5}, {1e6f})) CHECK(w == 0.25f);
}

TEST_CASE("the exponential dot product is the softmax of the products") {
  const std::vector<float> w = weights(Kernel::dot, {-2}, {0.5f, 1, -1}, {1});
  const double sum = std::exp(-1.0) + std::exp(-2.0) + std::exp(2.0);
  CHECK(w[0] == doctest::Approx(std::exp(-1.0) / sum));
  CHECK(w[1] == doctest::Approx(std::exp(-2.0) / sum));
  CHECK(w[2] == doctest::Approx(std::exp(2.0) / sum));
}

TEST_CASE("the width of the k-th nearest neighbour is that of the sorted distances") {
  const std::vector<double> keys{3, -1, 3, 7, 0.5, 2};
  for (const double query : {-4.0, 0.5, 3.0, 2.6}) {
    std::vector<double> distances;
    for (const double key : keys) distances.push_back(std::abs(query - key));
    std::ranges::sort(distances);
    for (std::size_t k = 1; k <= 9; ++k) {
      const std::vector<Tensor64> inputs{column({query}), column(keys)};
      CHECK(run_in_double(NeighbourWidth{k}, inputs).values()[0] ==
            distances[std::min<std::size_t>(k, 6) - 1]);
    }
  }
}

TEST_CASE("a sum of kernels that is 0 divides to an undefined row and not to zeros") {
  const std::vector<Tensor64> inputs{Tensor64({1, 2, 2}, {0, 0, 1, 3}), column({0, 4})};
  const Tensor64 shares = run_in_double(Normalize{.undefined = true}, inputs);
  CHECK(std::isnan(shares.values()[0]));
  CHECK(std::isnan(shares.values()[1]));
  CHECK(shares.values()[3] == 0.75);
  const std::vector<Tensor> given{to_float(inputs[0]), to_float(inputs[1])};
  CHECK(std::isnan(explain(Normalize{.undefined = true}, given, {0, 0, 0}).result));
}

TEST_CASE("what does not go together is refused with what would do") {
  CHECK(message_of(KernelDistance{}, {{1, 2, 1}, {1, 3, 1}, {1, 1, 2}})
            .find("for each query or for each key") != std::string::npos);
  CHECK(message_of(KernelDistance{}, {{1, 2, 2}, {1, 3, 1}, {1, 1, 1}}).find("no columns") !=
        std::string::npos);
  CHECK(message_of(NeighbourWidth{0}, {{1, 2, 1}, {1, 3, 1}}).find("use 1 or more") != std::string::npos);
  CHECK(message_of(NeighbourWidth{1}, {{1, 2, 1}, {1, 0, 1}}).find("add one") != std::string::npos);
  CHECK(message_of(KernelValue{Kernel::dot}, {{1, 2, 1}}).find("no kernel of a distance") !=
        std::string::npos);
  CHECK(
      message_of(KernelExponent{Kernel::boxcar}, {{1, 2, 1}, {1, 3, 1}, {1, 1, 1}}).find("no exponential") !=
      std::string::npos);
}

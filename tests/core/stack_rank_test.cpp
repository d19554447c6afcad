// How much of a stream rank 1 misses, over depth, in double.
#include <doctest/doctest.h>

#include <cmath>
#include <span>

#include "core/reference/singular_values.h"
#include "core/stack/rank_depth.h"
#include "core/system/error.h"
#include "core/tensor/random.h"
#include "core/transformer/made.h"
#include "tests/dates_document.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::vector<double> residuals_of(const StackSpec& stack, bool decoder = false) {
  RankRun run(stack, decoder);
  while (!run.step()) {
  }
  std::vector<double> found;
  for (const auto& residual : run.residuals()) found.push_back(residual.value());
  return found;
}

// u·vᵀ and so much of normals.
Tensor64 nearly_rank_one(std::size_t rows, std::size_t columns, double noise) {
  std::vector<double> values(rows * columns);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = (1 + static_cast<double>(i / columns)) * (2 - 0.1 * static_cast<double>(i % columns)) +
                noise * static_cast<double>(random_normal(3, i));
  return {{1, rows, columns}, std::move(values)};
}

}  // namespace

TEST_CASE("rank residuals of the dates over depth are numpy's") {
  // numpy.linalg.svd of the encoder's streams in double, of dates_by_torch.npz and "12·mar·1987". Both
  // ways are off by some 1e-15 of the largest singular value: 1e-10 of what is above 1e-5.
  constexpr double kOff = 1e-9;
  const double built[] = {0.8870735591442608, 0.7976564747079392, 0.8213779549321174, 0.8223789392558644,
                          0.8163572618446105};
  const double without[] = {0.8870735591442608, 0.7257727548387773, 0.3887104411911965, 0.03365225384271728,
                            1.5140937087179938e-05};
  const double alone[] = {0.8870735591442608, 0.44001193490754015, 0.0002071393498768738};
  const auto check = [](const std::vector<double>& found, std::span<const double> wanted) {
    REQUIRE(found.size() == 5);
    for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(std::abs(found[i] - wanted[i]) <= kOff * wanted[i]);
  };
  check(residuals_of(dates_by_torch()), built);
  check(residuals_of(without_residual(dates_by_torch())), without);
  const std::vector<double> found = residuals_of(attention_alone(dates_by_torch()));
  check(found, alone);
  CHECK(found[3] < 1e-14);  // 1.3e-15: what is left of double
}

TEST_CASE("the decoder's side is measured behind all of its boxes") {
  CHECK(residuals_of(dates_by_torch(), true).size() == 5);
  CHECK(residuals_of(attention_alone(dates_by_torch()), true).back() < 0.1);
}

TEST_CASE("squares beyond the first are those of the singular values") {
  for (const double noise : {1.0, 0.2, 0.1, 1e-2, 1e-5}) {
    const Tensor64 tall = nearly_rank_one(9, 5, noise), wide = nearly_rank_one(4, 11, noise);
    for (const Tensor64& matrix : {tall, wide}) {
      const std::vector<double> sizes = singular_values(matrix);
      double all = 0, beyond = 0;
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        all += sizes[i] * sizes[i];
        beyond += i > 0 ? sizes[i] * sizes[i] : 0;
      }
      INFO(noise);
      CHECK(std::abs(squares_beyond_first(matrix) - beyond / all) <= 1e-8 * beyond / all);
    }
  }
}

// u·vᵀ + 2⁻ᵏ·w·zᵀ, w at right angles to u and z to v: exact in double as far as k is 43, the singular values
// known.
TEST_CASE("squares beyond the first are exact down to the last bits") {
  const double u[] = {1, 2, 3, 4}, w[] = {2, -1, 4, -3}, v[] = {3, 1, 2}, z[] = {1, -1, -1};
  for (int k = 0; k <= 43; ++k) {
    std::vector<double> values;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 3; ++j) values.push_back(u[i] * v[j] + std::ldexp(w[i] * z[j], -k));
    const double square = std::ldexp(30.0 * 3 / (30 * 14), -2 * k), share = square / (1 + square);
    CAPTURE(k);
    CHECK(std::abs(squares_beyond_first(Tensor64({1, 4, 3}, values)) - share) <= 1e-8 * share);
  }
}

TEST_CASE("a stack that takes too long in double is refused before it is run") {
  StackSpec stack = made_over(LayerSpec());
  stack.encoder.tokens.clear();
  stack.encoder.x = Tensor({1, 4096, 64}, std::vector<float>(4096 * 64, 0.5f));
  stack = made_stack(stack, {.layers = 48, .heads = 1, .inner = 64}, 7);
  CHECK_THROWS_AS(RankRun(stack, false), Error);
}

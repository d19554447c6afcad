// Activations and what flows back through them: numbers derived by hand, central differences, the same
// arithmetic behind a product, what is explained and refused.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/operations/activation.h"
#include "tests/operations/differences.h"
#include "tests/operations/opened_numbers.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr ActivationKind kEveryActivation[]{ActivationKind::relu, ActivationKind::gelu,
                                            ActivationKind::gelu_tanh, ActivationKind::silu};

double activated_in_float(ActivationKind kind, float x) {
  return static_cast<double>(reference_of(Activation{kind}, {Tensor({1, 1, 1}, {x})}).values()[0]);
}

double flow_of_one(ActivationKind kind, float x) {
  const std::vector<Tensor> inputs{Tensor({1, 1, 1}, {x}), Tensor({1, 1, 1}, {1})};
  return static_cast<double>(reference_of(ActivationGradient{kind}, inputs).values()[0]);
}

}  // namespace

// Φ(1) = 0.8413447461, φ(1) = 0.2419707245, σ(1) = 0.7310585786; the tanh form of 1 is ½(1 + tanh
// 0.8335542).
TEST_CASE("activations are the numbers that tables of Φ and σ give") {
  CHECK(activated_in_float(ActivationKind::relu, -2) == 0);
  CHECK(activated_in_float(ActivationKind::relu, 2) == 2);
  CHECK(activated_in_float(ActivationKind::gelu, 1) == doctest::Approx(0.8413447461).epsilon(1e-7));
  CHECK(activated_in_float(ActivationKind::gelu, -1) == doctest::Approx(-0.1586552539).epsilon(1e-7));
  CHECK(activated_in_float(ActivationKind::gelu_tanh, 1) ==
        doctest::Approx((1 + std::tanh(std::sqrt(2 / std::numbers::pi) * 1.044715)) / 2).epsilon(1e-7));
  CHECK(activated_in_float(ActivationKind::silu, 1) == doctest::Approx(0.7310585786).epsilon(1e-7));
  CHECK(activated_in_float(ActivationKind::silu, -1) == doctest::Approx(-0.2689414214).epsilon(1e-7));
  CHECK(flow_of_one(ActivationKind::gelu, 1) == doctest::Approx(0.8413447461 + 0.2419707245).epsilon(1e-7));
  CHECK(flow_of_one(ActivationKind::silu, 1) ==
        doctest::Approx(0.7310585786 * (1 + 0.2689414214)).epsilon(1e-7));
}

TEST_CASE("half of a number that is nearly 0 passes, and nothing at ReLU’s bend") {
  for (const ActivationKind kind : kEveryActivation) {
    CHECK(activated_in_float(kind, 0) == 0);
    CHECK(flow_of_one(kind, 0) == (kind == ActivationKind::relu ? 0 : 0.5));
  }
}

TEST_CASE("of what is infinite or huge an activation is 0 or the number, its slope 0 or 1; NaN stays") {
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  for (const ActivationKind kind : kEveryActivation)
    for (const float x : {1e30f, kInfinite}) {
      CHECK(activated_in_float(kind, x) == static_cast<double>(x));
      CHECK(activated_in_float(kind, -x) == 0);
      CHECK(flow_of_one(kind, x) == 1);
      CHECK(flow_of_one(kind, -x) == 0);
      CHECK(std::isnan(activated_in_float(kind, NAN)));
      CHECK(std::isnan(flow_of_one(kind, NAN)));
    }
}

TEST_CASE("what flows back through activations is what central differences find") {
  for (const ActivationKind kind : kEveryActivation) {
    const Tensor64 x = random_in_double({2, 5, 7}, 1), g = random_in_double({2, 5, 7}, 2);
    check_differences(Activation{kind}, {x}, 0, g,
                      run_in_double(ActivationGradient{kind}, std::vector{x, g}));
  }
}

TEST_CASE("an activation is what a product becomes that has it") {
  const Tensor x({1, 2, 3}, {-3, -0.5f, 0, 0.25f, 1, 4}), one({1, 3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  CHECK(reference_of(MatMul{.after = AfterProduct::relu}, {x, one}) ==
        reference_of(Activation{ActivationKind::relu}, {x}));
  CHECK(reference_of(MatMul{.after = AfterProduct::gelu}, {x, one}) ==
        reference_of(Activation{ActivationKind::gelu}, {x}));
  CHECK(reference_of(MatMul{.after = AfterProduct::gelu_tanh}, {x, one}) ==
        reference_of(Activation{ActivationKind::gelu_tanh}, {x}));
}

TEST_CASE("every activation and gradient of one is opened, made alone by rows, and reaches its own cell") {
  for (const ActivationKind kind : kEveryActivation) {
    const Tensor x = to_float(random_in_double({2, 3, 4}, 3)), g = to_float(random_in_double({2, 3, 4}, 4));
    check_opened(Activation{kind}, {x});
    check_cut(Activation{kind}, {x}, {1, 2});
    check_opened(ActivationGradient{kind}, {x, g});
    check_products(ActivationGradient{kind}, {x, g});
    check_cut(ActivationGradient{kind}, {x, g}, {0, 2});
  }
  check_reached(Activation{ActivationKind::silu}, {random_in_double({2, 2, 3}, 5)});
  check_reached(ActivationGradient{ActivationKind::silu},
                {random_in_double({2, 2, 3}, 5), random_in_double({2, 2, 3}, 6)});
}

TEST_CASE("an activation is explained by its name, a gradient by its slope; only ReLU bends") {
  const std::vector<Tensor> x{Tensor({1, 1, 1}, {2})}, flowing{x[0], Tensor({1, 1, 1}, {3})};
  CHECK(explain(Activation{ActivationKind::gelu}, x, Cell{}).rule == "GELU");
  CHECK(explain(ActivationGradient{ActivationKind::relu}, flowing, Cell{}).rule ==
        "what flows in × the slope of ReLU");
  const std::vector<Shape> shapes{{1, 1, 1}};
  CHECK(traits(Activation{ActivationKind::relu}, shapes, shapes[0]).bends);
  CHECK_FALSE(traits(Activation{ActivationKind::gelu}, shapes, shapes[0]).bends);
  CHECK(why_refused(ActivationGradient{}, {{1, 2, 3}, {1, 2, 4}}) ==
        "a gradient of 2×4 is not that of numbers of 2×3");
}

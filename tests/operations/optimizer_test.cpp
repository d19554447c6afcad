// Steps of learning: numbers by hand, what is explained, reached and refused.
#include <doctest/doctest.h>

#include "core/operations/backward.h"
#include "tests/operations/opened_numbers.h"

using namespace attn;
using namespace attn::tests;

namespace {

const Tensor kMoments({2, 1, 2}, {1, -2, 4, 9}), kFlow({1, 1, 2}, {3, 5}), kParameter({1, 1, 2}, {10, -20});

Tensor at_step(float step) {
  return {{1, 1, 1}, {step}};
}

}  // namespace

TEST_CASE("a count grows by one") {
  CHECK(reference_of(Increment{}, {Tensor({1, 1, 2}, {4, -1})}) == Tensor({1, 1, 2}, {5, 0}));
}

TEST_CASE("moments are kept in part, and take the gradient and its square") {
  const GradientMoments half{.beta1 = 0.5, .beta2 = 0.75};
  CHECK(reference_of(half, {kMoments, kFlow, kParameter}) == Tensor({2, 1, 2}, {2, 1.5, 5.25, 13}));
  // g + 0.1·p: 4 and 3.
  const GradientMoments decayed{.beta1 = 0.5, .beta2 = 0.75, .decay = 0.1};
  const Tensor found = reference_of(decayed, {kMoments, kFlow, kParameter});
  for (const auto& [i, expected] :
       {std::pair(0, 2.5), std::pair(1, 0.5), std::pair(2, 7.0), std::pair(3, 9.0)})
    CHECK(found.values()[static_cast<std::size_t>(i)] == doctest::Approx(expected));
}

// m̂ = m ÷ ½ and v̂ = v ÷ ¼ at the first step; at the second ÷ ¾ and ÷ 7/16.
TEST_CASE("Adam’s step is corrected for moments that began at nothing") {
  const ParameterStep adam{.rate = 0.1, .beta1 = 0.5, .beta2 = 0.75, .epsilon = 0};
  const Tensor first = reference_of(adam, {kParameter, kMoments, at_step(0)});
  CHECK(first.values()[0] == doctest::Approx(10 - 0.1 * 2 / 4));
  CHECK(first.values()[1] == doctest::Approx(-20 + 0.1 * 4 / 6));
  const Tensor second = reference_of(adam, {kParameter, kMoments, at_step(1)});
  CHECK(second.values()[0] == doctest::Approx(10 - 0.1 * (4.0 / 3) / std::sqrt(64.0 / 7)));
}

TEST_CASE("epsilon stands outside the root, and a rate warms up") {
  const ParameterStep op{.rate = 0.8, .beta1 = 0, .beta2 = 0, .epsilon = 2, .warm_up = 4};
  CHECK(reference_of(op, {kParameter, kMoments, at_step(0)}).values()[0] ==
        doctest::Approx(10 - 0.2 * 1 / (2 + 2)));
  CHECK(reference_of(op, {kParameter, kMoments, at_step(9)}).values()[0] ==
        doctest::Approx(10 - 0.8 * 1 / (2 + 2)));
}

TEST_CASE("AdamW shrinks the parameter first, SGD follows the gradient and the decay") {
  const ParameterStep adamw{
      .kind = OptimizerKind::adamw, .rate = 0.5, .beta1 = 0, .beta2 = 0, .epsilon = 0, .decay = 0.2};
  CHECK(reference_of(adamw, {kParameter, kMoments, at_step(3)}).values()[0] ==
        doctest::Approx(9 - 0.5 * 1 / 2));
  const ParameterStep sgd{.kind = OptimizerKind::sgd, .rate = 0.5, .decay = 0.2};
  CHECK(reference_of(sgd, {kParameter, kFlow, at_step(3)}).values()[0] ==
        doctest::Approx(10 - 0.5 * (3 + 2)));
}

TEST_CASE("every number of a step of learning is opened, followed and made alone by rows") {
  const Tensor p({1, 2, 2}, {1, 2, 3, 4}), g({1, 2, 2}, {5, 6, 7, 8}), m({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  const GradientMoments moments{.decay = 0.5};
  const ParameterStep adamw{.kind = OptimizerKind::adamw, .decay = 0.5}, sgd{.kind = OptimizerKind::sgd};
  check_opened(Increment{}, {p}), check_opened(moments, {m, g, p});
  check_opened(adamw, {p, m, at_step(2)}), check_opened(sgd, {p, g, at_step(2)});
  check_reached(Increment{}, {to_double(p)}),
      check_reached(moments, {to_double(m), to_double(g), to_double(p)});
  check_reached(adamw, {to_double(p), to_double(m), to_double(at_step(2))});
  check_cut(Increment{}, {p}, {1, 1}), check_cut(moments, {m, g, p}, {1, 1});
  check_cut(adamw, {p, m, at_step(2)}, {1, 1}), check_cut(sgd, {p, g, at_step(2)}, {0, 1});
}

TEST_CASE("a step of learning replaces what it is of, and nothing flows back through it") {
  const std::vector<Shape> shapes{{2, 1, 2}, {1, 1, 2}, {1, 1, 2}}, one{{1, 1, 1}};
  CHECK(traits(GradientMoments{}, shapes, shapes[0]).in_place);
  CHECK(traits(Increment{}, one, one[0]).in_place);
  CHECK(backward(Increment{}, one, one[0]).missing ==
        "it is a step of learning, and nothing flows back through that");
}

TEST_CASE("moments, gradients and parameters that do not fit are refused") {
  CHECK(why_refused(GradientMoments{}, {{1, 1, 2}, {1, 1, 2}, {1, 1, 2}}) ==
        "moments of 1×2 do not fit a parameter of 1×2: there are two of each number");
  CHECK(why_refused(GradientMoments{}, {{2, 1, 2}, {1, 2, 2}, {1, 1, 2}}) ==
        "a gradient of 2×2 does not fit a parameter of 1×2");
  CHECK(why_refused(ParameterStep{}, {{1, 1, 2}, {2, 1, 2}, {1, 1, 2}}) == "a step of 1×2 is not one number");
}

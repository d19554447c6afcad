// Local attention number by number: the edges of the reach, the ends of the sigmoid, what flows back to the
// centres, and what is refused.
#include "core/operations/local.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/operations/local_slopes.h"
#include "tests/operations/differences.h"
#include "tests/operations/opened_numbers.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("the centre goes from 0 to the number of keys and is in the middle of a sum of 0") {
  const LocalCentre op{10};
  CHECK(local_centre(op, 0) == 5);
  CHECK(local_centre(op, 800) == 10);
  CHECK(local_centre(op, -800) == 0);
  CHECK(local_centre(op, std::log(3.0)) == doctest::Approx(7.5).epsilon(1e-15));
  for (const double x : {0.3, 2.0, 17.0, 40.0})
    CHECK(local_centre(op, x) + local_centre(op, -x) == doctest::Approx(10).epsilon(1e-15));
}

TEST_CASE("a key at the end of the reach is seen and one just beyond it is not") {
  const LocalMask op{2, 9};
  CHECK_FALSE(is_outside(op, 4, 6));
  CHECK_FALSE(is_outside(op, 4, 2));
  CHECK(is_outside(op, 4, 7));
  CHECK(is_outside(op, std::nextafter(4, 0), 6));
  CHECK(is_outside(op, std::nextafter(4, 9), 2));
  CHECK_FALSE(is_outside(op, NAN, 0));
}

// Luong, Pham, Manning 2015, equation 10: σ is half the reach.
TEST_CASE("a weight falls by a half of e at half the reach and by e squared at its end") {
  const LocalDecay op{4};
  CHECK(local_factor(op, 3, 3) == 1);
  CHECK(local_factor(op, 3, 5) == doctest::Approx(std::exp(-0.5)).epsilon(1e-15));
  CHECK(local_factor(op, 3, 7) == doctest::Approx(std::exp(-2.0)).epsilon(1e-15));
}

TEST_CASE("centres and masks that do not fit are refused with what does") {
  CHECK(why_refused(LocalMask{1, 5}, {{2, 3, 2}}).find("2×3×2") != std::string::npos);
  CHECK(why_refused(LocalMask{0, 5}, {{2, 3, 1}}).find("at least 1") != std::string::npos);
  CHECK(why_refused(LocalMask{1, 5}, {{2, 3, 1}, {1, 3, 4}}).find("a mask of 3×4") != std::string::npos);
  CHECK(why_refused(LocalDecay{1}, {{2, 3, 5}, {1, 3, 1}}).find("give each query one") != std::string::npos);
  CHECK(why_refused(LocalMask{1, 5}, {{4, 3, 1}, {2, 3, 5}}).empty());
}

TEST_CASE("why a key is hidden by its distance is said with the numbers") {
  const std::vector<Tensor> inputs{Tensor({1, 1, 1}, {1.25f}), Tensor({1, 1, 5}, {1, 0, 0, 0, 0})};
  const Explanation far = explain(LocalMask{2, 5}, inputs, {0, 0, 4});
  CHECK(far.result == 1);
  CHECK(far.terms[0].operands[0].text == "|key 4 − centre 1.25| = 2.75 > 2");
  const Explanation other = explain(LocalMask{2, 5}, inputs, {0, 0, 0});
  CHECK(other.result == 1);
  CHECK(other.terms[0].value == 0);
  CHECK(other.terms[1].value == 1);
}

// A quarter of the way the sigmoid rises by 3/16; half a reach of 2 is 1.
TEST_CASE("to a centre flows what the sigmoid lets through, and to it how the weights lean") {
  const auto backend = make_reference_backend();
  const Tensor y({1, 1, 4}, {2, 4, 0, 8}), g({1, 1, 4}, {16, 4, 5, 5});
  CHECK(backend->run(CentreGradient{8}, std::vector{y, g}) == Tensor({1, 1, 4}, {24, 8, 0, 0}));
  const Tensor weights({1, 1, 3}, {0.5f, 1, 0.25f}), centre({1, 1, 1}, {1}), flows({1, 1, 3}, {4, 100, 16});
  const std::vector<Tensor> inputs{weights, centre, flows};
  CHECK(backend->run(DecayGradient{2}, inputs)[Cell{}] == -2 + 4);
  CHECK(backend->run(DecayGradient{4}, inputs)[Cell{}] == 0.5f);
  CHECK(size_of_terms(DecayGradient{2}, inputs) == 6);
}

TEST_CASE("gradients of centres are what central differences find") {
  const Shape shape{2, 3, 5}, centres{2, 3, 1};
  const Tensor64 x = random_in_double(centres, 1), g = random_in_double(centres, 2);
  const Tensor64 p = run_in_double(LocalCentre{5}, std::vector{x});
  check_differences(LocalCentre{5}, {x}, 0, g, run_in_double(CentreGradient{5}, std::vector{p, g}));
  const Tensor64 weights = random_in_double(shape, 3), flows = random_in_double(shape, 4);
  const std::vector<Tensor64> decay{weights, p};
  const Tensor64 y = run_in_double(LocalDecay{3}, decay);
  check_differences(LocalDecay{3}, decay, 1, flows,
                    run_in_double(DecayGradient{3}, std::vector{y, p, flows}));
  // What flows to the weights is what flows in, decayed.
  check_differences(LocalDecay{3}, decay, 0, flows, run_in_double(LocalDecay{3}, std::vector{flows, p}));
}

TEST_CASE(
    "gradients of centres are explained, reached and made by rows, and a weight of 0 hides what it meets") {
  const Shape shape{2, 3, 5}, centres{2, 3, 1};
  const Tensor64 y = random_in_double(shape, 1), p = random_in_double(centres, 2),
                 g = random_in_double(shape, 3), to_centres = random_in_double(centres, 4);
  const std::vector<Tensor> decayed{to_float(y), to_float(p), to_float(g)};
  const std::vector<Tensor> centred{to_float(p), to_float(to_centres)};
  check_opened(DecayGradient{3}, decayed);
  check_opened(CentreGradient{5}, centred);
  check_products(DecayGradient{3}, decayed);
  check_products(CentreGradient{5}, centred);
  check_reached(DecayGradient{3}, {y, p, g});
  check_reached(CentreGradient{5}, {p, to_centres});
  check_cut(DecayGradient{3}, decayed, {1, 2});
  check_cut(CentreGradient{5}, centred, {1, 2});
  for (const float any : {INFINITY, -INFINITY, NAN}) {
    const std::vector<Tensor> inputs{Tensor({1, 2, 2}, {1, 0, 0, 0}), Tensor({1, 2, 1}, {2, any}),
                                     Tensor({1, 2, 2}, {3, any, any, any})};
    CHECK(make_reference_backend()->run(DecayGradient{2}, inputs) == Tensor({1, 2, 1}, {-6, 0}));
    CHECK(explain(DecayGradient{2}, inputs, {0, 1, 0}).result == 0);
  }
  const Explanation e =
      explain(DecayGradient{3},
              std::vector{Tensor({1, 1, 1}, {1}), Tensor({1, 1, 1}, {0.5f}), Tensor({1, 1, 1}, {2})}, Cell{});
  REQUIRE(e.terms.size() == 1);
  CHECK(e.terms[0].operands[2].text == "(0 − 0.5)");
  CHECK(e.terms[0].operands[3].text == "1/(1.5)²");
}

TEST_CASE("gradients of centres are refused where they do not fit") {
  CHECK(why_refused(CentreGradient{4}, {{2, 3, 1}, {2, 3, 2}}) ==
        "a gradient of 2×3×2 does not flow through 2×3×1");
  CHECK(why_refused(DecayGradient{0}, {{2, 3, 5}, {2, 3, 1}, {2, 3, 5}}).find("at least 1") !=
        std::string::npos);
  CHECK(why_refused(DecayGradient{1}, {{2, 3, 5}, {2, 3, 2}, {2, 3, 5}}).find("give each query one") !=
        std::string::npos);
  CHECK(why_refused(DecayGradient{1}, {{2, 3, 5}, {2, 3, 1}, {2, 3, 1}}) ==
        "a gradient of 2×3×1 does not flow through 2×3×5");
}

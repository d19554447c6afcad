// Rotary encoding against complex numbers, and what rotation keeps: lengths, and scores by offset alone.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/devices.h"
#include "tests/operations/differences.h"
#include "tests/operations/opened_numbers.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

// By the definition: each pair is a complex number times e^{i·p·θ}.
std::vector<double> by_complex_numbers(const Rotate& op, const Tensor& x) {
  const std::size_t w = op.rotary.turned(x.columns()), n = x.rows();
  std::vector<double> y(x.values().begin(), x.values().end());
  for (std::size_t row = 0; row < x.stack() * n; ++row)
    for (std::size_t i = 0; i < w / 2; ++i) {
      const bool half = op.rotary.pairing == Pairing::half;
      const std::size_t a = row * x.columns() + (half ? i : 2 * i), b = half ? a + w / 2 : a + 1;
      const double theta = std::pow(op.rotary.base, -2.0 * static_cast<double>(i) / static_cast<double>(w));
      const std::complex<double> turned = std::complex<double>(x.values()[a], x.values()[b]) *
                                          std::polar(1.0, static_cast<double>(op.first + row % n) * theta);
      y[a] = turned.real(), y[b] = turned.imag();
    }
  return y;
}

double score(const Tensor64& q, const Tensor64& k, std::size_t i, std::size_t j) {
  double sum = 0;
  for (std::size_t c = 0; c < q.columns(); ++c) sum += q[{0, i, c}] * k[{0, j, c}];
  return sum;
}

// So many equal rows.
Tensor64 repeated(const Tensor& row, std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.insert(values.end(), row.values().begin(), row.values().end());
  return {{1, count, row.columns()}, std::move(values)};
}

// The largest difference of two scores of the same offset, with one query and one key everywhere.
double unevenness(const Rotary& q_rotary, const Rotary& k_rotary, std::size_t first) {
  constexpr std::size_t kCount = 24, kWidth = 16;
  Random random(5);
  const std::vector<Tensor64> q{repeated(normal(random, {1, 1, kWidth}), kCount)};
  const std::vector<Tensor64> k{repeated(normal(random, {1, 1, kWidth}), kCount)};
  const Tensor64 rq = run_in_double(Rotate{q_rotary, first}, q),
                 rk = run_in_double(Rotate{k_rotary, first}, k);
  double most = 0;
  for (std::size_t i = 0; i + 1 < kCount; ++i)
    for (std::size_t j = 0; j + 1 < kCount; ++j)
      most = std::max(most, std::abs(score(rq, rk, i + 1, j + 1) - score(rq, rk, i, j)));
  return most;
}

const Rotary kNeighbours{}, kHalves{.pairing = Pairing::half};

}  // namespace

TEST_CASE("both pairings turn pairs as complex numbers do on the reference and on the device") {
  for (const char* choice : {"reference", "auto"}) {
    Budget budget;
    std::vector<std::string> notes;
    const auto backend = tests::devices()->choose(choice, budget, notes);
    Random random(1);
    for (const std::size_t first : {0u, 3u, 65536u, 100000u})
      for (const Pairing pairing : {Pairing::neighbour, Pairing::half})
        for (const std::size_t part : {0u, 2u, 6u}) {
          const Rotate op{{.pairing = pairing, .base = first == 3 ? 100.0 : 10000.0, .part = part}, first};
          const Tensor x = normal(random, {2, 7, 8});
          const std::vector<double> expected = by_complex_numbers(op, x);
          const Tensor y = backend->run(op, std::vector{x});
          for (std::size_t i = 0; i < expected.size(); ++i)
            CHECK(std::abs(static_cast<double>(y.values()[i]) - expected[i]) <=
                  2e-6 + 2e-5 * std::abs(expected[i]));
        }
  }
}

TEST_CASE("rotation keeps the length of every row") {
  Random random(2);
  for (const Rotary& rotary : {kNeighbours, kHalves, Rotary{.base = 1}, Rotary{.base = 1e9, .part = 4}}) {
    const std::vector<Tensor64> x{to_double(normal(random, {3, 9, 12}))};
    const Tensor64 y = run_in_double(Rotate{rotary, 100000}, x);
    for (std::size_t s = 0; s < 3; ++s)
      for (std::size_t row = 0; row < 9; ++row) {
        double before = 0, after = 0;
        for (std::size_t j = 0; j < 12; ++j) {
          before += x[0][{s, row, j}] * x[0][{s, row, j}];
          after += y[{s, row, j}] * y[{s, row, j}];
        }
        CHECK(std::abs(after - before) <= 1e-13 * before);
      }
  }
}

TEST_CASE("what is turned back is where it was, and is what flows back through a rotation") {
  for (const Rotary& rotary :
       {kNeighbours, kHalves, Rotary{.part = 4, .stretch = Stretch::yarn, .factor = 4, .trained = 64}}) {
    const Rotate there{rotary, 700}, back{rotary, 700, true};
    const Tensor64 x = random_in_double({2, 5, 6}, 3), g = random_in_double({2, 5, 6}, 4);
    const double gain = rotary_gain(rotary);
    const Tensor64 again = run_in_double(back, std::vector{run_in_double(there, std::vector{x})});
    for (std::size_t i = 0; i < x.values().size(); ++i) {
      const bool turned = i % 6 < rotary.turned(6);
      CHECK(again.values()[i] == doctest::Approx((turned ? gain * gain : 1) * x.values()[i]).epsilon(1e-9));
    }
    check_differences(there, {x}, 0, g, run_in_double(back, std::vector{g}));
    check_opened(back, {to_float(x)});
    check_cut(back, {to_float(x)}, {1, 3});
  }
  const Tensor x({1, 2, 2}, {0, 0, 1, 0});
  const Explanation e = explain(Rotate{{}, 0, true}, std::vector{x}, Cell{0, 1, 1});
  CHECK(e.rule == "pair 0 turned by φ = −p·θ");
  CHECK(e.result == doctest::Approx(-std::sin(1.0)));
  REQUIRE(e.turn);
  CHECK(e.turn->angle == -1);
}

TEST_CASE("heads side by side are turned as each alone") {
  const Tensor64 x = random_in_double({2, 5, 11}, 5);
  const Rotate together{{.base = 100, .part = 8}, 3, false, 2}, alone{{.base = 100}, 3};
  const Tensor64 y = run_in_double(together, std::vector{x});
  for (std::size_t head = 0; head < 2; ++head) {
    std::vector<double> of_head;
    for (std::size_t i = 0; i < 10; ++i)
      for (std::size_t c = 0; c < 4; ++c) of_head.push_back(x[{i / 5, i % 5, head * 4 + c}]);
    const Tensor64 expected = run_in_double(alone, std::vector{Tensor64({2, 5, 4}, std::move(of_head))});
    for (std::size_t i = 0; i < 10; ++i)
      for (std::size_t c = 0; c < 4; ++c)
        CHECK(y[{i / 5, i % 5, head * 4 + c}] == expected[{i / 5, i % 5, c}]);
  }
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t c = 8; c < 11; ++c) CHECK(y[{i / 5, i % 5, c}] == x[{i / 5, i % 5, c}]);
  check_opened(together, {to_float(x)});
  check_differences(together, {x}, 0, x, run_in_double(Rotate{together.rotary, 3, true, 2}, std::vector{x}));
  CHECK(why_refused(Rotate{.rotary = {}, .heads = 3}, {{1, 2, 8}}) == "8 features are not pairs of 3 heads");
  CHECK(why_refused(Rotate{.rotary = {.pairing = Pairing::half}, .heads = 2}, {{1, 2, 8}}) ==
        "heads side by side are turned in pairs of neighbours");
}

TEST_CASE("scores of turned rows depend on the offset alone") {
  for (const std::size_t first : {0u, 100000u})
    for (const Rotary& rotary : {kNeighbours, kHalves, Rotary{.base = 500, .part = 6},
                                 Rotary{.stretch = Stretch::interpolation, .factor = 4},
                                 Rotary{.stretch = Stretch::ntk, .factor = 4},
                                 Rotary{.stretch = Stretch::yarn, .factor = 4, .trained = 64}})
      CHECK(unevenness(rotary, rotary, first) <= 1e-9);
}

TEST_CASE("queries turned in one pairing and keys in the other break the offset") {
  CHECK(unevenness(kNeighbours, kHalves, 0) > 0.1);
}

TEST_CASE("the first position changes no score but by rounding") {
  Random random(3);
  const std::vector<Tensor64> q{to_double(normal(random, {1, 6, 8}))},
      k{to_double(normal(random, {1, 6, 8}))};
  const auto scores = [&](std::size_t first) {
    const Tensor64 a = run_in_double(Rotate{{}, first}, q), b = run_in_double(Rotate{{}, first}, k);
    std::vector<double> all;
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j) all.push_back(score(a, b, i, j));
    return all;
  };
  const std::vector<double> here = scores(0), far = scores(100000);
  for (std::size_t i = 0; i < here.size(); ++i) CHECK(std::abs(here[i] - far[i]) <= 1e-9);
}

TEST_CASE("frequencies are stretched as their papers say") {
  const Rotary plain{.base = 10000};
  const auto theta = [](Rotary r, std::size_t pair) { return rotary_frequency(r, 8, pair); };
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(theta(plain, i) == doctest::Approx(std::pow(10, -static_cast<double>(i))));
  const Rotary linear{.stretch = Stretch::interpolation, .factor = 4};
  CHECK(theta(linear, 2) == theta(plain, 2) / 4);
  // The fastest pair stays, the slowest is slowed by the factor: what the base was chosen for.
  const Rotary ntk{.stretch = Stretch::ntk, .factor = 4};
  CHECK(theta(ntk, 0) == 1);
  CHECK(theta(ntk, 3) == doctest::Approx(theta(plain, 3) / 4).epsilon(1e-12));
  // L = 640π: pairs turn 320, 32, 3.2 and 0.32 times within it.
  const Rotary yarn{.base = 10000, .stretch = Stretch::yarn, .factor = 4, .trained = 2011};
  const double turns = 2011 * 0.01 / (2 * std::numbers::pi), kept = (turns - 1) / 31;
  CHECK(theta(yarn, 0) == theta(plain, 0));
  CHECK(theta(yarn, 1) == theta(plain, 1));
  CHECK(theta(yarn, 2) == doctest::Approx((1 - kept) * theta(plain, 2) / 4 + kept * theta(plain, 2)));
  CHECK(theta(yarn, 3) == theta(plain, 3) / 4);
  CHECK(rotary_gain(yarn) == doctest::Approx(1.138629436));
  CHECK(rotary_gain(plain) == 1);
  for (const Stretch stretch :
       {Stretch::interpolation, Stretch::ntk, Stretch::yarn, Stretch::yarn_released, Stretch::llama3})
    CHECK(theta({.stretch = stretch, .factor = 1}, 3) == doctest::Approx(theta(plain, 3)).epsilon(1e-15));
}

// Numbers of the published programs, their arithmetic done in double by numpy.
TEST_CASE("YaRN as released goes by the number of the pair and Llama 3 by the wavelength") {
  const auto theta = [](const Rotary& r, std::size_t pair) {
    return rotary_frequency(r, 128, pair) / rotary_frequency({.base = r.base}, 128, pair);
  };
  // 4096 stretched to 65536 with base 10000: pairs 20 to 46 are mixed. By turns they would be 21 to 45.
  const Rotary released{.stretch = Stretch::yarn_released, .factor = 16, .trained = 4096};
  CHECK(theta(released, 20) == 1);
  CHECK(theta(released, 21) == doctest::Approx(1 - 1 / 26. * 15 / 16).epsilon(1e-13));
  CHECK(theta(released, 33) == doctest::Approx(1 - 13 / 26. * 15 / 16).epsilon(1e-13));
  CHECK(theta(released, 46) == doctest::Approx(1 / 16.).epsilon(1e-13));
  CHECK(rotary_gain(released) == doctest::Approx(1.2772588722).epsilon(1e-10));
  Rotary paper = released;
  paper.stretch = Stretch::yarn;
  CHECK(std::abs(theta(released, 33) - theta(paper, 33)) > 0.1);
  // Llama 3.1: base 500000, s 8, L 8192. Wavelengths above 8192 are interpolated, those below 2048 kept.
  const Rotary llama{.base = 500000, .stretch = Stretch::llama3, .factor = 8, .trained = 8192};
  CHECK(theta(llama, 28) == 1);
  CHECK(theta(llama, 29) == doctest::Approx(0.82816841183718).epsilon(1e-12));
  CHECK(theta(llama, 34) == doctest::Approx(0.19021074364065).epsilon(1e-12));
  CHECK(theta(llama, 35) == doctest::Approx(1 / 8.).epsilon(1e-13));
  CHECK(rotary_gain(llama) == 1);
  // Where both bounds fall on one pair nothing is divided by 0.
  CHECK(std::isfinite(theta({.base = 1e300, .stretch = Stretch::yarn_released, .factor = 2}, 1)));
}

TEST_CASE("an odd width is refused by rotation with even ones that would do") {
  const auto message = [](const Rotary& rotary, std::size_t width) -> std::string {
    try {
      check_rotary(rotary, width);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  CHECK(
      message({}, 5) ==
      "RoPE turns pairs of features and needs an even width, but queries and keys are 5 wide: use 4 or 6, or "
      "turn the first 4 alone");
  CHECK(message({}, 1).ends_with("use 2"));
  CHECK(message({.part = 3}, 8) == "RoPE turns pairs of features, and 3 are no pairs: turn 2 or 4");
  CHECK(message({.part = 10}, 9) == "RoPE cannot turn 10 of 9 features: use at most 8");
  CHECK(message({.part = 3}, 3) == "RoPE turns pairs of features, and 3 are no pairs: turn 2");
  CHECK(message({.part = 4}, 5) == "");
  for (const std::size_t part : {0, 1, 2, 4})
    CHECK(message({.part = part}, 1) ==
          "RoPE turns pairs of features and needs an even width, but queries and keys are 1 wide: use 2");
  CHECK(message({.base = 0}, 4).starts_with("RoPE needs a base"));
  CHECK(message({.factor = 0.5}, 4).starts_with("RoPE is stretched"));
  CHECK(std::get<Rotary>(*repaired(Rotary{}, 5)).part == 4);
  CHECK(std::holds_alternative<NoPosition>(*repaired(Rotary{}, 1)));
  CHECK_FALSE(repaired(Rotary{}, 4));
}

TEST_CASE("lengths of one and widths of two and 512 with odd bases are turned") {
  for (const auto& [n, d] : {std::pair<std::size_t, std::size_t>{1, 2}, {1, 512}, {70, 2}, {9, 512}})
    for (const double base : {1.0, 1e9}) {
      Random random(4);
      const Tensor x = normal(random, {1, n, d});
      const Rotate op{{.pairing = Pairing::half, .base = base}, 0};
      const std::vector<double> expected = by_complex_numbers(op, x);
      const Tensor y = make_reference_backend()->run(op, std::vector{x});
      for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(static_cast<double>(y.values()[i]) == doctest::Approx(expected[i]).epsilon(1e-6));
    }
}

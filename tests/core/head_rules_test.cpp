// Heads that were planted, and the names that the rules give them.
#include "core/heads/rules.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "core/operations/head_maps.h"
#include "core/operations/weighting.h"
#include "core/reference/backend.h"
#include "core/tensor/random.h"

using namespace attn;

namespace {

const Labels kTokens{"the", "cat", "sat", "on", "the", "mat", "because", "the", "cat", "was", "warm", "."};

Tensor one(const Operation& operation, const std::vector<Tensor>& inputs) {
  std::vector<Tensor64> wide;
  for (const Tensor& input : inputs) wide.push_back(to_double(input));
  return to_float(run_in_double(operation, wide));
}

// Rows of weights in proportion to `size(i, j)`, over the visible keys.
Tensor rows_of(std::size_t n, bool causal, const std::function<double(std::size_t, std::size_t)>& size) {
  std::vector<float> values(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    const std::size_t seen = causal ? i + 1 : n;
    for (std::size_t j = 0; j < seen; ++j) sum += size(i, j);
    for (std::size_t j = 0; j < seen; ++j) values[i * n + j] = static_cast<float>(size(i, j) / sum);
  }
  return {{1, n, n}, std::move(values)};
}

struct Named {
  HeadName name;
  HeadFigures figures;
  std::string title() const { return std::string(title_of(name)); }
};

Named named(const Tensor& weights, bool causal, const Labels& tokens = kTokens) {
  const std::size_t n = weights.rows();
  const Tensor equal = rows_of(n, causal, [](auto, auto) { return 1.0; });
  const Tensor patterns = head_patterns(n, n, 2, true, tokens);
  const RowStatistic entropy{RowFigure::entropy};
  const HeadFigures figures =
      head_figures(one(PatternShare{}, {weights, patterns}), one(PatternShare{}, {equal, patterns}),
                   one(entropy, {weights}), one(entropy, {equal}), 0);
  return {name_of(figures), figures};
}

// 0.9 on some key, the rest shared by all.
double mostly(bool there) {
  return there ? 0.9 : 0.01;
}

std::string planted(const std::function<bool(std::size_t, std::size_t)>& there, bool causal) {
  return named(rows_of(12, causal, [&](std::size_t i, std::size_t j) { return mostly(there(i, j)); }), causal)
      .title();
}

bool follows_like(std::size_t i, std::size_t j) {
  return j > 0 && j <= i && kTokens[j - 1] == kTokens[i];
}

}  // namespace

TEST_CASE("planted heads have the names of their rules with a causal mask and without") {
  for (const bool causal : {true, false}) {
    CAPTURE(causal);
    CHECK(planted([](auto i, auto j) { return j + 1 == i; }, causal) == "previous token");
    CHECK(planted([](auto, auto j) { return j == 0; }, causal) == "first token");
    CHECK(planted([](auto i, auto j) { return i == j; }, causal) == "itself");
    CHECK(planted(follows_like, causal) == "induction");
    CHECK(planted([](auto, auto) { return true; }, causal) == "broad");
    CHECK(planted([](auto i, auto j) { return (i > j ? i - j : j - i) <= 2; }, causal) == "nearby");
  }
}

TEST_CASE("noise has no name") {
  for (const bool causal : {true, false})
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const Tensor noise = rows_of(12, causal, [&](std::size_t i, std::size_t j) {
        return std::exp(2 * static_cast<double>(random_normal(seed, i * 12 + j)));
      });
      CAPTURE(seed);
      CAPTURE(causal);
      CHECK(named(noise, causal).title() == "no rule fits");
    }
}

TEST_CASE("the number behind a name is the share of the rows that can tell") {
  const Named head =
      named(rows_of(12, true, [](auto i, auto j) { return mostly(j + 1 == i || i == 0); }), true);
  REQUIRE(head.name.kind == HeadKind::previous);
  double sum = 0;
  for (std::size_t i = 1; i < 12; ++i) sum += 0.9 / (0.9 + 0.01 * static_cast<double>(i));
  CHECK(head.name.number == doctest::Approx(sum / 11));
  CHECK(head.figures.rows[0] == 11);
}

TEST_CASE("equal weights on few keys are broad and never a rule about one of them") {
  // Of two tokens equal weights lie by half on each.
  const auto equal = [](auto, auto) { return 1.0; };
  for (const std::size_t n : {2, 3, 4}) CHECK(named(rows_of(n, false, equal), false, {}).title() == "broad");
}

TEST_CASE("without labels no head is an induction head") {
  const Tensor weights = rows_of(12, false, [](auto i, auto j) { return mostly(follows_like(i, j)); });
  CHECK(named(weights, false).title() == "induction");
  CHECK(named(weights, false, {}).figures.rows[3] == 0);
}

TEST_CASE("of keys that are other tokens only the first is a place") {
  const Tensor patterns = head_patterns(3, 4, 2, false, kTokens);
  float sum = 0;
  for (const float value : patterns.values()) sum += value;
  CHECK(sum == 3);
}

TEST_CASE("behind a cache queries stand at the last keys") {
  const Tensor patterns = head_patterns(2, 5, 1, true, {});
  CHECK(patterns[{2, 0, 3}] == 1);
  CHECK(patterns[{2, 1, 4}] == 1);
  CHECK(patterns[{0, 0, 2}] == 1);
}

TEST_CASE("ordered by likeness each head stands next to its like") {
  // 0 is like 3, 3 like 1, and 2 like none.
  const Tensor likeness({1, 4, 4}, {1, 0.2f, 0, 0.9f, 0.2f, 1, 0.1f, 0.7f, 0, 0.1f, 1, 0, 0.9f, 0.7f, 0, 1});
  CHECK(order_by_likeness(likeness) == std::vector<std::size_t>{0, 3, 1, 2});
}

// What depends on offsets: slopes against the published rule, buckets against their boundaries, and sums that
// undo nothing but the order.
#include <doctest/doctest.h>

#include <cmath>

#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

// get_slopes() of the authors' program (Press et al. 2022), with its own recursion.
std::vector<double> published_slopes(std::size_t heads) {
  const double log = std::log2(static_cast<double>(heads));
  if (log == std::floor(log)) {
    const double start = std::pow(2.0, -std::pow(2.0, -(log - 3)));
    std::vector<double> slopes;
    for (std::size_t i = 0; i < heads; ++i) slopes.push_back(std::pow(start, i + 1));
    return slopes;
  }
  const auto below = static_cast<std::size_t>(std::pow(2.0, std::floor(log)));
  std::vector<double> slopes = published_slopes(below), next = published_slopes(2 * below);
  for (std::size_t i = 0; slopes.size() < heads; i += 2) slopes.push_back(next[i]);
  return slopes;
}

// relative_position_bucket() of T5's program, in double.
std::size_t published_bucket(const Buckets& rule, long offset) {
  long count = static_cast<long>(rule.count), found = 0, n = -offset;
  if (!rule.causal) {
    count /= 2;
    if (n < 0) found = count;
    n = std::abs(n);
  } else {
    n = std::max(n, 0L);
  }
  const long exact = count / 2;
  if (n < exact) return static_cast<std::size_t>(found + n);
  const double share = std::log(static_cast<double>(n) / static_cast<double>(exact)) /
                       std::log(static_cast<double>(rule.max_distance) / static_cast<double>(exact));
  const long far = exact + static_cast<long>(share * static_cast<double>(count - exact) + 1e-9);
  return static_cast<std::size_t>(found + std::min(far, count - 1));
}

std::string message_of(const OffsetRule& rule) {
  try {
    check_rule(rule);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("slopes of 1 to 64 heads are the published ones") {
  for (std::size_t heads = 1; heads <= 64; ++heads) {
    const std::vector<double> slopes = published_slopes(heads);
    REQUIRE(slopes.size() == heads);
    for (std::size_t r = 0; r < heads; ++r)
      CHECK(alibi_slope(r, heads) == doctest::Approx(slopes[r]).epsilon(1e-14));
  }
  const std::vector<double> six{.25, .0625, .015625, .00390625, .5, .125};
  for (std::size_t r = 0; r < 6; ++r) CHECK(alibi_slope(r, 6) == six[r]);
}

TEST_CASE("the bias of a distance is the slope times it and the same in both directions") {
  const Tensor64 bias = run_in_double(DistanceBias{6, 5, 8}, {});
  for (std::size_t r = 0; r < 6; ++r)
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < 8; ++j)
        CHECK(bias[{r, i, j}] ==
              -alibi_slope(r, 6) * std::abs(static_cast<double>(i) - static_cast<double>(j)));
}

TEST_CASE("buckets begin where the paper has them") {
  // 16 a direction up to 128: own buckets to 7, then 8·16^(t/8).
  const std::vector<std::size_t> first{8, 12, 16, 23, 32, 46, 64, 91};
  for (std::size_t b = 0; b < first.size(); ++b) {
    const auto distance = static_cast<std::ptrdiff_t>(first[b]);
    CHECK(index_of(Buckets{}, -distance) == 8 + b);
    CHECK(index_of(Buckets{}, 1 - distance) == 7 + b);
    CHECK(index_of(Buckets{}, distance) == 16 + 8 + b);
  }
  CHECK(index_of(Buckets{}, 0) == 0);
  CHECK(index_of(Buckets{}, 1) == 17);
  CHECK(index_of(Buckets{}, -1000000) == 15);
  CHECK(index_of(Buckets{}, 1000000) == 31);
  CHECK(index_of(Buckets{.causal = true}, 5) == 0);
  CHECK(index_of(Buckets{.causal = true}, -15) == 15);
}

TEST_CASE("buckets of every rule are those of the published program") {
  for (const Buckets& rule : {Buckets{}, Buckets{.causal = true}, Buckets{8, 20}, Buckets{5, 9, true},
                              Buckets{2, 40, true}, Buckets{4, 3}, Buckets{64, 1000}})
    for (long offset = -1500; offset <= 1500; ++offset) {
      const std::size_t index = index_of(rule, offset);
      CHECK(index == published_bucket(rule, offset));
      CHECK(index < rule.count);
    }
}

TEST_CASE("rules with too few buckets or distances say what would do") {
  CHECK(message_of(Buckets{5, 20}) == "5 buckets cannot be shared out: use an even number, 4 or more");
  CHECK(message_of(Buckets{2, 20}) == "2 buckets cannot be shared out: use an even number, 4 or more");
  CHECK(message_of(Buckets{1, 20, true}) == "1 buckets cannot be shared out: use 2 or more");
  CHECK(message_of(Buckets{32, 8}) ==
        "distances up to 8 have a bucket of their own: use a larger maximal distance than 8");
  CHECK(message_of(Buckets{32, 9}) == "");
  CHECK(message_of(Clip{0}) == "");
}

TEST_CASE("offsets of an index are those that have it") {
  for (const OffsetRule& rule :
       {OffsetRule(Clip{2}), OffsetRule(Buckets{8, 20}), OffsetRule(Buckets{5, 9, true})})
    for (std::size_t index = 0; index < index_count(rule); ++index)
      for (std::size_t query = 0; query < 7; ++query) {
        const KeyRange keys =
            keys_at(offsets_at(rule, index, {7, 30, 0}), static_cast<std::ptrdiff_t>(query), 30);
        for (std::size_t key = 0; key < 30; ++key) {
          const bool inside = key >= keys.first && key < keys.last;
          CHECK(inside == (index_of(rule, static_cast<std::ptrdiff_t>(key) -
                                              static_cast<std::ptrdiff_t>(query)) == index));
        }
      }
}

TEST_CASE("numbers looked up by offset and summed by offset are counted by their keys") {
  Random random(6);
  for (const OffsetRule& rule : {OffsetRule(Clip{2}), OffsetRule(Buckets{8, 20})}) {
    const std::vector<Tensor64> x{to_double(normal(random, {2, 1, index_count(rule)}))};
    const std::vector<Tensor64> pairs{run_in_double(ByOffset{rule, 5, 9}, x)};
    const Tensor64 sums = run_in_double(SumByOffset{rule}, pairs);
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t o = 0; o < index_count(rule); ++o) {
          const KeyRange keys = keys_at(offsets_at(rule, o, {5, 9, 0}), static_cast<std::ptrdiff_t>(i), 9);
          CHECK(
              sums[{s, i, o}] ==
              doctest::Approx(static_cast<double>(keys.last - keys.first) * x[0][{s, 0, o}]).epsilon(1e-13));
        }
  }
}

// The runs of keys that rules leave a query, against the rules asked key by key: of every kind, and of random
// lists of them at many sizes and places.
#include "core/operations/mask_runs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "tests/random_rules.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

void check_runs(const std::vector<MaskTerm>& list, std::size_t queries, std::size_t keys,
                std::ptrdiff_t first) {
  CAPTURE(queries);
  CAPTURE(keys);
  CAPTURE(first);
  KeptKeys kept(list, queries, keys, first);
  double count = 0;
  bool apart = false;
  for (std::size_t row = 0; row < queries; ++row) {
    const std::vector<char> masked = MaskRow(list, {queries, keys, row, 0, first}).masked();
    const KeyRuns& runs = kept.of(row);
    std::vector<char> left(keys);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      REQUIRE(runs[i].first < runs[i].last);
      REQUIRE(runs[i].last <= keys);
      if (i > 0) CHECK(runs[i - 1].last < runs[i].first);
      for (std::size_t key = runs[i].first; key < runs[i].last; ++key) left[key] = 1;
    }
    bool same = true;
    for (std::size_t key = 0; key < keys; ++key)
      same &= left[key] != masked[key] && has(runs, key) == !masked[key];
    CHECK(same);
    CHECK(size_of(runs) == static_cast<std::size_t>(std::ranges::count(masked, 0)));
    count += static_cast<double>(size_of(runs)), apart |= runs.size() > 1;
  }
  const KeptPairs pairs = kept_pairs(list, queries, keys, first);
  CHECK(pairs.count == count);
  CHECK(pairs.apart == apart);
}

TEST_CASE("the runs of keys that each kind of rule leaves are those that it does not mask") {
  const std::vector<std::vector<MaskTerm>> lists{
      {},
      {{CausalRule{}}},
      {{CausalRule{CausalAlign::top_left, 1}}},
      {{CausalRule{CausalAlign::lower_right, 1, 2}}},
      {{PaddingRule{{3}}}},
      {{PaddingRule{{0, 7, 2, 5, 1}}}},
      {{WindowRule{2}}},
      {{StridedRule{1}}},
      {{StridedRule{3}}},
      {{StridedRule{30}}},
      {{GlobalRule{{4}}}},
      {{RandomRule{3, 7}}},
      {{PrefixRule{4}}},
      {{BlocksRule{{2, 3}}}},
      {{BlocksRule{{}}}},
      {{WindowRule{1}}, {CausalRule{}}, {BlocksRule{{4, 4}}}, {PaddingRule{{6}}}},
      {{WindowRule{1}}, {GlobalRule{{0, 3}}}, {CausalRule{}}},
      {{StridedRule{2}, true}, {GlobalRule{{6, 2}}}, {RandomRule{2, 3}, false, Join::all}}};
  for (const auto& list : lists)
    for (const std::ptrdiff_t first : {-7, -2, 0, 3, 12}) check_runs(list, 5, 7, first);
}

TEST_CASE("the runs of keys that lists of rules leave are those that the lists do not mask") {
  std::mt19937 random(seed(341));
  const Dice dice{random};
  for (int i = 0; i < 3000; ++i) {
    const std::size_t queries = dice.pick(1, 40), keys = dice.pick(1, 40);
    std::vector<MaskTerm> list(dice.pick(1, 4));
    for (MaskTerm& term : list) term = random_term(random, queries, keys);
    CAPTURE(i);
    check_runs(
        list, queries, keys,
        dice.coin() ? first_place(list, queries, keys) : static_cast<std::ptrdiff_t>(dice.pick(0, 60)) - 30);
  }
}

TEST_CASE("where there are no keys, no key is left") {
  check_runs({}, 2, 0, 0);
  check_runs({{StridedRule{2}}, {CausalRule{}, true}}, 2, 0, 1);
}

TEST_CASE("the pairs of a window and of a stride are counted at 65,536 tokens as their formulas have them") {
  constexpr std::size_t n = 65536, width = 256;
  CHECK(kept_pairs({{WindowRule{width}}}, n, n, 0).count ==
        static_cast<double>((2 * width + 1) * n - width * (width + 1)));
  // Of the i keys before query i and itself, those at most a stride away, and each stride-th of the rest; of
  // the keys behind it each stride-th.
  double pairs = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t near = std::min(i, width) + 1, far = i < 2 * width ? 0 : i / width - 1;
    pairs += static_cast<double>(near + far + (n - 1 - i) / width);
  }
  CHECK(kept_pairs({{StridedRule{width}}}, n, n, 0).count == pairs);
}

}  // namespace

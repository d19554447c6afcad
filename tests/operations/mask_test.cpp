// Rules of masks against their definitions, written down again cell by cell; and the words for them.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/operations/mask_words.h"
#include "core/operations/operation.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "core/tensor/philox.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Cells = std::vector<bool>;  // row by row, true = masked

Cells computed(const std::vector<MaskTerm>& terms, std::size_t n, std::size_t m) {
  const Tensor mask = make_reference_backend()->run(Mask{n, m, terms}, {});
  Cells cells;
  for (const float value : mask.values()) cells.push_back(value != 0);
  return cells;
}

Cells computed(const MaskRule& rule, std::size_t n, std::size_t m) {
  return computed(std::vector<MaskTerm>{{rule}}, n, m);
}

// Of masked(i, j).
Cells by_hand(std::size_t n, std::size_t m, const auto& masked) {
  Cells cells;
  for (long i = 0; i < static_cast<long>(n); ++i)
    for (long j = 0; j < static_cast<long>(m); ++j) cells.push_back(masked(i, j));
  return cells;
}

// The keys that Philox ranks lowest, each row sorted as a whole.
std::set<long> drawn(const RandomRule& rule, long query, std::size_t m) {
  std::vector<std::pair<std::uint32_t, long>> ranked;
  for (std::uint32_t key = 0; key < m; ++key) {
    const std::array<std::uint32_t, 2> seed{static_cast<std::uint32_t>(rule.seed),
                                            static_cast<std::uint32_t>(rule.seed >> 32)};
    ranked.emplace_back(philox({key / 4, static_cast<std::uint32_t>(query), 0, 1}, seed)[key % 4], key);
  }
  std::ranges::sort(ranked);
  std::set<long> keys;
  for (std::size_t i = 0; i < std::min(rule.keys, m); ++i) keys.insert(ranked[i].second);
  return keys;
}

// The definition of each rule, with the places as signed numbers.
Cells defined(const MaskRule& rule, std::size_t n, std::size_t m) {
  const long rows = static_cast<long>(n), columns = static_cast<long>(m);
  if (const auto* r = std::get_if<CausalRule>(&rule))
    return by_hand(n, m, [&](long i, long j) {
      const long seen = static_cast<long>(r->offset + r->ahead);
      return r->align == CausalAlign::top_left ? j > i + seen : j > i + (columns - rows) + seen;
    });
  if (const auto* r = std::get_if<PaddingRule>(&rule))
    return by_hand(n, m, [&](long i, long j) {
      const std::size_t row = r->lengths.size() == 1 ? 0 : static_cast<std::size_t>(i);
      return j >= static_cast<long>(r->lengths[row]);
    });
  if (const auto* r = std::get_if<WindowRule>(&rule))
    return by_hand(n, m, [&](long i, long j) { return std::abs(i - j) > static_cast<long>(r->width); });
  if (const auto* r = std::get_if<StridedRule>(&rule))
    return by_hand(n, m, [&](long i, long j) {
      const long stride = static_cast<long>(r->stride);
      const bool near = j <= i && i <= j + stride;
      return !near && (i - j) % stride != 0;
    });
  if (const auto* r = std::get_if<RandomRule>(&rule))
    return by_hand(n, m, [&](long i, long j) { return !drawn(*r, i, m).contains(j); });
  if (const auto* r = std::get_if<PrefixRule>(&rule))
    return by_hand(n, m, [&](long i, long j) { return j > i && j >= static_cast<long>(r->length); });
  if (const auto* r = std::get_if<BlocksRule>(&rule)) {
    std::vector<std::size_t> document;
    for (std::size_t b = 0; b < r->lengths.size(); ++b) document.insert(document.end(), r->lengths[b], b);
    document.resize(std::max(n, m), r->lengths.size());
    return by_hand(n, m, [&](long i, long j) {
      return document[static_cast<std::size_t>(i)] != document[static_cast<std::size_t>(j)];
    });
  }
  return Cells(n * m, false);
}

MaskRule one_of(Random& random, std::size_t kind, std::size_t n, std::size_t m) {
  while (true)
    if (MaskRule rule = random_rule(random, n, m); rule.index() == kind) return rule;
}

constexpr std::size_t kKinds = std::variant_size_v<MaskRule>;
constexpr std::size_t kGlobal = 4;

}  // namespace

TEST_CASE("each mask rule masks what its definition says over random sizes") {
  Random random(seed(131));
  for (int i = 0; i < 40; ++i)
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      const std::size_t n = pick(random, 1, 11), m = pick(random, 1, 11);
      const MaskRule rule = one_of(random, kind, n, m);
      CAPTURE(mask_word({rule}));
      CHECK(computed(rule, n, m) == defined(rule, n, m));
    }
}

TEST_CASE("every pair of mask rules is joined by or and by and with either negated") {
  Random random(seed(132));
  for (std::size_t a = 0; a < kKinds; ++a)
    for (std::size_t b = 0; b < kKinds; ++b) {
      if (a == kGlobal || b == kGlobal) continue;
      for (int choice = 0; choice < 8; ++choice) {
        const bool not_a = choice & 1, not_b = choice & 2, all = choice & 4;
        const std::size_t n = pick(random, 1, 7), m = pick(random, 1, 7);
        const MaskRule first = one_of(random, a, n, m), second = one_of(random, b, n, m);
        const Cells x = defined(first, n, m), y = defined(second, n, m);
        Cells expected;
        for (std::size_t i = 0; i < n * m; ++i) {
          const bool left = x[i] != not_a, right = y[i] != not_b;
          expected.push_back(all ? left && right : left || right);
        }
        // What joins the first to nothing does not matter.
        const std::vector<MaskTerm> terms{{first, not_a, choice % 3 ? Join::any : Join::all},
                                          {second, not_b, all ? Join::all : Join::any}};
        CAPTURE(mask_word(terms[0]) + " " + mask_word(terms[1]));
        CHECK(computed(terms, n, m) == expected);
      }
    }
}

TEST_CASE("a list of mask rules is joined from left to right") {
  // (padding to 1 or window 0) and causal: row 0 keeps key 0 and all others are later.
  const std::vector<MaskTerm> narrowed{{PaddingRule{{1}}}, {WindowRule{0}}, {CausalRule{}, false, Join::all}};
  CHECK(computed(narrowed, 3, 3) == Cells{0, 1, 1, 0, 0, 1, 0, 0, 0});
  // (padding to 1 and causal) or window 0.
  const std::vector<MaskTerm> widened{{PaddingRule{{1}}}, {CausalRule{}, false, Join::all}, {WindowRule{0}}};
  CHECK(computed(widened, 3, 3) == Cells{0, 1, 1, 1, 0, 1, 1, 1, 0});
}

TEST_CASE("global tokens are free of window and stride and random rules alone") {
  Random random(seed(133));
  for (int i = 0; i < 60; ++i)
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      if (kind == kGlobal) continue;
      const std::size_t n = pick(random, 1, 9), m = pick(random, 1, 9);
      const MaskRule rule = one_of(random, kind, n, m);
      const GlobalRule global{{pick(random, 0, std::max(n, m) - 1), pick(random, 0, std::max(n, m) - 1)}};
      const bool negated = coin(random), yields = kind == 2 || kind == 3 || kind == 5;
      const Cells alone = defined(rule, n, m);
      const auto is_token = [&](std::size_t t) { return std::ranges::count(global.tokens, t) > 0; };
      Cells expected;
      for (std::size_t c = 0; c < n * m; ++c)
        expected.push_back(alone[c] != negated && !(yields && (is_token(c / m) || is_token(c % m))));
      CAPTURE(mask_word({rule, negated}));
      CHECK(computed({{rule, negated}, {global}}, n, m) == expected);
      CHECK(computed({{global}, {rule, negated, Join::all}}, n, m) == expected);
    }
}

TEST_CASE("a random rule keeps just so many keys of every query and others with another seed") {
  const auto kept = [](std::size_t keys, std::uint64_t seed) {
    const Cells cells = computed(RandomRule{keys, seed}, 64, 80);
    for (std::size_t i = 0; i < 64; ++i)
      CHECK(std::count(cells.begin() + 80 * static_cast<long>(i),
                       cells.begin() + 80 * static_cast<long>(i + 1),
                       false) == static_cast<long>(std::min<std::size_t>(keys, 80)));
    return cells;
  };
  for (const std::size_t keys : {0, 1, 3, 79, 80, 200}) kept(keys, 7);
  CHECK(kept(3, 7) == kept(3, 7));
  CHECK(kept(3, 7) != kept(3, 8));
  CHECK(kept(3, 7) != kept(3, 7 + (std::uint64_t{1} << 32)));
  // Of 64 × 3 draws each of 80 keys has its share: none is drawn by a quarter of the queries.
  const Cells cells = kept(3, 7);
  for (std::size_t j = 0; j < 80; ++j) {
    std::size_t queries = 0;
    for (std::size_t i = 0; i < 64; ++i) queries += !cells[80 * i + j];
    CHECK(queries < 16);
  }
}

TEST_CASE("an offset of a cache lets every query see so many more keys") {
  // Two queries behind three cached keys: the plain reading, aligned at the top left.
  CHECK(computed(CausalRule{CausalAlign::top_left, 3}, 2, 5) == Cells{0, 0, 0, 0, 1, 0, 0, 0, 0, 0});
  CHECK(computed(CausalRule{CausalAlign::top_left, 3}, 2, 5) == computed(CausalRule{}, 2, 5));
  CHECK(computed(CausalRule{CausalAlign::lower_right, 1}, 3, 3) == Cells{0, 0, 1, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("a masked cell says which rules mask it and by what comparison") {
  const Mask mask{5,
                  5,
                  {{CausalRule{}},
                   {WindowRule{1}, false, Join::all},
                   {PaddingRule{{4}}, true},
                   {GlobalRule{{0}}},
                   {StridedRule{2}},
                   {RandomRule{1, 3}},
                   {PrefixRule{2}},
                   {BlocksRule{{2, 2}}}}};
  const Explanation e = explain(Operation(mask), {}, {0, 1, 3});
  std::vector<std::string> said;
  for (const Term& term : e.terms) said.push_back(term.operands[0].text);
  CHECK(said ==
        std::vector<std::string>{
            "causal: key 3 > 1", "and window: |query 1 − key 3| = 2 > 1", "not padding: key 3 ≥ length 4",
            "strided: query 1 − key 3 = −2, neither from 0 to 2 nor a multiple of 2",
            "random: key 3 is none of the 1 drawn for query 1", "prefix: key 3 > query 1, and ≥ prefix 2",
            "blocks: key 3 in block 1, query 1 in block 0"});
  CHECK(explain(Operation(mask), {}, {0, 0, 3}).terms[1].operands[0].text ==
        "and window: free, a global token");
}

TEST_CASE("what no layer could use is refused with a reason") {
  const auto reason = [](const MaskTerm& term) {
    try {
      result_shape(Mask{3, 4, {term}}, {});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(reason({StridedRule{0}}) == "strided has a stride of 0: use a whole number from 1 to 1073741824");
  CHECK(reason({GlobalRule{{4}}}) == "global names token 4, but tokens count from 0 to 3");
  CHECK(reason({GlobalRule{{3}}}) == "");
  CHECK(reason({GlobalRule{{1}}, true}) ==
        "global masks nothing, so that it can neither be negated nor joined by and");
  CHECK(reason({PrefixRule{5}}) == "prefix keeps 5 keys, but there are only 4: use a length from 0 to 4");
  CHECK(reason({BlocksRule{{2, 3}}}) ==
        "blocks hold 5 tokens, but there are only 4: use lengths that add up to at most 4");
  // Behind a cache the queries have places that no key has.
  CHECK_NOTHROW(result_shape(Mask{.queries = 3, .keys = 4, .rules = {{BlocksRule{{6, 2}}}}, .first = 5}, {}));
  CHECK_THROWS_AS(
      result_shape(Mask{.queries = 3, .keys = 4, .rules = {{BlocksRule{{6, 3}}}}, .first = 5}, {}), Error);
  CHECK_NOTHROW(result_shape(Mask{.queries = 3, .keys = 4, .rules = {{GlobalRule{{7}}}}, .first = 5}, {}));
  CHECK(reason({PaddingRule{}}) == "padding has no length: give one, or one for each query");
  CHECK(reason({WindowRule{kMostMaskNumber + 1}}) ==
        "window has a width of 1073741825: use a whole number from 0 to 1073741824");
}

TEST_CASE("words of mask rules read back as the rule they were written for") {
  Random random(seed(134));
  for (int i = 0; i < 400; ++i) {
    MaskTerm term = random_term(random, 8, 8);
    if (auto* causal = std::get_if<CausalRule>(&term.rule)) *causal = {};  // its settings are options
    const auto read = read_mask_term(mask_word(term));
    REQUIRE(read);
    CHECK(*read == term);
  }
  CHECK(mask_word({RandomRule{2, 9}, true, Join::all}) == "and:not:random:2:9");
  CHECK(read_mask_term("random:2") == MaskTerm{RandomRule{2, 0}});
  for (const char* wrong : {"",
                            "casual",
                            "causal:",
                            "causal:2",
                            "window",
                            "window:",
                            "window:-1",
                            "window:1.5",
                            "padding:1,,2",
                            "padding:,",
                            "strided:0",
                            "global:",
                            "random:1:",
                            "random::3",
                            "prefix:x",
                            "blocks:",
                            "not:",
                            "and:",
                            "not:not:causal",
                            "not:and:causal",
                            "not:global:1",
                            "and:global:1",
                            "window:99999999999",
                            "window:1 "}) {
    CAPTURE(wrong);
    CHECK(!read_mask_term(wrong));
  }
}

TEST_CASE("fills replace and are added with the same numbers") {
  for (const Fill fill : kFills) {
    CHECK(fill_with(fill, adds(fill)) == fill);
    const Fill other = fill_with(fill, !adds(fill));
    CHECK((adds(other) != adds(fill) || fill == Fill::add_one));  // which replaces nothing
    CHECK(MaskFill{other}.value() == MaskFill{fill}.value());
  }
  const Tensor x({1, 1, 2}, {3, 5}), mask({1, 1, 2}, {0, 1});
  const auto backend = make_reference_backend();
  CHECK(backend->run(MaskFill{Fill::minus_65504}, std::vector{x, mask}).values()[1] == -65504);
  CHECK(backend->run(MaskFill{Fill::add_minus_65504}, std::vector{x, mask}).values()[1] == -65499);
  CHECK(backend->run(MaskFill{Fill::add_minus_1e6}, std::vector{x, mask}).values()[1] == -999995);
  CHECK(std::isinf(backend->run(MaskFill{Fill::add_negative_infinity}, std::vector{x, mask}).values()[1]));
  CHECK(backend->run(MaskFill{Fill::add_negative_infinity}, std::vector{x, mask}).values()[0] == 3);
}

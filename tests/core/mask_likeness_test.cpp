// Masks compared cell by cell with the rules: each rule is known from its own matrix, and a leak in it is
// found.
#include "core/checks/mask_likeness.h"

#include <doctest/doctest.h>

#include "core/operations/mask_words.h"
#include "core/reference/backend.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

Tensor mask_of(const std::vector<MaskTerm>& rules, std::size_t n, std::size_t m) {
  return make_reference_backend()->run(Mask{n, m, rules}, {});
}

std::string words_of(const std::vector<MaskTerm>& rules) {
  std::string text;
  for (const MaskTerm& term : rules) text += (text.empty() ? "" : " ") + mask_word(term);
  return text;
}

Tensor flipped(const Tensor& mask, Cell cell) {
  return with_value(mask, cell, mask[cell] == 0 ? 1.0f : 0.0f);
}

}  // namespace

TEST_CASE("a mask that is a rule is known as that rule") {
  const std::vector<std::vector<MaskTerm>> known{{{CausalRule{}}},
                                                 {{CausalRule{CausalAlign::top_left}}},
                                                 {{PaddingRule{{9}}}},
                                                 {{WindowRule{2}}},
                                                 {{WindowRule{0}}},
                                                 {{StridedRule{5}}},
                                                 {{PrefixRule{4}}},
                                                 {{BlocksRule{{5, 3}}}},
                                                 {{CausalRule{CausalAlign::top_left}}, {WindowRule{3}}},
                                                 {{CausalRule{CausalAlign::top_left}}, {StridedRule{4}}}};
  for (const auto& rules : known) {
    CAPTURE(words_of(rules));
    const auto like = likeness_of(mask_of(rules, 14, 20), 0);
    REQUIRE(like);
    CHECK(words_of(like->rules) == words_of(rules));
    CHECK(like->cells == 0);
  }
}

TEST_CASE("a leak of any one cell is found where it is") {
  Random random(9);
  const std::vector<std::vector<MaskTerm>> known{{{CausalRule{}}}, {{PaddingRule{{13}}}}, {{WindowRule{3}}}};
  for (const auto& rules : known)
    for (int i = 0; i < 40; ++i) {
      const Cell leak{0, pick(random, 0, 17), pick(random, 0, 17)};
      const auto like = likeness_of(flipped(mask_of(rules, 18, 18), leak), 0);
      CAPTURE(words_of(rules));
      REQUIRE(like);
      CHECK(words_of(like->rules) == words_of(rules));
      CHECK(like->cells == 1);
      CHECK(like->first == leak);
    }
}

TEST_CASE("a leak of one cell among 1024 tokens is found") {
  const Cell leak{0, 517, 893};
  const auto like = likeness_of(flipped(mask_of({{CausalRule{}}}, 1024, 1024), leak), 0);
  REQUIRE(like);
  CHECK(words_of(like->rules) == "causal");
  CHECK(like->cells == 1);
  CHECK(like->first == leak);
}

TEST_CASE("a mask that is near to no rule is compared with none") {
  Random random(3);
  CHECK(!likeness_of(bits(random, {1, 16, 16}), 0));
  CHECK(!likeness_of(Tensor({1, 4, 4}, std::vector<float>(16, 0)), 0));
  CHECK(!likeness_of(Tensor({1, 4, 4}, std::vector<float>(16, 1)), 0));
  CHECK(!likeness_of(Tensor(), 0));
}

TEST_CASE("comparing a mask with the rules gives up when it is told to") {
  int asked = 0;
  CHECK(!likeness_of(mask_of({{CausalRule{}}}, 8, 8), 0, [&] { return ++asked == 3; }));
  CHECK(asked == 3);
}

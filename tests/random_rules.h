// Random rules of masks, from any generator.
#pragma once

#include <algorithm>
#include <random>

#include "core/operations/mask_rules.h"

namespace attn::tests {

template <class Random>
struct Dice {
  Random& random;
  std::size_t pick(std::size_t low, std::size_t high) const {
    return std::uniform_int_distribution<std::size_t>(low, high)(random);
  }
  bool coin() const { return pick(0, 1) == 1; }
};

// A rule of any kind that fits n queries and m keys.
template <class Random>
MaskRule random_rule(Random& random, std::size_t n, std::size_t m) {
  const Dice dice{random};
  const auto tokens = [&](std::size_t count) {
    std::vector<std::size_t> numbers(count);
    for (std::size_t& number : numbers) number = dice.pick(0, std::max(n, m) - 1);
    return numbers;
  };
  switch (dice.pick(0, std::variant_size_v<MaskRule> - 1)) {
    case 0:
      return CausalRule{dice.coin() ? CausalAlign::lower_right : CausalAlign::top_left,
                        dice.coin() ? 0 : dice.pick(0, 4), dice.coin() ? 0 : dice.pick(1, 2)};
    case 1: {
      PaddingRule padding{std::vector<std::size_t>(dice.coin() ? 1 : n)};
      for (std::size_t& length : padding.lengths) length = dice.pick(0, m);
      return padding;
    }
    case 2:
      return WindowRule{dice.pick(0, 4)};
    case 3:
      return StridedRule{dice.pick(1, 4)};
    case 4:
      return GlobalRule{tokens(dice.pick(1, 2))};
    case 5:
      return RandomRule{dice.pick(0, m), random()};
    case 6:
      return PrefixRule{dice.pick(0, m)};
    default: {
      const std::size_t first = dice.pick(0, std::max(n, m));
      return BlocksRule{{first, dice.pick(0, std::max(n, m) - first)}};
    }
  }
}

template <class Random>
MaskTerm random_term(Random& random, std::size_t n, std::size_t m) {
  const Dice dice{random};
  MaskTerm term{.rule = random_rule(random, n, m)};
  if (std::holds_alternative<GlobalRule>(term.rule)) return term;
  term.negated = dice.pick(0, 3) == 0;
  term.join = dice.pick(0, 3) == 0 ? Join::all : Join::any;
  return term;
}

}  // namespace attn::tests

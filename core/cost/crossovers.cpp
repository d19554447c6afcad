// Searches over the number of tokens, on the exact counts.
#include "core/cost/crossovers.h"

#include "core/measure/baseline_names.h"

namespace attn {
namespace {

Count products(const StageCost& stage) {
  Count sum = 0;
  for (const CostTerm& term : stage.operations.terms)
    if (term.matrix) sum += term.value();
  return sum;
}

struct Sums {
  Count attention = 0, projections = 0, rest = 0;
};

Sums sums(const LayerCost& layer, bool products_alone) {
  Sums sums;
  for (const StageCost& stage : layer.stages) {
    const Count count = products_alone ? products(stage) : stage.operations.value();
    const CostPart part = part_of(stage.stage);
    if (part == CostPart::mixing)
      sums.attention += count;
    else
      sums.rest += count;
    if (part == CostPart::projections || part == CostPart::output) sums.projections += count;
  }
  return sums;
}

CostSpec with(CostSpec spec, MechanismKind kind) {
  spec.mechanism.kind = kind;
  return spec;
}

}  // namespace

CostSpec with_tokens(CostSpec spec, std::size_t n) {
  spec.n = n, spec.past = 0;
  return spec;
}

std::optional<std::size_t> least_tokens(const std::function<bool(std::size_t)>& reached) {
  std::size_t high = 1;
  while (!reached(high)) {
    if (high >= kMostCostTokens) return std::nullopt;
    high *= 2;
  }
  std::size_t low = high / 2;  // not reached there, or 0
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (reached(middle) ? high : low) = middle;
  }
  return high;
}

std::vector<Crossover> crossovers(const CostSpec& spec) {
  const auto least = [&](bool products_alone, Count Sums::*other) {
    return least_tokens([&](std::size_t n) {
      const Sums at = sums(count_layer(with_tokens(spec, n)), products_alone);
      return at.attention >= at.*other;
    });
  };
  const auto least_against_linear = [&](bool products_alone) {
    return least_tokens([&](std::size_t n) {
      const CostSpec shape = with_tokens(spec, n);
      return sums(count_layer(with(shape, MechanismKind::full)), products_alone).attention >=
             sums(count_layer(with(shape, MechanismKind::linear)), products_alone).attention;
    });
  };
  return {{"attention_projections", "attention = Q K V W_O", "2d", kProjections,
           least(true, &Sums::projections), least(false, &Sums::projections)},
          {"attention_rest", "attention = all the rest", "6d", kRestOfLayer, least(true, &Sums::rest),
           least(false, &Sums::rest)},
          {"linear_full", "linear beats full", "d_k",
           kMechanismWords[static_cast<std::size_t>(MechanismKind::linear)], least_against_linear(true),
           least_against_linear(false)}};
}

std::size_t longest_within(const CostSpec& spec, Count bytes) {
  const auto beyond =
      least_tokens([&](std::size_t n) { return count_layer(with_tokens(spec, n)).held.value() > bytes; });
  return beyond ? *beyond - 1 : kMostCostTokens;
}

CostSpec decoding(CostSpec spec, std::size_t past, KeyCache cache) {
  spec.n = cache == KeyCache::kept ? 1 : past + 1;
  spec.past = cache == KeyCache::kept ? past : 0;
  return spec;
}

}  // namespace attn

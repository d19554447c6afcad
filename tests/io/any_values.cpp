// Random layers, and what they are made of.
#include "tests/io/any_values.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/attention/position_fields.h"
#include "core/document/limits.h"
#include "tests/layers.h"
#include "tests/random_rules.h"
#include "tests/special.h"

namespace attn::tests {

// Any float there is; of the NaNs only the one that a session keeps.
float any_float(Bits& random) {
  static constexpr float kSpecial[] = {0.0f,
                                       -0.0f,
                                       kFloatInfinity,
                                       -kFloatInfinity,
                                       1e-45f,
                                       -1e-45f,
                                       1.17549421e-38f,
                                       3.4028235e38f,
                                       0.1f,
                                       16777216.0f,
                                       1.0f};
  if (flip(random)) return kSpecial[choose(random, 0, std::size(kSpecial) - 1)];
  const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
  return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value;
}

Tensor any_tensor(Bits& random) {
  if (choose(random, 0, 3) == 0) return {};
  const Shape shape{choose(random, 1, 3), choose(random, 1, 4), choose(random, 1, 4)};
  std::vector<float> values(shape.size());
  for (float& value : values) value = any_float(random);
  return {shape, std::move(values)};
}

std::string any_label(Bits& random) {
  static const std::string kLabels[] = {"the",
                                        "",
                                        "größe",
                                        "键",
                                        "👩‍🔬",
                                        "a\"b\\c/",
                                        "\n\t\x01\x7f",
                                        std::string("\0", 1),
                                        "nan",
                                        "-inf",
                                        "  ",
                                        "\u2028",
                                        std::string(limits::kMostLabelBytes, 'x')};
  return kLabels[choose(random, 0, std::size(kLabels) - 1)];
}

Labels any_labels(Bits& random) {
  Labels labels(choose(random, 0, 4));
  for (std::string& label : labels) label = any_label(random);
  return labels;
}

// Every field of every kind, by name for the same reason as below.
Position any_position(Bits& random) {
  Position position = position_at(choose(random, 0, kPositions.size() - 1));
  if (auto* s = std::get_if<Sinusoidal>(&position)) {
    auto& [base] = *s;
    base = flip(random) ? 10000.0 : any_double(random, 1e-9, 2);
  } else if (auto* l = std::get_if<Learned>(&position)) {
    auto& [seed, length] = *l;
    seed = flip(random) ? 0 : random(), length = choose(random, 1, 1000);
  } else if (auto* r = std::get_if<Rotary>(&position)) {
    auto& [pairing, base, part, stretch, factor, trained] = *r;
    pairing = static_cast<Pairing>(choose(random, 0, 1));
    base = flip(random) ? 10000.0 : any_double(random, 1e-300, 1e300);
    part = choose(random, 0, 9), stretch = static_cast<Stretch>(choose(random, 0, 5));
    factor = flip(random) ? 1.0 : any_double(random, 1, 100), trained = choose(random, 1, 5000);
  } else if (auto* rel = std::get_if<Relative>(&position)) {
    auto& [clip, seed, values] = *rel;
    clip = choose(random, 0, 9), seed = random(), values = flip(random);
  } else if (auto* t5 = std::get_if<T5Bias>(&position)) {
    auto& [buckets, max_distance, seed, causal] = *t5;
    buckets = choose(random, 2, 64), max_distance = choose(random, 2, 500), seed = random();
    causal = flip(random);
  }
  return position;
}

// Every field is taken apart by name here, so that a field that LayerSpec gains stops this file from
// compiling until it is filled, and then the round trip fails until the session knows it.
LayerSpec any_layer(Bits& random) {
  LayerSpec layer;
  auto& [direct, x, memory, w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o, q, k, v, heads, kv_heads, muted_heads,
         head_split, head_merge, head_groups, key_turn, qk_norm, qk_gain, qk_norm_last, scoring, score_w,
         score_w_q, score_w_k, score_v, sigma, scale, temperature, soft_cap, weighting, softmax_over, bias,
         masks, mask, fill, empty_row, mask_at, local, local_reach, local_w, local_v, position,
         first_position, position_twice, rope_on_values, dropout, dropout_seed, dropout_mask, precision,
         tokens, memory_tokens] = layer;
  direct = flip(random);
  for (Tensor* tensor : {&x,         &memory,    &w_q,     &w_k,     &w_v,     &w_o,         &b_q,  &b_k,
                         &b_v,       &b_o,       &q,       &k,       &v,       &bias,        &mask, &score_w,
                         &score_w_q, &score_w_k, &score_v, &local_w, &local_v, &dropout_mask})
    *tensor = any_tensor(random);
  heads = choose(random, 1, 9);
  kv_heads = choose(random, 1, limits::kMostHeads);
  for (std::size_t head = 0; head < head_count(layer); ++head)
    if (flip(random)) muted_heads.push_back(head);
  head_split = static_cast<HeadCut>(choose(random, 0, 1));
  head_merge = static_cast<HeadCut>(choose(random, 0, 1));
  head_groups = static_cast<HeadGroups>(choose(random, 0, 1));
  key_turn = static_cast<KeyTurn>(choose(random, 0, 1));
  qk_norm_last = flip(random), position_twice = flip(random), rope_on_values = flip(random);
  qk_norm = flip(random), qk_gain = flip(random) ? 1 : any_double(random, -1e300, 1e300);
  scoring = static_cast<Scoring>(choose(random, 0, kScorings.size() - 1));
  sigma = flip(random) ? 1 : any_double(random, 1e-6, 1e6);
  soft_cap = flip(random) ? 0 : any_double(random, 1e-3, 1e6);
  weighting = static_cast<Weighting>(choose(random, 0, kLayerWeightings - 1));
  softmax_over = static_cast<SoftmaxOver>(choose(random, 0, 2));
  scale.mode = static_cast<ScaleMode>(choose(random, 0, 2));
  scale.number = flip(random) ? 1 : any_double(random, -1e300, 1e300);
  temperature = flip(random) ? static_cast<double>(choose(random, 0, 1)) : any_double(random, 0, 1e-300);
  for (std::size_t rules = choose(random, 0, 3); rules > 0; --rules) {
    masks.push_back(random_term(random, 9, 9));
    if (auto* padding = std::get_if<PaddingRule>(&masks.back().rule)) padding->lengths.back() = random();
  }
  fill = kFills[choose(random, 0, kFills.size() - 1)];
  empty_row = static_cast<EmptyRow>(choose(random, 0, 2));
  mask_at = static_cast<MaskAt>(choose(random, 0, 1));
  local = static_cast<Local>(choose(random, 0, 2)), local_reach = choose(random, 1, 1u << 20);
  precision = static_cast<NumberFormat>(choose(random, 0, 2));
  position = any_position(random);
  first_position = flip(random) ? 0 : choose(random, 0, 1000);
  dropout = flip(random) ? static_cast<double>(choose(random, 0, 1)) : any_double(random, 0, 1);
  dropout_seed = flip(random) ? 0 : random();
  tokens = any_labels(random);
  memory_tokens = any_labels(random);
  return layer;
}

}  // namespace attn::tests

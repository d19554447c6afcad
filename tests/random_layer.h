// Random layers for property tests: every choice of the layer, in shapes small enough to run hundreds.
#pragma once

#include <random>

#include "core/attention/layer.h"
#include "core/attention/scoring_parameters.h"
#include "core/tensor/random.h"
#include "tests/layers.h"
#include "tests/random_rules.h"

namespace attn::tests {

using Random = std::mt19937;

inline std::size_t pick(Random& random, std::size_t low, std::size_t high) {
  return std::uniform_int_distribution<std::size_t>(low, high)(random);
}

inline bool coin(Random& random) {
  return pick(random, 0, 1) == 1;
}

inline Tensor normal(Random& random, Shape shape, float sd = 1) {
  std::normal_distribution<float> distribution(0, sd);
  std::vector<float> values(shape.size());
  for (float& v : values) v = distribution(random);
  return {shape, std::move(values)};
}

// The same numbers everywhere, from a seed alone.
inline Tensor drawn(Shape shape, std::uint64_t seed) {
  std::vector<float> values;
  for (std::size_t i = 0; i < shape.size(); ++i) values.push_back(random_normal(seed, i));
  return {shape, std::move(values)};
}

inline Tensor bits(Random& random, Shape shape) {
  std::vector<float> values(shape.size());
  for (float& v : values) v = coin(random) ? 1.0f : 0.0f;
  return {shape, std::move(values)};
}

// Self- or cross-attention with projections, any number of heads and key/value heads, biases now and then.
inline LayerSpec random_projected(Random& random) {
  LayerSpec layer;
  layer.kv_heads = pick(random, 1, 3);
  layer.heads = layer.kv_heads * pick(random, 1, 3);
  const std::size_t n = pick(random, 1, 7), d = 2 * pick(random, 1, 4), d_k = pick(random, 1, 5);
  const std::size_t d_v = pick(random, 1, 5), h = layer.heads, g = layer.kv_heads;
  layer.x = normal(random, {1, n, d});
  if (coin(random)) layer.memory = normal(random, {1, pick(random, 1, 7), d});
  layer.w_q = normal(random, {1, d, h * d_k});
  layer.w_k = normal(random, {1, d, g * d_k});
  layer.w_v = normal(random, {1, d, g * d_v});
  if (coin(random)) layer.w_o = normal(random, {1, h * d_v, d});
  if (coin(random)) layer.b_q = normal(random, {1, 1, h * d_k});
  if (coin(random)) layer.b_v = normal(random, {1, 1, g * d_v});
  if (coin(random) && !layer.w_o.empty()) layer.b_o = normal(random, {1, 1, d});
  return layer;
}

inline LayerSpec random_direct(Random& random) {
  LayerSpec layer;
  layer.direct = true;
  const std::size_t g = pick(random, 1, 3), h = g * pick(random, 1, 3);
  const std::size_t n = pick(random, 1, 7), m = pick(random, 1, 7), d_k = pick(random, 1, 5);
  layer.q = normal(random, {h, n, d_k});
  layer.k = normal(random, {g, m, d_k});
  layer.v = normal(random, {g, m, pick(random, 1, 5)});
  return layer;
}

inline void random_masks(Random& random, LayerSpec& layer) {
  const std::size_t n = query_count(layer), m = key_count(layer);
  if (coin(random)) {
    const CausalAlign align = coin(random) ? CausalAlign::lower_right : CausalAlign::top_left;
    set_rule<CausalRule>(layer, CausalRule{align, coin(random) ? 0 : pick(random, 0, 9)});
  }
  std::vector<std::size_t> padding;
  if (coin(random)) padding.assign(coin(random) ? 1 : n, 0);
  for (std::size_t& length : padding) length = pick(random, 0, m);
  set_padding(layer, padding);
  if (coin(random)) layer.mask = bits(random, {coin(random) ? head_count(layer) : 1, n, m});
  for (std::size_t more = pick(random, 0, 2); more > 0; --more)
    layer.masks.push_back(random_term(random, n, m));
  layer.fill = kFills[pick(random, 0, kFills.size() - 1)];
  layer.empty_row = std::array{EmptyRow::zeros, EmptyRow::nan, EmptyRow::uniform}[pick(random, 0, 2)];
}

// Any encoding that fits the layer.
inline Position random_position(Random& random, const LayerSpec& layer) {
  const std::size_t width = layer.direct ? layer.q.columns() : layer.w_q.columns() / layer.heads;
  switch (pick(random, 0, layer.direct ? 4 : 6)) {
    case 1:
      return Alibi{};
    case 2:
      return Relative{.clip = pick(random, 0, 4), .seed = pick(random, 0, 9), .values = coin(random)};
    case 3:
      return T5Bias{
          .buckets = 2 * pick(random, 2, 4), .max_distance = pick(random, 5, 9), .causal = coin(random)};
    case 4: {
      const Rotary rotary{.pairing = coin(random) ? Pairing::neighbour : Pairing::half,
                          .base = coin(random) ? 10000.0 : 3.0,
                          .stretch = static_cast<Stretch>(pick(random, 0, 5)),
                          .factor = coin(random) ? 1.0 : 4.0,
                          .trained = 16};
      return repaired(rotary, width).value_or(rotary);
    }
    case 5:
      return Sinusoidal{coin(random) ? 10000.0 : 100.0};
    case 6:
      return Learned{.seed = pick(random, 0, 9), .length = 64};
    default:
      return NoPosition{};
  }
}

// Any scoring function and local attention, with parameters of their own now and then; keys of another width
// where it takes them.
inline void random_scoring(Random& random, LayerSpec& layer) {
  layer.scoring = static_cast<Scoring>(pick(random, 0, kScorings.size() - 1));
  const bool plain = std::holds_alternative<NoPosition>(layer.position);
  if (layer.direct && plain && scoring_text(layer.scoring).free_widths)
    layer.k = normal(random, {layer.k.stack(), layer.k.rows(), pick(random, 1, 5)});
  layer.local = std::array{Local::none, Local::monotonic, Local::predictive}[pick(random, 0, 2)];
  layer.local_reach = pick(random, 1, 3);
  if (coin(random)) make_score_parameters(layer);
  layer.sigma = std::array{1.0, 0.7, 3.0}[pick(random, 0, 2)];
  layer.qk_norm = coin(random);
  if (coin(random)) layer.qk_gain = 2.5;
  if (coin(random)) layer.soft_cap = std::array{0.5, 4.0, 50.0}[pick(random, 0, 2)];
  layer.weighting = static_cast<Weighting>(pick(random, 0, kLayerWeightings - 1));
  if (pick(random, 0, 3) == 0) layer.mask_at = MaskAt::after;
  if (pick(random, 0, 3) == 0) layer.softmax_over = SoftmaxOver::queries;
}

// What code easily does wrong, each now and then, wherever it can be done.
inline void random_mistakes(Random& random, LayerSpec& layer) {
  const auto now_and_then = [&] { return pick(random, 0, 4) == 0; };
  if (now_and_then()) layer.head_split = HeadCut::memory;
  if (now_and_then()) layer.head_merge = HeadCut::memory;
  if (now_and_then()) layer.head_groups = HeadGroups::tiled;
  if (now_and_then()) layer.key_turn = KeyTurn::reshaped;
  layer.qk_norm_last = now_and_then();
  layer.position_twice = now_and_then();
  const std::size_t d_v = layer.direct ? layer.v.columns() : layer.w_v.columns() / layer.kv_heads;
  if (const auto* rotary = std::get_if<Rotary>(&layer.position))
    layer.rope_on_values = now_and_then() && rotary->turned(d_v) <= d_v && rotary->turned(d_v) % 2 == 0;
  if (now_and_then()) layer.softmax_over = SoftmaxOver::heads;
  if (now_and_then())
    layer.dropout_mask =
        bits(random, {coin(random) ? head_count(layer) : 1, query_count(layer), key_count(layer)});
}

inline LayerSpec random_layer(Random& random) {
  LayerSpec layer = coin(random) ? random_projected(random) : random_direct(random);
  layer.position = random_position(random, layer);
  if (coin(random)) layer.first_position = pick(random, 0, 5);
  random_masks(random, layer);
  layer.scale.mode = std::array{ScaleMode::sqrt, ScaleMode::none, ScaleMode::number}[pick(random, 0, 2)];
  layer.scale.number = 0.3;
  layer.temperature = std::array{1.0, 6.0, 0.5, 0.0}[pick(random, 0, 3)];
  if (coin(random))
    layer.bias = normal(random, {coin(random) ? head_count(layer) : 1, query_count(layer), key_count(layer)});
  if (pick(random, 0, 3) == 0) layer.dropout = 0.25, layer.dropout_seed = pick(random, 0, 1000);
  if (coin(random)) layer.muted_heads = {pick(random, 0, head_count(layer) - 1)};
  return layer;
}

// The same, with any scoring function, weighting and local attention, soft cap and norm, mask behind the
// softmax, softmax over queries and what else code easily does wrong as well.
inline LayerSpec random_scored_layer(Random& random) {
  LayerSpec layer = random_layer(random);
  random_scoring(random, layer);
  random_mistakes(random, layer);
  return layer;
}

}  // namespace attn::tests

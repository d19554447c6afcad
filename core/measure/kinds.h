// The kinds of what is counted: formats of numbers, mechanisms that mix tokens, stages of a layer.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace attn {

enum class StoredFormat { float32, float16, bfloat16, int8 };
inline constexpr std::array<std::string_view, 4> kFormatWords{"float32", "float16", "bfloat16", "int8"};

// Query i and key j count through all tokens, those before the first query included.
enum class MechanismKind {
  full,       // every key
  flash,      // every key, in tiles with a running softmax: no score is written to memory
  window,     // keys with |i − j| ≤ reach
  strided,    // keys within reach before i, and those with (i − j) mod reach = 0
  linear,     // φ(Q)(φ(K)ᵀV) ÷ φ(Q)Σφ(K), with φ(x) = elu(x) + 1 of d_k features
  recurrent,  // instead of attention: h_t = tanh(W_x·x_t + W_h·h_{t−1}), as wide as the tokens
};
inline constexpr std::array<std::string_view, 6> kMechanismWords{"full",    "flash",  "window",
                                                                 "strided", "linear", "recurrent"};

struct Mechanism {
  MechanismKind kind = MechanismKind::full;
  // Of the window and the stride; a stride of 0 is ⌈√m⌉ of the m keys there are.
  std::size_t reach = 0;

  bool operator==(const Mechanism&) const = default;
};
inline constexpr std::size_t kUsualWindow = 256;

enum class Biases { none, feed_forward, all };

enum class CostStage { q, k, v, scores, scaled, masked, weights, head_output, output, feed_forward };
inline constexpr std::size_t kCostStages = 10;
inline constexpr std::array<std::string_view, kCostStages> kCostStageWords{
    "q", "k", "v", "scores", "scaled", "masked", "weights", "head_output", "output", "feed_forward"};

// So large that nobody needs more, and small enough for every count to be exact.
inline constexpr std::size_t kMostCostTokens = std::size_t{1} << 32, kMostCostWidth = std::size_t{1} << 20,
                             kMostCostInner = std::size_t{1} << 23, kMostCostLayers = std::size_t{1} << 12,
                             kMostCostBatch = std::size_t{1} << 16;

}  // namespace attn

// A layer by linear attention: features of queries and keys, a state in place of scores, and what comes out.
// Not the layer's own numbers: its softmax is replaced.
#pragma once

#include <cstdint>
#include <string>

#include "core/attention/layer.h"
#include "core/operations/features.h"

namespace attn {

// How the features are made; of random ones how many, and their seed.
struct LinearRequest {
  FeatureKind kind = FeatureKind::elu_plus_one;
  std::size_t count = 0;
  std::uint64_t seed = 0;
  bool operator==(const LinearRequest&) const = default;
};

// Why a state cannot stand for this layer's scores: "dropout is drawn for each weight". Empty: linear
// attention computes it.
std::string linear_obstacle(const LayerSpec& layer);

// Appends the stages of append_layer up to q, k and v, then features (1×d×R, where they are random), phi_q
// (h×n×r), phi_k (g×m×r), state (g×r×d_v) and state_sum (g×r×1) of all keys that the last query sees, linear
// (not traced), head_output, concat and output. No matrix of queries by keys is made. Random features are
// those of queries and keys each multiplied by √(scale ÷ T), so that their products stand for exp(scale·q·k ÷
// T); the others take queries and keys as they are. Throws what append_layer throws, and Error with the
// obstacle.
LayerStages append_linear_layer(Graph& graph, const LayerSpec& layer, const LinearRequest& request = {});

}  // namespace attn

// A layer by flash attention: what comes out of it, without scores, with weights where they are asked for.
#pragma once

#include <optional>
#include <string>

#include "core/attention/layer.h"
#include "core/operations/flash_tiles.h"

namespace attn {

// Why this layer needs its scores or weights one by one: "dropout is drawn for each weight". Empty: flash
// attention computes it.
std::string flash_obstacle(const LayerSpec& layer);

struct FlashRequest {
  bool weights = false;
  bool mask = false;  // as a stage too where rules say it, for what is hidden of the weights
  std::optional<FlashTiles> tiles = {};  // none: the device's own
};

// Appends the stages of append_layer up to q, k and v, what the scores get added (a given bias, T5's table),
// the mask where it is asked for, or was painted, or its rules leave keys apart and more than a quarter of
// all pairs, then flash (not traced), head_output, log_sum (h×n×1), weights where they are asked for, concat
// and output. No other matrix of queries by keys is made. Throws what append_layer throws, and Error with the
// obstacle.
LayerStages append_flash_layer(Graph& graph, const LayerSpec& layer, const FlashRequest& request = {});

}  // namespace attn

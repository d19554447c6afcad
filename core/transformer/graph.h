// The stages of a stack of Transformer blocks, built from what a layer is built from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/attention/layer.h"
#include "core/transformer/part.h"

namespace attn {

// A box of a block, and what it did to the stream.
struct BoxStages {
  StackBox box = StackBox::attention;
  StageIndex before = 0;                     // the stream that it read
  std::optional<StageIndex> normed = {};     // what its norm made: of the stream, or of the sum behind it
  std::optional<LayerStages> layer = {};     // of attention
  std::optional<StageIndex> added = {};      // f: none of a box that is off
  StageIndex stream = 0;                     // with f, normed where that comes after
  std::size_t first_part = 0, end_part = 0;  // of the graph, that are this box's
};

struct BlockStages {
  std::vector<BoxStages> boxes;
  StageIndex stream = 0;                      // after the last of them
  std::size_t step = 0;                       // in Graph::steps
  const BoxStages* find(StackBox box) const;  // null where it has none
};

struct SideStages {
  std::optional<StageIndex> embedded = {};  // or X, before positions are added; none: none are
  std::optional<StageIndex> position = {};  // what is added
  StageIndex input = 0;                     // what the first block reads
  std::vector<BlockStages> blocks;
  StageIndex output = 0;  // normed, where the side is
  std::size_t input_step = 0;
};

struct StackStages {
  std::optional<StageIndex> embedding = {};  // the table
  std::optional<SideStages> encoder = {}, decoder = {};
  std::optional<StageIndex> logits = {}, probabilities = {};  // of the side that comes last, a row each token
  std::optional<StageIndex> rollout = {}, decoder_rollout = {};
  std::size_t output_step = Stage::kNoStep;

  const SideStages& last() const { return decoder ? *decoder : *encoder; }
  const SideStages* side(bool of_decoder) const {
    const auto& found = of_decoder ? decoder : encoder;
    return found ? &*found : nullptr;
  }
};

// Tokens up to which a rollout is made: it multiplies n×n matrices.
inline constexpr std::size_t kMostRolloutTokens = 1024;

// Appends the stages of a stack. Those of block N have the prefix "encoder.N." or "decoder.N.": what
// append_layer makes (of cross-attention behind "cross_"), norm1 … norm3, inner, gate, activated, gated,
// feed_forward, stream1, stream2 (the sum of all writes behind the block's first boxes), and stream; where
// the norm comes after a box, sum1 … sum3 before it. Each side has `input` (of `embedded` or `x`, and
// `position`, where positions are added), and `output` behind the last block; the stack `logits` and
// `probabilities` where it has a head, and `rollout` (Abnar, Zuidema 2020) of the side that is looked at
// first, `decoder.rollout` of the other. Vaswani et al. 2017; norms before the boxes: Xiong et al. 2020;
// SwiGLU: Shazeer 2020.
//
// A box that is off adds 0: its norm, where that comes after, stays. Throws Error, naming the block, where
// its parts do not belong together.
StackStages append_stack(Graph& graph, const StackSpec& stack);

}  // namespace attn

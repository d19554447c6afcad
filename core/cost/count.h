// What one layer takes, stage by stage: operations, bytes moved, bytes held, each with its arithmetic.
//
// A multiply-add is two operations; +, −, ×, ÷, exp, tanh and the larger of two are one each. What chooses or
// copies a number (a mask, the sign that φ or a ReLU asks for) is none; additions of biases, norms and
// residuals, the feed-forward's activation and the product with its gate, less than one in d of all, are not
// counted. Masked scores are computed and counted; a window and a stride compute only the pairs that they
// reach.
//
// Forward, a stage moves what it reads and what it writes, each once, and holds what it makes. The exceptions
// are flash, whose queries come in tiles of kFlashTile: keys and values are read once for each, scores stay
// in the tile, and what a running softmax adds with each tile is not counted; and the recurrent layer, which
// reads W_h at every step.
//
// Backward, every product of two matrices becomes two of its size, and its stage moves twice as much: ∂y is
// read by both, a and b are read, ∂a and ∂b written. The softmax takes 4 for each weight: A⊙∂A and its row
// sum, the difference, the product. Flash makes scores and weights again and takes the row sums from ∂O⊙O.
// What is held is kept from the forward pass, and so is its gradient. Gradients that meet are added up by
// the products that make them.
#pragma once

#include <array>

#include "core/cost/cost.h"

namespace attn {

inline constexpr std::size_t kFlashTile = 64;

struct StageCost {
  CostStage stage;
  std::string_view name;   // "head_output"
  std::string_view title;  // "weights·V"
  Quantity operations, bytes_moved, bytes_held;
};

struct LayerCost {
  std::array<StageCost, kCostStages> stages;
  // What attention holds at once: queries, keys, values, outputs of the heads, and between them one matrix of
  // scores, which become weights in place, or the state that stands for it.
  Quantity held;

  const StageCost& operator[](CostStage stage) const { return stages[static_cast<std::size_t>(stage)]; }
};

// Throws Error as check_cost does.
LayerCost count_layer(const CostSpec& spec);

// Runs of stages, as bars and crossovers sum them up.
enum class CostPart { projections, mixing, output, feed_forward };  // q k v; scores to head_output; W_O
CostPart part_of(CostStage stage);

Count operations(const LayerCost& layer);
Count operations(const LayerCost& layer, CostPart part);
Count bytes_moved(const LayerCost& layer);

// One token after another where each needs the one before; layers (steps, of the recurrent layer) until any
// token can have reached any other.
std::size_t sequential_steps(const CostSpec& spec);
std::size_t path_length(const CostSpec& spec);

}  // namespace attn

// A layer's attention as one call of softmax(q·kᵀ·scale + bias + mask)·v has it, and what it does besides.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace attn {

struct AttentionCall {
  // What goes in, h×n×d, g×m×d and g×m×d_v, and comes out, h×n×d_v, before the heads are joined.
  StageIndex q = 0, k = 0, v = 0, output = 0;
  StageIndex scores = 0;  // that the weights are made of: scaled, with bias and mask
  double scale = 1;       // of q·kᵀ, temperature included
  std::optional<StageIndex> bias, mask;
  Fill fill = Fill::negative_infinity;
  EmptyRow empty_row = EmptyRow::zeros;
  // What the layer does and the call does not, a line each: "capped: 50·tanh(scaled ÷ 50)".
  std::vector<std::string> omitted;
  bool of_products = true;  // the scores are q·kᵀ; else there are no q and k that a call could take
};

// Read from the stages of a part; nothing where it has no weights that mix values.
std::optional<AttentionCall> attention_call(const Graph& graph, std::size_t part);

// Whether its scale is another than 1/√columns.
bool is_scaled(const AttentionCall& call, std::size_t columns);

// What these queries, keys or values are projected from, by the stage that does: `projection` of theirs.
StageIndex projected_from(const Graph& graph, StageIndex stage);
std::optional<StageIndex> projection_of(const Graph& graph, StageIndex stage);

// What the layer does and PyTorch's MultiheadAttention does not, a line each, the call's own lines among
// them: heads share the width of the tokens there, and every head has keys of its own.
std::vector<std::string> omitted_by_module(const Graph& graph, const AttentionCall& call);

}  // namespace attn

// Which stages of a layer are meant by an id that a file gives, where the layer lacks a stage of that id or
// has several that code calls so.
#pragma once

#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace attn {

// The stage; where there is none, what it would be made from: with no mask "masked" is what the softmax
// reads. Weights are those of the softmax, or what a mask or dropout behind it left of them: all that there
// are. Empty: nothing of that meaning.
std::vector<StageIndex> stages_meant(const Graph& graph, std::string_view id);

// Whether cells of it can be masked: scores, or what is added to them.
bool can_be_masked(const Graph& graph, StageIndex stage);

// Ours as yours may have it. Where heads of queries, keys or values are cut in the order of memory, code may
// have written the projection down before, heads side by side, which is read by columns: then the nearer of
// both.
Tensor as_given(const Graph& graph, StageIndex stage, const Tensor& ours, const Tensor& yours);

}  // namespace attn

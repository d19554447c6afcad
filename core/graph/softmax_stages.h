// The stages of one softmax in any graph, found by what they compute.
#pragma once

#include <optional>

#include "core/graph/graph.h"

namespace attn {

// Stages as they are read by others: after their overrides, where there are any.
struct SoftmaxStages {
  StageIndex weights = 0, sum = 0, exponentials = 0, maximum = 0, input = 0;
  std::optional<StageIndex> mask = {};
  EmptyRow empty_row = EmptyRow::zeros;
};

// Of a stage of weights, overridden or rounded or neither; none when something else than a softmax makes it.
std::optional<SoftmaxStages> softmax_at(const Graph& graph, StageIndex weights);

// Appends the softmax of each row of a stage in its four steps, Drawn::inside, the last of which is `weights`
// but for its operation and inputs. Their ids begin with its own. No key is masked.
StageIndex append_row_softmax(Graph& graph, StageIndex from, Stage weights);

}  // namespace attn

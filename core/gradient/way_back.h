// Which stages a loss asks, and what flows between them: found before any stage is appended. Private to
// core/gradient: others use append_gradients.
#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/operations/backward.h"

namespace attn {

struct WayBack {
  // Of the first `count` stages. Throws Error naming a stage without a way back.
  WayBack(const Graph& graph, StageIndex loss, std::span<const StageIndex> of);

  // One stage's, with flows to inputs that lead nowhere taken out. `inputs`: the stages that flows go to;
  // more than the stage has where a flow passes by its steps (of a softmax, straight to the scores).
  struct Step {
    Backward back = {};
    std::vector<StageIndex> to = {};  // of each flow
    bool active = false;
  };
  std::vector<Step> steps;         // by stage
  std::vector<std::size_t> flows;  // into each stage, those that are not 0
  std::vector<std::string> zeros;  // why nothing flows to it, where that was said
};

}  // namespace attn

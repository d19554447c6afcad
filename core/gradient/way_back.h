// Which stages a loss asks, and what flows between them: found before any stage is appended. Private to
// core/gradient: others use append_gradients.
#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/operations/backward.h"

namespace attn {

struct WayBack {
  // Of the stages up to the loss. Throws Error naming a stage without a way back.
  WayBack(const Graph& graph, StageIndex loss, std::span<const StageIndex> of);

  // What a stage passes on to those that lead to something asked for. Weights may pass it by their steps,
  // straight to their scores, which are no input of theirs.
  struct Step {
    Backward back = {};
    std::vector<StageIndex> to = {};  // where each flow goes
    bool active = false;
  };
  std::vector<Step> steps;         // by stage
  std::vector<std::size_t> flows;  // into each stage, those that are not 0
  std::vector<std::string> zeros;  // why nothing flows to it, where that was said
};

}  // namespace attn

// The layer's formula, part by part, with the parts of the current step lit.
#pragma once

#include <string>
#include <vector>

#include "app/theme.h"
#include "core/graph.h"

namespace attn {

struct FormulaPart {
  std::string text;                 // "Kᵀ"
  std::vector<std::string> stages;  // that compute it
};

// softmax( Q Kᵀ / √d_k + mask ) V, as this layer has it.
std::vector<FormulaPart> layer_formula(const Graph& graph);

// Lights the parts of `stages`. Returns the width in pixels.
float draw_formula(ImDrawList& list, const Theme& theme, ImVec2 position,
                   const std::vector<FormulaPart>& formula, const std::vector<std::string>& stages);

}  // namespace attn

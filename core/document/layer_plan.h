// The Pipeline's plan: the document's layer, with what was typed over its numbers.
#pragma once

#include "core/document/plan.h"

namespace attn {

// One layer of the document, with what is typed over its numbers; stages have no prefix. Its places are
// LayerStages.
Built build_layer(const Document& document, Address address = kLayerA);
// A's own matrices, in the order of its fields.
Graph given_layer(const Document& document);

inline constexpr Plan kLayerPlan{"pipeline", build_layer, given_layer};

}  // namespace attn

// The Pipeline's plan: the document's layer, with what was typed over its numbers.
#pragma once

#include "core/plan.h"

namespace attn {

Graph build_pipeline(const Document& document);
// The layer's own matrices, in the order of its fields.
Graph given_layer(const Document& document);

inline constexpr Plan kPipelinePlan{"pipeline", build_pipeline, given_layer};

}  // namespace attn

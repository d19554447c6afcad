// The Pipeline's plan: the document's layer, with what was typed over its numbers.
#pragma once

#include "core/attention/layer_flash.h"
#include "core/attention/layer_linear.h"
#include "core/document/plan.h"

namespace attn {

// One layer of the document, with what is typed over its numbers; stages have no prefix. Its places are
// LayerStages.
Built build_layer(const Document& document, Address address = kLayerA);
// A by flash attention (core/attention/layer_flash.h). Throws Error where that cannot compute it: the layer
// is none for it, or numbers are typed over a stage that it does not have. Weights that are asked for do not
// count: what is typed over them would not reach the output.
Built build_flash_layer(const Document& document, const FlashRequest& request = {});
// A by linear attention (core/attention/layer_linear.h), or Error likewise.
Built build_linear_layer(const Document& document, const LinearRequest& request = {});
// A's own matrices, in the order of its fields.
Graph given_layer(const Document& document);

inline constexpr Plan kLayerPlan{"pipeline", build_layer, given_layer};

}  // namespace attn

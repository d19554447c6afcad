// What the inspector says of the document's layer besides its numbers: chance where it strikes, a row as a
// dictionary, and whether the layer knows order and looks at content.
#pragma once

#include "app/inspector/inspector_flow.h"

namespace attn {

// All sections, in this order, behind what is said of every number.
void inspect_layer(Frame& frame, inspector::Flow& flow);

// What has changed since results were pinned: how much, where most, and each stage's largest change.
void draw_since(inspector::Flow& flow);
// Of a weight that chance left or dropped: why it can be above 1.
void draw_chance(inspector::Flow& flow, const Results& results, const Spot& spot);
// Of a query, a weight or an output: key–value cards of its row, their result, and the temperature to drag.
void draw_dictionary(inspector::Flow& flow, const Results& results, const Spot& spot);
// The layer with its tokens in another order, and with the same content everywhere.
void draw_probes(inspector::Flow& flow, const Results& results);

}  // namespace attn

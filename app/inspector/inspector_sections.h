// The blocks of the inspector, from top to bottom.
#pragma once

#include "app/inspector/inspector_flow.h"
#include "app/inspector/inspector_model.h"

namespace attn::inspector {

// The formula and what goes into it: terms, or all steps of a softmax.
void draw_arithmetic(Flow& flow, const Results& results, const Opened& opened);
void draw_terms(Flow& flow, const Opened& opened);
void draw_turn(Flow& flow, const Turn& turn);
void draw_softmax(Flow& flow, const OpenedSoftmax& softmax, const Opened& opened);
void draw_path(Flow& flow, const std::vector<PathStep>& legs);
void draw_attention(Flow& flow, const Results& results, const Attention& attention);
void draw_overrides(Flow& flow);
// Of a number that a mask may hide: the mask in the conventions of public programs, to be copied.
void draw_mask(Flow& flow, const Results& results, const Spot& spot);
// Of weights, and of what is masked on the way to them: the call of PyTorch that computes this attention.
void draw_call(Flow& flow, const Results& results, const Spot& spot);

}  // namespace attn::inspector

// The plan of the workspace of stacks: the document's stack, or one over the tokens of its layer A.
#pragma once

#include "core/document/plan.h"
#include "core/transformer/graph.h"

namespace attn {

// The document's stack; where it has none, an encoder that is made over A's tokens (made_over).
StackSpec shown_stack(const Document& document);
// What is typed over its numbers, those of its attentions in the Pipeline as well.
std::vector<StageOverride> stack_overrides(const Document& document);
// The stages of shown_stack. Its places are StackStages.
Built build_stack(const Document& document, Address address = kLayerA);
// What goes into it, of a document whose stack makes no graph.
Graph given_stack(const Document& document);

inline constexpr Plan kStackPlan{"stack", build_stack, given_stack};

}  // namespace attn

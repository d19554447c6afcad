// What the inspector says of two layers as wholes. Private to app/workspaces/compare.
#pragma once

#include "app/inspector/inspector_flow.h"
#include "app/workspaces/compare/scene.h"

namespace attn {

// What they differ in, and what that does, in a sentence.
void draw_summary(inspector::Flow& flow, const Results& results, const CompareFigures& figures);
// Where they part, what they differ by in all, and the weight that moved in each row.
void draw_wholes(inspector::Flow& flow, const Results& results, const CompareFigures& figures);

}  // namespace attn

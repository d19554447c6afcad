// The workspace that compares: the Pipeline's layer, another, and what they differ by, stage by
// stage.
#pragma once

#include <vector>

#include "app/fields/fields.h"
#include "app/frame/workspace.h"
#include "app/workspaces/compare/view.h"

namespace attn {

// Those of a check are the stages of the file, with a mark each.
std::vector<StepChip> compare_steps(const Graph& graph, const View& view);
void draw_compare_controls(Frame& frame, Column column);
void draw_compare(Frame& frame, Rect canvas);
// A number in both layers at every stage, its row and its arithmetic in each; what the layers differ by in
// all.
bool open_in_both(Frame& frame, inspector::Flow& flow, const Spot& spot);
void inspect_compare(Frame& frame, inspector::Flow& flow);
// The other document's layer.
void take_compared_layer(Document& document, View& view, const ImportedContent& taken);
void compare_commands(std::vector<Command>& table, const Desk& desk);

}  // namespace attn

// The workspace of gradients: what a loss tells every number of a layer.
#pragma once

#include <vector>

#include "app/fields/fields.h"
#include "app/frame/workspace.h"
#include "app/workspaces/gradients/view.h"

namespace attn {

// The way back alone: the layer's own steps are the Pipeline's.
std::vector<StepChip> gradient_steps(const Graph& graph, const View& view);
void draw_gradients_controls(Frame& frame, Column column);
void draw_gradients(Frame& frame, Rect canvas);
// Which way each score would lower the loss, exact zeros and their reasons, and what must hold of gradients.
void inspect_gradients(Frame& frame, inspector::Flow& flow);
// Gradients of what a softmax read, with the row that they are made in.
bool open_gradient(Frame& frame, inspector::Flow& flow, const Spot& spot);
// Whether rows of gradients of scores add up to 0.
void check_gradients(Frame& frame, std::vector<inspector::CheckLine>& lines);
// The row of an inspected number elsewhere, and the layer compared.
void lead_on_gradients(Frame& frame, inspector::Flow& flow);
// Space: the descent, step by step, where weights are painted and something may learn them.
bool asks_for_descent(const Document& document);
void play_descent(View& view, const Document& document, double seconds);
void gradients_commands(std::vector<Command>& table, const Desk& desk);

}  // namespace attn

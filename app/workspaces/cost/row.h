// The workspace of costs: what a layer takes, counted exactly, drawn over n, and measured on this device.
#pragma once

#include <optional>
#include <vector>

#include "app/fields/fields.h"
#include "app/frame/workspace.h"
#include "app/workspaces/cost/view.h"

namespace attn {

void draw_cost_controls(Frame& frame, Column column);
void draw_cost(Frame& frame, Rect canvas);
// Its steps have no stages: chips that lead to a part of the canvas.
std::vector<StepChip> cost_steps(const Graph& graph, const View& view);
// The chosen number's arithmetic, where curves cross, how far memory reaches, the model.
void inspect_cost(Frame& frame, inspector::Flow& flow);
void cost_commands(std::vector<Command>& table, const Desk& desk);
// One number: the tokens that tables and markers stand at.
std::optional<Spot> look_at_tokens(Document& document, View& view, const Results& results,
                                   const std::vector<double>& at);
// The command cost.
void add_cost(CommandParser& parser);

}  // namespace attn

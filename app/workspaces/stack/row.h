// The workspace of stacks: a Transformer from its tokens to its output, layer by layer.
#pragma once

#include <optional>
#include <vector>

#include "app/fields/fields.h"
#include "app/frame/workspace.h"
#include "app/workspaces/stack/view.h"

namespace attn {

// embed, a chip for each layer of the shown side, memory, decode, softmax.
std::vector<StepChip> stack_steps(const Graph& graph, const View& view);
void draw_stack_controls(Frame& frame, Column column);
void draw_stack(Frame& frame, Rect canvas);
// A number of a norm or of the stream, opened; the row's weights; gradient by depth.
void inspect_stack(Frame& frame, inspector::Flow& flow);
bool open_stack_number(Frame& frame, inspector::Flow& flow, const Spot& spot);
void lead_on_stack(Frame& frame, inspector::Flow& flow);
void check_stack(Frame& frame, std::vector<inspector::CheckLine>& lines);
// Three numbers: a layer, a head and a row of its map.
std::optional<Spot> look_at_stack(Document& document, View& view, const Results& results,
                                  const std::vector<double>& at);
void stack_commands(std::vector<Command>& table, const Desk& desk);

}  // namespace attn

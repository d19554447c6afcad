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
// The chosen step and the layer that is looked at move together, and the open number with them.
void follow_steps(Frame& frame);
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
std::vector<TimedEdit> timed_stack_edits(bool quick);
std::vector<TimedWork> timed_stack_work(Backend& backend, int samples, bool quick);

}  // namespace attn

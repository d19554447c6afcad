// The workspace of training: a small model learns a task, live.
#pragma once

#include <vector>

#include "app/fields/fields.h"
#include "app/frame/workspace.h"
#include "app/workspaces/training/view.h"

namespace attn {

// batch, forward, loss, backward, Adam, snapshot.
std::vector<StepChip> training_steps(const Graph& graph, const View& view);
void draw_training_controls(Frame& frame, Column column);
void draw_training(Frame& frame, Rect canvas);
// The pinned weight over time, its row, the optimiser's arithmetic of a parameter, checks and milestones.
void inspect_training(Frame& frame, inspector::Flow& flow);
void training_commands(std::vector<Command>& table, const Desk& desk);
// Playing is followed where it is drawn.
void play_training(View& view, const Document& document, double seconds);
std::vector<TimedEdit> timed_training_edits(bool quick);

}  // namespace attn

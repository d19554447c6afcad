// Sections of the inspector of gradients. Private to app/workspaces/gradients.
#pragma once

#include "app/inspector/inspector_flow.h"
#include "core/gradients/graph.h"
#include "core/gradients/weights_flow.h"

namespace attn {

// A row of what a softmax passed on: A, dA, dA·A and dS by key.
void draw_flow_table(inspector::Flow& flow, const Results& results, const WeightsFlow& passed, Cell cell);

// Which way a number is to be moved for the loss to fall, beside it the other scores of its row, and what the
// loss does when it is moved.
void draw_lower(inspector::Flow& flow, const Results& results, const Spot& gradient);

// The keys of a row of dS that are shown: the largest, and that of the cell.
std::vector<std::size_t> shown_keys(const Results& results, const WeightsFlow& passed, Cell cell);

// Struck out before the softmax.
bool is_hidden(const Results& results, const WeightsFlow& passed, Cell cell);

}  // namespace attn

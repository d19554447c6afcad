// The workspace of the softmax: one row of scores that is dragged, on its way to weights, and why the scores
// are divided by √d_k.
#pragma once

#include <optional>
#include <vector>

#include "app/fields/fields.h"
#include "app/frame/workspace.h"
#include "app/workspaces/softmax/view.h"

namespace attn {

void draw_softmax_controls(Frame& frame, Column column);
void draw_softmax(Frame& frame, Rect canvas);
// The row as arithmetic, how saturated it is, what it is in fewer bits, and rows that books print.
void inspect_softmax(Frame& frame, inspector::Flow& flow);
// Space: the weights at one temperature after the other.
void play_softmax(View& view, const Document& document, double seconds);
void softmax_commands(std::vector<Command>& table, const Desk& desk);
// Two numbers: the head and the query of the layer's row.
std::optional<Spot> look_at_layer_row(Document& document, View& view, const Results& results,
                                      const std::vector<double>& at);

}  // namespace attn

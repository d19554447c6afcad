// The workspace of positions: encodings side by side, and the same content under each.
#pragma once

#include <optional>
#include <vector>

#include "app/fields/fields.h"
#include "app/frame/workspace.h"
#include "app/workspaces/positions/view.h"

namespace attn {

void draw_positions_controls(Frame& frame, Column column);
void draw_positions(Frame& frame, Rect canvas);
// Shift, row and checks behind the number's arithmetic.
void inspect_positions(Frame& frame, inspector::Flow& flow);
// Space: the position goes on by itself.
void play_positions(View& view, const Document& document, double seconds);
void position_commands(std::vector<Command>& table, const Desk& desk);
// A row and a column of the encoding: its position and a dimension that is drawn from now on.
std::optional<Spot> look_at_position(Document& document, View& view, const Results& results,
                                     const std::vector<double>& at);

}  // namespace attn

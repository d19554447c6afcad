// The workspace of efficient attention: the roads around n², beside exact attention.
#pragma once

#include <optional>
#include <vector>

#include "app/fields/fields.h"
#include "app/frame/workspace.h"
#include "app/workspaces/efficient/view.h"

namespace attn {

// The parts of one step of a tile.
std::vector<StepChip> efficient_steps(const Graph& graph, const View& view);
void draw_efficient_controls(Frame& frame, Column column);
void draw_efficient(Frame& frame, Rect canvas);
// The tile's step for the row that is followed, and what must hold.
void inspect_efficient(Frame& frame, inspector::Flow& flow);
void check_efficient(Frame& frame, std::vector<inspector::CheckLine>& lines);
void lead_on_efficient(Frame& frame, inspector::Flow& flow);
// Space: the tiles in the kernel's order.
void play_tiles(View& view, const Document& document, double seconds);
// Two numbers: the tile that is computed now.
std::optional<Spot> look_at_tile(Document& document, View& view, const Results& results,
                                 const std::vector<double>& at);
void efficient_commands(std::vector<Command>& table, const Desk& desk);

}  // namespace attn

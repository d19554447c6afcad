// The workspace of kernels: kernel regression of points that are dragged, compared with attention.
#pragma once

#include <optional>
#include <vector>

#include "app/fields/fields.h"
#include "app/frame/workspace.h"
#include "app/workspaces/kernels/view.h"

namespace attn {

void draw_kernels_controls(Frame& frame, Column column);
void draw_kernels(Frame& frame, Rect canvas);
// The estimate at the query as arithmetic, the layer that does the same, and what to check.
void inspect_kernels(Frame& frame, inspector::Flow& flow);
// Space: the query goes on by itself.
void play_kernels(View& view, const Document& document, double seconds);
void kernel_commands(std::vector<Command>& table, const Desk& desk);
// Points in place of its own. Throws Error where there are too many.
void take_kernel_points(Document& document, View& view, const ImportedContent& taken);
// The command regress.
void add_regress(CommandParser& parser);
// One number: the place of the query.
std::optional<Spot> look_at_query(Document& document, View& view, const Results& results,
                                  const std::vector<double>& at);

}  // namespace attn

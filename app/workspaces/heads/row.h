// The workspace of heads: all of a layer's maps side by side, named, ordered and compared, and what each
// head does to the output.
#pragma once

#include <optional>
#include <vector>

#include "app/fields/fields.h"
#include "app/frame/workspace.h"
#include "app/workspaces/heads/view.h"

namespace attn {

void draw_heads_controls(Frame& frame, Column column);
void draw_heads(Frame& frame, Rect canvas);
// The head shown large: its name with the numbers behind it, what the output is without it, whom it is like.
void inspect_heads(Frame& frame, inspector::Flow& flow);
void heads_commands(std::vector<Command>& table, const Desk& desk);
// Two numbers: a head and a query.
std::optional<Spot> look_at_head(Document& document, View& view, const Results& results,
                                 const std::vector<double>& at);

}  // namespace attn

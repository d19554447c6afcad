// The workspace of entropy: how evenly each head shares its weight out, at one temperature after the other.
#pragma once

#include "app/fields/fields.h"
#include "app/frame/workspace.h"

namespace attn {

void draw_entropy(Frame& frame, Rect canvas);
void draw_entropy_controls(Frame& frame, Column column);
void entropy_commands(std::vector<Command>& table, const Desk& desk);

}  // namespace attn

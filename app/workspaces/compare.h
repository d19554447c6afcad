// The workspace that compares: the Pipeline's layer, another beside it, and what they differ by, stage by
// stage.
#pragma once

#include <vector>

#include "app/frame.h"
#include "app/widgets/fields.h"

namespace attn {

namespace inspector {
struct Flow;
}

void draw_compare_controls(Frame& frame, Column column);
void draw_compare(Frame& frame, Rect canvas);
// A number in both layers at every stage, its row and its arithmetic in each; what the layers differ by in
// all.
bool open_in_both(Frame& frame, inspector::Flow& flow, const Spot& spot);
void inspect_compare(Frame& frame, inspector::Flow& flow);
void take_layer_beside(Document& document, View& view, const Document& other);
void compare_commands(std::vector<Command>& table, const Application& application);

}  // namespace attn

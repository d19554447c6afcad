// What of a graph the view shows: the stages whose matrices stand on a canvas, all of them in sight or one
// that fills it.
#pragma once

#include <string>

#include "app/frame/view.h"

namespace attn {

// Whether a canvas shows the stage's own matrix now.
bool on_screen(const Stage& stage, const View& view);
// Scrolls the stage into sight in the next frame, after opening what hides it.
void show_stage(View& view, const Graph& graph, const std::string& stage);
// Pins a number, scrolls to it and shows its head.
void pin_number(View& view, const Graph& graph, const Spot& spot);

// Every stage in sight, or rows of larger matrices; fitted again.
void arrange_all(CanvasView& view, bool all);
// Lets this stage's matrix alone fill the canvas; when it does, all of them are there again, as they were.
void toggle_filled(CanvasView& view, const std::string& stage);

}  // namespace attn

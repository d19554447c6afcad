// The canvas under the blocks: wheel and drag scroll it, Ctrl+wheel zooms it about the pointer, a
// double-click on empty canvas fits it.
#pragma once

#include <optional>

#include "app/frame/frame.h"

namespace attn {

// Opens the canvas as a child window that Tab walks through. While it is open, draw at absolute positions.
void begin_canvas(Frame& frame, Rect canvas);

// Notches of the wheel with Ctrl over the canvas, in this frame. Call while it is open.
float zoom_notches();
// By these notches; from now on the canvas may stand anywhere, until it is fitted.
void change_zoom(CanvasView& view, float notches);

// Where the content's top left corner lies; small content is centred.
ImVec2 canvas_origin(const CanvasView& view, Rect canvas, ImVec2 content);

// Closes it, after the blocks: what they left alone of the mouse is the canvas's own. `content`: pixels.
void end_canvas(Frame& frame, Rect canvas, ImVec2 content);

// The stage whose part of the canvas somebody asked to see since the last frame.
std::optional<StageIndex> take_revealed(Frame& frame, const Graph& graph);

// Scrolls as little as needed to have `place` (within the content) in sight.
void scroll_to(Frame& frame, Rect canvas, ImVec2 content, Rect place);

}  // namespace attn

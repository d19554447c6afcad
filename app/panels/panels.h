// The panels around a workspace's canvas. Each draws into its rectangle, reads frame.results and changes only
// frame.draft or frame.view; what it wants the program to do it appends to frame.commands.
#pragma once

#include "app/frame/frame.h"

namespace attn {

struct Column;
struct Layout;

void draw_top_bar(Frame& frame, Rect area);  // menu, workspace tabs, device badge
void draw_device_badge(Frame& frame, Rect area);
// The controls and the inspector, or their strips with the one that is open over the canvas.
void draw_side_panels(Frame& frame, const Layout& layout);
// Between the regions: dragging one narrows or widens its panel, or hides it.
void draw_splitters(Frame& frame, const Layout& layout);
void draw_controls(Frame& frame, Rect area);      // the layer's choices: sizes, scale, masks, heads, examples
void list_controls(Frame& frame);                 // draws nothing, but their parts are known
void draw_inspector(Frame& frame, Rect area);     // one number opened; the history below it when shown
void draw_examples(Frame& frame, Column column);  // at the top of the controls
void draw_history(Frame& frame, Rect area);
// In place of all of these while the window presents: the present step's title and sentence, what is shown
// large, a quiet line.
void draw_presentation(Frame& frame, const Layout& layout);
void draw_stage_bar(Frame& frame, Rect area);  // stages as chips with transport, and the status line
// These return the height that they take from the canvas.
float draw_file_line(Frame& frame, Rect canvas);
float draw_recording_line(Frame& frame, Rect canvas);  // while a lesson is recorded
float draw_step_head(Frame& frame, Rect canvas);       // in a small window: what the step is, in a sentence
void draw_overlays(Frame& frame);                      // palette, key sheet, file dialog: above everything

}  // namespace attn

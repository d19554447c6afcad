// Overlays: what stands above everything until Esc: the palette, the manual, the key sheet, the file dialog,
// a file before it is opened, the words of a recorded lesson, the question at the end.
#pragma once

#include "app/frame/frame.h"

namespace attn {

// A framed window over the middle of the display; the keyboard is its own. Call end_overlay() whatever it
// returns. `open` becomes false on Esc or a click outside.
void begin_overlay(Frame& frame, const char* id, ImVec2 size, bool& open);
void end_overlay();

void draw_palette(Frame& frame);
void draw_manual(Frame& frame);
void draw_key_sheet(Frame& frame);
void draw_file_dialog(Frame& frame);
void draw_array_preview(Frame& frame);
void draw_closing(Frame& frame);
void draw_lesson_words(Frame& frame);  // of the lesson that is recorded

}  // namespace attn

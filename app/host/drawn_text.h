// Drawn text: the words and numbers of a finished frame, read back from the glyphs in its draw data. Nothing
// is recorded while drawing: what is found here is what a person sees.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/frame/frame.h"

namespace attn {

struct DrawnText {
  std::string text;  // UTF-8; neighbouring words of one line are one text
  Rect box;          // from the first glyph's pen position to the last one's end, ascent to descent
  ImU32 colour;      // of the first glyph
  const ImFont* font;
};

// Every text of the frame, in drawing order. Glyphs outside their clip rectangle are left out.
std::vector<DrawnText> drawn_texts(const ImDrawData& data);

// The texts, or the parts of them, that a clip rectangle inside `panel` hides at its left or right side.
std::vector<DrawnText> cut_texts(const ImDrawData& data, Rect panel);

// The texts whose glyphs have their centres inside `area`, as if nothing else had been drawn: what a cell
// says.
std::vector<DrawnText> drawn_texts(const ImDrawData& data, Rect area);

// The texts of one of the toolkit's windows, by its name.
std::vector<DrawnText> drawn_texts(const ImDrawData& data, const char* window);

}  // namespace attn

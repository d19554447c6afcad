// Drawn shapes: a finished frame read back from its draw data as words, rectangles, discs, outlines and
// pictures. Nothing is recorded while drawing: what is found here is what a person sees.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/frame/frame.h"
#include "app/host/outline.h"
#include "app/theme/theme.h"

namespace attn {

// Neighbouring words of one line, from `start` on the base line.
struct ShownWords {
  std::string text;  // UTF-8
  const ImFont* font;
  float scale;  // pixels on screen for a pixel of the font
  int turn;     // by a quarter: +1 reads upwards, −1 downwards
  ImVec2 start;
  float length;  // from the first pen position to the last one's end
  int letters;
};
struct ShownRectangle {
  float radius = 0;           // of its corners
  int list = 0, command = 0;  // whose it is
  unsigned behind = 0;        // the first index of the command that is no longer its own
};
struct ShownDisc {};
struct ShownOutline {
  Loops loops;
};
// What Textures shows: the command of a draw list, and the callback that sets it up.
struct ShownPicture {
  int list, callback, command;
};

struct DrawnShape {
  std::variant<ShownWords, ShownRectangle, ShownDisc, ShownOutline, ShownPicture> what;
  Rect box;                       // of words their ink; of a disc a square around it
  ImU32 colour;                   // with its opacity
  std::optional<Rect> clip = {};  // none: all of it is seen
};

// What is seen in `area`, in drawing order. Edges lie where a soft edge has half of its opacity; a polygon of
// several colours has their mean. `fonts`: that the frame was drawn with.
std::vector<DrawnShape> drawn_shapes(const ImDrawData& data, const Fonts& fonts, Rect area);

// Of pixels whose centres are inside, as rectangles are drawn.
Rect pixels_of(const Rect& box);

// The last opaque rectangle that is drawn over all of `area`: what stands before it is out of sight. Null:
// there is none.
const DrawnShape* backdrop_of(const std::vector<DrawnShape>& shapes, Rect area);

}  // namespace attn

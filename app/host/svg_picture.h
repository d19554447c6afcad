// SVG of a finished frame, or of a part of it: transcribed from what was drawn.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/host/drawn_shapes.h"
#include "app/host/letter_widths.h"
#include "core/io/png.h"

namespace attn {

// What a transcription needs besides the frame.
struct SvgSetup {
  Rect area;                             // whole pixels
  float scale = 1;                       // pixels of a point
  ImU32 cleared = 0;                     // what lies below all that is drawn
  std::optional<ImU32> background = {};  // in place of that, and of what is drawn over all of the area
  const Fonts& fonts;                    // that the frame was drawn with
  const LetterWidths& widths;
  // Whole pixels of what a shape of Textures shows.
  std::function<Picture(const ShownPicture&, Rect)> picture_of;
};

// Text as text, a point as 1/96 inch, the session in its metadata; the same frame gives the same bytes.
std::string svg_picture(const ImDrawData& data, const SvgSetup& setup, std::string_view session);

}  // namespace attn

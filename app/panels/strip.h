// A side panel folded to a strip: a chevron, and the panel's parts as words that read along it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/frame/frame.h"

namespace attn {

struct StripWord {
  std::string part, word;  // what is pressed, and what is written
  ImU32 ink = 0;
  bool lit = false, dot = false;
};

struct Strip {
  const char* id;
  bool left = true;     // of the window: the words read upwards
  std::string tooltip;  // of the chevron
  std::vector<StripWord> words = {};
};

// The part that was pressed; empty: the chevron; none: nothing.
std::optional<std::string> draw_strip(const Theme& theme, Rect area, const Strip& strip);

}  // namespace attn

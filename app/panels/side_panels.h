// The side panels, next to the canvas or over it, and the parts that they are made of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/frame/frame.h"

namespace attn {

struct StripWord;

// Behind all that a panel shows, while its child window is open: scrolls to the part that is sought, and says
// which one is looked at.
void follow_parts(const Theme& theme, SidePanel& panel);

// The words of the inspector where it is folded.
std::vector<StripWord> inspector_words(const Frame& frame);

// " (Ctrl+B)": the key of a command, in brackets. Empty where it has none, or the workspace on screen has
// taken it for a command of its own.
std::string key_of(const Frame& frame, std::string_view command);

}  // namespace attn

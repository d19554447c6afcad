// The side panels, next to the canvas or over it, and the parts that they are made of.
#pragma once

#include <vector>

#include "app/frame/frame.h"

namespace attn {

struct StripWord;

// Behind all that a panel shows, while its child window is open: scrolls to the part that is sought, and says
// which one is looked at.
void follow_parts(const Theme& theme, SidePanel& panel);

// The words of the inspector where it is folded.
std::vector<StripWord> inspector_words(const Frame& frame);

}  // namespace attn

// An area of a panel or of the canvas that is pressed: a stop of Tab with a focus ring and a hand over it.
#pragma once

#include <string>

#include "app/frame/frame.h"

namespace attn {

bool press_area(const Theme& theme, const char* id, Rect area, const std::string& tooltip = {});

}  // namespace attn

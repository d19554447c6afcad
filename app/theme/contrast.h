// How well one colour stands out from another.
#pragma once

#include "app/theme/theme.h"

namespace attn {

// The contrast ratio of WCAG 2.1, from 1 to 21; without regard to alpha.
float contrast(ImU32 a, ImU32 b);

// The colour with as much of the text's in it as it takes to reach this contrast on the ground; its own
// alpha.
ImU32 set_off(const Theme& theme, ImU32 colour, ImU32 ground, float least);

// Of words in that colour: 4.5 : 1, what WCAG asks of text.
ImU32 read_colour(const Theme& theme, ImU32 colour, ImU32 ground);

}  // namespace attn

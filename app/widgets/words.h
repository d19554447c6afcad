// Words in draw lists: measured, elided, and the titles of blocks.
#pragma once

#include <string>
#include <string_view>

#include "app/theme.h"

namespace attn {

float text_width(const ImFont* font, std::string_view text);

void draw_text(ImDrawList& list, const ImFont* font, ImVec2 position, ImU32 colour, std::string_view text);

// The text, or as much of it as fits into `width` with "…" behind it.
std::string elided(const ImFont* font, const std::string& text, float width);

// A bold title with a quiet subtitle behind it, elided to `width`: the head of a block on the canvas.
void draw_title(ImDrawList& list, const Theme& theme, ImVec2 position, ImU32 colour, const std::string& title,
                const std::string& subtitle, float width);

}  // namespace attn

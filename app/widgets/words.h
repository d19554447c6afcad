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

// In a subtitle: its numbers are pools of cells.
inline constexpr std::string_view kPooled = "max-pooled";

// A bold title with a quiet subtitle behind it, the head of a block on the canvas. Of a subtitle that
// does not fit into `width` whole parts are left out, its shape last of all.
void draw_title(ImDrawList& list, const Theme& theme, ImVec2 position, ImU32 colour, const std::string& title,
                const std::string& subtitle, float width);

}  // namespace attn

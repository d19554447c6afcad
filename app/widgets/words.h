// Words in draw lists: measured, elided, and the titles of blocks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/theme/theme.h"

namespace attn {

// In the window's language (app/language/speech.h), as all of these; what follows is drawn as it is: parts of
// texts that were put into it before.
float text_width(const ImFont* font, std::string_view text);
float drawn_width(const ImFont* font, std::string_view text);
void draw_as_is(ImDrawList& list, const ImFont* font, ImVec2 position, ImU32 colour, std::string_view text);

void draw_text(ImDrawList& list, const ImFont* font, ImVec2 position, ImU32 colour, std::string_view text);

// The same turned by a quarter: it reads upwards, or downwards, from its first letter's outer corner.
enum class TextDirection { up, down };
void draw_text(ImDrawList& list, const ImFont* font, ImVec2 position, ImU32 colour, std::string_view text,
               TextDirection turned);

// The text, or as much of it as fits into `width` with "…" behind it.
std::string elided(const ImFont* font, const std::string& text, float width);
std::string elided_as_is(const ImFont* font, const std::string& text, float width);

// The text in lines that are no wider than `width`, broken at spaces and its own line ends alone: Dear ImGui
// breaks behind points too, which takes numbers apart. A longer word is broken where the line ends.
std::string wrapped(const ImFont* font, std::string_view text, float width);

// What a block shows: "QKᵀ", "5×5", "head 0".
struct SubtitlePart {
  std::string text;
  bool essential = false;  // stays longest where there is little room
};
using Subtitle = std::vector<SubtitlePart>;

// "QKᵀ · 5×5 · head 0".
std::string to_string(const Subtitle& subtitle);

// Of the parts, in their order, those that fit into `width`: the essential ones, then the others. A first one
// that does not fit alone is elided.
std::string fitting(const ImFont* font, const Subtitle& subtitle, float width);

// A bold title with a quiet subtitle behind it, as much as fits into `width`: the head of a block on the
// canvas. A title that is too wide is written small, and elided where that does not fit either.
void draw_title(ImDrawList& list, const Theme& theme, ImVec2 position, ImU32 colour, const std::string& title,
                const Subtitle& subtitle, float width);

}  // namespace attn

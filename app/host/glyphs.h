// Glyphs of a finished frame: which character a quad of its draw data shows, and where the pen stood.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "app/frame/frame.h"

namespace attn {

// Places of text that is turned by a quarter (+1 reads upwards, −1 downwards) as if it were not turned, and
// back again.
ImVec2 unturned(ImVec2 p, int turn);
Rect turned_back(const Rect& box, int turn);

// One glyph on screen. Positions are of the pen, as if the glyph had not been clipped; of turned text they
// are unturned, but the middle.
struct PlacedGlyph {
  const ImFont* font;
  const ImFontGlyph* glyph;
  float scale;  // pixels per pixel of the atlas
  ImVec2 pen;   // top left of the line
  ImVec2 middle;
  ImU32 colour;
  int turn;
  float end() const { return pen.x + glyph->AdvanceX * scale; }
  Rect ink() const;  // of the whole glyph, on screen
};

// Whether six indices are of a quad as ImGui writes it: four corners in a row.
bool is_quad(const ImDrawIdx* index);

// Which glyph a place in the font texture belongs to.
class GlyphAtlas {
 public:
  explicit GlyphAtlas(const ImFontAtlas& atlas);
  // The four corners from `corner` on, if they are a glyph's: ImGui writes each as one quad, top left first.
  std::optional<PlacedGlyph> glyph_at(const ImDrawVert* corner) const;

 private:
  struct Owner {
    const ImFont* font = nullptr;
    const ImFontGlyph* glyph = nullptr;
  };
  Owner at(ImVec2 uv) const;
  void add(ImFont* font);
  void add(const Owner& owner);

  std::vector<std::vector<Owner>> tiles_;
};

// What stands between two glyphs: nothing, a space that is not drawn, or (none) another text.
std::optional<std::string> between(const PlacedGlyph& before, const PlacedGlyph& after);

}  // namespace attn

// Text read back from pictures of glyphs: a quad's place in the font texture tells which glyph it is, its
// place on screen where the pen stood, and glyphs whose pens follow each other are one text.
#include "app/host/drawn_text.h"

#include <optional>
#include <string_view>

#include "app/host/glyphs.h"
#include "app/theme/toolkit.h"
#include "core/text/code_points.h"

namespace attn {
namespace {

bool is_inside(const PlacedGlyph& glyph, const Rect& clip) {
  return clip.contains(glyph.middle);
}

// At its left or right side; turned text is never clipped.
bool is_cut(const PlacedGlyph& glyph, const Rect& clip) {
  if (glyph.turn != 0) return false;
  constexpr float kBleed = 1;  // pixels
  const float left = glyph.pen.x + glyph.glyph->X0 * glyph.scale;
  const float right = glyph.pen.x + glyph.glyph->X1 * glyph.scale;
  return glyph.middle.y >= clip.min.y && glyph.middle.y < clip.max.y &&
         (left < clip.min.x - kBleed || right > clip.max.x + kBleed);
}

bool is_of(const ImDrawList& list, std::string_view window) {
  return list._OwnerName && list._OwnerName == window;
}

// Those of the frame's glyphs that are wanted in their clip rectangles; of one window, if it is named.
template <class Predicate>
std::vector<PlacedGlyph> placed_glyphs(const ImDrawData& data, const Predicate& wanted,
                                       std::string_view window = {}) {
  const ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  const GlyphAtlas atlas(fonts);
  const ImTextureID texture = font_texture();
  std::vector<PlacedGlyph> glyphs;
  for (int list = 0; list < data.CmdListsCount; ++list) {
    const ImDrawList& commands = *data.CmdLists[list];
    if (!window.empty() && !is_of(commands, window)) continue;
    for (const ImDrawCmd& command : commands.CmdBuffer) {
      if (command.UserCallback || command.GetTexID() != texture) continue;
      for (unsigned i = 0; i + 6 <= command.ElemCount;) {
        const ImDrawIdx* index = commands.IdxBuffer.Data + command.IdxOffset + i;
        const ImDrawVert* corner = commands.VtxBuffer.Data + command.VtxOffset + index[0];
        const bool quad = is_quad(index);
        const std::optional<PlacedGlyph> glyph = quad ? atlas.glyph_at(corner) : std::nullopt;
        i += quad ? 6 : 3;
        const ImVec4& r = command.ClipRect;
        if (glyph && wanted(*glyph, Rect{{r.x, r.y}, {r.z, r.w}})) glyphs.push_back(*glyph);
      }
    }
  }
  return glyphs;
}

std::vector<DrawnText> assemble(const std::vector<PlacedGlyph>& glyphs) {
  std::vector<DrawnText> texts;
  const PlacedGlyph* last = nullptr;
  const auto end_text = [&] {
    if (last) texts.back().box = turned_back(texts.back().box, last->turn);
  };
  for (const PlacedGlyph& glyph : glyphs) {
    const std::optional<std::string> joint = last ? between(*last, glyph) : std::nullopt;
    if (!joint) end_text();
    if (!joint)
      texts.push_back({.text = {},
                       .box = {glyph.pen, {glyph.pen.x, glyph.pen.y + font_size(glyph.font) * glyph.scale}},
                       .colour = glyph.colour,
                       .font = glyph.font});
    texts.back().text += joint.value_or("");
    texts.back().text += utf8_text(static_cast<char32_t>(glyph.glyph->Codepoint));
    texts.back().box.max.x = glyph.end();
    last = &glyph;
  }
  end_text();
  return texts;
}

}  // namespace

std::vector<DrawnText> drawn_texts(const ImDrawData& data) {
  return assemble(placed_glyphs(data, is_inside));
}

std::vector<DrawnText> cut_texts(const ImDrawData& data, Rect panel) {
  return assemble(placed_glyphs(data, [&](const PlacedGlyph& glyph, const Rect& clip) {
    const bool in_panel = clip.min.x >= panel.min.x - 1 && clip.max.x <= panel.max.x + 1 &&
                          clip.min.y >= panel.min.y - 1 && clip.max.y <= panel.max.y + 1;
    return in_panel && is_cut(glyph, clip);
  }));
}

std::vector<DrawnText> drawn_texts(const ImDrawData& data, const char* window) {
  return assemble(placed_glyphs(data, is_inside, window));
}

std::vector<DrawnText> drawn_texts(const ImDrawData& data, Rect area) {
  std::vector<PlacedGlyph> glyphs = placed_glyphs(data, is_inside);
  std::erase_if(glyphs, [&](const PlacedGlyph& glyph) { return !area.contains(glyph.middle); });
  return assemble(glyphs);
}

}  // namespace attn

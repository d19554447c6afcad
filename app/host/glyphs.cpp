// A quad's place in the font texture tells which glyph it is, its place on screen where the pen stood.
#include "app/host/glyphs.h"

#include <algorithm>
#include <cmath>

#include "app/theme/toolkit.h"
#include "core/text/code_points.h"

namespace attn {
namespace {

constexpr std::size_t kAtlasTiles = 32;  // a side; a few glyphs each

std::size_t atlas_tile(float uv) {
  return static_cast<std::size_t>(std::clamp(uv, 0.0f, 0.999f) * kAtlasTiles);
}

}  // namespace

ImVec2 unturned(ImVec2 p, int turn) {
  return turn > 0 ? ImVec2{-p.y, p.x} : turn < 0 ? ImVec2{p.y, -p.x} : p;
}

Rect turned_back(const Rect& box, int turn) {
  const ImVec2 a = unturned(box.min, -turn), b = unturned(box.max, -turn);
  return {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
}

Rect PlacedGlyph::ink() const {
  return turned_back({{pen.x + glyph->X0 * scale, pen.y + glyph->Y0 * scale},
                      {pen.x + glyph->X1 * scale, pen.y + glyph->Y1 * scale}},
                     turn);
}

bool is_quad(const ImDrawIdx* index) {
  return index[1] == index[0] + 1 && index[2] == index[0] + 2 && index[3] == index[0] &&
         index[4] == index[0] + 2 && index[5] == index[0] + 3;
}

GlyphAtlas::GlyphAtlas(const ImFontAtlas& atlas) : tiles_(kAtlasTiles * kAtlasTiles) {
  for (ImFont* font : atlas.Fonts) add(font);
}

GlyphAtlas::Owner GlyphAtlas::at(ImVec2 uv) const {
  for (const Owner& owner : tiles_[atlas_tile(uv.y) * kAtlasTiles + atlas_tile(uv.x)]) {
    const ImFontGlyph& g = *owner.glyph;
    if (g.U0 <= uv.x && uv.x < g.U1 && g.V0 <= uv.y && uv.y < g.V1) return owner;
  }
  return {};
}

// Pages of characters that the font has none of are most of them.
void GlyphAtlas::add(ImFont* font) {
  constexpr unsigned kPage = 4096, kCharacters = 0x10000;
  for (unsigned page = 0; page < kCharacters; page += kPage) {
    if (font->IsGlyphRangeUnused(page, page + kPage - 1)) continue;
    for (unsigned character = page; character < page + kPage; ++character) {
      const ImFontGlyph* glyph = glyph_of(font, static_cast<ImWchar>(character));
      if (glyph && glyph->Visible) add({font, glyph});
    }
  }
}

void GlyphAtlas::add(const Owner& owner) {
  const ImFontGlyph& g = *owner.glyph;
  for (std::size_t y = atlas_tile(g.V0); y <= atlas_tile(g.V1); ++y)
    for (std::size_t x = atlas_tile(g.U0); x <= atlas_tile(g.U1); ++x)
      tiles_[y * kAtlasTiles + x].push_back(owner);
}

std::optional<PlacedGlyph> GlyphAtlas::glyph_at(const ImDrawVert* corner) const {
  ImDrawVert a = corner[0], b = corner[2];
  if (b.uv.x <= a.uv.x || b.uv.y <= a.uv.y) return std::nullopt;
  const Owner owner = at({(a.uv.x + b.uv.x) / 2, (a.uv.y + b.uv.y) / 2});
  if (!owner.glyph) return std::nullopt;
  const ImFontGlyph& g = *owner.glyph;
  constexpr float kLess = 1e-5f;  // than a texel
  if (a.uv.x < g.U0 - kLess || a.uv.y < g.V0 - kLess || b.uv.x > g.U1 + kLess || b.uv.y > g.V1 + kLess)
    return std::nullopt;  // a matrix of Textures, which has its own texture
  const ImVec2 middle{(a.pos.x + b.pos.x) / 2, (a.pos.y + b.pos.y) / 2};
  const int turn = b.pos.y < a.pos.y ? 1 : b.pos.x < a.pos.x ? -1 : 0;
  a.pos = unturned(a.pos, turn), b.pos = unturned(b.pos, turn);
  // A glyph at the edge of its clip rectangle is cut to a part: what that part is of its texture says where
  // all of it would be.
  const float scale = (b.pos.y - a.pos.y) / (b.uv.y - a.uv.y) * (g.V1 - g.V0) / (g.Y1 - g.Y0);
  const float x0 = a.pos.x - (a.uv.x - g.U0) * (b.pos.x - a.pos.x) / (b.uv.x - a.uv.x);
  const float y0 = a.pos.y - (a.uv.y - g.V0) * (b.pos.y - a.pos.y) / (b.uv.y - a.uv.y);
  return PlacedGlyph{.font = owner.font,
                     .glyph = owner.glyph,
                     .scale = scale,
                     .pen = {x0 - g.X0 * scale, y0 - g.Y0 * scale},
                     .middle = middle,
                     .colour = a.col,
                     .turn = turn};
}

std::optional<std::string> between(const PlacedGlyph& before, const PlacedGlyph& after) {
  constexpr float kRounding = 0.3f;  // positions are floats of some thousand pixels, starts are whole pixels
  if (before.font != after.font || before.turn != after.turn ||
      std::abs(before.pen.y - after.pen.y) > kRounding || std::abs(before.scale - after.scale) > 0.05f)
    return std::nullopt;
  const float gap = after.pen.x - before.end();
  if (std::abs(gap) < kRounding) return "";
  for (const ImWchar space : {ImWchar(' '), ImWchar(0x2009), ImWchar(0x202f), ImWchar(0xa0)}) {
    const ImFontGlyph* glyph = glyph_of(before.font, space);
    if (!glyph || std::abs(gap - glyph->AdvanceX * before.scale) >= kRounding) continue;
    std::string text;
    text += utf8_text(space);
    return text;
  }
  return std::nullopt;
}

}  // namespace attn

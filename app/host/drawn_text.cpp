// Text read back from pictures of glyphs: a quad's place in the font texture tells which glyph it is, its
// place on screen where the pen stood, and glyphs whose pens follow each other are one text.
#include "app/host/drawn_text.h"
#include "app/theme/toolkit.h"
#include "core/text/code_points.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace attn {
namespace {

// Of text that is turned by a quarter: +1 reads upwards, −1 downwards. Its places as if it were not turned,
// and back again.
ImVec2 unturned(ImVec2 p, int turn) {
  return turn > 0 ? ImVec2{-p.y, p.x} : turn < 0 ? ImVec2{p.y, -p.x} : p;
}
Rect turned(const Rect& box, int turn) {
  const ImVec2 a = unturned(box.min, -turn), b = unturned(box.max, -turn);
  return {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
}

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
};

// Which glyph a place in the font texture belongs to.
class Atlas {
 public:
  struct Owner {
    const ImFont* font = nullptr;
    const ImFontGlyph* glyph = nullptr;
  };

  explicit Atlas(const ImFontAtlas& atlas) : tiles_(kTiles * kTiles) {
    for (ImFont* font : atlas.Fonts) add(font);
  }

  Owner at(ImVec2 uv) const {
    for (const Owner& owner : tiles_[tile(uv.y) * kTiles + tile(uv.x)]) {
      const ImFontGlyph& g = *owner.glyph;
      if (g.U0 <= uv.x && uv.x < g.U1 && g.V0 <= uv.y && uv.y < g.V1) return owner;
    }
    return {};
  }

 private:
  static constexpr std::size_t kTiles = 32;  // a side; a few glyphs each

  static std::size_t tile(float uv) {
    return static_cast<std::size_t>(std::clamp(uv, 0.0f, 0.999f) * kTiles);
  }
  // Pages of characters that the font has none of are most of them.
  void add(ImFont* font) {
    constexpr unsigned kPage = 4096, kCharacters = 0x10000;
    for (unsigned page = 0; page < kCharacters; page += kPage) {
      if (font->IsGlyphRangeUnused(page, page + kPage - 1)) continue;
      for (unsigned character = page; character < page + kPage; ++character) {
        const ImFontGlyph* glyph = glyph_of(font, static_cast<ImWchar>(character));
        if (glyph && glyph->Visible) add({font, glyph});
      }
    }
  }
  void add(const Owner& owner) {
    const ImFontGlyph& g = *owner.glyph;
    for (std::size_t y = tile(g.V0); y <= tile(g.V1); ++y)
      for (std::size_t x = tile(g.U0); x <= tile(g.U1); ++x) tiles_[y * kTiles + x].push_back(owner);
  }

  std::vector<std::vector<Owner>> tiles_;
};

// The four corners from `corner` on, if they are a glyph's: ImGui writes each as one quad, top left first.
std::optional<PlacedGlyph> glyph_at(const Atlas& atlas, const ImDrawVert* corner) {
  ImDrawVert a = corner[0], b = corner[2];
  if (b.uv.x <= a.uv.x || b.uv.y <= a.uv.y) return std::nullopt;
  const Atlas::Owner owner = atlas.at({(a.uv.x + b.uv.x) / 2, (a.uv.y + b.uv.y) / 2});
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
  const Atlas atlas(fonts);
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
        const bool quad = index[1] == index[0] + 1 && index[2] == index[0] + 2 && index[3] == index[0] &&
                          index[4] == index[0] + 2 && index[5] == index[0] + 3;
        const std::optional<PlacedGlyph> glyph = quad ? glyph_at(atlas, corner) : std::nullopt;
        i += quad ? 6 : 3;
        const ImVec4& r = command.ClipRect;
        if (glyph && wanted(*glyph, Rect{{r.x, r.y}, {r.z, r.w}})) glyphs.push_back(*glyph);
      }
    }
  }
  return glyphs;
}

// What stands between two glyphs: nothing, a space that is not drawn, or another text.
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

std::vector<DrawnText> assemble(const std::vector<PlacedGlyph>& glyphs) {
  std::vector<DrawnText> texts;
  const PlacedGlyph* last = nullptr;
  const auto end_text = [&] {
    if (last) texts.back().box = turned(texts.back().box, last->turn);
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

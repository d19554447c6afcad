// Glyphs put together from the pixels of others, in the atlas they all lie in.
#include "app/host/stand_ins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace attn {
namespace {

struct Words {
  ImWchar code;
  const char* words;
};
// Letters and signs of formulas, and the marks that the interface draws; by code point.
constexpr std::array kStandIns = {
    Words{0x0391, "A"},       Words{0x0392, "B"},      Words{0x0393, "Gamma"}, Words{0x0394, "Delta"},
    Words{0x0398, "Theta"},   Words{0x039b, "Lambda"}, Words{0x03a0, "prod"},  Words{0x03a3, "sum"},
    Words{0x03a6, "Phi"},     Words{0x03a8, "Psi"},    Words{0x03a9, "Omega"}, Words{0x03b1, "alpha"},
    Words{0x03b2, "beta"},    Words{0x03b3, "gamma"},  Words{0x03b4, "delta"}, Words{0x03b5, "eps"},
    Words{0x03b7, "eta"},     Words{0x03b8, "theta"},  Words{0x03ba, "kappa"}, Words{0x03bb, "lambda"},
    Words{0x03bc, "mu"},      Words{0x03bd, "nu"},     Words{0x03c0, "pi"},    Words{0x03c1, "rho"},
    Words{0x03c3, "sigma"},   Words{0x03c4, "tau"},    Words{0x03c6, "phi"},   Words{0x03c8, "psi"},
    Words{0x03c9, "omega"},   Words{0x1d40, "^T"},     Words{0x1d62, "_i"},    Words{0x2009, " "},
    Words{0x200a, " "},       Words{0x2010, "-"},      Words{0x2011, "-"},     Words{0x2012, "-"},
    Words{0x2013, "-"},       Words{0x2014, "--"},     Words{0x2016, "||"},    Words{0x2018, "'"},
    Words{0x2019, "'"},       Words{0x201c, "\""},     Words{0x201d, "\""},    Words{0x2022, "*"},
    Words{0x2026, "..."},     Words{0x202f, " "},      Words{0x2032, "'"},     Words{0x2039, "<"},
    Words{0x203a, ">"},       Words{0x2070, "^0"},     Words{0x2074, "^4"},    Words{0x2075, "^5"},
    Words{0x2076, "^6"},      Words{0x2077, "^7"},     Words{0x2078, "^8"},    Words{0x2079, "^9"},
    Words{0x207b, "^-"},      Words{0x2080, "_0"},     Words{0x2081, "_1"},    Words{0x2082, "_2"},
    Words{0x2083, "_3"},      Words{0x2084, "_4"},     Words{0x2085, "_5"},    Words{0x2086, "_6"},
    Words{0x2087, "_7"},      Words{0x2088, "_8"},     Words{0x2089, "_9"},    Words{0x2096, "_k"},
    Words{0x2099, "_n"},      Words{0x211d, "R"},      Words{0x2190, "<-"},    Words{0x2191, "up"},
    Words{0x2192, "->"},      Words{0x2193, "down"},   Words{0x2194, "<->"},   Words{0x21d2, "=>"},
    Words{0x2200, "for all"}, Words{0x2202, "d"},      Words{0x2207, "grad"},  Words{0x2208, "in"},
    Words{0x2211, "sum"},     Words{0x2212, "-"},      Words{0x2218, "o"},     Words{0x2219, "."},
    Words{0x221a, "sqrt"},    Words{0x221e, "inf"},    Words{0x2227, "and"},   Words{0x2228, "or"},
    Words{0x2248, "~"},       Words{0x2260, "!="},     Words{0x2264, "<="},    Words{0x2265, ">="},
    Words{0x2299, "(*)"},     Words{0x22c5, "."},      Words{0x2308, "ceil("}, Words{0x2309, ")"},
    Words{0x23ce, "Enter"},   Words{0x25a0, "#"},      Words{0x25b2, "^"},     Words{0x25b6, ">"},
    Words{0x25b8, ">"},       Words{0x25be, "v"},      Words{0x25bc, "v"},     Words{0x25c0, "<"},
    Words{0x25c2, "<"},       Words{0x25cb, "o"},      Words{0x25cf, "*"},     Words{0x2605, "*"},
    Words{0x26a0, "!"},       Words{0x2713, "ok"},     Words{0x2717, "x"},     Words{0x2718, "x"},
    Words{0x27e8, "<"},       Words{0x27e9, ">"},      Words{0x2c7c, "_j"},
};

constexpr ImWchar kUnknown = 0xfffd;  // drawn for every other that is missing: a box

const ImFontGlyph* letter(const ImFont& font, char c) {
  return font.FindGlyphNoFallback(static_cast<ImWchar>(static_cast<unsigned char>(c)));
}

int rounded(float pixels) {
  return static_cast<int>(std::lround(pixels));
}

// The letters one behind the other: how wide they are, and the lines of pixels that they touch.
struct Extent {
  float advance = 0;
  int top = 0, bottom = 0;
};
constexpr int kNowhere = 1 << 20;  // below all lines

Extent extent_of(const ImFont& font, const std::string& words) {
  Extent extent{.top = kNowhere};
  for (const char c : words)
    if (const ImFontGlyph* glyph = letter(font, c)) {
      extent.advance += std::ceil(glyph->AdvanceX);
      if (!glyph->Visible) continue;
      extent.top = std::min(extent.top, rounded(glyph->Y0));
      extent.bottom = std::max(extent.bottom, rounded(glyph->Y1));
    }
  extent.top = std::min(extent.top, extent.bottom);  // nothing but spaces
  return extent;
}

unsigned char* pixel(ImFontAtlas& atlas, int x, int y) {
  return atlas.TexPixelsAlpha8 + y * atlas.TexWidth + x;
}

// Where they overlap the darker wins.
void copy(ImFontAtlas& atlas, const ImFontGlyph& glyph, int left, int top, int right) {
  const int from_x = rounded(glyph.U0 * static_cast<float>(atlas.TexWidth));
  const int from_y = rounded(glyph.V0 * static_cast<float>(atlas.TexHeight));
  const int width = std::min(rounded(glyph.X1 - glyph.X0), right - left);
  for (int y = 0; y < rounded(glyph.Y1 - glyph.Y0); ++y)
    for (int x = 0; x < width; ++x) {
      unsigned char& to = *pixel(atlas, left + x, top + y);
      to = std::max(to, *pixel(atlas, from_x + x, from_y + y));
    }
}

void draw_box(ImFontAtlas& atlas, const ImFontAtlasCustomRect& rect) {
  for (int y = 0; y < rect.Height; ++y)
    for (int x = 1; x + 1 < rect.Width; ++x)
      if (y == 0 || y + 1 == rect.Height || x == 1 || x + 2 == rect.Width)
        *pixel(atlas, rect.X + x, rect.Y + y) = 255;
}

}  // namespace

const char* words_for(ImWchar code) {
  const auto found = std::ranges::find(kStandIns, code, &Words::code);
  return found == kStandIns.end() ? "" : found->words;
}

void StandIns::reserve(ImFontAtlas& atlas, ImFont& font, const ImWchar* wanted) {
  const auto add = [&](ImWchar code, const std::string& words) {
    if (font.FindGlyphNoFallback(code) != nullptr) return;
    const Extent extent = extent_of(font, words.empty() ? "M" : words);
    const int width = std::max(1, rounded(extent.advance)), height = std::max(1, extent.bottom - extent.top);
    const int rect = atlas.AddCustomRectFontGlyph(&font, code, width, height, extent.advance,
                                                  {0, static_cast<float>(extent.top)});
    places_.push_back({rect, &font, words});
  };
  for (const ImWchar* range = wanted; *range != 0; range += 2)
    for (const Words& row : kStandIns)
      if (row.code >= range[0] && row.code <= range[1]) add(row.code, row.words);
  add(kUnknown, "");
  font.FallbackChar = kUnknown;  // the first build took the question mark
}

void StandIns::paint(ImFontAtlas& atlas) const {
  for (const Place& place : places_) {
    const ImFontAtlasCustomRect& rect = *atlas.GetCustomRectByIndex(place.rect);
    for (int y = 0; y < rect.Height; ++y) std::memset(pixel(atlas, rect.X, rect.Y + y), 0, rect.Width);
    if (place.words.empty()) {
      draw_box(atlas, rect);
      continue;
    }
    float pen = 0;
    for (const char c : place.words)
      if (const ImFontGlyph* glyph = letter(*place.font, c)) {
        const int left = rect.X + std::max(0, rounded(pen + glyph->X0));
        const int top = rect.Y + rounded(glyph->Y0) - rounded(rect.GlyphOffset.y);
        if (glyph->Visible) copy(atlas, *glyph, left, top, rect.X + rect.Width);
        pen += std::ceil(glyph->AdvanceX);
      }
  }
}

}  // namespace attn

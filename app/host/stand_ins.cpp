// Glyphs put together from the pixels of others, in the atlas they all lie in.
#include "app/host/stand_ins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace attn {
namespace {

struct WrittenMark {
  ImWchar code;
  const char* words;
};
// Letters and signs of formulas, and the marks that the interface draws; by code point.
constexpr std::array kStandIns = {
    WrittenMark{0x0391, "A"},       WrittenMark{0x0392, "B"},      WrittenMark{0x0393, "Gamma"},
    WrittenMark{0x0394, "Delta"},   WrittenMark{0x0398, "Theta"},  WrittenMark{0x039b, "Lambda"},
    WrittenMark{0x03a0, "prod"},    WrittenMark{0x03a3, "sum"},    WrittenMark{0x03a6, "Phi"},
    WrittenMark{0x03a8, "Psi"},     WrittenMark{0x03a9, "Omega"},  WrittenMark{0x03b1, "alpha"},
    WrittenMark{0x03b2, "beta"},    WrittenMark{0x03b3, "gamma"},  WrittenMark{0x03b4, "delta"},
    WrittenMark{0x03b5, "eps"},     WrittenMark{0x03b7, "eta"},    WrittenMark{0x03b8, "theta"},
    WrittenMark{0x03ba, "kappa"},   WrittenMark{0x03bb, "lambda"}, WrittenMark{0x03bc, "mu"},
    WrittenMark{0x03bd, "nu"},      WrittenMark{0x03c0, "pi"},     WrittenMark{0x03c1, "rho"},
    WrittenMark{0x03c3, "sigma"},   WrittenMark{0x03c4, "tau"},    WrittenMark{0x03c6, "phi"},
    WrittenMark{0x03c8, "psi"},     WrittenMark{0x03c9, "omega"},  WrittenMark{0x1d40, "^T"},
    WrittenMark{0x1d62, "_i"},      WrittenMark{0x2009, " "},      WrittenMark{0x200a, " "},
    WrittenMark{0x2010, "-"},       WrittenMark{0x2011, "-"},      WrittenMark{0x2012, "-"},
    WrittenMark{0x2013, "-"},       WrittenMark{0x2014, "--"},     WrittenMark{0x2016, "||"},
    WrittenMark{0x2018, "'"},       WrittenMark{0x2019, "'"},      WrittenMark{0x201c, "\""},
    WrittenMark{0x201d, "\""},      WrittenMark{0x2022, "*"},      WrittenMark{0x2026, "..."},
    WrittenMark{0x202f, " "},       WrittenMark{0x2032, "'"},      WrittenMark{0x2039, "<"},
    WrittenMark{0x203a, ">"},       WrittenMark{0x2070, "^0"},     WrittenMark{0x2074, "^4"},
    WrittenMark{0x2075, "^5"},      WrittenMark{0x2076, "^6"},     WrittenMark{0x2077, "^7"},
    WrittenMark{0x2078, "^8"},      WrittenMark{0x2079, "^9"},     WrittenMark{0x207b, "^-"},
    WrittenMark{0x2080, "_0"},      WrittenMark{0x2081, "_1"},     WrittenMark{0x2082, "_2"},
    WrittenMark{0x2083, "_3"},      WrittenMark{0x2084, "_4"},     WrittenMark{0x2085, "_5"},
    WrittenMark{0x2086, "_6"},      WrittenMark{0x2087, "_7"},     WrittenMark{0x2088, "_8"},
    WrittenMark{0x2089, "_9"},      WrittenMark{0x208b, "_-"},     WrittenMark{0x2096, "_k"},
    WrittenMark{0x2099, "_n"},      WrittenMark{0x209c, "_t"},     WrittenMark{0x211d, "R"},
    WrittenMark{0x2190, "<-"},      WrittenMark{0x2191, "up"},     WrittenMark{0x2192, "->"},
    WrittenMark{0x2193, "down"},    WrittenMark{0x2194, "<->"},    WrittenMark{0x21d2, "=>"},
    WrittenMark{0x2200, "for all"}, WrittenMark{0x2202, "d"},      WrittenMark{0x2207, "grad"},
    WrittenMark{0x2208, "in"},      WrittenMark{0x2211, "sum"},    WrittenMark{0x2212, "-"},
    WrittenMark{0x2218, "o"},       WrittenMark{0x2219, "."},      WrittenMark{0x221a, "sqrt"},
    WrittenMark{0x221e, "inf"},     WrittenMark{0x2227, "and"},    WrittenMark{0x2228, "or"},
    WrittenMark{0x2248, "~"},       WrittenMark{0x2260, "!="},     WrittenMark{0x2264, "<="},
    WrittenMark{0x2265, ">="},      WrittenMark{0x2299, "(*)"},    WrittenMark{0x22c5, "."},
    WrittenMark{0x2308, "ceil("},   WrittenMark{0x2309, ")"},      WrittenMark{0x230a, "floor("},
    WrittenMark{0x230b, ")"},       WrittenMark{0x25a2, "[]"},     WrittenMark{0x23ce, "Enter"},
    WrittenMark{0x2460, "(1)"},     WrittenMark{0x2461, "(2)"},    WrittenMark{0x2462, "(3)"},
    WrittenMark{0x2463, "(4)"},     WrittenMark{0x25a0, "#"},      WrittenMark{0x25b2, "^"},
    WrittenMark{0x25b6, ">"},       WrittenMark{0x25b8, ">"},      WrittenMark{0x25be, "v"},
    WrittenMark{0x25bc, "v"},       WrittenMark{0x25c0, "<"},      WrittenMark{0x25c2, "<"},
    WrittenMark{0x25cb, "o"},       WrittenMark{0x25cf, "*"},      WrittenMark{0x2605, "*"},
    WrittenMark{0x26a0, "!"},       WrittenMark{0x2713, "ok"},     WrittenMark{0x2717, "x"},
    WrittenMark{0x2718, "x"},       WrittenMark{0x27e8, "<"},      WrittenMark{0x27e9, ">"},
    WrittenMark{0x2c7c, "_j"},      WrittenMark{0x201a, ","},      WrittenMark{0x201e, "\""},
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
  const auto found = std::ranges::find(kStandIns, code, &WrittenMark::code);
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
    for (const WrittenMark& row : kStandIns)
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

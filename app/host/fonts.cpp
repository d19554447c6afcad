// Fonts drawn by FreeType into one texture, along with the brushes of lines and discs.
#include "app/host/fonts.h"

#include <imgui_freetype.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "app/host/stand_ins.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

// Pairs of first and last code point, ended by 0. DejaVu has them all; what a font lacks costs nothing.
constexpr ImWchar kWords[] = {
    0x0020, 0x017f,                  // Latin
    0x0370, 0x03ff,                  // Greek
    0x0400, 0x045f,                  // Cyrillic, for tokens
    0x1d2c, 0x1d6a,                  // ᵀ and its kin
    0x2000, 0x206f,                  // dashes, quotes, thin spaces, …
    0x2070, 0x209c,                  // super- and subscripts: ⁻¹ ₖ
    0x2100, 0x214f,                  // ℝ
    0x2190, 0x21ff,                  // arrows
    0x2200, 0x22ff,                  // operators
    0x2300, 0x2311, 0x23ce, 0x23cf,  // return, eject
    0x2460, 0x2468,                  // ① to ⑨
    0x25a0, 0x25ff,                  // ▶ ◀ ▾
    0x2605, 0x2606, 0x26a0, 0x26a0,  // warning sign
    0x2713, 0x2718,                  // ✓ ✗
    0x27e8, 0x27e9, 0x2c7c, 0x2c7c,  // ⟨ ⟩ ⱼ
    0xfffd, 0xfffd, 0,
};
// Zoomed cells and titles hold numbers and short names.
constexpr ImWchar kNumbers[] = {
    0x0020, 0x00ff, 0x0370, 0x03ff, 0x1d40, 0x1d40, 0x2010, 0x2026, 0x2070, 0x209c, 0x2190,
    0x2193, 0x2200, 0x2265, 0x25a0, 0x25cf, 0x2713, 0x2718, 0xfffd, 0xfffd, 0,
};

// Sentences of steps and lessons: letters of tokens and the marks of arithmetic. Every glyph is drawn at the
// start.
constexpr ImWchar kSentences[] = {
    0x0020, 0x017f, 0x0370, 0x03ff, 0x0400, 0x045f, 0x1d40, 0x1d40, 0x1d62, 0x1d62, 0x2010,
    0x203a, 0x2070, 0x209c, 0x2190, 0x2193, 0x2200, 0x2265, 0x2299, 0x2299, 0x230a, 0x230b,
    0x2460, 0x2468, 0x25a2, 0x25a2, 0x2713, 0x2718, 0x2c7c, 0x2c7c, 0xfffd, 0xfffd, 0,
};

// Pixels an em at scale 1. Dear ImGui counts the whole line, which in DejaVu is 1.164 em.
constexpr float kBody = 13, kSmall = 11.5f, kLarge = 18, kTitle = 21, kLead = 14.5f, kLine = 1.164f;
constexpr float kCorner = 2;  // of cells

// The part of the pixel whose upper left corner is (x, y), from the disc's middle, that the disc covers.
float coverage(float x, float y, float radius) {
  constexpr int kSamples = 16;  // a side
  int inside = 0;
  for (int i = 0; i < kSamples; ++i)
    for (int j = 0; j < kSamples; ++j) {
      const float sx = x + (static_cast<float>(i) + 0.5f) / kSamples;
      const float sy = y + (static_cast<float>(j) + 0.5f) / kSamples;
      inside += sx * sx + sy * sy <= radius * radius;
    }
  return static_cast<float>(inside) / (kSamples * kSamples);
}

// Into the place that the built atlas has for it.
Corner draw_corner(ImFontAtlas& atlas, const ImFontAtlasCustomRect& place, int radius) {
  const float r = static_cast<float>(radius);
  for (int y = 0; y < 2 * radius; ++y)
    for (int x = 0; x < 2 * radius; ++x)
      atlas.TexPixelsAlpha8[(place.Y + y) * atlas.TexWidth + place.X + x] = static_cast<unsigned char>(
          std::lround(255 * coverage(static_cast<float>(x) - r, static_cast<float>(y) - r, r)));
  Corner corner{.radius = r};
  atlas.CalcCustomRectUV(&place, &corner.uv_min, &corner.uv_max);
  return corner;
}

// Empty where letters cannot be drawn from the file: it may have gone since it was looked for, and the
// toolkit would abort.
std::vector<std::byte> font_bytes(const std::string& file) {
  if (!is_usable_font(file)) return {};
  try {
    return read_file(file);
  } catch (const Error&) {
    return {};
  }
}

// The built-in font stands in where there are no bytes.
ImFont* add_font(ImFontAtlas& atlas, const std::vector<std::byte>& bytes, float pixels,
                 const ImWchar* ranges) {
  if (void* data = bytes.empty() ? nullptr : IM_ALLOC(bytes.size())) {  // the atlas frees it
    std::memcpy(data, bytes.data(), bytes.size());
    return atlas.AddFontFromMemoryTTF(data, static_cast<int>(bytes.size()), pixels, nullptr, ranges);
  }
  ImFontConfig config;
  config.SizePixels = pixels;
  return atlas.AddFontDefault(&config);
}

}  // namespace

Fonts load_fonts(const FontFiles& files, float scale) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.Flags |= ImFontAtlasFlags_NoMouseCursors;
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  const float line = kLine * scale;
  const std::vector<std::byte> regular = font_bytes(files.regular), bold = font_bytes(files.bold);
  Fonts fonts;
  fonts.body = add_font(atlas, regular, kBody * line, kWords);
  fonts.bold = add_font(atlas, bold, kBody * line, kWords);
  fonts.small = add_font(atlas, regular, kSmall * line, kWords);
  fonts.large = add_font(atlas, regular, kLarge * line, kNumbers);
  fonts.title = add_font(atlas, bold, kTitle * line, kNumbers);
  fonts.lead = add_font(atlas, regular, kLead * line, kSentences);
  const int radius = std::max(1, static_cast<int>(std::lround(kCorner * scale)));
  const int place = atlas.AddCustomRectRegular(2 * radius, 2 * radius);
  const BrushPlaces brushes(atlas, scale);
  if (!atlas.Build()) return fonts;
  StandIns stand_ins;
  for (ImFont* font : {fonts.body, fonts.bold, fonts.small}) stand_ins.reserve(atlas, *font, kWords);
  stand_ins.reserve(atlas, *fonts.lead, kSentences);
  for (ImFont* font : {fonts.large, fonts.title}) stand_ins.reserve(atlas, *font, kNumbers);
  if (!stand_ins.empty() && !atlas.Build()) return fonts;
  stand_ins.paint(atlas);
  fonts.corner = draw_corner(atlas, *atlas.GetCustomRectByIndex(place), radius);
  fonts.brushes = brushes.paint(atlas);
  return fonts;
}

Fonts load_fonts(float scale, std::string& note) {
  return load_fonts(find_font_files(note), scale);
}

}  // namespace attn

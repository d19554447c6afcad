// Fonts found by fontconfig, drawn by FreeType into one texture, with the brushes of lines and discs beside
// them.
#include "app/host/fonts.h"

#include <fontconfig/fontconfig.h>
#include <imgui_freetype.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

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
    0x25a0, 0x25ff,                  // ▶ ◀ ▾
    0x2605, 0x2606, 0x26a0, 0x26a0,  // warning sign
    0x2713, 0x2718,                  // ✓ ✗
    0x27e8, 0x27e9, 0xfffd, 0xfffd, 0,
};
// Zoomed cells and headings hold numbers and short names.
constexpr ImWchar kNumbers[] = {
    0x0020, 0x00ff, 0x0370, 0x03ff, 0x1d40, 0x1d40, 0x2010, 0x2026, 0x2070, 0x209c, 0x2190,
    0x2193, 0x2200, 0x2265, 0x25a0, 0x25cf, 0x2713, 0x2718, 0xfffd, 0xfffd, 0,
};

// Pixels an em at scale 1. Dear ImGui counts the whole line, which in DejaVu is 1.164 em.
constexpr float kBody = 13, kSmall = 11.5f, kLarge = 18, kLine = 1.164f;
constexpr float kCorner = 2;  // of cells

template <class Object, void (*destroy)(Object*)>
struct Destroy {
  void operator()(Object* object) const { destroy(object); }
};
using Pattern = std::unique_ptr<FcPattern, Destroy<FcPattern, FcPatternDestroy>>;

// The file of DejaVu Sans in that weight, or of what fontconfig takes for it; empty when there is none.
std::string font_file(int weight) {
  const Pattern wanted(FcPatternCreate());
  FcPatternAddString(wanted.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>("DejaVu Sans"));
  FcPatternAddInteger(wanted.get(), FC_WEIGHT, weight);
  FcPatternAddInteger(wanted.get(), FC_SLANT, FC_SLANT_ROMAN);
  FcConfigSubstitute(nullptr, wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  FcResult result{};
  const Pattern found(FcFontMatch(nullptr, wanted.get(), &result));
  FcChar8* file = nullptr;
  if (!found || FcPatternGetString(found.get(), FC_FILE, 0, &file) != FcResultMatch) return {};
  const std::string path(reinterpret_cast<const char*>(file));
  const bool outline = path.ends_with(".ttf") || path.ends_with(".otf") || path.ends_with(".ttc");
  return outline && ::access(path.c_str(), R_OK) == 0 ? path : std::string();
}

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

ImFont* add_font(ImFontAtlas& atlas, const std::string& file, float pixels, const ImWchar* ranges) {
  if (!file.empty()) return atlas.AddFontFromFileTTF(file.c_str(), pixels, nullptr, ranges);
  ImFontConfig config;
  config.SizePixels = pixels;
  return atlas.AddFontDefault(&config);
}

}  // namespace

Fonts load_fonts(float scale, std::string& note) {
  const std::string regular = font_file(FC_WEIGHT_REGULAR);
  std::string bold = font_file(FC_WEIGHT_BOLD);
  if (bold.empty()) bold = regular;
  if (regular.empty())
    note =
        "no outline font was found, so the built-in one is used, which lacks Greek and mathematical marks: "
        "install the package fonts-dejavu-core";
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.Flags |= ImFontAtlasFlags_NoMouseCursors;
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  const float line = kLine * scale;
  Fonts fonts;
  fonts.body = add_font(atlas, regular, kBody * line, kWords);
  fonts.bold = add_font(atlas, bold, kBody * line, kWords);
  fonts.small = add_font(atlas, regular, kSmall * line, kWords);
  fonts.large = add_font(atlas, regular, kLarge * line, kNumbers);
  const int radius = std::max(1, static_cast<int>(std::lround(kCorner * scale)));
  const int place = atlas.AddCustomRectRegular(2 * radius, 2 * radius);
  const BrushPlaces brushes(atlas, scale);
  if (!atlas.Build()) return fonts;
  fonts.corner = draw_corner(atlas, *atlas.GetCustomRectByIndex(place), radius);
  fonts.brushes = brushes.paint(atlas);
  return fonts;
}

}  // namespace attn

// Glyphs are drawn once for all cases: a case begins with a font atlas of its own, and FreeType takes longer
// to fill it than most cases take. The linker (tests/CMakeLists.txt, --wrap) sends the program's question for
// a builder through here. What the program itself does to an atlas it does each time, in memory of its own.
#include <imgui.h>
#include <imgui_internal.h>

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

extern "C" const ImFontBuilderIO* __real__ZN13ImGuiFreeType21GetBuilderForFreeTypeEv();

namespace {

// What a builder made of an atlas.
struct Built {
  std::vector<unsigned char> pixels;
  int width = 0, height = 0, cursors = -1, lines = -1;
  ImVec2 scale, white;
  std::vector<ImVec4> of_lines;
  ImVector<ImFontAtlasCustomRect> places;
  std::vector<int> owners;  // by place: the font whose glyph it is; −1: none
  std::vector<std::unique_ptr<ImFont>> fonts;
  std::vector<std::ptrdiff_t> configs;  // by font
};

int owner_of(const ImFontAtlas& atlas, const ImFontAtlasCustomRect& place) {
  for (int font = 0; font < atlas.Fonts.Size; ++font)
    if (atlas.Fonts[font] == place.Font) return font;
  return -1;
}

// All that a builder reads: fonts, sizes, characters, and what else wants a place.
std::string wanted(const ImFontAtlas& atlas) {
  std::string text;
  const auto add = [&](auto... numbers) { ((text += std::to_string(numbers) + " "), ...); };
  add(atlas.Flags, atlas.FontBuilderFlags, atlas.TexDesiredWidth, atlas.TexGlyphPadding,
      atlas.PackIdMouseCursors, atlas.PackIdLines);
  for (const ImFontConfig& font : atlas.ConfigData) {
    const std::string_view bytes(static_cast<const char*>(font.FontData),
                                 static_cast<std::size_t>(font.FontDataSize));
    add(std::hash<std::string_view>()(bytes), font.FontNo, font.SizePixels, font.OversampleH,
        font.OversampleV, font.PixelSnapH, font.GlyphOffset.x, font.GlyphOffset.y, font.MergeMode,
        font.FontBuilderFlags, font.RasterizerMultiply, font.EllipsisChar);
    for (const ImWchar* range = font.GlyphRanges; range && *range; ++range) add(*range);
    text += "; ";
  }
  for (const ImFontAtlasCustomRect& place : atlas.CustomRects)
    add(place.Width, place.Height, place.GlyphID, place.GlyphAdvanceX, place.GlyphOffset.x,
        place.GlyphOffset.y, owner_of(atlas, place));
  return text;
}

Built kept(const ImFontAtlas& atlas) {
  const auto size = static_cast<std::size_t>(atlas.TexWidth) * static_cast<std::size_t>(atlas.TexHeight);
  Built built{.pixels = {atlas.TexPixelsAlpha8, atlas.TexPixelsAlpha8 + size},
              .width = atlas.TexWidth,
              .height = atlas.TexHeight,
              .cursors = atlas.PackIdMouseCursors,
              .lines = atlas.PackIdLines,
              .scale = atlas.TexUvScale,
              .white = atlas.TexUvWhitePixel,
              .of_lines = {std::begin(atlas.TexUvLines), std::end(atlas.TexUvLines)},
              .places = atlas.CustomRects,
              .owners = {},
              .fonts = {},
              .configs = {}};
  for (const ImFontAtlasCustomRect& place : atlas.CustomRects) built.owners.push_back(owner_of(atlas, place));
  for (const ImFont* font : atlas.Fonts) {
    built.fonts.push_back(std::make_unique<ImFont>(*font));
    built.configs.push_back(font->ConfigData - atlas.ConfigData.Data);
  }
  return built;
}

void fill(ImFontAtlas& atlas, const Built& built) {
  atlas.ClearTexData();
  atlas.SetTexID(ImTextureID());
  atlas.TexPixelsAlpha8 = static_cast<unsigned char*>(IM_ALLOC(built.pixels.size()));
  std::memcpy(atlas.TexPixelsAlpha8, built.pixels.data(), built.pixels.size());
  atlas.TexWidth = built.width, atlas.TexHeight = built.height;
  atlas.PackIdMouseCursors = built.cursors, atlas.PackIdLines = built.lines;
  atlas.TexUvScale = built.scale, atlas.TexUvWhitePixel = built.white;
  std::copy(built.of_lines.begin(), built.of_lines.end(), std::begin(atlas.TexUvLines));
  atlas.CustomRects = built.places;
  for (int i = 0; i < atlas.CustomRects.Size; ++i) {
    const int owner = built.owners[static_cast<std::size_t>(i)];
    atlas.CustomRects[i].Font = owner < 0 ? nullptr : atlas.Fonts[owner];
  }
  for (int i = 0; i < atlas.Fonts.Size; ++i) {
    ImFont& font = *atlas.Fonts[i];
    font = *built.fonts[static_cast<std::size_t>(i)];
    font.ContainerAtlas = &atlas;
    font.ConfigData = atlas.ConfigData.Data + built.configs[static_cast<std::size_t>(i)];
    font.FallbackGlyph = font.FindGlyphNoFallback(font.FallbackChar);
  }
  atlas.TexReady = true;
}

bool build(ImFontAtlas* atlas) {
  static std::map<std::string, Built> all;
  const std::string key = wanted(*atlas);
  if (const auto found = all.find(key); found != all.end()) {
    fill(*atlas, found->second);
    return true;
  }
  if (!__real__ZN13ImGuiFreeType21GetBuilderForFreeTypeEv()->FontBuilder_Build(atlas)) return false;
  if (atlas->TexPixelsAlpha8) all.emplace(key, kept(*atlas));
  return true;
}

}  // namespace

extern "C" const ImFontBuilderIO* __wrap__ZN13ImGuiFreeType21GetBuilderForFreeTypeEv() {
  static const ImFontBuilderIO keeping{build};
  return &keeping;
}

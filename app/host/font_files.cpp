// fontconfig says where fonts are; FreeType, whether they can be drawn from.
#include "app/host/font_files.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <filesystem>
#include <memory>

namespace attn {
namespace fs = std::filesystem;
namespace {

constexpr int kMostOthers = 16;  // of fontconfig's list, which has every font of the system

// Where Debian, Fedora, Arch and openSUSE keep DejaVu and its nearest kin: for when fontconfig knows no font,
// which happens for minutes while a package manager writes its cache anew.
const std::vector<std::string> kKnownPlaces = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/freefont/FreeSans.ttf",
    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
};

// The bold face in the same folder, by its name; may not be there.
std::string bold_of(const std::string& regular) {
  const fs::path path = regular;
  std::string stem = path.stem();
  if (stem.ends_with("-Regular")) stem.resize(stem.size() - std::string_view("-Regular").size());
  return path.parent_path() / (stem + (stem.starts_with("Free") ? "Bold" : "-Bold") + ".ttf");
}

template <class Object, void (*destroy)(Object*)>
struct Destroy {
  void operator()(Object* object) const { destroy(object); }
};
using Pattern = std::unique_ptr<FcPattern, Destroy<FcPattern, FcPatternDestroy>>;
using FontSet = std::unique_ptr<FcFontSet, Destroy<FcFontSet, FcFontSetDestroy>>;

std::string file_of(FcPattern* pattern) {
  FcChar8* file = nullptr;
  if (!pattern || FcPatternGetString(pattern, FC_FILE, 0, &file) != FcResultMatch) return {};
  return reinterpret_cast<const char*>(file);
}

Pattern dejavu(int weight) {
  Pattern wanted(FcPatternCreate());
  FcPatternAddString(wanted.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>("DejaVu Sans"));
  FcPatternAddInteger(wanted.get(), FC_WEIGHT, weight);
  FcPatternAddInteger(wanted.get(), FC_SLANT, FC_SLANT_ROMAN);
  FcConfigSubstitute(nullptr, wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  return wanted;
}

std::string best_match(int weight) {
  FcResult result{};
  return file_of(Pattern(FcFontMatch(nullptr, dejavu(weight).get(), &result)).get());
}

// What comes next to it, nearest first.
std::vector<std::string> other_matches(int weight) {
  FcResult result{};
  const FontSet set(FcFontSort(nullptr, dejavu(weight).get(), FcTrue, nullptr, &result));
  std::vector<std::string> files;
  for (int i = 0; set && i < set->nfont && i < kMostOthers; ++i) files.push_back(file_of(set->fonts[i]));
  return files;
}

bool draws_letters(FT_Face face) {
  if (!FT_IS_SCALABLE(face) || FT_Set_Pixel_Sizes(face, 0, 16) != 0) return false;
  for (FT_ULong c = '!'; c <= '~'; ++c)
    if (FT_Get_Char_Index(face, c) == 0 || FT_Load_Char(face, c, FT_LOAD_NO_HINTING) != 0) return false;
  return true;
}

}  // namespace

bool is_usable_font(const std::string& file) {
  FT_Library library = nullptr;
  if (file.empty() || FT_Init_FreeType(&library) != 0) return false;
  FT_Face face = nullptr;
  const bool usable = FT_New_Face(library, file.c_str(), 0, &face) == 0 && draws_letters(face);
  FT_Done_FreeType(library);  // its faces with it
  return usable;
}

std::string first_usable_font(const std::vector<std::string>& places) {
  for (const std::string& place : places)
    if (is_usable_font(place)) return place;
  return {};
}

FontFiles find_font_files(std::string& note) {
  FontFiles files{.regular = best_match(FC_WEIGHT_REGULAR), .bold = best_match(FC_WEIGHT_BOLD)};
  if (!is_usable_font(files.regular)) files.regular = first_usable_font(other_matches(FC_WEIGHT_REGULAR));
  if (files.regular.empty()) files.regular = first_usable_font(kKnownPlaces);
  if (!is_usable_font(files.bold)) files.bold = bold_of(files.regular);
  if (!is_usable_font(files.bold)) files.bold = files.regular;
  if (files.regular.empty())
    note =
        "no outline font was found, so the built-in one is used, and words stand for the marks it lacks: "
        "install the package fonts-dejavu-core";
  return files;
}

}  // namespace attn

// FreeType's numbers of a font as it was designed, without a size.
#include "app/host/letter_widths.h"

#include <ft2build.h>
#include FT_FREETYPE_H

#include "core/text/code_points.h"

namespace attn {
namespace {

constexpr float kUsualLine = 1.164f;  // of DejaVu

// Of one well-formed character.
unsigned long code_of(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  unsigned long code = character.size() == 1 ? byte(0) : byte(0) & (0xffu >> (character.size() + 1));
  for (std::size_t i = 1; i < character.size(); ++i) code = code << 6 | (byte(i) & 0x3fu);
  return code;
}

}  // namespace

struct LetterWidths::Faces {
  FT_Library library = nullptr;
  FT_Face faces[2]{};  // regular, bold
};

LetterWidths::LetterWidths(const FontFiles& files) : faces_(std::make_unique<Faces>()) {
  if (FT_Init_FreeType(&faces_->library) != 0) return;
  for (const bool bold : {false, true}) {
    const std::string& file = bold ? files.bold : files.regular;
    if (file.empty() || FT_New_Face(faces_->library, file.c_str(), 0, &faces_->faces[bold]) != 0)
      faces_->faces[bold] = nullptr;
  }
}

LetterWidths::~LetterWidths() {
  if (faces_->library) FT_Done_FreeType(faces_->library);  // with its faces
}

float LetterWidths::width(std::string_view text, bool bold) const {
  const FT_Face face = faces_->faces[bold];
  if (!face || face->units_per_EM == 0) return -1;
  float units = 0;
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    text.remove_prefix(character.size());
    const FT_UInt glyph = FT_Get_Char_Index(face, code_of(character));
    if (glyph == 0 || FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE) != 0) return -1;
    units += static_cast<float>(face->glyph->advance.x);
  }
  return units / static_cast<float>(face->units_per_EM);
}

float LetterWidths::line(bool bold) const {
  const FT_Face face = faces_->faces[bold];
  if (!face || face->units_per_EM == 0) return kUsualLine;
  return static_cast<float>(face->ascender - face->descender) / static_cast<float>(face->units_per_EM);
}

}  // namespace attn

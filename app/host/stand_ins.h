// Stand-ins: marks that a font lacks, drawn as words of the letters it has. "√" becomes a glyph that looks
// like "sqrt", so that all text, wherever it comes from, is measured and drawn as ever.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

namespace attn {

class StandIns {
 public:
  // Room for what `font` lacks of `wanted` (pairs of first and last code point, ended by 0). The atlas is
  // built once before, which says what is lacking, and once after.
  void reserve(ImFontAtlas& atlas, ImFont& font, const ImWchar* wanted);
  bool empty() const { return places_.empty(); }
  // The pictures, into the atlas as built.
  void paint(ImFontAtlas& atlas) const;

 private:
  struct Place {
    int rect;
    ImFont* font;
    std::string words;
  };
  std::vector<Place> places_;
};

// What stands for a code point; empty: nothing but a box.
const char* words_for(ImWchar code);

}  // namespace attn

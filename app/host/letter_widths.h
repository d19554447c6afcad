// How wide text is that no screen has rounded: what SVG viewers make of it.
#pragma once

#include <map>
#include <memory>
#include <string_view>

#include "app/host/font_files.h"

namespace attn {

class LetterWidths {
 public:
  // Of files that cannot be read nothing is known.
  explicit LetterWidths(const FontFiles& files);
  ~LetterWidths();

  // Of UTF-8 text, in em; below 0: not known, or the font lacks a character.
  float width(std::string_view text, bool bold) const;
  // A line of text, from ascent to descent, in em.
  float line(bool bold) const;

 private:
  struct Faces;
  std::unique_ptr<Faces> faces_;
};

}  // namespace attn

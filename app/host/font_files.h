// Font files: where the letters come from, of several places the first that can really be drawn from.
#pragma once

#include <string>
#include <vector>

namespace attn {

struct FontFiles {
  std::string regular, bold;  // empty: the toolkit's own font
};

// Whether letters can be drawn from the file: fontconfig lists files that have gone, or have been damaged,
// since it looked.
bool is_usable_font(const std::string& file);

// The first usable of `places`, or nothing.
std::string first_usable_font(const std::vector<std::string>& places);

// DejaVu Sans as fontconfig finds it, else what fontconfig takes for it, else where systems keep such fonts.
// `note` gets a sentence when the toolkit's own has to serve.
FontFiles find_font_files(std::string& note);

}  // namespace attn

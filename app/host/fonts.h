// The program's fonts: DejaVu through fontconfig, the toolkit's own where it is missing.
#pragma once

#include <string>

#include "app/host/font_files.h"
#include "app/theme/theme.h"

namespace attn {

// Rebuilds the font atlas of the current Dear ImGui context for `scale`. Covers Latin, Greek, super- and
// subscripts, arrows, operators and the marks the interface draws; what the fonts lack of these is drawn as
// words. `note` gets a sentence when no font was found.
Fonts load_fonts(float scale, std::string& note);
Fonts load_fonts(const FontFiles& files, float scale);

}  // namespace attn

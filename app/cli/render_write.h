// How render writes what it draws: as one picture, as an animation of all steps, or as a picture of each.
#pragma once

#include <optional>

#include "app/cli/commands.h"
#include "app/host/offscreen.h"
#include "core/io/numbers_file.h"

namespace attn {

enum class PictureFormat { png, svg, apng };

struct PictureOptions {
  PictureFormat format = PictureFormat::png;
  std::optional<ImU32> background = {};  // none: the theme's own
  bool steps = false;
  std::optional<NumbersFormat> numbers = {};  // of the matrix or plot, besides
};

// The format by --format, or by how the file is called. Throws Error(Fault::option) for words that are none,
// and for what does not go together.
PictureOptions read_picture_options(const RenderRequest& request);

// Writes the window, or the part of it that is asked for. Throws Error: Fault::option where the part or the
// steps are not there, Fault::output where the picture cannot be made.
void write_pictures(Offscreen& screen, const RenderRequest& request, const PictureOptions& options,
                    Console& console);

}  // namespace attn

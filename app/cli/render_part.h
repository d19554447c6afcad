// What render draws: the window, or one part of it by its name.
#pragma once

#include <optional>

#include "app/cli/commands.h"
#include "app/host/offscreen.h"

namespace attn {

// Brings the panel, plot or matrix that is asked for into sight, and says where it lies, in pixels; none: the
// window is asked for. Throws Error(Fault::option) where there is none of that name, where several are asked
// for, and where the window has no room for all of it.
std::optional<Rect> bring_into_sight(Offscreen& screen, const RenderRequest& request);

// The numbers of the matrix or plot that was brought into sight. Throws Error(Fault::option) where not all of
// them are kept.
NumbersWriter numbers_in_sight(Offscreen& screen, const RenderRequest& request);

}  // namespace attn

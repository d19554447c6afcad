// Pictures of what OpenGL has drawn.
#pragma once

#include <optional>

#include "app/frame/frame.h"
#include "core/io/png.h"

namespace attn {

// Reads `area` (all of it when empty) of the bound framebuffer, which is `size` pixels and has its origin
// below.
Picture read_picture(ImVec2 size, std::optional<Rect> area);

}  // namespace attn

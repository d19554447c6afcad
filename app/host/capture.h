// Pictures on request: F12 of the window, Shift+F12 of one panel.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/program/application.h"
#include "app/program/free_path.h"
#include "core/io/png.h"

namespace attn {

// A frame that was just drawn: it is ImGui::GetDrawData(), and in the bound framebuffer.
struct JustDrawn {
  Fonts fonts;
  float scale = 1;  // pixels of a point
  ImVec2 size;      // of the framebuffer
};

// The whole pixels of an area of the frame; of all of it without one.
Rect whole_area(std::optional<Rect> area);

// The frame, or a part of it, with another background than its own, opaque or transparent.
Picture frame_on(const JustDrawn& drawn, std::optional<Rect> area, ImU32 background);

// The frame, or a part of it, as SVG with this session in it. `background`: in place of its own; may be
// transparent. Throws Error(Fault::output).
std::string frame_as_svg(const JustDrawn& drawn, std::optional<Rect> area, std::optional<ImU32> background,
                         std::string_view session);

// If the application wants a picture of the frame, writes it with its session and says where.
void save_capture(Application& app, const JustDrawn& drawn);

}  // namespace attn

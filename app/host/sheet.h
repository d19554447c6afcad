// A sheet: a part of a frame drawn by itself, on nothing.
#pragma once

#include <imgui.h>

#include <functional>

#include "app/frame/frame.h"
#include "core/io/png.h"

namespace attn {

// The part of a command that is drawn, by its list and its place there: all of it as it comes. False: none.
using WantedPart = std::function<bool(int list, int command, ImDrawCmd& part)>;

// Draws what is wanted of the frame, callbacks too, into a framebuffer of its own, and gives the pixels of
// `area`, which has whole pixels: transparent where nothing was drawn. The frame is the one that
// ImGui::GetDrawData() holds, its textures are there and OpenGL is current; the bound framebuffer and the
// frame stay as they were. Throws Error(Fault::output) where OpenGL has no room for it.
Picture drawn_alone(ImDrawData& data, ImVec2 pixels, Rect area, const WantedPart& wanted);

}  // namespace attn

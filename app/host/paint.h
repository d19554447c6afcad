// A finished frame, drawn by OpenGL.
#pragma once

#include <imgui.h>

namespace attn {

// Draws into the bound framebuffer of `pixels`. Changes the draw lists, so it is called once for a frame:
// large, opaque, upright rectangles of one colour give way to callbacks that clear the same pixels. Without a
// graphics card every pixel of the toolkit's shader costs a texture lookup and blending, some 6 ns, and
// backgrounds are most of a window's pixels: a frame of 1600×1000 takes half the time for it.
void paint(ImDrawData& data, ImVec2 pixels);

}  // namespace attn

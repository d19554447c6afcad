#include "app/host/paint.h"

#include <GL/glcorearb.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace attn {
namespace {

constexpr float kLarge = 64 * 64;  // pixels; a callback costs about as much as drawing these
constexpr unsigned kQuad = 6;      // indices

struct Fill {
  ImVec2 min, max;
  ImU32 colour;
};

// The rectangle behind these six indices, if it is one that AddRectFilled writes: corners clockwise from the
// top left, all with the white pixel's texture coordinates.
std::optional<Fill> large_fill(const ImDrawList& list, const ImDrawCmd& command, unsigned at) {
  const ImDrawIdx* i = list.IdxBuffer.Data + command.IdxOffset + at;
  if (i[1] != i[0] + 1 || i[2] != i[0] + 2 || i[3] != i[0] || i[4] != i[2] || i[5] != i[0] + 3)
    return std::nullopt;
  const ImDrawVert* v = list.VtxBuffer.Data + command.VtxOffset + i[0];
  const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
  for (int k = 0; k < 4; ++k)
    if (v[k].col != v[0].col || v[k].uv.x != white.x || v[k].uv.y != white.y) return std::nullopt;
  const bool upright = v[0].pos.y == v[1].pos.y && v[1].pos.x == v[2].pos.x && v[2].pos.y == v[3].pos.y &&
                       v[3].pos.x == v[0].pos.x;
  const bool opaque = (v[0].col >> IM_COL32_A_SHIFT) == 0xff;
  const float area = (v[2].pos.x - v[0].pos.x) * (v[2].pos.y - v[0].pos.y);
  if (!upright || !opaque || !(area >= kLarge)) return std::nullopt;
  return Fill{v[0].pos, v[2].pos, v[0].col};
}

// Clears the pixels whose centres are inside, as drawing would fill them.
void clear(const ImDrawList*, const ImDrawCmd* command) {
  const ImDrawData& data = *ImGui::GetDrawData();
  const ImVec2 scale = data.FramebufferScale, origin = data.DisplayPos;
  const auto pixel = [](float position) { return static_cast<int>(std::ceil(position - 0.5f)); };
  const ImVec4& r = command->ClipRect;
  const int left = pixel((r.x - origin.x) * scale.x), right = pixel((r.z - origin.x) * scale.x);
  const int top = pixel((r.y - origin.y) * scale.y), bottom = pixel((r.w - origin.y) * scale.y);
  if (right <= left || bottom <= top) return;
  const int height = static_cast<int>(data.DisplaySize.y * scale.y);
  const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(static_cast<ImU32>(command->ElemCount));
  glScissor(left, height - bottom, right - left, bottom - top);
  glClearColor(colour.x, colour.y, colour.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

// A command that clears: its clip rectangle is what is cleared, its count of elements (it has none) the
// colour.
ImDrawCmd clearing(const Fill& fill, const ImVec4& clip) {
  ImDrawCmd command;
  command.ClipRect = {std::max(fill.min.x, std::floor(clip.x)), std::max(fill.min.y, std::floor(clip.y)),
                      std::min(fill.max.x, std::floor(clip.z)), std::min(fill.max.y, std::floor(clip.w))};
  command.UserCallback = &clear;
  command.ElemCount = fill.colour;
  return command;
}

// The command in parts, with the fills between them.
void append_split(const ImDrawList& list, ImDrawCmd command, ImVector<ImDrawCmd>& parts) {
  unsigned begin = 0;
  const auto flush = [&](unsigned end) {
    if (end == begin) return;
    ImDrawCmd part = command;
    part.IdxOffset += begin;
    part.ElemCount = end - begin;
    parts.push_back(part);
  };
  for (unsigned at = 0; at + kQuad <= command.ElemCount; at += 3) {
    const std::optional<Fill> fill = large_fill(list, command, at);
    if (!fill) continue;
    flush(at);
    parts.push_back(clearing(*fill, command.ClipRect));
    begin = at + kQuad;
    at += 3;
  }
  flush(command.ElemCount);
}

void clear_large_fills(ImDrawData& data) {
  for (int i = 0; i < data.CmdListsCount; ++i) {
    ImDrawList& list = *data.CmdLists[i];
    ImVector<ImDrawCmd> commands;
    for (const ImDrawCmd& command : list.CmdBuffer)
      if (command.UserCallback)
        commands.push_back(command);
      else
        append_split(list, command, commands);
    list.CmdBuffer.swap(commands);
  }
}

// Glyphs are drawn at their own size on whole pixels, where the nearest texel is what a linear filter gives.
void set_font_filter(const ImDrawData& data) {
  const bool own_size = data.FramebufferScale.x == 1 && data.FramebufferScale.y == 1;
  const GLint filter = own_size ? GL_NEAREST : GL_LINEAR;
  glBindTexture(GL_TEXTURE_2D,
                static_cast<GLuint>(reinterpret_cast<std::intptr_t>(ImGui::GetIO().Fonts->TexID)));
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
}

}  // namespace

void paint(ImDrawData& data, ImVec2 pixels) {
  clear_large_fills(data);
  set_font_filter(data);
  glViewport(0, 0, static_cast<int>(pixels.x), static_cast<int>(pixels.y));
  glDisable(GL_SCISSOR_TEST);
  const ImVec4& behind = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
  glClearColor(behind.x, behind.y, behind.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
}

}  // namespace attn

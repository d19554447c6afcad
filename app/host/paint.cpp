// Fewer pixels for the toolkit's shader: only what has changed is drawn, large backgrounds become glClear
// between the parts of their command, and glyphs are not filtered. The lists are put back as they were.
#include "app/host/paint.h"

#include <GL/glcorearb.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "app/host/fills.h"
#include "app/theme/toolkit.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr float kLargePart = 64 * 64;  // pixels; a callback costs about as much as drawing these
constexpr unsigned kQuad = 6;          // indices

// Clears the pixels whose centres are inside, as drawing would fill them.
void clear(const ImDrawData& data, const ImVec4& area, const ImVec4& colour) {
  const ImVec2 scale = data.FramebufferScale, origin = data.DisplayPos;
  const auto pixel = [](float position) { return static_cast<int>(std::ceil(position - 0.5f)); };
  const int left = pixel((area.x - origin.x) * scale.x), right = pixel((area.z - origin.x) * scale.x);
  const int top = pixel((area.y - origin.y) * scale.y), bottom = pixel((area.w - origin.y) * scale.y);
  if (right <= left || bottom <= top) return;
  const int height = static_cast<int>(data.DisplaySize.y * scale.y);
  glScissor(left, height - bottom, right - left, bottom - top);
  glClearColor(colour.x, colour.y, colour.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

void run_clearing(const ImDrawList*, const ImDrawCmd* command) {
  clear(*ImGui::GetDrawData(), command->ClipRect,
        ImGui::ColorConvertU32ToFloat4(static_cast<ImU32>(command->ElemCount)));
}

bool is_clearing(const ImDrawCmd& command) {
  return command.UserCallback == &run_clearing;
}

// A command that clears: its clip rectangle is what is cleared, its count of elements (it has none) the
// colour. The clip is cut to whole pixels, as the toolkit's scissors are.
ImDrawCmd clearing(const LargeFill& fill, const ImVec4& clip) {
  ImDrawCmd command;
  command.ClipRect = {std::max(fill.min.x, std::floor(clip.x)), std::max(fill.min.y, std::floor(clip.y)),
                      std::min(fill.max.x, std::floor(clip.z)), std::min(fill.max.y, std::floor(clip.w))};
  command.UserCallback = &run_clearing;
  command.ElemCount = fill.colour;
  return command;
}

bool is_inside(const ImVec4& inner, const ImVec4& outer) {
  return inner.x >= outer.x && inner.y >= outer.y && inner.z <= outer.z && inner.w <= outer.w;
}

// The command in parts, with the fills between them: what lies above a fill is still drawn after it. A
// rectangle may begin at any triangle.
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
    const std::optional<LargeFill> fill = large_fill(list, command, at, kLargePart);
    if (!fill) continue;
    flush(at);
    const ImDrawCmd cleared = clearing(*fill, command.ClipRect);
    while (!parts.empty() && is_clearing(parts.back()) && is_inside(parts.back().ClipRect, cleared.ClipRect))
      parts.pop_back();
    parts.push_back(cleared);
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

// What is left of rectangles around another; those that it meets only a little stay.
std::vector<ImVec4> around(const std::vector<ImVec4>& all, const ImVec4& cover) {
  std::vector<ImVec4> left;
  for (const ImVec4& r : all) {
    const ImVec4 in{std::max(r.x, cover.x), std::max(r.y, cover.y), std::min(r.z, cover.z),
                    std::min(r.w, cover.w)};
    if (!(in.z > in.x && in.w > in.y && (in.z - in.x) * (in.w - in.y) >= kLargePart)) {
      left.push_back(r);
      continue;
    }
    for (const ImVec4& part : {ImVec4{r.x, r.y, r.z, in.y},
                               {r.x, in.w, r.z, r.w},
                               {r.x, in.y, in.x, in.w},
                               {in.z, in.y, r.z, in.w}})
      if (part.z > part.x && part.w > part.y) left.push_back(part);
  }
  return left;
}

// A pixel that is cleared twice takes twice as long: each is when it is cleared last.
void clear_once(ImDrawData& data) {
  std::vector<ImVec4> covers;
  for (int i = data.CmdListsCount; i-- > 0;) {
    ImVector<ImDrawCmd>& commands = data.CmdLists[i]->CmdBuffer;
    for (int c = commands.Size; c-- > 0;) {
      if (!is_clearing(commands[c])) continue;
      ImDrawCmd part = commands[c];
      std::vector<ImVec4> parts{part.ClipRect};
      for (const ImVec4& cover : covers) parts = around(parts, cover);
      covers.push_back(part.ClipRect);
      commands.erase(commands.Data + c);
      for (const ImVec4& clip : parts) {
        part.ClipRect = clip;
        commands.insert(commands.Data + c, part);
      }
    }
  }
}

// The region without what a fill covers of it from one side to the other.
Rect uncovered(Rect region, const ImVec4& fill) {
  const auto cut = [](float& begin, float& end, float from, float to) {
    if (from <= begin)
      begin = std::clamp(to, begin, end);
    else if (to >= end)
      end = std::clamp(from, begin, end);
  };
  const bool across = fill.x <= region.min.x && fill.z >= region.max.x;
  const bool down = fill.y <= region.min.y && fill.w >= region.max.y;
  if (across) cut(region.min.y, region.max.y, fill.y, fill.w);
  if (down) cut(region.min.x, region.max.x, fill.x, fill.z);
  return region;
}

// Puts the background where nothing else clears: a pixel that is cleared twice takes twice as long.
void clear_background(const ImDrawData& data, Rect region, const ImVec4& background) {
  for (int i = 0; i < data.CmdListsCount; ++i)
    for (const ImDrawCmd& command : data.CmdLists[i]->CmdBuffer)
      if (is_clearing(command)) region = uncovered(region, command.ClipRect);
  clear(data, {region.min.x, region.min.y, region.max.x, region.max.y}, background);
}

// Glyphs are drawn at their own size on whole pixels, where the nearest texel is what a linear filter gives.
void set_font_filter(const ImDrawData& data) {
  const bool own_size = data.FramebufferScale.x == 1 && data.FramebufferScale.y == 1;
  const GLint filter = own_size ? GL_NEAREST : GL_LINEAR;
  glBindTexture(GL_TEXTURE_2D, opengl_name(font_texture()));
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
}

// In place of the toolkit's program its cheaper twin (shaders/toolkit.*): from the first command on, and
// where the toolkit would put its own state back.
void begin_surface(const ImDrawList*, const ImDrawCmd* command) {
  ShaderProgram& program = *static_cast<ShaderProgram*>(command->UserCallbackData);
  if (!program.linked()) program.link({"toolkit.vert", "toolkit.frag"});
  program.use();
  program.set_projection();
}

void resume_surface(const ImDrawList*, const ImDrawCmd* command) {
  static_cast<ShaderProgram*>(command->UserCallbackData)->use();
  glEnable(GL_BLEND);
}

void draw_with(ShaderProgram& program, ImDrawData& data) {
  const auto callback = [&](ImDrawCallback run) {
    ImDrawCmd command;
    command.UserCallback = run, command.UserCallbackData = &program;
    return command;
  };
  for (int i = 0; i < data.CmdListsCount; ++i)
    for (ImDrawCmd& command : data.CmdLists[i]->CmdBuffer)
      if (command.UserCallback == ImDrawCallback_ResetRenderState) command = callback(&resume_surface);
  if (data.CmdListsCount == 0) return;
  ImVector<ImDrawCmd>& first = data.CmdLists[0]->CmdBuffer;
  first.insert(first.begin(), callback(&begin_surface));
}

// The draw lists as they were, put back at the end: whoever reads the frame finds all of it.
class Originals {
 public:
  explicit Originals(ImDrawData& data) : data_(data) {
    lists_.reserve(static_cast<std::size_t>(data.CmdListsCount));  // to grow would copy every list
    for (int i = 0; i < data.CmdListsCount; ++i) {
      const ImDrawList& list = *data.CmdLists[i];
      List& saved = lists_.emplace_back();
      if (!list.CmdBuffer.empty()) saved.commands = list.CmdBuffer;
      if (!list.IdxBuffer.empty()) saved.indices = list.IdxBuffer;
    }
  }
  ~Originals() {
    for (int i = 0; i < data_.CmdListsCount; ++i) {
      List& list = lists_[static_cast<std::size_t>(i)];
      data_.CmdLists[i]->CmdBuffer.swap(list.commands);
      data_.CmdLists[i]->IdxBuffer.swap(list.indices);
    }
  }
  Originals(const Originals&) = delete;
  Originals& operator=(const Originals&) = delete;

 private:
  struct List {
    ImVector<ImDrawCmd> commands;
    ImVector<ImDrawIdx> indices;
  };
  ImDrawData& data_;
  std::vector<List> lists_;
};

[[noreturn]] void no_framebuffer(const std::string& why) {
  throw Error("a picture of this size cannot be drawn: " + why, Fault::output);
}

bool is_whole(float number) {
  return number == std::round(number);
}

}  // namespace

Painter::~Painter() {
  if (framebuffer_ == 0) return;
  glDeleteRenderbuffers(1, &colours_);
  glDeleteFramebuffers(1, &framebuffer_);
}

void Painter::bind(ImVec2 pixels) {
  if (framebuffer_ == 0) {
    glGenFramebuffers(1, &framebuffer_);
    glGenRenderbuffers(1, &colours_);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  if (pixels.x == size_.x && pixels.y == size_.y) return;
  glBindRenderbuffer(GL_RENDERBUFFER, colours_);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colours_);
  GLint largest = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
  if (std::max(pixels.x, pixels.y) > static_cast<float>(largest))
    no_framebuffer("this OpenGL draws at most " + std::to_string(largest) + " pixels a side");
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, static_cast<int>(pixels.x), static_cast<int>(pixels.y));
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    no_framebuffer("there is no memory for it");
  size_ = pixels;
  forget();
}

void Painter::paint(ImDrawData& data, ImVec2 pixels) {
  bind(pixels);
  // Regions end between pixels where these are fractions of points.
  if (!is_whole(data.FramebufferScale.x) || !is_whole(data.FramebufferScale.y)) forget();
  const Originals originals(data);
  // What changed is found before fills become clears: hashes are over what the program drew.
  const ImVec4& background = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
  const std::vector<Rect> changed =
      damage_.restrict_to_changes(data, ImGui::ColorConvertFloat4ToU32(background));
  if (changed.empty()) return;
  clear_large_fills(data);
  clear_once(data);
  draw_with(surface_, data);
  set_font_filter(data);
  glViewport(0, 0, static_cast<int>(pixels.x), static_cast<int>(pixels.y));
  glEnable(GL_SCISSOR_TEST);
  for (const Rect& region : changed) clear_background(data, region, background);
  glDisable(GL_SCISSOR_TEST);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
}

void Painter::show() {
  const int width = static_cast<int>(size_.x), height = static_cast<int>(size_.y);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

}  // namespace attn

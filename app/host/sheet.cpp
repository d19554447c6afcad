// The toolkit blends colours by their opacity and adds opacities up, so on a transparent background it leaves
// colours that are multiplied by their opacity: they are divided by it.
#include "app/host/sheet.h"

#include <GL/glcorearb.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <vector>

#include "core/system/error.h"

namespace attn {
namespace {

// Bound while it lives, transparent at first.
class SheetBuffer {
 public:
  explicit SheetBuffer(ImVec2 pixels) {
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before_);
    glGenFramebuffers(1, &framebuffer_);
    glGenRenderbuffers(1, &colours_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glBindRenderbuffer(GL_RENDERBUFFER, colours_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, static_cast<int>(pixels.x), static_cast<int>(pixels.y));
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colours_);
    whole_ = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glDisable(GL_SCISSOR_TEST);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  ~SheetBuffer() {
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(before_));
    glDeleteRenderbuffers(1, &colours_);
    glDeleteFramebuffers(1, &framebuffer_);
  }
  SheetBuffer(const SheetBuffer&) = delete;
  SheetBuffer& operator=(const SheetBuffer&) = delete;

  bool whole() const { return whole_; }

 private:
  GLint before_ = 0;
  GLuint framebuffer_ = 0, colours_ = 0;
  bool whole_ = false;
};

// The lists with the wanted commands alone, put back at the end.
class Selected {
 public:
  Selected(ImDrawData& data, const WantedPart& wanted) : data_(data) {
    all_.resize(static_cast<std::size_t>(data.CmdListsCount));
    for (int list = 0; list < data.CmdListsCount; ++list) {
      ImVector<ImDrawCmd>& commands = data.CmdLists[list]->CmdBuffer;
      ImVector<ImDrawCmd> kept;
      for (int c = 0; c < commands.Size; ++c)
        if (ImDrawCmd part = commands[c]; wanted(list, c, part)) kept.push_back(part);
      all_[static_cast<std::size_t>(list)].swap(commands);
      commands.swap(kept);
    }
  }
  ~Selected() {
    for (int list = 0; list < data_.CmdListsCount; ++list)
      data_.CmdLists[list]->CmdBuffer.swap(all_[static_cast<std::size_t>(list)]);
  }
  Selected(const Selected&) = delete;
  Selected& operator=(const Selected&) = delete;

 private:
  ImDrawData& data_;
  std::vector<ImVector<ImDrawCmd>> all_;
};

// From the highest row.
Picture read_sheet(ImVec2 pixels, Rect area) {
  Picture picture;
  picture.width = static_cast<std::size_t>(area.width()),
  picture.height = static_cast<std::size_t>(area.height());
  std::vector<std::uint8_t> rgba(picture.width * picture.height * 4);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(static_cast<int>(area.min.x), static_cast<int>(pixels.y - area.max.y),
               static_cast<int>(picture.width), static_cast<int>(picture.height), GL_RGBA, GL_UNSIGNED_BYTE,
               rgba.data());
  picture.rgb.reserve(picture.width * picture.height * 3);
  picture.alpha.reserve(picture.width * picture.height);
  for (std::size_t y = picture.height; y-- > 0;)
    for (std::size_t x = 0; x < picture.width; ++x) {
      const std::uint8_t* pixel = rgba.data() + 4 * (y * picture.width + x);
      const unsigned alpha = pixel[3];
      for (int channel = 0; channel < 3; ++channel)
        picture.rgb.push_back(alpha == 0 ? std::uint8_t{0}
                                         : static_cast<std::uint8_t>(
                                               std::min(255u, (pixel[channel] * 255u + alpha / 2) / alpha)));
      picture.alpha.push_back(pixel[3]);
    }
  return picture;
}

}  // namespace

Picture drawn_alone(ImDrawData& data, ImVec2 pixels, Rect area, const WantedPart& wanted) {
  const SheetBuffer sheet(pixels);
  if (!sheet.whole())
    throw Error("there is no memory to draw a part of the picture by itself", Fault::output);
  const Selected selected(data, wanted);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  return read_sheet(pixels, area);
}

}  // namespace attn

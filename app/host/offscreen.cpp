#include "app/host/offscreen.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <backends/imgui_impl_opengl3.h>

#include "app/host/capture.h"
#include "app/host/paint.h"
#include "app/host/picture.h"
#include "core/error.h"

namespace attn {
namespace {

[[noreturn]] void no_picture(const std::string& why) {
  throw Error("pictures cannot be drawn without a display: " + why +
                  "; OpenGL 3.3 is needed (package libgl1-mesa-dri draws without a graphics card)",
              Fault::output);
}

// An OpenGL 3.3 context that belongs to no window, current from now on.
class EglContext {
 public:
  EglContext() {
    display_ = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display_ == EGL_NO_DISPLAY || !eglInitialize(display_, nullptr, nullptr))
      no_picture("EGL does not start");
    constexpr EGLint kVersion[] = {EGL_CONTEXT_MAJOR_VERSION,
                                   3,
                                   EGL_CONTEXT_MINOR_VERSION,
                                   3,
                                   EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                   EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                   EGL_NONE};
    eglBindAPI(EGL_OPENGL_API);
    context_ = eglCreateContext(display_, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, kVersion);
    if (context_ == EGL_NO_CONTEXT || !make_current()) {
      eglTerminate(display_);
      no_picture("EGL makes no OpenGL context");
    }
  }
  // The display stays initialised: other contexts of the process share it.
  ~EglContext() {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
  }
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;

  bool make_current() const { return eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_); }

 private:
  EGLDisplay display_;
  EGLContext context_ = EGL_NO_CONTEXT;
};

}  // namespace

// The framebuffer that frames are drawn into, as large as the program's display.
class Offscreen::Canvas {
 public:
  Canvas() {
    glGenFramebuffers(1, &framebuffer_);
    glGenRenderbuffers(1, &colours_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glBindRenderbuffer(GL_RENDERBUFFER, colours_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colours_);
  }
  ~Canvas() {
    egl_.make_current();
    glDeleteRenderbuffers(1, &colours_);
    glDeleteFramebuffers(1, &framebuffer_);
  }

  void make_current(ImVec2 size) {
    egl_.make_current();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    if (size.x == size_.x && size.y == size_.y) return;
    GLint largest = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
    if (size.x > static_cast<float>(largest) || size.y > static_cast<float>(largest))
      no_picture("this OpenGL draws at most " + std::to_string(largest) + " pixels a side");
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, static_cast<int>(size.x), static_cast<int>(size.y));
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      no_picture("there is no memory for it");
    size_ = size;
  }

  void set_fonts() {
    egl_.make_current();
    if (!std::exchange(started_, true)) {
      ImGui_ImplOpenGL3_Init("#version 330");
      ImGui_ImplOpenGL3_NewFrame();  // makes its objects, the fonts' texture among them
      return;
    }
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }

  void draw(ImVec2 size, ImDrawData& data) {
    make_current(size);
    paint(data, size);
  }

  // While Dear ImGui's context is there.
  void shut_down() {
    egl_.make_current();
    if (std::exchange(started_, false)) ImGui_ImplOpenGL3_Shutdown();
  }

  ImVec2 size() const { return size_; }

 private:
  EglContext egl_;
  GLuint framebuffer_ = 0, colours_ = 0;
  ImVec2 size_{};
  bool started_ = false;  // the toolkit's OpenGL backend
};

Offscreen::Offscreen(Headless::Options options) : canvas_(std::make_unique<Canvas>()) {
  canvas_->make_current(options.size);
  options.screen = {.fonts_changed = [this] { canvas_->set_fonts(); },
                    .frame_made =
                        [this] {
                          canvas_->draw(ImGui::GetIO().DisplaySize, *ImGui::GetDrawData());
                          if (lab_) save_capture(app(), canvas_->size());
                        },
                    .closing = [this] { canvas_->shut_down(); }};
  lab_ = std::make_unique<Headless>(std::move(options));
}

Offscreen::~Offscreen() {
  canvas_->make_current(canvas_->size());  // textures are deleted with the application
  lab_.reset();
}

void Offscreen::finish() {
  canvas_->make_current(canvas_->size());
  glFinish();
}

Picture Offscreen::picture(std::optional<Rect> area) {
  canvas_->make_current(canvas_->size());
  return read_picture(canvas_->size(), area);
}

}  // namespace attn

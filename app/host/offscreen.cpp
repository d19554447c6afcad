// The headless host with a painter behind it. Its OpenGL context belongs to no window (Mesa's surfaceless
// platform); every call makes it current, since a process may hold several.
#include "app/host/offscreen.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <backends/imgui_impl_opengl3.h>

#include <optional>

#include "app/host/capture.h"
#include "app/host/paint.h"
#include "app/host/picture.h"
#include "app/theme/toolkit.h"
#include "core/system/error.h"

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

// The OpenGL that frames are drawn with, its context current in every call.
class Offscreen::Canvas {
 public:
  ~Canvas() {
    egl_.make_current();
    painter_.reset();  // its framebuffer goes with its context
  }

  void bind(ImVec2 size) {
    egl_.make_current();
    painter_->bind(size);
  }

  void set_fonts() {
    egl_.make_current();
    forget();
    if (started_) return renew_font_texture();
    started_ = ImGui_ImplOpenGL3_Init("#version 330");
    if (!started_) no_picture("libGL.so.1 does not load");
    ImGui_ImplOpenGL3_NewFrame();  // makes its objects, the fonts' texture among them
  }

  void draw(ImVec2 size, ImDrawData& data) {
    egl_.make_current();
    painter_->paint(data, size);
  }

  void forget() { painter_->forget(); }

  // While Dear ImGui's context is there.
  void shut_down() {
    egl_.make_current();
    if (std::exchange(started_, false)) ImGui_ImplOpenGL3_Shutdown();
  }

  ImVec2 size() const { return painter_->size(); }

 private:
  EglContext egl_;
  std::optional<Painter> painter_{std::in_place};
  bool started_ = false;  // the toolkit's OpenGL backend
};

Offscreen::Offscreen(Headless::Options options) : canvas_(std::make_unique<Canvas>()) {
  canvas_->bind(options.size);
  options.screen = {.fonts_changed = [this] { canvas_->set_fonts(); },
                    .frame_made = [this] { frame_made(); },
                    .closing = [this] { canvas_->shut_down(); }};
  lab_ = std::make_unique<Headless>(std::move(options));
}

void Offscreen::frame_made() {
  canvas_->draw(ImGui::GetIO().DisplaySize, *ImGui::GetDrawData());
  if (!lab_) return;
  const Theme theme = lab_->theme();
  save_capture(app(), {theme.fonts, theme.scale, canvas_->size()});
  if (const auto use = std::exchange(while_drawn_, {})) use();
}

Offscreen::~Offscreen() {
  canvas_->bind(canvas_->size());  // textures are deleted with the application
  lab_.reset();
}

void Offscreen::finish() {
  canvas_->bind(canvas_->size());
  glFinish();
}

void Offscreen::draw_whole() {
  canvas_->forget();
}

void Offscreen::with_next_frame(const std::function<void(const JustDrawn&)>& use) {
  while_drawn_ = [&] {
    const Theme theme = lab_->theme();
    use({theme.fonts, theme.scale, canvas_->size()});
  };
  lab_->frame();
}

Picture Offscreen::picture_on(ImU32 background, std::optional<Rect> area) {
  Picture picture;
  with_next_frame([&](const JustDrawn& drawn) { picture = frame_on(drawn, area, background); });
  return picture;
}

std::string Offscreen::svg(std::optional<Rect> area, std::optional<ImU32> background,
                           std::string_view session) {
  std::string text;
  with_next_frame([&](const JustDrawn& drawn) { text = frame_as_svg(drawn, area, background, session); });
  return text;
}

Picture Offscreen::picture(std::optional<Rect> area) {
  canvas_->bind(canvas_->size());
  return read_picture(canvas_->size(), area);
}

}  // namespace attn

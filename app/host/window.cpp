// The loop of events: it sleeps until input or the worker wakes it and then draws a few frames. Where the
// toolkit only looks which keys are down, once a frame, they queue up here.
#include "app/host/window.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <string>
#include <vector>

#include "app/frame/layout.h"
#include "app/frame/present_view.h"
#include "app/host/capture.h"
#include "app/host/context.h"
#include "app/host/fonts.h"
#include "app/host/full_screen.h"
#include "app/host/leaving.h"
#include "app/host/paint.h"
#include "app/host/window_class.h"
#include "app/theme/toolkit.h"
#include "core/system/error.h"

namespace attn {
namespace {

using namespace std::chrono_literals;
// An effect that is not there by then comes with a frame of its own: input never waits longer.
constexpr auto kSettle = 8ms;
// Dear ImGui shows what an event did one frame later, and closes what that opened another frame later.
constexpr int kFramesAfterInput = 3;
constexpr double kFrameSeconds = 1.0 / 60;
constexpr int kWidth = 1600, kHeight = 1000, kLeastWidth = 1024, kLeastHeight = 640;

std::string last_error() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text ? text : "no reason is known";
}

struct KeyEvent {
  int key, scancode, action, modifiers;
  bool is_modifier() const { return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER; }
};

// What has happened since the last frame.
struct Events {
  std::atomic<bool> woken = false;  // set by the worker
  bool input = true;                // something has to be drawn
  std::deque<KeyEvent> keys;
  std::vector<std::string> dropped;
};

Events& events_of(GLFWwindow* window) {
  return *static_cast<Events*>(glfwGetWindowUserPointer(window));
}

// Before the toolkit's backend, which calls what was there before it.
void watch(GLFWwindow* window, Events& events) {
  glfwSetWindowUserPointer(window, &events);
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double, double) { events_of(w).input = true; });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { events_of(w).input = true; });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int, int, int) { events_of(w).input = true; });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { events_of(w).input = true; });
  glfwSetKeyCallback(window, [](GLFWwindow* w, int, int, int, int) { events_of(w).input = true; });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned) { events_of(w).input = true; });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { events_of(w).input = true; });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { events_of(w).input = true; });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { events_of(w).input = true; });
  glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) { events_of(w).input = true; });
  glfwSetWindowCloseCallback(window, [](GLFWwindow* w) { events_of(w).input = true; });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    events_of(w).input = true;
    events_of(w).dropped.assign(paths, paths + count);
  });
}

// In place of the toolkit's, which has no queue: keys wait for feed_keys.
void watch_keys(GLFWwindow* window) {
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int action, int modifiers) {
    events_of(w).input = true;
    events_of(w).keys.push_back({key, scancode, action, modifiers});
  });
}

// Hands keys to the toolkit, which looks only once a frame which are down: a press and its release, or a key
// and the release of its Ctrl, go to different frames however fast they came.
void feed_keys(GLFWwindow* window, std::deque<KeyEvent>& keys) {
  std::vector<int> changed;
  bool plain = false;  // a key other than Ctrl and its kin
  while (!keys.empty()) {
    const KeyEvent event = keys.front();
    if (std::ranges::count(changed, event.key) > 0 || (plain && event.is_modifier())) return;
    changed.push_back(event.key);
    plain = plain || !event.is_modifier();
    ImGui_ImplGlfw_KeyCallback(window, event.key, event.scancode, event.action, event.modifiers);
    keys.pop_front();
  }
}

}  // namespace

// GLFW itself and its one window.
class Window::Glfw {
 public:
  ~Glfw() {
    if (window_) glfwDestroyWindow(window_);
    glfwTerminate();
  }
  // Whether there is a window now.
  bool open() {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // until there is a picture
    hint_window_class();
    int left = 0, top = 0, width = kWidth, height = kHeight;
    float scale = 1, vertical = 1;
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
      glfwGetMonitorContentScale(monitor, &scale, &vertical);
      glfwGetMonitorWorkarea(monitor, &left, &top, &width, &height);
    }
    const auto side = [&](int wanted, int available) {
      return std::min(static_cast<int>(std::lround(static_cast<float>(wanted) * scale)), available);
    };
    window_ = glfwCreateWindow(side(kWidth, width), side(kHeight, height), "Attention Lab", nullptr, nullptr);
    if (!window_) return false;
    glfwSetWindowSizeLimits(window_, kLeastWidth, kLeastHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
    return true;
  }
  GLFWwindow* window() const { return window_; }

 private:
  GLFWwindow* window_ = nullptr;
};

namespace {

// One run of the program in the window.
class Session {
 public:
  Session(GLFWwindow* window, Application::Setup setup, std::optional<float> ui_scale,
          std::function<void(Application&)> drawn)
      : window_(window), drawn_(std::move(drawn)) {
    watch(window, events_);
    if (!ImGui_ImplOpenGL3_Init("#version 330"))
      throw Error("the window cannot be drawn: libGL.so.1 does not load (package libgl1)", Fault::output);
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    if (!kQueuesInput) watch_keys(window);
    setup.wake = [this] {
      events_.woken = true;
      glfwPostEmptyEvent();
    };
    setup.opengl = true;
    setup.native_dialogs = true;
    app_ = std::make_unique<Application>(std::move(setup));
    app_->view().ui_scale = ui_scale;
  }
  ~Session() {
    glfwHideWindow(window_);
    leave_within(kLeave);  // the work is written, or was given up
    app_.reset();          // its textures need OpenGL, its thread the window
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
  }

  void run() {
    int due = kFramesAfterInput;
    while (!app_->quit_requested()) {
      wait(due > 0);
      if (glfwWindowShouldClose(window_)) {  // the application may have something to ask
        glfwSetWindowShouldClose(window_, GLFW_FALSE);
        app_->request_quit();
      }
      const bool woken = events_.woken.exchange(false);
      if (std::exchange(events_.input, false) || woken || !events_.keys.empty() || input_waits())
        due = kFramesAfterInput;
      if (!events_.dropped.empty()) app_->dropped(std::exchange(events_.dropped, {}));
      // GLFW wakes for more than it reports: where nothing asked for a frame, none is drawn.
      if (due == 0 && !app_->animating()) continue;
      feed_keys(window_, events_.keys);
      draw();
      due = std::max(0, due - 1);
    }
  }

 private:
  void wait(bool frame_due) {
    if (app_->animating()) {  // at the pace of a monitor, where swapping does not wait for one
      const double rest = drawn_at_ + kFrameSeconds - glfwGetTime();
      if (rest > 0) glfwWaitEventsTimeout(rest);
    }
    if (frame_due || app_->animating())
      glfwPollEvents();
    else
      glfwWaitEvents();
  }

  // Where a window is measured in points (Wayland) the toolkit draws points, and the framebuffer has the
  // pixels.
  float scale() const {
    float content = 1, vertical = 1;
    int width = 0, height = 0, pixels = 0, pixels_high = 0;
    glfwGetWindowContentScale(window_, &content, &vertical);
    glfwGetWindowSize(window_, &width, &height);
    glfwGetFramebufferSize(window_, &pixels, &pixels_high);
    const float points = width > 0 && pixels > 0 ? static_cast<float>(pixels) / static_cast<float>(width) : 1;
    return window_scale(app_->view(), content / points,
                        {static_cast<float>(width), static_cast<float>(height)});
  }

  void load_fonts_for(float scale) {
    if (scale == font_scale_) return;
    const bool first = std::exchange(font_scale_, scale) == 0;
    std::string note;
    fonts_ = load_fonts(scale, note);
    if (!note.empty()) app_->say(note);
    if (first) return;
    painter_.forget();
    renew_font_texture();
  }

  void draw() {
    const float scale_now = scale();
    load_fonts_for(scale_now);
    ImGui_ImplOpenGL3_NewFrame();  // makes its objects when there are none, the fonts' texture among them
    bool first = true;
    const auto new_frame = [&] {
      if (std::exchange(first, false))
        ImGui_ImplGlfw_NewFrame();
      else
        ImGui::GetIO().DeltaTime = 1e-4f;  // the second pass is the same moment
      ImGui::NewFrame();
    };
    make_frame(*app_, fonts_, scale_now, kSettle, {new_frame, {}});
    present();
    app_->textures().end_frame();
    drawn_at_ = glfwGetTime();
    show();
    if (drawn_) drawn_(*app_);
  }

  void present() {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    if (width == 0 || height == 0) return;  // minimised
    const ImVec2 pixels{static_cast<float>(width), static_cast<float>(height)};
    painter_.paint(*ImGui::GetDrawData(), pixels);
    save_capture(*app_, {fonts_, font_scale_, pixels});
    painter_.show();
    glfwSwapBuffers(window_);
  }

  void show() {
    if (const std::string title = app_->title(); title != title_)
      glfwSetWindowTitle(window_, (title_ = title).c_str());
    full_screen_.follow(window_, presents(app_->view()));
    if (!std::exchange(shown_, true)) glfwShowWindow(window_);
  }

  GLFWwindow* window_;
  float font_scale_ = 0;
  std::function<void(Application&)> drawn_;
  Events events_;
  ImguiContext context_;
  Fonts fonts_;
  Painter painter_;
  std::unique_ptr<Application> app_;
  double drawn_at_ = 0;
  std::string title_;
  bool shown_ = false;
  FullScreen full_screen_;
};

}  // namespace

Window::Window(std::unique_ptr<Glfw> glfw) : glfw_(std::move(glfw)) {}
Window::~Window() = default;

std::unique_ptr<Window> Window::open(std::string& why) {
  auto glfw = glfwInit() ? std::make_unique<Glfw>() : nullptr;
  if (!glfw || !glfw->open()) {
    why = last_error();
    return nullptr;
  }
  return std::unique_ptr<Window>(new Window(std::move(glfw)));
}

void Window::run(Application::Setup setup, std::optional<float> ui_scale,
                 std::function<void(Application&)> drawn) {
  Session(glfw_->window(), std::move(setup), ui_scale, std::move(drawn)).run();
}

}  // namespace attn

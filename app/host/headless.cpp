// Input goes straight into Dear ImGui's, one frame for each change, so that no event is missed. Time is what
// the caller says, not the clock's: double clicks and animations are the same on slow machines.
#include "app/host/headless.h"

#include <cassert>
#include <chrono>

#include "app/frame/layout.h"
#include "app/host/fonts.h"
#include "app/theme/toolkit.h"
#include "core/reference/backend.h"

namespace attn {
namespace {

using namespace std::chrono_literals;
constexpr auto kPatience = 60s;  // a worker that takes longer hangs
constexpr int kMostRounds = 10;
constexpr float kPause = 0.5f;  // seconds between gestures: two clicks are no double click

}  // namespace

Headless::Headless(Options options)
    : screen_(std::move(options.screen)), on_top_(std::move(options.on_top)), monitor_scale_(options.scale) {
  ImGuiIO& io = ImGui::GetIO();
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  io.DisplaySize = options.size;
  feed_at_once();
  io.UserData = &log_;
  io.ClipboardUserData = this;
  io.GetClipboardTextFn = [](void* self) { return static_cast<Headless*>(self)->clipboard.c_str(); };
  io.SetClipboardTextFn = [](void* self, const char* text) {
    static_cast<Headless*>(self)->clipboard = text;
  };
  if (!options.backend) options.backend = [](std::vector<std::string>&) { return make_reference_backend(); };
  Application::Setup setup;
  setup.document = std::move(options.document);
  setup.store = std::move(options.store);
  setup.measures = std::move(options.measures);
  if (options.opened) setup = std::move(*options.opened);
  setup.devices.backend = std::move(options.backend);
  setup.devices.test = std::move(options.test_devices);
  setup.budget = std::move(options.budget);
  setup.workspaces = options.workspaces;
  setup.patience = options.waits_for_files ? kPatience : 0s;
  setup.opengl = screen_.frame_made != nullptr;
  app_ = std::make_unique<Application>(std::move(setup));
  if (options.settings) app_->view().settings = *options.settings;
  options.wait ? settle() : frame();
}

Headless::~Headless() {
  context_.make_current();  // the application's last words may need it
  app_.reset();
  if (screen_.closing) screen_.closing();
}

std::shared_ptr<const Results> Headless::results() {
  app_->engine().wait_idle();
  return app_->engine_state().results;
}

void Headless::frame(float seconds) {
  context_.make_current();
  ImGuiIO& io = ImGui::GetIO();
  const float scale = window_scale(app_->view(), monitor_scale_, io.DisplaySize);
  if (scale != font_scale_) {
    std::string note;
    fonts_ = load_fonts(scale, note);
    font_scale_ = scale;
    if (screen_.fonts_changed) screen_.fonts_changed();
  }
  // The second pass of a frame is the same moment: next to no time goes by; none the toolkit does not allow.
  const auto new_frame = [&] {
    io.DeltaTime = std::exchange(seconds, 1e-4f);
    log_.items.clear();
    ImGui::NewFrame();
  };
  make_frame(*app_, fonts_, scale, kPatience, {new_frame, on_top_});
  if (screen_.frame_made) screen_.frame_made();
  app_->textures().end_frame();
}

void Headless::frames(int count) {
  for (int i = 0; i < count; ++i) frame();
}

void Headless::settle() {
  frame();  // posts what has changed
  app_->wait_for_reading(kPatience);
  frame();  // takes what was read
  // Takes the results, and shows what they changed in the layout; that may ask for more
  // (app/frame/studies.h).
  for (int i = 0; i == 0 || (i < kMostRounds && !app_->engine().jobs().empty()); ++i) {
    app_->engine().wait_idle();
    frames(2);
  }
}

void Headless::resize(ImVec2 size) {
  context_.make_current();
  ImGui::GetIO().DisplaySize = size;
  frames(2);
}

void Headless::set_scale(float scale) {
  monitor_scale_ = scale;
  frames(2);
}

void Headless::move(ImVec2 position) {
  context_.make_current();
  feed_mouse(position);
  frame();
}

void Headless::press(int button) {
  context_.make_current();
  feed_button(button, true);
  frame();
}

void Headless::release(int button) {
  context_.make_current();
  feed_button(button, false);
  frame();
}

void Headless::click(ImVec2 position, int button) {
  move(position);
  frame(kPause);
  press(button);
  release(button);
  frame();
}

void Headless::double_click(ImVec2 position) {
  click(position);
  press();
  release();
  frame();
}

void Headless::drag(ImVec2 from, ImVec2 to, int steps, int button) {
  move(from);
  frame(kPause);
  press(button);
  for (int i = 1; i <= steps; ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(steps);
    move({from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t});
  }
  release(button);
  frame();
}

void Headless::wheel(ImVec2 position, float notches, float sideways) {
  move(position);
  feed_wheel(notches, sideways);
  frames(2);
}

void Headless::hold(Modifiers modifiers) {
  context_.make_current();
  held_ = modifiers;
  feed_modifiers(modifiers.control, modifiers.shift, modifiers.alt);
}

void Headless::key(int glfw_key, Modifiers modifiers) {
  context_.make_current();
  feed_modifiers(modifiers.control, modifiers.shift, modifiers.alt);
  key_down(glfw_key);
  key_up(glfw_key);
  feed_modifiers(held_.control, held_.shift, held_.alt);
  frame();
}

void Headless::key_down(int glfw_key) {
  context_.make_current();
  feed_key(glfw_key, true);
  frame();
}

void Headless::key_up(int glfw_key) {
  context_.make_current();
  feed_key(glfw_key, false);
  frame();
}

void Headless::type(std::string_view text) {
  context_.make_current();
  ImGui::GetIO().AddInputCharactersUTF8(std::string(text).c_str());
  frames(2);
}

const ImDrawData& Headless::draw_data() const {
  context_.make_current();
  const ImDrawData* data = ImGui::GetDrawData();
  assert(data);
  return *data;
}

std::vector<DrawnText> Headless::texts() const {
  return drawn_texts(draw_data());
}

std::string Headless::text_in(Rect area) const {
  std::string joined;
  for (const DrawnText& text : drawn_texts(draw_data(), area))
    joined += (joined.empty() ? "" : " ") + text.text;
  return joined;
}

std::optional<Rect> Headless::find_text(std::string_view wanted) const {
  for (const DrawnText& text : texts())
    if (text.text == wanted) return text.box;
  return std::nullopt;
}

bool Headless::shows(std::string_view part) const {
  for (const DrawnText& text : texts())
    if (text.text.find(part) != std::string::npos) return true;
  return false;
}

std::optional<Rect> Headless::item(std::string_view path) const {
  for (const Item& item : log_.items) {
    if (!item.path.ends_with(path)) continue;
    const std::size_t before = item.path.size() - path.size();
    if (before == 0 || item.path[before - 1] == '/') return item.box;
  }
  return std::nullopt;
}

bool Headless::reveal(std::string_view path) {
  constexpr int kMostTurns = 80;
  if (item(path)) return true;
  context_.make_current();
  view().settings.sections = {.all = true};
  if (view().controls.folded) view().show_controls();
  frames(2);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const ImVec2 on_labels{view().controls.open ? 60 * font_scale_ : screen.x * 0.02f, screen.y / 2};
  wheel(on_labels, kMostTurns);
  for (int i = 0; i < kMostTurns && !item(path); ++i) wheel(on_labels, -1);
  wheel(on_labels, -1);  // all of it
  frames(2);
  return item(path).has_value();
}

void Headless::click_item(std::string_view path) {
  [[maybe_unused]] const bool there = reveal(path);
  assert(there);
  click(centre(*item(path)));
}

}  // namespace attn

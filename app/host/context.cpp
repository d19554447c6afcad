// Dear ImGui set up without files of its own, with the same keys in every host; and the second pass of a
// frame whose edit the worker has answered in time.
#include "app/host/context.h"

#include <GLFW/glfw3.h>

#include <initializer_list>
#include <utility>

#include "app/application.h"

namespace attn {
namespace {

// The same codes as the GLFW backend's, so that the program sees the same keys in every host.
void set_keys(ImGuiIO& io) {
  const std::initializer_list<std::pair<ImGuiKey, int>> keys = {
      {ImGuiKey_Tab, GLFW_KEY_TAB},
      {ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
      {ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
      {ImGuiKey_UpArrow, GLFW_KEY_UP},
      {ImGuiKey_DownArrow, GLFW_KEY_DOWN},
      {ImGuiKey_PageUp, GLFW_KEY_PAGE_UP},
      {ImGuiKey_PageDown, GLFW_KEY_PAGE_DOWN},
      {ImGuiKey_Home, GLFW_KEY_HOME},
      {ImGuiKey_End, GLFW_KEY_END},
      {ImGuiKey_Insert, GLFW_KEY_INSERT},
      {ImGuiKey_Delete, GLFW_KEY_DELETE},
      {ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
      {ImGuiKey_Space, GLFW_KEY_SPACE},
      {ImGuiKey_Enter, GLFW_KEY_ENTER},
      {ImGuiKey_Escape, GLFW_KEY_ESCAPE},
      {ImGuiKey_KeyPadEnter, GLFW_KEY_KP_ENTER},
      {ImGuiKey_A, GLFW_KEY_A},
      {ImGuiKey_C, GLFW_KEY_C},
      {ImGuiKey_V, GLFW_KEY_V},
      {ImGuiKey_X, GLFW_KEY_X},
      {ImGuiKey_Y, GLFW_KEY_Y},
      {ImGuiKey_Z, GLFW_KEY_Z},
  };
  for (const auto& [key, code] : keys) io.KeyMap[key] = code;
}

}  // namespace

ImguiContext::ImguiContext() : previous_(ImGui::GetCurrentContext()), context_(ImGui::CreateContext()) {
  make_current();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // what is remembered is in the settings
  io.LogFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  set_keys(io);
}

ImguiContext::~ImguiContext() {
  ImGui::DestroyContext(context_);
  ImGui::SetCurrentContext(previous_);
}

void make_frame(Application& app, const Fonts& fonts, float scale, std::chrono::microseconds limit,
                const Passes& passes) {
  const auto pass = [&] {
    passes.new_frame();
    app.frame(fonts, scale);
    if (passes.on_top) passes.on_top();
    ImGui::Render();
  };
  pass();
  if (!app.awaiting()) return;
  app.wait_for_results(limit);
  pass();
}

}  // namespace attn

// Dear ImGui set up without files of its own, with the same keys in every host; and the second pass of a
// frame whose edit the worker has answered in time.
#include "app/host/context.h"

#include "app/program/application.h"
#include "app/theme/toolkit.h"

namespace attn {
ImguiContext::ImguiContext() : previous_(ImGui::GetCurrentContext()), context_(ImGui::CreateContext()) {
  make_current();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // what is remembered is in the settings
  io.LogFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  set_up_keys();
}

ImguiContext::~ImguiContext() {
  ImGui::DestroyContext(context_);
  ImGui::SetCurrentContext(previous_);
}

void make_frame(Application& app, const Fonts& fonts, float scale, std::chrono::microseconds limit,
                const PassHooks& passes) {
  const auto pass = [&] {
    leave_unmade_menus();
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

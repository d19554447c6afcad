// Pictures of all steps, and what becomes of them and of other files that are written behind the window.
#include <cmath>

#include "app/frame/saving_view.h"
#include "app/program/application.h"
#include "app/program/free_path.h"

namespace attn {

StepSize Application::step_size() const {
  const ImGuiIO& io = ImGui::GetIO();
  const auto pixels = [](float side) { return static_cast<int>(std::lround(side)); };
  return {.width = pixels(io.DisplaySize.x * io.DisplayFramebufferScale.x),
          .height = pixels(io.DisplaySize.y * io.DisplayFramebufferScale.y),
          .scale = scale_ * io.DisplayFramebufferScale.x,
          .steps = steps().size()};
}

void Application::save_steps(bool animation) {
  const StepSize size = step_size();
  Settings settings = view_.settings;
  settings.language = language_.code();
  const std::string path = step_pictures_.start({.size = size,
                                                 .document = document(),
                                                 .look = look(),
                                                 .settings = std::move(settings),
                                                 .device = view_.device_choice(),
                                                 .animation = animation},
                                                pictures_folder());
  say((animation ? "drawing an animation of " : "drawing ") + size.weight() + ": " + path);
}

// News of what is written behind the window's back.
void Application::take_what_was_saved() {
  for (auto saved = number_files_.take(); saved; saved = number_files_.take())
    say(saved->said, saved->trouble);
  if (const auto saved = step_pictures_.take()) say(saved->said, saved->trouble);
  SavingView& view = memos_.of<SavingView>() = {};
  if (!step_pictures_.running()) return;
  const std::size_t drawn = step_pictures_.drawn();
  const std::string steps = std::to_string(step_pictures_.steps());
  view.doing = drawn == 0 ? "getting ready to draw " + steps + " steps"
                          : "step " + std::to_string(drawn) + " of " + steps + " drawn";
  view.done = static_cast<double>(drawn) / static_cast<double>(step_pictures_.steps());
  view.seconds_left = step_pictures_.seconds_left();
}

}  // namespace attn

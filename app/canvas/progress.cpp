// A pill at the lower edge of the canvas: the stage that is running, a bar of those done, and a chip to stop.
#include "app/canvas/progress.h"

#include <algorithm>

#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kWidth = 340, kHeight = 44, kAbove = 16, kBar = 4, kPadding = 14;  // points
constexpr std::chrono::milliseconds kLongRest{300};

std::string words(const EngineState& engine) {
  if (!engine.busy && engine.deferred) return "computing " + engine.deferred->doing + "…";
  if (engine.testing) return "testing devices…";
  if (engine.device.empty()) return "starting the device…";
  return engine.computing.empty() ? "computing…" : "computing " + engine.computing + "…";
}

double done(const EngineState& engine) {
  if (engine.busy || !engine.deferred) return engine.progress;
  return static_cast<double>(engine.deferred->done) / static_cast<double>(engine.deferred->outputs.size());
}

// What there is to see, in the window that was begun.
void draw_inside(Frame& frame, Rect box) {
  const Theme& theme = frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string stop = "Stop";
  const ImVec2 chip = chip_size(theme, stop);
  const float left = box.min.x + theme.px(kPadding), right = box.max.x - theme.px(kPadding);
  const float bar = box.max.y - theme.px(kBar);
  const ImFont* font = theme.fonts.body;
  draw_text(list, font, {left, (box.min.y + bar - font_size(font)) / 2}, theme.text,
            elided(font, words(frame.engine), right - chip.x - theme.px(8) - left));
  list.AddRectFilled({box.min.x, bar}, box.max, theme.border);
  list.AddRectFilled({box.min.x, bar},
                     {box.min.x + box.width() * static_cast<float>(done(frame.engine)), box.max.y},
                     theme.accent);
  ImGui::SetCursorScreenPos({right - chip.x, (box.min.y + bar - chip.y) / 2});
  const bool can_stop = !frame.engine.device.empty();
  if (can_stop && draw_chip(theme, {.id = "stop", .text = stop, .tooltip = "when this stage is done"}))
    frame.commands.push_back("edit.stop");
}

}  // namespace

void draw_progress(Frame& frame, Rect canvas) {
  const auto& deferred = frame.engine.deferred;
  const bool waits =
      deferred && deferred->running() && std::chrono::steady_clock::now() - deferred->began > kLongRest;
  if (!frame.view.lags() && !(waits && !frame.view.timeless)) return;

  const Theme& theme = frame.theme;
  const ImVec2 size{std::min(theme.px(kWidth), canvas.width()), theme.px(kHeight)};
  const ImVec2 min{(canvas.min.x + canvas.max.x - size.x) / 2, canvas.max.y - theme.px(kAbove) - size.y};
  ImGui::SetNextWindowPos(min);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme.bar);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  // A window of its own lies above the matrices, also for the pointer.
  ImGui::Begin("##progress", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  draw_inside(frame, {min, {min.x + size.x, min.y + size.y}});
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

}  // namespace attn

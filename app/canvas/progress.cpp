// A pill at the lower edge of the canvas: the stage that is running, a bar of those done, and a chip to stop.
#include "app/canvas/progress.h"

#include <algorithm>

#include "app/frame/saving_view.h"
#include "app/plot/plot_numbers.h"
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

// What a pill says.
struct Pill {
  const char* id;
  std::string words, left;  // of what, and for how long
  double done;              // 0 … 1
  bool can_stop;
  const char* stop_says;
};

// What there is to see, in the window that was begun. Whether it is to be stopped.
bool draw_inside(const Theme& theme, Rect box, const Pill& pill) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string stop = "Stop";
  const ImVec2 chip = chip_size(theme, stop);
  const float left = box.min.x + theme.px(kPadding), bar = box.max.y - theme.px(kBar);
  float right = box.max.x - theme.px(kPadding) - chip.x;
  const ImFont* font = theme.fonts.body;
  const float y = (box.min.y + bar - font_size(font)) / 2;
  ImGui::SetCursorScreenPos({right, (box.min.y + bar - chip.y) / 2});
  right -= theme.px(8) + text_width(font, pill.left);
  draw_text(list, font, {right, y}, theme.dim, pill.left);
  draw_text(list, font, {left, y}, theme.text, elided(font, pill.words, right - theme.px(8) - left));
  list.AddRectFilled({box.min.x, bar}, box.max, theme.border);
  list.AddRectFilled({box.min.x, bar}, {box.min.x + box.width() * static_cast<float>(pill.done), box.max.y},
                     theme.accent);
  return pill.can_stop && draw_chip(theme, {.id = "stop", .text = stop, .tooltip = pill.stop_says});
}

// In a window of its own, which lies above the matrices, also for the pointer; so many pills above the edge.
bool draw_pill(const Theme& theme, Rect canvas, int above, const Pill& pill) {
  const ImVec2 size{std::min(theme.px(kWidth), canvas.width()), theme.px(kHeight)};
  const float up = theme.px(kAbove) + size.y;
  const ImVec2 min{(canvas.min.x + canvas.max.x - size.x) / 2,
                   canvas.max.y - up * static_cast<float>(above + 1)};
  ImGui::SetNextWindowPos(min);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme.bar);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::Begin(pill.id, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  const bool stop = draw_inside(theme, {min, {min.x + size.x, min.y + size.y}}, pill);
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  return stop;
}

}  // namespace

void draw_progress(Frame& frame, Rect canvas) {
  const auto& deferred = frame.engine.deferred;
  const bool waits =
      deferred && deferred->running() && std::chrono::steady_clock::now() - deferred->began > kLongRest;
  if (!frame.view.lags() && !(waits && !frame.view.timeless)) return;
  if (draw_pill(frame.theme, canvas, 0,
                {.id = "##progress",
                 .words = words(frame.engine),
                 .left = {},
                 .done = done(frame.engine),
                 .can_stop = !frame.engine.device.empty(),
                 .stop_says = "when this stage is done"}))
    frame.commands.push_back("edit.stop");
}

void draw_saving(Frame& frame, Rect canvas) {
  const SavingView& saving = frame.memos.of<SavingView>();
  if (saving.doing.empty()) return;
  if (draw_pill(frame.theme, canvas, 1,
                {.id = "##saving",
                 .words = saving.doing,
                 .left = frame.view.timeless ? "" : time_left_text(saving.seconds_left),
                 .done = saving.done,
                 .can_stop = true,
                 .stop_says = "what is written by then stays"}))
    frame.commands.push_back("file.stop_steps");
}

}  // namespace attn

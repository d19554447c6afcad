// That a lesson is recorded, how many steps it has, and what can be done: above the canvas, while it is so.
#include "app/frame/recording_view.h"
#include "app/panels/panels.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kSignDot = 4.5f, kSignPad = 12, kSignAbove = 4;  // points

std::string words_of(std::size_t steps) {
  return "Recording a lesson: " +
         (steps == 0 ? "no step yet" : std::to_string(steps) + (steps == 1 ? " step" : " steps"));
}

void draw_buttons(Frame& frame, float left, float right, bool steps) {
  ChipRow row(frame.theme, left, right);
  if (row.add({.id = "add",
               .text = "Add step",
               .tooltip = "what is open, looked at and selected now (F9)",
               .on = true}))
    frame.commands.push_back("recording.add");
  if (steps && row.add({.id = "undo", .text = "Undo step", .tooltip = "takes the last one back"}))
    frame.commands.push_back("recording.undo");
  if (steps && row.add({.id = "finish", .text = "Finish…", .tooltip = "write its sentences and save it"}))
    frame.commands.push_back("recording.finish");
  if (!steps && row.add({.id = "stop", .text = "Stop", .tooltip = "ends the recording"}))
    frame.commands.push_back("recording.discard");
}

}  // namespace

float draw_recording_line(Frame& frame, Rect canvas) {
  const RecordingView& recording = std::as_const(frame.view).of<RecordingView>();
  if (!recording.on) return 0;
  const Theme& theme = frame.theme;
  const ImFont* font = theme.fonts.body;
  const float pad = theme.px(kSignPad), dot = theme.px(kSignDot), top = canvas.min.y + theme.px(kSignAbove);
  const float chip = chip_size(theme, "Add step").y;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);  // the ground, whose height the lines of chips tell
  list.ChannelsSetCurrent(1);
  const float middle = top + chip / 2, from = canvas.min.x + pad;
  list.AddCircleFilled({from + dot, middle}, dot, theme.bad);
  const std::string words =
      elided(font, words_of(recording.steps.size()), canvas.max.x - pad - from - 2 * dot - pad);
  draw_text(list, font, {from + 2 * dot + pad / 2, middle - font_size(font) / 2}, theme.text, words);
  const float after = from + 2 * dot + pad / 2 + text_width(font, words) + 2 * pad;
  // Beside the words, or below them where there is no room for the widest of the buttons.
  const bool beside = canvas.max.x - pad - after > chip_size(theme, "Undo step").x;
  const float left = beside ? after : from;
  ImGui::PushID("recording");
  ImGui::SetCursorScreenPos({left, beside ? top : top + chip + theme.px(kSignAbove)});
  draw_buttons(frame, left, canvas.max.x - pad, !recording.steps.empty());
  ImGui::PopID();
  const float bottom = ImGui::GetCursorScreenPos().y;
  list.ChannelsSetCurrent(0);
  list.AddRectFilled(canvas.min, {canvas.max.x, bottom}, mix(theme.canvas, theme.bad, 0.12f));
  list.ChannelsMerge();
  return bottom - canvas.min.y;
}

}  // namespace attn

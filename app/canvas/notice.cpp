// The notice above the canvas: what went wrong, and buttons that lead out.
#include "app/canvas/notice.h"

#include <cfloat>
#include <cmath>

#include "app/frame/before.h"
#include "app/language/speech.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/words.h"
#include "core/attention/repair.h"

namespace attn {
namespace {

constexpr float kBeforePad = 12;  // points

bool device_failed(const EngineState& engine) {
  return engine.fault == Fault::device && engine.device != "reference";
}

bool has_fixes(const Frame& frame) {
  return frame.engine.stopped || device_failed(frame.engine) || frame.history.can_undo() ||
         !layer_repairs(frame.layer()).empty();
}

// Buttons that lead out: going on, head counts that fit the projections, or the step back.
void fixes(Frame& frame, float left, float right) {
  ChipRow row(frame.theme, left, right);
  if (frame.engine.stopped &&
      row.add({.id = "compute", .text = "Compute it", .tooltip = "goes on where it stopped", .on = true}))
    frame.commands.push_back("edit.compute");
  if (device_failed(frame.engine) && row.add({.id = "reference",
                                              .text = "Compute on the reference",
                                              .tooltip = "slower, on the processor, always there",
                                              .on = true}))
    frame.commands.push_back("device.reference");
  for (const LayerRepair& repair : layer_repairs(frame.layer()))
    if (row.add({.id = "fix " + repair.words, .text = repair.words, .tooltip = {}, .on = true}))
      frame.layer() = repair.layer;
  if (frame.history.can_undo() &&
      row.add({.id = "fix undo", .text = "Undo", .tooltip = "back to what could be computed"}))
    frame.commands.push_back("edit.undo");
}

}  // namespace

ImU32 band_ground(const Theme& theme, ImU32 colour) {
  return mix(theme.panel, colour, 0.16f);
}

float draw_band(const Theme& theme, Rect area, const std::string& english, ImU32 colour,
                const std::function<void(float left, float right)>& chips) {
  const std::string words = spoken(english);
  const ImFont* font = theme.fonts.body;
  const float pad = theme.px(12), width = area.width() - 2 * pad;
  const ImVec2 text = font->CalcTextSizeA(font_size(font), FLT_MAX, width, words.c_str());
  float bottom = area.min.y + 2 * pad + text.y;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);  // the ground, whose height the lines of chips tell, and what stands on it
  list.ChannelsSetCurrent(1);
  list.AddText(font, font_size(font), {area.min.x + pad, area.min.y + pad}, theme.text, words.c_str(),
               nullptr, width);
  if (chips) {
    ImGui::SetCursorScreenPos({area.min.x + pad, bottom});
    chips(area.min.x + pad, area.max.x - pad);
    bottom = ImGui::GetCursorScreenPos().y + pad / 2;  // a row of chips ends half a gap below the last
  }
  list.ChannelsSetCurrent(0);
  list.AddRectFilled(area.min, {area.max.x, bottom}, band_ground(theme, colour));
  list.AddRectFilled(area.min, {area.min.x + theme.px(3), bottom}, colour);
  list.ChannelsMerge();
  return bottom - area.min.y;
}

float draw_notice(Frame& frame, Rect canvas) {
  const std::string& error = frame.engine.error;
  if (error.empty()) return 0;
  ImGui::PushID("notice");
  const auto chips = [&](float left, float right) { fixes(frame, left, right); };
  const float height = draw_band(frame.theme, canvas, error, frame.theme.bad,
                                 has_fixes(frame) ? chips : std::function<void(float, float)>());
  ImGui::PopID();
  return height;
}

void draw_before(const Frame& frame, Rect canvas) {
  if (!frame.view.before.shown || !results_before(frame) || !frame.engine.error.empty()) return;
  const Theme& theme = frame.theme;
  const ImFont* font = theme.fonts.small;
  const std::string words =
      elided(font, "The snapshot; B goes back to now", canvas.width() - 2 * theme.px(kBeforePad));
  const ImVec2 size{text_width(font, words) + 2 * theme.px(kBeforePad), theme.px(kSceneMargin)};
  const ImVec2 min{std::round((canvas.min.x + canvas.max.x - size.x) / 2), canvas.min.y};
  const ImVec2 max{min.x + size.x, min.y + size.y};
  ImGui::SetCursorScreenPos(min);
  // A child that comes behind the canvas lies above it; the pointer passes through.
  ImGui::BeginChild("before", size, false,
                    ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(min, max, band_ground(theme, theme.warning), theme.px(6),
                     ImDrawFlags_RoundCornersBottom);
  draw_text(list, font, {min.x + theme.px(kBeforePad), min.y + (size.y - font_size(font)) / 2}, theme.text,
            words);
  ImGui::EndChild();
}

}  // namespace attn
